//! The table of entry kinds: every `type`, and the subtypes of those that have them.
//!
//! A kind's name is its `type`, or `type/subtype` for `system` (`subtype`), `attachment` (`attachment.type`),
//! `progress` (`data.type`) and `queue-operation` (`operation`). FORMAT.md has one section per name; `cargo xtask
//! docs --check` checks that the two lists are the same. What is not here is no error: it becomes [`Kind::Unknown`] or an
//! `Other` subtype, and keeps its bytes.

use serde::{Deserialize, Serialize};

use crate::body;
use crate::shape::{Shape, Shaped};

/// The table: of each family its kinds, each with its name on disk and the view of its fields in `crate::body`; `else` is the
/// view of what is not in the table. Everything that has to know all kinds is made from it: the enums below, the list that
/// FORMAT.md is checked against, shapes, and [`crate::entry::Body`]. Order is that of output that lists kinds.
macro_rules! kind_table {
    ($then:ident) => {
        $then! {
            {
                /// Subtypes of `system` lines.
                SystemKind in system, else Remark {
                    ApiError = "api_error": ApiError,
                    AwaySummary = "away_summary": Remark,
                    BridgeStatus = "bridge_status": Remark,
                    CompactBoundary = "compact_boundary": CompactBoundary,
                    Informational = "informational": Remark,
                    LocalCommand = "local_command": LocalCommand,
                    MicrocompactBoundary = "microcompact_boundary": MicrocompactBoundary,
                    StopHookSummary = "stop_hook_summary": StopHookSummary,
                    TurnDuration = "turn_duration": TurnDuration,
                }
            }
            {
                /// Lines that are no part of the conversation tree: titles, modes, pointers, stored requests.
                NoteKind in note, else OtherNote {
                    AgentColor = "agent-color": AgentColor,
                    AgentName = "agent-name": AgentName,
                    AgentSetting = "agent-setting": AgentSetting,
                    AiTitle = "ai-title": AiTitle,
                    ApiRequest = "api-request": ApiRequest,
                    ApiRequestBlob = "api-request-blob": ApiRequestBlob,
                    ApiRequestShape = "api-request-shape": ApiRequestShape,
                    ArtifactAutoreactLedger = "artifact-autoreact-ledger": Artifacts,
                    ArtifactCommentMonitor = "artifact-comment-monitor": Artifacts,
                    AtisLatch = "atis-latch": AtisLatch,
                    BridgeSession = "bridge-session": BridgeSession,
                    CostState = "cost-state": CostState,
                    CustomTitle = "custom-title": CustomTitle,
                    FileHistoryDelta = "file-history-delta": FileHistoryDelta,
                    FileHistorySnapshot = "file-history-snapshot": FileHistorySnapshot,
                    ForkContextRef = "fork-context-ref": ForkContextRef,
                    FrameLink = "frame-link": FrameLink,
                    HistorySuppression = "history-suppression": HistorySuppression,
                    LastPrompt = "last-prompt": LastPrompt,
                    Mode = "mode": Mode,
                    PermissionMode = "permission-mode": PermissionMode,
                    PrLink = "pr-link": PrLink,
                    Relocated = "relocated": Relocated,
                    Summary = "summary": Summary,
                    Tag = "tag": Tag,
                    ToolsUsed = "tools-used": ToolsUsed,
                    TurnEnd = "turn_end": OtherNote,
                    WorktreeState = "worktree-state": WorktreeState,
                    // Lines of a workflow's journal.jsonl.
                    Failed = "failed": JournalResult,
                    Launched = "launched": Launched,
                    Result = "result": JournalResult,
                    Started = "started": Started,
                }
            }
            {
                /// Kinds of `attachment` lines (`attachment.type`).
                AttachmentKind in attachment, else OtherAttachment {
                    AgentListingDelta = "agent_listing_delta": AgentListingDelta,
                    AlreadyReadFile = "already_read_file": File,
                    AsyncHookResponse = "async_hook_response": OtherAttachment,
                    AutoMode = "auto_mode": AutoMode,
                    AutoModeExit = "auto_mode_exit": ModeChange,
                    CommandPermissions = "command_permissions": CommandPermissions,
                    CompactFileReference = "compact_file_reference": Reference,
                    CompanionIntro = "companion_intro": OtherAttachment,
                    Date = "date": Date,
                    DateChange = "date_change": Date,
                    DeferredToolsDelta = "deferred_tools_delta": DeferredToolsDelta,
                    DeferredToolsRecord = "deferred_tools_record": DeferredToolsRecord,
                    Diagnostics = "diagnostics": Diagnostics,
                    Directory = "directory": Reference,
                    EditedTextFile = "edited_text_file": EditedTextFile,
                    Environment = "environment": Environment,
                    File = "file": File,
                    GoalStatus = "goal_status": GoalStatus,
                    HookAdditionalContext = "hook_additional_context": HookContext,
                    HookBlockingError = "hook_blocking_error": HookEnd,
                    HookCancelled = "hook_cancelled": HookEnd,
                    HookNonBlockingError = "hook_non_blocking_error": Hook,
                    HookSuccess = "hook_success": Hook,
                    HookSystemMessage = "hook_system_message": HookEnd,
                    Instructions = "instructions": Instructions,
                    McpInstructionsDelta = "mcp_instructions_delta": McpInstructionsDelta,
                    Model = "model": Model,
                    OpenedFileInIde = "opened_file_in_ide": Reference,
                    PlanMode = "plan_mode": PlanMode,
                    PlanModeExit = "plan_mode_exit": PlanMode,
                    PlanModeReentry = "plan_mode_reentry": OtherAttachment,
                    PromptSnapshot = "prompt_snapshot": PromptSnapshot,
                    QueuedCommand = "queued_command": QueuedCommand,
                    ReadTruncationNotice = "read_truncation_notice": ReadTruncationNotice,
                    RemoteSessionChange = "remote_session_change": RemoteSessionChange,
                    SelectedLinesInIde = "selected_lines_in_ide": Reference,
                    SessionContext = "session_context": SessionContext,
                    SilentTurnReminder = "silent_turn_reminder": Reminder,
                    SkillListing = "skill_listing": SkillListing,
                    TaskReminder = "task_reminder": TaskReminder,
                    TodoReminder = "todo_reminder": TaskReminder,
                    TotalTokensReminder = "total_tokens_reminder": Reminder,
                    UltraEffortEnter = "ultra_effort_enter": ModeChange,
                }
            }
            {
                /// Kinds of `progress` lines (`data.type`).
                ProgressKind in progress, else OtherProgress {
                    Agent = "agent_progress": AgentProgress,
                    Bash = "bash_progress": BashProgress,
                    Hook = "hook_progress": HookProgress,
                    Mcp = "mcp_progress": McpProgress,
                    QueryUpdate = "query_update": SearchProgress,
                    SearchResults = "search_results_received": SearchProgress,
                    WaitingForTask = "waiting_for_task": WaitingForTask,
                }
            }
            {
                /// Operations of `queue-operation` lines.
                QueueKind in note, else QueueOperation {
                    Enqueue = "enqueue": QueueOperation,
                    Dequeue = "dequeue": QueueOperation,
                    Remove = "remove": QueueOperation,
                    PopAll = "popAll": QueueOperation,
                }
            }
        }
    };
}
pub(crate) use kind_table;

/// Declares the enums of the table, whose variants stand for names on disk.
macro_rules! declare_kinds {
    ($( {
        $(#[$doc:meta])*
        $name:ident in $module:ident, else $other:ident { $( $variant:ident = $text:literal : $view:ident ),* $(,)? }
    } )*) => { $(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[non_exhaustive]
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

            /// The fields that tell it from other kinds of its family.
            pub fn shape(self) -> &'static Shape {
                match self {
                    $( Self::$variant => <body::$module::$view<'static> as Shaped<'static>>::SHAPE, )*
                    Self::Other => <body::$module::$other<'static> as Shaped<'static>>::SHAPE,
                }
            }
        }
    )* };
}

kind_table!(declare_kinds);

/// What an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[non_exhaustive]
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
