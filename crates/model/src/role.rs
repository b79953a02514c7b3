//! The part that an entry plays. Most `user` lines are not from the user: this distinguishes them.

use scrollback_format::content::{Block, Content};
use scrollback_format::entry::Entry;
use scrollback_format::json::{Text, Value};
use scrollback_format::kind::{AttachmentKind, Kind, SystemKind};
use serde::{Deserialize, Serialize};

/// The part that an entry plays in the conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Role {
    /// Typed by a person (or, in an agent's file, given by its caller).
    Prompt,
    /// A prompt typed while the model worked and taken into the running turn.
    QueuedPrompt,
    /// What a tool gave back.
    ToolResult,
    /// Put in by the client, not typed.
    Meta,
    /// A slash command.
    Command,
    /// What a slash command printed.
    CommandOutput,
    /// A `!` command.
    Bash,
    /// What it printed.
    BashOutput,
    /// The client reports that a background task ended.
    Notification,
    /// Another agent or session speaks.
    Teammate,
    /// The user stopped the model.
    Interruption,
    /// The summary that stands for everything before a compaction.
    CompactSummary,
    /// The model's words, thoughts or tool calls.
    Answer,
    /// An API error in place of an answer.
    ApiError,
    /// An answer that the client made up.
    Synthetic,
    /// Where a compaction was.
    Boundary,
    /// The client's own remark.
    System,
    /// What the client gave the model besides.
    Attachment,
    /// How far something had come.
    Progress,
    /// No part of the conversation tree.
    Note,
}

impl Role {
    /// Does the user or the model speak here, so that a stretch of such lines is a conversation?
    pub fn is_conversation(self) -> bool {
        matches!(
            self,
            Self::Prompt | Self::Answer | Self::CompactSummary | Self::Notification | Self::Teammate
        )
    }

    /// Can a turn begin here? (Whether it does depends on what follows.)
    pub fn may_begin_turn(self) -> bool {
        matches!(self, Self::Prompt | Self::Command | Self::Notification | Self::Teammate | Self::Bash)
    }
}

/// The part that this entry plays.
pub fn of(entry: &Entry<'_>) -> Role {
    match entry.kind {
        Kind::User => of_user(entry),
        Kind::Assistant => of_assistant(entry),
        Kind::System(Some(SystemKind::CompactBoundary)) => Role::Boundary,
        Kind::System(Some(SystemKind::LocalCommand)) => of_local_command(entry),
        Kind::System(_) => Role::System,
        Kind::Attachment(AttachmentKind::QueuedCommand) => of_queued(entry),
        Kind::Attachment(_) => Role::Attachment,
        Kind::Progress(_) => Role::Progress,
        _ => Role::Note,
    }
}

fn of_user(entry: &Entry<'_>) -> Role {
    let envelope = &entry.envelope;
    let content = envelope.message.and_then(|message| message.get("content")).and_then(Content::of);
    if content.is_some_and(|content| content.blocks().any(|block| matches!(block, Block::ToolResult(_)))) {
        return Role::ToolResult;
    }
    if envelope.is_compact_summary {
        return Role::CompactSummary;
    }
    match content.and_then(Content::first_text).and_then(wrapper) {
        Some(role) => role,
        None if envelope.is_meta => Role::Meta,
        None => Role::Prompt,
    }
}

/// What the tag says that a text in the user's name begins with.
fn wrapper(text: Text<'_>) -> Option<Role> {
    const TAGS: [(&str, Role); 12] = [
        ("[Request interrupted by user", Role::Interruption),
        ("<command-name>", Role::Command),
        ("<command-message>", Role::Command),
        ("<local-command-stdout>", Role::CommandOutput),
        ("<local-command-stderr>", Role::CommandOutput),
        ("<local-command-caveat>", Role::Meta),
        ("<bash-input>", Role::Bash),
        ("<bash-stdout>", Role::BashOutput),
        ("<bash-stderr>", Role::BashOutput),
        ("<task-notification>", Role::Notification),
        ("<teammate-message", Role::Teammate),
        ("<cross-session-message", Role::Teammate),
    ];
    TAGS.iter().find(|(tag, _)| text.starts_with(tag)).map(|(_, role)| *role)
}

fn of_assistant(entry: &Entry<'_>) -> Role {
    if entry.envelope.is_api_error_message {
        return Role::ApiError;
    }
    let model = entry.envelope.message.and_then(|message| message.get("model")).and_then(Value::text);
    if model.is_some_and(|model| model.is("<synthetic>")) { Role::Synthetic } else { Role::Answer }
}

/// The command and what it printed are lines of one kind; the tag tells which is which.
fn of_local_command(entry: &Entry<'_>) -> Role {
    let text = entry.object.get("content").and_then(Value::text);
    match text.and_then(wrapper) {
        Some(Role::Command) => Role::Command,
        _ => Role::CommandOutput,
    }
}

fn of_queued(entry: &Entry<'_>) -> Role {
    let mode =
        entry.envelope.attachment.and_then(|attachment| attachment.get("commandMode")).and_then(Value::text);
    if mode.is_some_and(|mode| mode.is("task-notification")) {
        Role::Notification
    } else {
        Role::QueuedPrompt
    }
}
