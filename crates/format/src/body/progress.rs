//! `progress` lines by kind: how far a tool, a hook or an agent had come. A table of fields.

use crate::shape::view;

view! {
    /// A `progress` line beyond the envelope.
    Progress "progress" closed {
        data: "data" open, tool_use_id: "toolUseID" text, parent_tool_use_id: "parentToolUseID" text,
    }
    /// `agent_progress`: a message of a running agent, repeated in the parent's file.
    AgentProgress "progress/agent_progress" closed {
        kind: "type" text, message: "message" open, normalized_messages: "normalizedMessages" list,
        prompt: "prompt" text, agent_id: "agentId" text, resume: "resume" any,
    }
    /// `bash_progress`: output of a running command.
    BashProgress "progress/bash_progress" closed {
        kind: "type" text, output: "output" text, full_output: "fullOutput" text,
        elapsed_time_seconds: "elapsedTimeSeconds" f64, total_lines: "totalLines" u64, timeout_ms: "timeoutMs" u64,
        task_id: "taskId" text, total_bytes: "totalBytes" u64,
    }
    /// `hook_progress`: a hook ran.
    HookProgress "progress/hook_progress" closed {
        kind: "type" text, hook_event: "hookEvent" text, hook_name: "hookName" text, command: "command" text,
        prompt_text: "promptText" text, status_message: "statusMessage" text,
    }
    /// `mcp_progress`
    McpProgress "progress/mcp_progress" closed {
        kind: "type" text, status: "status" text, server_name: "serverName" text, tool_name: "toolName" text,
        elapsed_time_ms: "elapsedTimeMs" f64,
    }
    /// `query_update` and `search_results_received`
    SearchProgress "progress/query_update" closed {
        kind: "type" text, query: "query" text, result_count: "resultCount" u64,
    }
    /// `waiting_for_task`
    WaitingForTask "progress/waiting_for_task" closed {
        kind: "type" text, task_description: "taskDescription" text, task_type: "taskType" text,
    }
    /// The kinds that are not known.
    OtherProgress "progress/*" open { kind: "type" text }
}
