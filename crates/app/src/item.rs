//! Items: what one line of a conversation shows, as plain values.

use std::path::PathBuf;

use scrollback_format::time::Time;
use serde::Serialize;

use crate::view::time;

/// One thing that is said or done.
#[derive(Debug, Clone, Serialize)]
pub struct Item {
    /// The line in the file.
    pub line: u64,
    /// The entry's id.
    pub uuid: Option<String>,
    /// When.
    #[serde(serialize_with = "time")]
    pub time: Option<Time>,
    /// What.
    #[serde(flatten)]
    pub what: What,
}

/// What is said or done.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum What {
    /// A person's words (or, in an agent's file, its caller's).
    Prompt {
        /// The words.
        text: String,
        /// Pictures and documents beside them.
        media: Vec<Media>,
        /// Typed while the model worked, and taken into the running turn.
        queued: bool,
    },
    /// The model's words.
    Answer {
        /// The words, in Markdown.
        text: String,
        /// The model.
        model: Option<String>,
    },
    /// The model's thoughts.
    Thinking {
        /// The words; empty where only the signature is stored.
        text: String,
        /// The model.
        model: Option<String>,
        /// Readable by the API alone.
        redacted: bool,
    },
    /// A tool call with its outcome.
    Call(Box<CallItem>),
    /// A tool result whose call is not on this thread.
    OrphanResult {
        /// The call that it answers.
        tool_use_id: String,
        /// What came back.
        text: String,
        /// Was it an error?
        is_error: bool,
    },
    /// A slash command.
    Command {
        /// The command, `/compact`.
        command: String,
        /// Its arguments.
        args: String,
    },
    /// A `!` command.
    Bash {
        /// The command.
        command: String,
    },
    /// What a slash or `!` command printed.
    Output {
        /// The text.
        text: String,
    },
    /// A background task ended.
    Notification {
        /// What the client says about it.
        text: String,
        /// The task.
        task_id: Option<String>,
        /// How it ended.
        status: Option<String>,
    },
    /// Another agent or session speaks.
    Teammate {
        /// What it says.
        text: String,
    },
    /// The user stopped the model.
    Interruption {
        /// The note.
        text: String,
    },
    /// The API failed.
    ApiError {
        /// What it said.
        text: String,
    },
    /// The client retried.
    Retry {
        /// What went wrong.
        text: String,
        /// Which try.
        attempt: u64,
        /// Of how many.
        max: u64,
    },
    /// Words that the client made up.
    Synthetic {
        /// The words.
        text: String,
    },
    /// The conversation was compacted here.
    Compaction {
        /// `manual` or `auto`.
        trigger: Option<String>,
        /// Tokens before.
        pre_tokens: Option<u64>,
        /// Tokens after.
        post_tokens: Option<u64>,
    },
    /// The summary that stands for what was before.
    CompactSummary {
        /// The text.
        text: String,
    },
    /// The client's own remark.
    System {
        /// Its subtype.
        subtype: String,
        /// Its text.
        text: String,
    },
    /// What the client gave the model besides.
    Attachment {
        /// Its kind.
        kind: String,
        /// What it is about, in a line.
        text: String,
    },
    /// Not typed by anyone.
    Meta {
        /// The text.
        text: String,
    },
    /// How far something had come.
    Progress {
        /// Its kind.
        kind: String,
        /// The text.
        text: String,
    },
    /// Other conversations go off from here.
    BranchPoint {
        /// Which.
        branches: Vec<BranchRef>,
    },
    /// The line before is missing; this is where the thread was joined.
    Gap {
        /// Why.
        why: &'static str,
    },
    /// A line that is not known.
    Unknown {
        /// Its kind.
        kind: String,
    },
}

/// A picture or document.
#[derive(Debug, Clone, Serialize)]
pub struct Media {
    /// `image` or `document`.
    pub kind: &'static str,
    /// Its type, `image/png`.
    pub media_type: Option<String>,
    /// Its size, decoded.
    pub bytes: u64,
}

/// A branch that goes off.
#[derive(Debug, Clone, Serialize)]
pub struct BranchRef {
    /// Its number, for `--branch`.
    pub branch: u64,
    /// Was it summarised (else left behind)?
    pub summarized: bool,
    /// Its turns.
    pub turns: u64,
    /// Its first words.
    pub text: String,
    /// When it was begun.
    #[serde(serialize_with = "time")]
    pub time: Option<Time>,
}

/// A tool call.
#[derive(Debug, Clone, Serialize)]
pub struct CallItem {
    /// Its id.
    pub tool_use_id: String,
    /// The tool.
    pub tool: String,
    /// The model that called.
    pub model: Option<String>,
    /// What it is about, in a few words.
    pub headline: String,
    /// The file that it reads or writes.
    pub file_path: Option<String>,
    /// All of its input.
    pub input: Option<Box<serde_json::value::RawValue>>,
    /// What came back; none if nothing did.
    pub outcome: Option<OutcomeItem>,
    /// The agents that it made: one, or those of a workflow.
    pub agent_ids: Vec<String>,
}

/// What a tool gave back.
#[derive(Debug, Clone, Serialize)]
pub struct OutcomeItem {
    /// The line in the file.
    pub line: u64,
    /// When.
    #[serde(serialize_with = "time")]
    pub time: Option<Time>,
    /// Did it fail, or was it denied?
    pub is_error: bool,
    /// The text, as the model saw it.
    pub text: String,
    /// Lines of what the tool itself gave, where its own account tells: the text may hold reminders besides.
    pub lines: Option<u64>,
    /// How it stands with an agent or a background task: `completed`, `async_launched`, ….
    pub status: Option<String>,
    /// Bytes of the whole output, if the line does not hold it.
    pub spilled_bytes: Option<u64>,
    /// Pictures and documents beside it.
    pub media: Vec<Media>,
    /// The change that an edit made.
    pub patch: Vec<PatchHunk>,
    /// The file that holds the whole output, if the line does not.
    #[serde(serialize_with = "crate::view::maybe_path")]
    pub spilled_to: Option<PathBuf>,
}

/// One hunk of a change.
#[derive(Debug, Clone, Serialize)]
pub struct PatchHunk {
    /// First line in the old file.
    pub old_start: u64,
    /// First line in the new file.
    pub new_start: u64,
    /// Lines, each with ` `, `-` or `+` before it.
    pub lines: Vec<String>,
}
