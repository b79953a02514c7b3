//! View models of what a search through texts found.

use std::path::PathBuf;

use scrollback_format::time::Time;
use scrollback_model::unit::Speaker;
use serde::{Deserialize, Serialize};

use scrollback_session::trouble::TroubleView;

/// What a search through texts found.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct GrepReport {
    /// The pattern, as it was typed.
    pub pattern: String,
    /// The files with matches, in the order of their paths.
    pub sessions: Vec<GrepSession>,
    /// Number of entries that match (with `--files`: of files).
    pub matched: u64,
    /// Did the search end early, because `--limit` was reached?
    pub limited: bool,
    /// Was everything searched?
    pub complete: bool,
    /// What was not searched, and why.
    pub skipped: Vec<TroubleView>,
}

/// A file with matches.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct GrepSession {
    /// The file.
    #[serde(flatten)]
    pub file: GrepFile,
    /// Its entries that match; none with `--count` and `--files`.
    pub hits: Vec<GrepHit>,
    /// Number of entries that match; null with `--files`, which stops at the first.
    pub matched: Option<u64>,
}

/// Which file it is.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct GrepFile {
    /// The session that it belongs to.
    pub session_id: Option<String>,
    /// The agent whose file it is; none if it is the session's own.
    pub agent_id: Option<String>,
    /// The directory that it was started in.
    pub project: Option<String>,
    /// Where it is.
    #[serde(with = "scrollback_session::view::path")]
    #[schemars(with = "String")]
    pub path: PathBuf,
}

/// An entry that matches.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct GrepHit {
    /// Which entry it is, and whose.
    #[serde(flatten)]
    pub entry: GrepEntry,
    /// Its texts that match, as far as they match.
    pub texts: Vec<GrepText>,
    /// Are there more matches in it than `texts` has?
    pub more: bool,
    /// Entries before it, with `--before` or `--context`; none is listed twice.
    pub before: Vec<GrepNeighbour>,
    /// Entries after it, with `--after` or `--context`.
    pub after: Vec<GrepNeighbour>,
}

/// The name of a [`Speaker`].
pub type RoleName = &'static str;

/// Which entry it is, and whose.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct GrepEntry {
    /// Its line.
    pub line: u64,
    /// Its first byte in the file.
    pub offset: u64,
    /// Its id.
    pub uuid: Option<String>,
    /// When it was written.
    #[serde(with = "scrollback_session::view::time")]
    #[schemars(with = "Option<String>")]
    pub time: Option<Time>,
    /// Who speaks: `user`, `assistant`, `tool`, `system`.
    #[serde(with = "role")]
    #[schemars(with = "Speaker")]
    pub role: RoleName,
    /// Its kind, or what is left of a damaged line: `torn`, `stub`, `fragment`, `value`, `nuls`.
    pub kind: String,
    /// The tool that it calls, or whose result it is.
    pub tool: Option<String>,
    /// The model that speaks.
    pub model: Option<String>,
}

impl GrepEntry {
    /// Who speaks.
    pub fn speaker(&self) -> Speaker {
        speaker(self.role)
    }
}

fn speaker(role: &str) -> Speaker {
    let known = [Speaker::User, Speaker::Assistant, Speaker::Tool];
    known.into_iter().find(|known| known.name() == role).unwrap_or(Speaker::System)
}

/// A role by its name, for `#[serde(with)]`.
mod role {
    use scrollback_model::unit::Speaker;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[allow(clippy::trivially_copy_pass_by_ref, reason = "the serializer hands out references")]
    pub(super) fn serialize<S: Serializer>(role: &&'static str, serializer: S) -> Result<S::Ok, S::Error> {
        super::speaker(role).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<&'static str, D::Error> {
        Speaker::deserialize(deserializer).map(Speaker::name)
    }
}

/// Lines of a text that match.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct GrepText {
    /// The way to the text: `message.content[0].text`; empty for damaged lines, of which the bytes are searched.
    pub field: String,
    /// Where these lines begin in the text, in bytes.
    pub at: u64,
    /// The lines, whole.
    pub text: String,
    /// The matches in them: first byte, and the byte after the last.
    pub matches: Vec<(u64, u64)>,
}

/// An entry beside one that matches.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct GrepNeighbour {
    /// Which entry it is, and whose.
    #[serde(flatten)]
    pub entry: GrepEntry,
    /// The beginning of its first text.
    pub text: String,
}

/// How a search ended.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct GrepEnd {
    /// Number of entries that match (with `--files`: of files).
    pub matched: u64,
    /// Did the search end early, because `--limit` was reached?
    pub limited: bool,
    /// Was everything searched?
    pub complete: bool,
    /// What was not searched, and why.
    pub skipped: Vec<TroubleView>,
}
