//! `user` and `assistant`: the conversation itself. A table of fields.

use crate::shape::view;

view! {
    /// A `user` line beyond the envelope.
    User "user" closed {
        message: "message" object(UserMessage),
        tool_use_result: "toolUseResult" result,
        is_compact_summary: "isCompactSummary" bool,
        is_visible_in_transcript_only: "isVisibleInTranscriptOnly" bool,
        source_tool_assistant_uuid: "sourceToolAssistantUUID" text,
        source_tool_use_id: "sourceToolUseID" text,
        prompt_id: "promptId" text,
        permission_mode: "permissionMode" text,
        prompt_source: "promptSource" text,
        origin: "origin" object(Origin),
        thinking_metadata: "thinkingMetadata" object(ThinkingMetadata),
        todos: "todos" items(Todo),
        plan_content: "planContent" text,
        image_paste_ids: "imagePasteIds" list,
        interrupted_message_id: "interruptedMessageId" text,
        refused_message_id: "refusedMessageId" text,
        turn_origin: "turnOrigin" text,
        turn_position: "turnPosition" object(TurnPosition),
        turn_companion: "turnCompanion" bool,
        queue_skip_attachments: "queueSkipAttachments" bool,
        queue_transcript_only: "queueTranscriptOnly" bool,
        summarize_metadata: "summarizeMetadata" object(SummarizeMetadata),
        summarized_turn_prompt_uuids: "summarizedTurnPromptUuids" list,
        mcp_meta: "mcpMeta" object(McpMeta),
        mcp_call_not_read_only: "mcpCallNotReadOnly" text,
        tool_denial_kind: "toolDenialKind" text,
        tool_denial_before_run: "toolDenialBeforeRun" bool,
        permission_decision: "permissionDecision" object(PermissionDecision),
        sandboxed: "sandboxed" bool,
        classifier_meta_lines: "classifierMetaLines" text,
    }
    /// What an MCP server gave besides its content.
    McpMeta "mcpMeta" closed { structured_content: "structuredContent" any }
    /// The message of a `user` line.
    UserMessage "message" closed { role: "role" text, content: "content" content }
    /// Where a prompt came from.
    Origin "origin" closed { kind: "kind" text, producer: "producer" text, run_id: "runId" text }
    /// How much the model was to think (up to 2.1.42).
    ThinkingMetadata "thinkingMetadata" closed {
        level: "level" text, disabled: "disabled" bool, triggers: "triggers" list,
        max_thinking_tokens: "maxThinkingTokens" u64,
    }
    /// An item of the inline todo list (2.0.55 to 2.1.42).
    Todo "todos" closed {
        content: "content" text, status: "status" text, active_form: "activeForm" text, id: "id" text,
        priority: "priority" text,
    }
    /// The place of a prompt in the session.
    TurnPosition "turnPosition" closed { prompt_index: "promptIndex" u64, turn_index: "turnIndex" u64 }
    /// What "summarize from here" did.
    SummarizeMetadata "summarizeMetadata" closed {
        direction: "direction" text, messages_summarized: "messagesSummarized" u64, user_context: "userContext" text,
    }
    /// How a tool call came to be allowed or denied.
    PermissionDecision "permissionDecision" closed {
        decision: "decision" text, source: "source" text, reason_type: "reasonType" text,
        reason_code: "reasonCode" text, grant_scope: "grantScope" text, rule_source: "ruleSource" text,
    }

    /// An `assistant` line beyond the envelope.
    Assistant "assistant" closed {
        message: "message" object(AssistantMessage),
        request_id: "requestId" text,
        is_api_error_message: "isApiErrorMessage" bool,
        error: "error" text,
        error_details: "errorDetails" text,
        api_error: "apiError" text,
        api_error_status: "apiErrorStatus" u64,
        api_error_type: "apiErrorType" text,
        api_error_is_transient: "apiErrorIsTransient" bool,
        failed_response_had_no_tool_call: "failedResponseHadNoToolCall" bool,
        api_block_index: "apiBlockIndex" u64,
        request_ref: "requestRef" text,
        request_session_id: "requestSessionId" text,
        requested_model: "requestedModel" text,
        prompt_cache_requested: "promptCacheRequested" text,
        effort: "effort" text,
        per_turn_effort: "perTurnEffort" text,
        made_by: "madeBy" text,
        tool_input_stream_ms: "toolInputStreamMs" u64,
        thinking_duration_ms: "thinkingDurationMs" u64,
        thinking_display: "thinkingDisplay" text,
        server_classifier_request: "serverClassifierRequest" text,
        heals_distinct_carrier: "healsDistinctCarrier" bool,
        attribution_agent: "attributionAgent" text,
        attribution_skill: "attributionSkill" text,
        attribution_plugin: "attributionPlugin" text,
        attribution_mcp_server: "attributionMcpServer" text,
        attribution_mcp_tool: "attributionMcpTool" text,
        advisor_model: "advisorModel" text,
        quota_limits: "quotaLimits" any,
        wire_ingest_context: "wireIngestContext" any,
        wire_tool_inputs: "wireToolInputs" any,
    }
    /// The API message that an `assistant` line holds one block of.
    AssistantMessage "message" closed {
        id: "id" text, kind: "type" text, role: "role" text, model: "model" text, content: "content" content,
        stop_reason: "stop_reason" text, stop_sequence: "stop_sequence" text, stop_details: "stop_details" open,
        usage: "usage" object(Usage), container: "container" any,
        context_management: "context_management" object(ContextManagement), diagnostics: "diagnostics" object(Diagnostics),
    }
    /// Why the cache did not help.
    Diagnostics "diagnostics" closed { cache_miss_reason: "cache_miss_reason" any }
    /// What the API did to the context.
    ContextManagement "context_management" closed { applied_edits: "applied_edits" list }
    /// Tokens of one API message. All its lines repeat it; count it once, where `output_tokens` is largest.
    Usage "usage" closed {
        input_tokens: "input_tokens" u64,
        output_tokens: "output_tokens" u64,
        cache_creation_input_tokens: "cache_creation_input_tokens" u64,
        cache_read_input_tokens: "cache_read_input_tokens" u64,
        cache_creation: "cache_creation" object(CacheCreation),
        server_tool_use: "server_tool_use" object(ServerToolUse),
        service_tier: "service_tier" text,
        inference_geo: "inference_geo" text,
        iterations: "iterations" list,
        speed: "speed" text,
        output_tokens_details: "output_tokens_details" object(OutputTokensDetails),
        fallback_credit: "fallback_credit" any,
    }
    /// Tokens written to the cache, by how long they live there.
    CacheCreation "cache_creation" closed {
        ephemeral_5m_input_tokens: "ephemeral_5m_input_tokens" u64,
        ephemeral_1h_input_tokens: "ephemeral_1h_input_tokens" u64,
    }
    /// Calls of tools that the API runs.
    ServerToolUse "server_tool_use" closed {
        web_search_requests: "web_search_requests" u64, web_fetch_requests: "web_fetch_requests" u64,
        code_execution_requests: "code_execution_requests" u64,
    }
    /// What the output tokens went to.
    OutputTokensDetails "output_tokens_details" closed { thinking_tokens: "thinking_tokens" u64 }
}
