//! `attachment` lines by kind: what the client gave the model besides the prompt. A table of fields.

use crate::shape::view;

view! {
    /// An `attachment` line beyond the envelope. `rendered` is what the model was shown.
    Attachment "attachment" closed {
        attachment: "attachment" open, rendered: "rendered" items(Rendered), rendered_role: "renderedRole" text,
        rendered_in_human_turn: "renderedInHumanTurn" items(Rendered),
        rendered_beside_tool_result: "renderedBesideToolResult" bool,
    }
    /// One text that the model was shown.
    Rendered "rendered" closed { content: "content" content, kind: "type" text }

    /// `agent_listing_delta`
    AgentListingDelta "attachment/agent_listing_delta" closed {
        kind: "type" text, added_types: "addedTypes" list, added_lines: "addedLines" list,
        removed_types: "removedTypes" list, built_in_types: "builtInTypes" list,
        built_in_plugin_types: "builtInPluginTypes" list, is_initial: "isInitial" bool,
        show_concurrency_note: "showConcurrencyNote" bool,
    }
    /// `already_read_file` and `file`: a file that a prompt mentioned.
    File "attachment/file" closed {
        kind: "type" text, filename: "filename" text, display_path: "displayPath" text,
        content: "content" object(FileContent), saved_copy_framing: "savedCopyFraming" open, truncated: "truncated" bool,
    }
    /// What was read of it.
    FileContent "content" closed { kind: "type" text, file: "file" object(ReadFile) }
    /// The file as the Read tool gives it.
    ReadFile "file" closed {
        file_path: "filePath" text, content: "content" text, num_lines: "numLines" u64, start_line: "startLine" u64,
        total_lines: "totalLines" u64, base64: "base64" text, kind: "type" text, original_size: "originalSize" u64,
        dimensions: "dimensions" open, truncated_by_token_cap: "truncatedByTokenCap" bool,
    }
    /// `auto_mode`
    AutoMode "attachment/auto_mode" closed {
        kind: "type" text, auto_mode_consent_flow: "autoModeConsentFlow" bool,
        finish_exposed_work: "finishExposedWork" bool, bash_first: "bashFirst" bool,
        bash_first_steer: "bashFirstSteer" text, steer_only: "steerOnly" bool, bypass: "bypass" bool,
        reminder_type: "reminderType" text,
    }
    /// `command_permissions`
    CommandPermissions "attachment/command_permissions" closed {
        kind: "type" text, allowed_tools: "allowedTools" list, model: "model" text,
    }
    /// `date` and `date_change`
    Date "attachment/date" closed { kind: "type" text, date: "date" text, new_date: "newDate" text, changed: "changed" any }
    /// `deferred_tools_delta`
    DeferredToolsDelta "attachment/deferred_tools_delta" closed {
        kind: "type" text, added_names: "addedNames" list, added_lines: "addedLines" list,
        removed_names: "removedNames" list, wire_hidden_names: "wireHiddenNames" list,
        readded_names: "readdedNames" list, pending_mcp_servers: "pendingMcpServers" list,
        needs_auth_mcp_servers: "needsAuthMcpServers" list, failed_mcp_servers: "failedMcpServers" list,
        surfaced_names: "surfacedNames" list,
    }
    /// `deferred_tools_record`
    DeferredToolsRecord "attachment/deferred_tools_record" closed {
        kind: "type" text, entries: "entries" items(ToolRecord),
        name_only_announcements: "nameOnlyAnnouncements" any, tool_input_copies: "toolInputCopies" list,
    }
    /// A tool's description.
    ToolRecord "entries" closed {
        name: "name" text, description: "description" text, input_schema: "input_schema" open,
        defer_loading: "defer_loading" bool, eager_input_streaming: "eager_input_streaming" bool,
    }
    /// `edited_text_file`: a file changed that the model had read.
    EditedTextFile "attachment/edited_text_file" closed {
        kind: "type" text, filename: "filename" text, snippet: "snippet" text,
    }
    /// `environment`
    Environment "attachment/environment" closed {
        kind: "type" text, snapshot: "snapshot" object(EnvironmentSnapshot), changes: "changes" items(EnvironmentChange),
    }
    /// Where the client runs.
    EnvironmentSnapshot "snapshot" closed {
        working_directory: "workingDirectory" text, is_worktree: "isWorktree" bool, is_git_repo: "isGitRepo" bool,
        additional_working_directories: "additionalWorkingDirectories" list, platform: "platform" text,
        shell: "shell" text, os_version: "osVersion" text, scratchpad_directory: "scratchpadDirectory" text,
    }
    /// What changed.
    EnvironmentChange "changes" closed { field: "field" text, from: "from" any, to: "to" any }
    /// `goal_status`
    GoalStatus "attachment/goal_status" closed {
        kind: "type" text, met: "met" bool, sentinel: "sentinel" bool, condition: "condition" text,
        reason: "reason" text, iterations: "iterations" u64, duration_ms: "durationMs" u64, tokens: "tokens" u64,
    }
    /// `hook_additional_context`
    HookContext "attachment/hook_additional_context" closed {
        kind: "type" text, content: "content" any, hook_name: "hookName" text, tool_use_id: "toolUseID" text,
        hook_event: "hookEvent" text,
    }
    /// `hook_success`, `hook_non_blocking_error` and their like.
    Hook "attachment/hook_success" closed {
        kind: "type" text, hook_name: "hookName" text, tool_use_id: "toolUseID" text, hook_event: "hookEvent" text,
        content: "content" text, stdout: "stdout" text, stderr: "stderr" text, exit_code: "exitCode" f64,
        command: "command" text, duration_ms: "durationMs" u64,
    }
    /// `instructions`: the CLAUDE.md files.
    Instructions "attachment/instructions" closed {
        kind: "type" text, files: "files" items(InstructionFile), removed: "removed" list, changed: "changed" bool,
        reason: "reason" text,
    }
    /// One of them.
    InstructionFile "files" closed { path: "path" text, kind: "type" text, content: "content" text }
    /// `model`
    Model "attachment/model" closed { kind: "type" text, identity: "identity" object(Identity), text: "text" text }
    /// Which model.
    Identity "identity" closed {
        model_id: "modelId" text, marketing_name: "marketingName" text, knowledge_cutoff: "knowledgeCutoff" text,
    }
    /// `plan_mode` and `plan_mode_exit`
    PlanMode "attachment/plan_mode" closed {
        kind: "type" text, reminder_type: "reminderType" text, is_sub_agent: "isSubAgent" bool,
        plan_file_path: "planFilePath" text, plan_exists: "planExists" bool,
    }
    /// `prompt_snapshot`: the system prompt.
    PromptSnapshot "attachment/prompt_snapshot" closed {
        kind: "type" text, system_prompt: "systemPrompt" list, tools: "tools" items(SnapshotTool),
        cli_prefix: "cliPrefix" text, reminder_fold: "reminderFold" bool, system_turns: "systemTurns" bool,
        tool_change_header: "toolChangeHeader" bool, inline_tools: "inlineTools" bool,
        echo_wire_tool_inputs: "echoWireToolInputs" bool, kept_reminders: "keptReminders" bool,
        context_rendering: "contextRendering" text, host_prompt: "hostPrompt" any,
    }
    /// A tool in it.
    SnapshotTool "tools" closed { name: "name" text, description: "description" text, schema: "schema" open, server: "server" text }
    /// `queued_command`: a prompt typed while the model worked, taken into the running turn.
    QueuedCommand "attachment/queued_command" closed {
        kind: "type" text, prompt: "prompt" content, source_uuid: "source_uuid" text, delivery_id: "delivery_id" text,
        command_mode: "commandMode" text, origin: "origin" object(QueueOrigin), timestamp: "timestamp" text,
        human_turn: "humanTurn" bool, run_id: "runId" text, usage: "usage" open,
        tools_used_delta: "toolsUsedDelta" list, image_paste_ids: "imagePasteIds" list, is_meta: "isMeta" bool, reminder_id: "reminderId" text,
    }
    /// Who queued it.
    QueueOrigin "origin" closed {
        kind: "kind" text, producer: "producer" text, run_id: "runId" text, from: "from" any, from_mode: "fromMode" text,
        hop_chain: "hopChain" any,
    }
    /// `read_truncation_notice`
    ReadTruncationNotice "attachment/read_truncation_notice" closed {
        kind: "type" text, banner: "banner" text, tool_use_id: "toolUseID" text,
    }
    /// `remote_session_change`
    RemoteSessionChange "attachment/remote_session_change" closed {
        kind: "type" text, url: "url" text, commit: "commit" text, pr: "pr" text,
        send_user_file_hint: "sendUserFileHint" bool, managed_commit: "managedCommit" bool, managed_pr: "managedPr" bool,
    }
    /// `session_context`. The keys of `context` are names of its parts.
    SessionContext "attachment/session_context" closed {
        kind: "type" text, context: "context" open, changed: "changed" any, reason: "reason" text,
    }
    /// `silent_turn_reminder` and `total_tokens_reminder`
    Reminder "attachment/silent_turn_reminder" closed { kind: "type" text, text: "text" text }
    /// `skill_listing`
    SkillListing "attachment/skill_listing" closed {
        kind: "type" text, content: "content" text, skill_count: "skillCount" u64, is_initial: "isInitial" bool,
        names: "names" list, digests: "digests" list,
    }
    /// `task_reminder`
    TaskReminder "attachment/task_reminder" closed { kind: "type" text, content: "content" list, item_count: "itemCount" u64 }
    /// `auto_mode_exit` and `ultra_effort_enter`
    ModeChange "attachment/auto_mode_exit" closed {
        kind: "type" text, bash_first: "bashFirst" bool, steer_only: "steerOnly" bool, reminder_type: "reminderType" text,
    }
    /// `compact_file_reference`, `opened_file_in_ide`, `selected_lines_in_ide` and `directory`
    Reference "attachment/selected_lines_in_ide" closed {
        kind: "type" text, filename: "filename" text, path: "path" text, display_path: "displayPath" text,
        ide_name: "ideName" text, content: "content" any, line_start: "lineStart" u64, line_end: "lineEnd" u64,
    }
    /// `diagnostics`: what the language server says.
    Diagnostics "attachment/diagnostics" closed { kind: "type" text, files: "files" list, is_new: "isNew" bool }
    /// `hook_blocking_error`, `hook_cancelled` and `hook_system_message`
    HookEnd "attachment/hook_cancelled" closed {
        kind: "type" text, hook_name: "hookName" text, hook_event: "hookEvent" text, tool_use_id: "toolUseID" text,
        command: "command" text, content: "content" any, blocking_error: "blockingError" any,
        duration_ms: "durationMs" u64, timeout_ms: "timeoutMs" u64, timed_out: "timedOut" bool,
    }
    /// `mcp_instructions_delta`
    McpInstructionsDelta "attachment/mcp_instructions_delta" closed {
        kind: "type" text, added_names: "addedNames" list, added_blocks: "addedBlocks" list,
        removed_names: "removedNames" list,
    }
    /// The kinds that are known by name only.
    OtherAttachment "attachment/*" open { kind: "type" text, content: "content" any }
}
