//! What a search found, as views: sessions with their best hits.

use std::path::PathBuf;

use scrollback_format::time::Time;
use scrollback_model::text::TextClass;
use scrollback_model::unit::{Speaker, UnitKind};
use serde::{Deserialize, Serialize};

/// Something that could not be searched.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Skipped {
    /// Where.
    #[serde(with = "scrollback_session::view::path")]
    #[schemars(with = "String")]
    pub path: PathBuf,
    /// Why.
    pub why: String,
}

/// Another place of the same hit.
#[derive(Debug, Clone, Serialize, Deserialize, PartialEq, Eq, schemars::JsonSchema)]
pub struct OtherPlace {
    /// The session.
    pub session_id: String,
    /// The agent, if it is in an agent's file.
    pub agent_id: Option<String>,
    /// The file.
    #[serde(with = "scrollback_session::view::path")]
    #[schemars(with = "String")]
    pub path: PathBuf,
    /// Its first line there; 0 for a title.
    pub line: u64,
}

/// One hit.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct FoundHit {
    /// `prompt`, `answer`, `call`, `output`, `summary`, `title`.
    pub kind: UnitKind,
    /// `user`, `assistant`, `tool`.
    pub role: Speaker,
    /// Where the best match is: `prompts`, `answers`, `thinking`, `input`, `output`, `titles`; none if it has no text.
    pub class: Option<TextClass>,
    /// The line where it begins, counted from 1; 0 for a title.
    pub line: u64,
    /// All its lines.
    pub lines: Vec<u64>,
    /// Offset of its first line in the file.
    pub offset: u64,
    /// The file that it is in.
    #[serde(with = "scrollback_session::view::path")]
    #[schemars(with = "String")]
    pub path: PathBuf,
    /// The id of its first line.
    pub uuid: Option<String>,
    /// `message.id`.
    pub message_id: Option<String>,
    /// The call's id.
    pub tool_use_id: Option<String>,
    /// The tool.
    pub tool: Option<String>,
    /// The model.
    pub model: Option<String>,
    /// Did it fail?
    pub is_error: bool,
    /// Its turn on its thread.
    pub turn: Option<u32>,
    /// 0 on the live thread, else the branch as `tree` numbers them.
    pub branch: u64,
    /// The agent whose file it is in.
    pub agent_id: Option<String>,
    /// When.
    #[serde(with = "scrollback_session::view::time")]
    #[schemars(with = "Option<String>")]
    pub time: Option<Time>,
    /// How well it matches: larger is better.
    pub score: f32,
    /// The words around the match, on one line, from the file itself.
    pub snippet: String,
    /// Byte ranges of the matches in the snippet.
    pub matches: Vec<(usize, usize)>,
    /// Copies of it, in forks of the session.
    pub also_in: Vec<OtherPlace>,
    /// The arguments of `show` that open it.
    pub open: Vec<String>,
}

/// A session with hits.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct FoundSession {
    /// The session.
    pub session_id: String,
    /// The shortest unambiguous name: the first characters of its id, or the whole id.
    pub name: String,
    /// Its title.
    pub title: Option<String>,
    /// The directory that it was started in.
    pub project: Option<String>,
    /// Its last line's time.
    #[serde(with = "scrollback_session::view::time")]
    #[schemars(with = "Option<String>")]
    pub last_time: Option<Time>,
    /// Its file.
    #[serde(with = "scrollback_session::view::path")]
    #[schemars(with = "String")]
    pub path: PathBuf,
    /// How many hits it has, those in its agents included.
    pub matched: u64,
    /// The best of them.
    pub hits: Vec<FoundHit>,
}

/// What a search found.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct SearchResults {
    /// Sessions, best first.
    pub sessions: Vec<FoundSession>,
    /// Number of matching messages, copies in forks included.
    pub matched: u64,
    /// Number of sessions with hits.
    pub matched_sessions: u64,
    /// Was everything searched?
    pub complete: bool,
    /// What was not, and why.
    pub skipped: Vec<Skipped>,
    /// Number of files that were scanned because the text index does not have them yet.
    pub scanned_files: u64,
    /// Bytes of files that the text index still lacks and that an index refresh would add; 0 if it is up to date, or
    /// cannot be refreshed.
    pub pending_bytes: u64,
}
