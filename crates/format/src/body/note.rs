//! Side notes, queue operations and workflow journal lines. A table of fields.

use crate::shape::view;

view! {
    /// `agent-color`
    AgentColor "agent-color" closed { agent_color: "agentColor" text }
    /// `agent-name`
    AgentName "agent-name" closed { agent_name: "agentName" text }
    /// `agent-setting`
    AgentSetting "agent-setting" closed { agent_setting: "agentSetting" text }
    /// `ai-title`: a title that the client made up.
    AiTitle "ai-title" closed { ai_title: "aiTitle" text }
    /// `custom-title`: a title that the user gave.
    CustomTitle "custom-title" closed { custom_title: "customTitle" text }
    /// `summary`: an automatic title of old clients, for the thread that ends in `leafUuid`, often of another file.
    Summary "summary" closed { summary: "summary" text, leaf_uuid: "leafUuid" text }
    /// `last-prompt`
    LastPrompt "last-prompt" closed {
        last_prompt: "lastPrompt" text, leaf_uuid: "leafUuid" text, explicit: "explicit" bool,
    }
    /// `mode`
    Mode "mode" closed { mode: "mode" text }
    /// `permission-mode`
    PermissionMode "permission-mode" closed { permission_mode: "permissionMode" text }
    /// `pr-link`
    PrLink "pr-link" closed { pr_number: "prNumber" u64, pr_url: "prUrl" text, pr_repository: "prRepository" text }
    /// `relocated`: the session's file was moved.
    Relocated "relocated" closed { relocated_cwd: "relocatedCwd" text }
    /// `worktree-state`
    WorktreeState "worktree-state" closed { worktree_session: "worktreeSession" object(WorktreeSession) }
    /// The worktree that a session is in.
    WorktreeSession "worktreeSession" closed {
        worktree_name: "worktreeName" text, worktree_path: "worktreePath" text, worktree_branch: "worktreeBranch" text,
        original_cwd: "originalCwd" text, original_branch: "originalBranch" text,
        original_head_commit: "originalHeadCommit" text, session_id: "sessionId" text,
        pre_enter_original_cwd: "preEnterOriginalCwd" text, extension_root: "extensionRoot" text,
    }
    /// `tools-used`
    ToolsUsed "tools-used" closed { tools: "tools" list }
    /// `cost-state`: the client's own account.
    CostState "cost-state" closed {
        total_cost_usd: "totalCostUSD" f64, total_api_duration: "totalAPIDuration" f64,
        total_api_duration_without_retries: "totalAPIDurationWithoutRetries" f64,
        total_tool_duration: "totalToolDuration" f64, total_lines_added: "totalLinesAdded" u64,
        total_lines_removed: "totalLinesRemoved" u64, total_duration: "totalDuration" f64,
        start_time: "startTime" f64, model_usage: "modelUsage" open, has_unknown_model_cost: "hasUnknownModelCost" bool,
    }
    /// `atis-latch`
    AtisLatch "atis-latch" closed { atis: "atis" text }
    /// `bridge-session`
    BridgeSession "bridge-session" closed {
        bridge_session_id: "bridgeSessionId" text, last_sequence_num: "lastSequenceNum" u64,
        owner_account_uuid: "ownerAccountUuid" text, owner_organization_uuid: "ownerOrganizationUuid" text,
    }
    /// `fork-context-ref`: the context of this agent is in its parent's file.
    ForkContextRef "fork-context-ref" closed {
        parent_session_id: "parentSessionId" text, parent_last_uuid: "parentLastUuid" text,
        context_length: "contextLength" u64,
    }
    /// `frame-link`
    FrameLink "frame-link" closed {
        path: "path" text, frame_url: "frameUrl" text, title: "title" text, artifact_count: "artifactCount" u64,
    }
    /// `tag`
    Tag "tag" closed { tag: "tag" text }
    /// `history-suppression`
    HistorySuppression "history-suppression" closed { cause: "cause" any, ts: "ts" any }
    /// `artifact-autoreact-ledger` and `artifact-comment-monitor`
    Artifacts "artifact-autoreact-ledger" closed { v: "v" any, artifacts: "artifacts" any, account_uuid: "accountUuid" text }
    /// Notes that are known by name and some of their fields only.
    OtherNote "note" open { v: "v" any }

    /// `api-request`: a request to the API, as a difference against the one before.
    ApiRequest "api-request" closed {
        id: "id" text, query_source: "querySource" text, shape_hash: "shapeHash" text, params: "params" open,
        base: "base" text, keep: "keep" u64, tail: "tail" list, cache_control: "cacheControl" items(CacheControl),
        request_digest: "requestDigest" text,
    }
    /// A cache mark of a request.
    CacheControl "cacheControl" closed { path: "path" list, value: "value" any }
    /// `api-request-blob`: one message of such requests.
    ApiRequestBlob "api-request-blob" closed { hash: "hash" text, message: "message" open }
    /// `api-request-shape`: system prompt and tools of such requests.
    ApiRequestShape "api-request-shape" closed { shape_hash: "shapeHash" text, shape: "shape" open }

    /// `file-history-snapshot`: the state of tracked files at a prompt.
    FileHistorySnapshot "file-history-snapshot" closed {
        message_id: "messageId" text, snapshot: "snapshot" object(Snapshot),
        is_snapshot_update: "isSnapshotUpdate" bool,
    }
    /// The snapshot itself. The keys of `trackedFileBackups` are paths.
    Snapshot "snapshot" closed {
        message_id: "messageId" text, tracked_file_backups: "trackedFileBackups" open, timestamp: "timestamp" text,
    }
    /// `file-history-delta`: one file was backed up.
    FileHistoryDelta "file-history-delta" closed {
        message_id: "messageId" text, snapshot_message_id: "snapshotMessageId" text,
        tracking_path: "trackingPath" text, backup: "backup" object(Backup),
    }
    /// One backup of one file. `backupFileName` is null when the file did not exist.
    Backup "backup" closed {
        backup_file_name: "backupFileName" text, version: "version" u64, backup_time: "backupTime" text,
        real_parent_dir: "realParentDir" text,
    }

    /// `queue-operation`: a prompt enters or leaves the queue.
    QueueOperation "queue-operation" closed {
        operation: "operation" text, content: "content" content, reason: "reason" text,
        command_uuid: "commandUuid" text, delivery_id: "deliveryId" text,
    }

    /// `launched` in a workflow journal.
    Launched "launched" closed { }
    /// `started` in a workflow journal.
    Started "started" closed { key: "key" text, label: "label" text, phase: "phase" any }
    /// `result` and `failed` in a workflow journal.
    JournalResult "result" closed {
        key: "key" text, result: "result" any, error: "error" any,
        remote_control_device_report: "remoteControlDeviceReport" bool, session_id: "sessionId" text,
    }

    /// A line of `history.jsonl`. The keys of `pastedContents` are numbers of pastes.
    History "history" closed {
        display: "display" text, pasted_contents: "pastedContents" open, timestamp: "timestamp" f64,
        project: "project" text, session_id: "sessionId" text,
    }
    /// A line of `jobs/<id>/timeline.jsonl`.
    Timeline "timeline" closed { at: "at" any, state: "state" text, detail: "detail" any, text: "text" text }
}
