//! The table of entry kinds: every `type`, and the subtypes of those that have them.
//!
//! A kind's name is its `type`, or `type/subtype` for `system` (`subtype`), `attachment` (`attachment.type`),
//! `progress` (`data.type`) and `queue-operation` (`operation`). FORMAT.md has one section per name; `cargo xtask
//! tidy` checks that the two lists are the same. What is not here is no error: it becomes [`Kind::Unknown`] or an
//! `Other` subtype, and keeps its bytes.

use serde::{Deserialize, Serialize};

/// Declares an enum whose variants stand for names on disk.
macro_rules! names {
    ($(#[$doc:meta])* $name:ident { $( $variant:ident = $text:literal ),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum $name {
            $( #[doc = concat!("`", $text, "`")] $variant, )*
            /// A name that is not in this table.
            Other,
        }

        impl $name {
            /// Every known variant.
            pub const KNOWN: &'static [Self] = &[$( Self::$variant ),*];

            /// The variant with this name on disk.
            pub fn of(name: &[u8]) -> Self {
                match name {
                    $( name if name == $text.as_bytes() => Self::$variant, )*
                    _ => Self::Other,
                }
            }

            /// Its name on disk; `?` for what is not known.
            pub const fn name(self) -> &'static str {
                match self {
                    $( Self::$variant => $text, )*
                    Self::Other => "?",
                }
            }
        }
    };
}

names! {
    /// Subtypes of `system` lines.
    SystemKind {
        ApiError = "api_error",
        AwaySummary = "away_summary",
        BridgeStatus = "bridge_status",
        CompactBoundary = "compact_boundary",
        Informational = "informational",
        LocalCommand = "local_command",
        MicrocompactBoundary = "microcompact_boundary",
        StopHookSummary = "stop_hook_summary",
        TurnDuration = "turn_duration",
    }
}

names! {
    /// Kinds of `progress` lines (`data.type`).
    ProgressKind {
        Agent = "agent_progress",
        Bash = "bash_progress",
        Hook = "hook_progress",
        Mcp = "mcp_progress",
        QueryUpdate = "query_update",
        SearchResults = "search_results_received",
        WaitingForTask = "waiting_for_task",
    }
}

names! {
    /// Operations of `queue-operation` lines.
    QueueKind {
        Enqueue = "enqueue",
        Dequeue = "dequeue",
        Remove = "remove",
        PopAll = "popAll",
    }
}

names! {
    /// Kinds of `attachment` lines (`attachment.type`).
    AttachmentKind {
        AgentListingDelta = "agent_listing_delta",
        AlreadyReadFile = "already_read_file",
        AsyncHookResponse = "async_hook_response",
        AutoMode = "auto_mode",
        AutoModeExit = "auto_mode_exit",
        CommandPermissions = "command_permissions",
        CompactFileReference = "compact_file_reference",
        CompanionIntro = "companion_intro",
        Date = "date",
        DateChange = "date_change",
        DeferredToolsDelta = "deferred_tools_delta",
        DeferredToolsRecord = "deferred_tools_record",
        Diagnostics = "diagnostics",
        Directory = "directory",
        EditedTextFile = "edited_text_file",
        Environment = "environment",
        File = "file",
        GoalStatus = "goal_status",
        HookAdditionalContext = "hook_additional_context",
        HookBlockingError = "hook_blocking_error",
        HookCancelled = "hook_cancelled",
        HookNonBlockingError = "hook_non_blocking_error",
        HookSuccess = "hook_success",
        HookSystemMessage = "hook_system_message",
        Instructions = "instructions",
        McpInstructionsDelta = "mcp_instructions_delta",
        Model = "model",
        OpenedFileInIde = "opened_file_in_ide",
        PlanMode = "plan_mode",
        PlanModeExit = "plan_mode_exit",
        PlanModeReentry = "plan_mode_reentry",
        PromptSnapshot = "prompt_snapshot",
        QueuedCommand = "queued_command",
        ReadTruncationNotice = "read_truncation_notice",
        RemoteSessionChange = "remote_session_change",
        SelectedLinesInIde = "selected_lines_in_ide",
        SessionContext = "session_context",
        SilentTurnReminder = "silent_turn_reminder",
        SkillListing = "skill_listing",
        TaskReminder = "task_reminder",
        TodoReminder = "todo_reminder",
        TotalTokensReminder = "total_tokens_reminder",
        UltraEffortEnter = "ultra_effort_enter",
    }
}

names! {
    /// Lines that are no part of the conversation tree: titles, modes, pointers, stored requests.
    NoteKind {
        AgentColor = "agent-color",
        AgentName = "agent-name",
        AgentSetting = "agent-setting",
        AiTitle = "ai-title",
        ApiRequest = "api-request",
        ApiRequestBlob = "api-request-blob",
        ApiRequestShape = "api-request-shape",
        ArtifactAutoreactLedger = "artifact-autoreact-ledger",
        ArtifactCommentMonitor = "artifact-comment-monitor",
        AtisLatch = "atis-latch",
        BridgeSession = "bridge-session",
        CostState = "cost-state",
        CustomTitle = "custom-title",
        FileHistoryDelta = "file-history-delta",
        FileHistorySnapshot = "file-history-snapshot",
        ForkContextRef = "fork-context-ref",
        FrameLink = "frame-link",
        HistorySuppression = "history-suppression",
        LastPrompt = "last-prompt",
        Mode = "mode",
        PermissionMode = "permission-mode",
        PrLink = "pr-link",
        Relocated = "relocated",
        Summary = "summary",
        Tag = "tag",
        ToolsUsed = "tools-used",
        TurnEnd = "turn_end",
        WorktreeState = "worktree-state",
        // Lines of a workflow's journal.jsonl.
        Failed = "failed",
        Launched = "launched",
        Result = "result",
        Started = "started",
    }
}

/// What an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Kind {
    /// A prompt, a tool's result, or one of the many things that the client stores in a user's name.
    User,
    /// One block of the model's answer.
    Assistant,
    /// The client's own remark. `None`: without a subtype, as 1.0 wrote them.
    System(Option<SystemKind>),
    /// What the client gave the model besides the prompt.
    Attachment(AttachmentKind),
    /// How far a tool, hook or agent has come.
    Progress(ProgressKind),
    /// A prompt enters or leaves the queue.
    Queue(QueueKind),
    /// A side note.
    Note(NoteKind),
    /// A line of `history.jsonl`.
    History,
    /// A line of a background job's `timeline.jsonl`.
    Timeline,
    /// A `type` that is not in this table, or none at all.
    Unknown,
}

impl Kind {
    /// Is it part of the conversation tree (has `uuid` and `parentUuid`)?
    pub fn is_chained(self) -> bool {
        matches!(
            self,
            Self::User | Self::Assistant | Self::System(_) | Self::Attachment(_) | Self::Progress(_)
        )
    }

    /// Is it in the table wholly, subtype and all?
    pub fn is_known(self) -> bool {
        !matches!(
            self,
            Self::Unknown
                | Self::System(Some(SystemKind::Other))
                | Self::Attachment(AttachmentKind::Other)
                | Self::Progress(ProgressKind::Other)
                | Self::Queue(QueueKind::Other)
                | Self::Note(NoteKind::Other)
        )
    }

    /// The name for people and for `--json`; a `?` stands for what is not known.
    pub fn name(self) -> String {
        match self {
            Self::User => "user".into(),
            Self::Assistant => "assistant".into(),
            Self::System(None) => "system".into(),
            Self::System(Some(kind)) => format!("system/{}", kind.name()),
            Self::Attachment(kind) => format!("attachment/{}", kind.name()),
            Self::Progress(kind) => format!("progress/{}", kind.name()),
            Self::Queue(kind) => format!("queue-operation/{}", kind.name()),
            Self::Note(kind) => kind.name().into(),
            Self::History => "history".into(),
            Self::Timeline => "timeline".into(),
            Self::Unknown => "?".into(),
        }
    }

    /// Every kind that can stand in a session, agent or journal file.
    pub fn known() -> Vec<Self> {
        let mut kinds = vec![Self::User, Self::Assistant, Self::System(None)];
        kinds.extend(SystemKind::KNOWN.iter().map(|&kind| Self::System(Some(kind))));
        kinds.extend(AttachmentKind::KNOWN.iter().map(|&kind| Self::Attachment(kind)));
        kinds.extend(ProgressKind::KNOWN.iter().map(|&kind| Self::Progress(kind)));
        kinds.extend(QueueKind::KNOWN.iter().map(|&kind| Self::Queue(kind)));
        kinds.extend(NoteKind::KNOWN.iter().map(|&kind| Self::Note(kind)));
        kinds
    }
}

/// The names of all known kinds, for the check against FORMAT.md.
pub fn all_names() -> Vec<String> {
    Kind::known().into_iter().map(Kind::name).collect()
}

#[cfg(test)]
mod tests {
    use super::{AttachmentKind, all_names};

    #[test]
    fn names_are_distinct_and_find_their_variant() {
        let mut names = all_names();
        names.sort();
        let count = names.len();
        names.dedup();
        assert_eq!(names.len(), count);
        for &kind in AttachmentKind::KNOWN {
            assert_eq!(AttachmentKind::of(kind.name().as_bytes()), kind);
        }
        assert_eq!(AttachmentKind::of(b"?"), AttachmentKind::Other);
    }
}
