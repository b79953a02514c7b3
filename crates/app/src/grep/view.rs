//! View models of what a search through texts found.

use std::path::PathBuf;

use scrollback_format::time::Time;
use serde::Serialize;

use crate::listing::TroubleView;

/// What a search through texts found.
#[derive(Debug, Default, Serialize)]
pub struct GrepReport {
    /// The pattern, as it was typed.
    pub pattern: String,
    /// The files with matches, in the order of their paths.
    pub sessions: Vec<GrepSession>,
    /// How many entries match (with `--files`: how many files).
    pub matched: u64,
    /// Did the search end early, because `--limit` was reached?
    pub limited: bool,
    /// Was everything looked at?
    pub complete: bool,
    /// What was not looked at, and why.
    pub skipped: Vec<TroubleView>,
}

/// A file with matches.
#[derive(Debug, Clone, Serialize)]
pub struct GrepSession {
    /// The file.
    #[serde(flatten)]
    pub file: GrepFile,
    /// Its entries that match; none with `--count` and `--files`.
    pub hits: Vec<GrepHit>,
    /// How many entries match; null with `--files`, which looks no further than the first.
    pub matched: Option<u64>,
}

/// Which file it is.
#[derive(Debug, Clone, Serialize)]
pub struct GrepFile {
    /// The session that it belongs to.
    pub session_id: Option<String>,
    /// The agent whose file it is; none if it is the session's own.
    pub agent_id: Option<String>,
    /// The directory that it was begun in.
    pub project: Option<String>,
    /// Where it is.
    #[serde(serialize_with = "crate::view::path")]
    pub path: PathBuf,
}

/// An entry that matches.
#[derive(Debug, Clone, Serialize)]
pub struct GrepHit {
    /// Which entry it is, and whose.
    #[serde(flatten)]
    pub entry: GrepEntry,
    /// Its texts that match, as far as they match.
    pub texts: Vec<GrepText>,
    /// Are there more matches in it than `texts` has?
    pub more: bool,
    /// Entries before it, with `--before` or `--context`; none is told twice.
    pub before: Vec<GrepNeighbour>,
    /// Entries after it, with `--after` or `--context`.
    pub after: Vec<GrepNeighbour>,
}

/// Which entry it is, and whose.
#[derive(Debug, Clone, Serialize)]
pub struct GrepEntry {
    /// Its line.
    pub line: u64,
    /// Its first byte in the file.
    pub offset: u64,
    /// Its id.
    pub uuid: Option<String>,
    /// When it was written.
    #[serde(serialize_with = "crate::view::time")]
    pub time: Option<Time>,
    /// Who speaks: `user`, `assistant`, `tool`, `system`.
    pub role: &'static str,
    /// Its kind, or what is left of a damaged line: `torn`, `stub`, `fragment`, `value`, `nuls`.
    pub kind: String,
    /// The tool that it calls, or that gave this back.
    pub tool: Option<String>,
    /// The model that speaks.
    pub model: Option<String>,
}

/// Lines of a text that match.
#[derive(Debug, Clone, Serialize)]
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
#[derive(Debug, Clone, Serialize)]
pub struct GrepNeighbour {
    /// Which entry it is, and whose.
    #[serde(flatten)]
    pub entry: GrepEntry,
    /// The beginning of its first text.
    pub text: String,
}

/// How a search ended.
#[derive(Debug, Clone, Default, Serialize)]
pub struct GrepEnd {
    /// How many entries match (with `--files`: how many files).
    pub matched: u64,
    /// Did the search end early, because `--limit` was reached?
    pub limited: bool,
    /// Was everything looked at?
    pub complete: bool,
    /// What was not looked at, and why.
    pub skipped: Vec<TroubleView>,
}
