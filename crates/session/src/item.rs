//! Items: what one line of a conversation shows, as plain values.

use std::path::PathBuf;

use scrollback_format::time::Time;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;

/// One thing that is said or done.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct Item {
    /// The line in the file.
    pub line: u64,
    /// The entry's id.
    pub uuid: Option<String>,
    /// When.
    #[serde(with = "crate::view::time")]
    #[schemars(with = "Option<String>")]
    pub time: Option<Time>,
    /// What.
    #[serde(flatten)]
    pub what: ItemKind,
}

impl<'de> Deserialize<'de> for Item {
    /// Reads it in two goes, because the input of a call is kept as it was written, which a tagged enum cannot.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Head {
            line: u64,
            uuid: Option<String>,
            #[serde(with = "crate::view::time")]
            time: Option<Time>,
            #[serde(rename = "type")]
            kind: String,
        }
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        let Head { line, uuid, time, kind } = serde_json::from_str(raw.get()).map_err(D::Error::custom)?;
        let what = match kind.as_str() {
            "call" => serde_json::from_str(raw.get()).map(|call| ItemKind::Call(Box::new(call))),
            _ => serde_json::from_str(raw.get()),
        };
        Ok(Self { line, uuid, time, what: what.map_err(D::Error::custom)? })
    }
}

/// What is said or done.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum ItemKind {
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
    /// Words that the client added in place of an answer.
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
    /// Branches start here.
    BranchPoint {
        /// Which.
        #[serde(rename = "branch_list")]
        branches: Vec<BranchRef>,
    },
    /// The line before is missing; this is where the thread was joined.
    Gap {
        /// Why.
        why: GapCause,
    },
    /// A line that is not known.
    Unknown {
        /// Its kind.
        kind: String,
    },
}

/// Why a thread is joined where no line says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum GapCause {
    /// The parent message is in no line that could be read.
    ParentMissing,
    /// The chain of parents leads back to itself.
    Cycle,
}

/// A picture or a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum MediaKind {
    /// A picture.
    Image,
    /// A document.
    Document,
}

impl MediaKind {
    /// Its name, for people and in documents.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Image => "image",
            Self::Document => "document",
        }
    }
}

/// A picture or document.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Media {
    /// `image` or `document`.
    pub kind: MediaKind,
    /// Its type, `image/png`.
    pub media_type: Option<String>,
    /// Its size, decoded.
    pub bytes: u64,
}

/// A branch.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct BranchRef {
    /// Its number, for `--branch`.
    pub branch: u64,
    /// Was it summarized (else abandoned)?
    pub summarized: bool,
    /// Its turns.
    pub turns: u64,
    /// Its first words.
    pub text: String,
    /// When it was begun.
    #[serde(with = "crate::view::time")]
    #[schemars(with = "Option<String>")]
    pub time: Option<Time>,
}

/// A tool call.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
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
    pub input: Option<Box<RawValue>>,
    /// What came back; none if nothing did.
    pub outcome: Option<OutcomeItem>,
    /// The agents that it made: one, or those of a workflow.
    pub agent_ids: Vec<String>,
}

/// What a tool gave back.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct OutcomeItem {
    /// The line in the file.
    pub line: u64,
    /// When.
    #[serde(with = "crate::view::time")]
    #[schemars(with = "Option<String>")]
    pub time: Option<Time>,
    /// Did it fail, or was it denied?
    pub is_error: bool,
    /// The text, as the model saw it.
    pub text: String,
    /// Lines of the tool's own output, if the client recorded it: the text may contain reminders as well.
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
    #[serde(with = "crate::view::maybe_path")]
    #[schemars(with = "Option<String>")]
    pub spilled_to: Option<PathBuf>,
}

/// One hunk of a change, with some unchanged lines around it, as in the client's `structuredPatch`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct PatchHunk {
    /// First line in the old file.
    pub old_start: u64,
    /// First line in the new file.
    pub new_start: u64,
    /// Lines, each with ` `, `-` or `+` before it.
    pub lines: Vec<String>,
}
