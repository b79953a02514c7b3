//! `system` lines by subtype. A table of fields.

use crate::shape::view;

view! {
    /// Every `system` line that has no more fields than these.
    Remark "system" closed {
        content: "content" text, level: "level" text, tool_use_id: "toolUseID" text, subtype: "subtype" text,
        url: "url" text, prevent_continuation: "preventContinuation" bool,
        prompt_submit_ending: "promptSubmitEnding" open,
    }
    /// `api_error`: a retry.
    ApiError "system/api_error" closed {
        subtype: "subtype" text, level: "level" text, error: "error" open, retry_in_ms: "retryInMs" f64,
        retry_attempt: "retryAttempt" u64, max_retries: "maxRetries" u64, source: "source" text, cause: "cause" any,
    }
    /// `compact_boundary`: the conversation before it was summarised.
    CompactBoundary "system/compact_boundary" closed {
        subtype: "subtype" text, content: "content" text, level: "level" text,
        compact_metadata: "compactMetadata" object(CompactMetadata),
    }
    /// What was compacted, and what was kept.
    CompactMetadata "compactMetadata" closed {
        trigger: "trigger" text, pre_tokens: "preTokens" u64, post_tokens: "postTokens" u64,
        duration_ms: "durationMs" u64, cumulative_dropped_tokens: "cumulativeDroppedTokens" u64,
        messages_summarized: "messagesSummarized" u64, user_context: "userContext" text,
        precomputed: "precomputed" bool, pre_compact_discovered_tools: "preCompactDiscoveredTools" list,
        preserved_segment: "preservedSegment" object(PreservedSegment),
        preserved_messages: "preservedMessages" object(PreservedMessages),
        running_turn_prompt: "runningTurnPrompt" open,
    }
    /// The stretch of old lines that is still part of the conversation.
    PreservedSegment "preservedSegment" closed {
        head_uuid: "headUuid" text, anchor_uuid: "anchorUuid" text, tail_uuid: "tailUuid" text,
    }
    /// The same as a list.
    PreservedMessages "preservedMessages" closed {
        anchor_uuid: "anchorUuid" text, uuids: "uuids" list, all_uuids: "allUuids" list,
    }
    /// `microcompact_boundary`: old tool results were cleared.
    MicrocompactBoundary "system/microcompact_boundary" closed {
        subtype: "subtype" text, content: "content" text, level: "level" text,
        microcompact_metadata: "microcompactMetadata" object(MicrocompactMetadata),
    }
    /// What was cleared.
    MicrocompactMetadata "microcompactMetadata" closed {
        trigger: "trigger" text, pre_tokens: "preTokens" u64, tokens_saved: "tokensSaved" u64,
        compacted_tool_ids: "compactedToolIds" list, cleared_attachment_uuids: "clearedAttachmentUUIDs" list,
    }
    /// `local_command`: a slash command and what it printed.
    LocalCommand "system/local_command" closed {
        subtype: "subtype" text, content: "content" text, level: "level" text,
        command_run: "commandRun" object(CommandRun), context_usage: "contextUsage" open,
        is_display_only: "isDisplayOnly" bool,
    }
    /// The command in parts.
    CommandRun "commandRun" closed { command: "command" text, args: "args" text }
    /// `stop_hook_summary`: the hooks that ran when a turn ended.
    StopHookSummary "system/stop_hook_summary" closed {
        subtype: "subtype" text, hook_count: "hookCount" u64, hook_infos: "hookInfos" items(HookInfo),
        hook_errors: "hookErrors" list, failed_hook_error_indexes: "failedHookErrorIndexes" list,
        hook_additional_context: "hookAdditionalContext" list,
        prevented_continuation: "preventedContinuation" bool, stop_reason: "stopReason" text,
        has_output: "hasOutput" bool, level: "level" text, tool_use_id: "toolUseID" text,
    }
    /// One of them.
    HookInfo "hookInfos" closed { command: "command" text, duration_ms: "durationMs" u64, prompt_text: "promptText" text }
    /// `turn_duration`: a turn ended, and how long it took.
    TurnDuration "system/turn_duration" closed {
        subtype: "subtype" text, duration_ms: "durationMs" u64, message_count: "messageCount" u64,
        pending_background_agent_count: "pendingBackgroundAgentCount" u64,
        pending_workflow_count: "pendingWorkflowCount" u64,
    }
}
