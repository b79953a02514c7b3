//! The history: every prompt that was typed in the terminal, over all projects, with pasted text and the session it went to.

mod fit;
mod pasted;
mod place;

use std::path::PathBuf;

use scrollback_format::history::{self, Prompt};
use scrollback_format::json::Tape;
use scrollback_format::time::Time;
use scrollback_store::{Chunk, LineReader, Root, Start, stamp};
use serde::{Deserialize, Serialize};

use scrollback_session::area;
use scrollback_session::catalogue::Index;
use scrollback_session::error::AppError;
use scrollback_session::library::Library;
use scrollback_session::scope::Scope;
use scrollback_session::trouble::TroubleView;

/// Which prompts.
#[derive(Debug, Clone, Default)]
pub struct HistoryFilter {
    /// Which projects and dates.
    pub scope: Scope,
    /// Words that it must contain, or nearly.
    pub words: Vec<String>,
    /// Match the words as one exact phrase.
    pub exact: bool,
    /// Only what was typed in this session.
    pub session: Option<String>,
    /// Maximum number; none for all.
    pub limit: Option<usize>,
}

/// What the history has.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct HistoryView {
    /// The prompts, newest first; most similar first if none matches exactly.
    pub prompts: Vec<TypedView>,
    /// Number of matches, including those beyond the limit.
    pub matched: u64,
    /// No prompt matches exactly; these are similar.
    pub fuzzy: bool,
    /// Lines that are not prompts, and files that cannot be read.
    pub troubles: Vec<TroubleView>,
}

/// How the session of a prompt is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum SessionEvidence {
    /// The entry names it.
    Entry,
    /// By directory, time and text.
    Project,
}

/// How the line of a prompt in its session is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum TurnEvidence {
    /// It has the same text.
    Text,
    /// It has the same time.
    Time,
}

/// Where a pasted text was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum PasteSource {
    /// In the entry itself.
    Entry,
    /// In a file of `paste-cache`.
    PasteCache,
    /// In the session.
    Session,
}

impl PasteSource {
    /// Its name in documents.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Entry => "entry",
            Self::PasteCache => "paste-cache",
            Self::Session => "session",
        }
    }
}

/// A prompt that was typed.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct TypedView {
    /// When.
    #[serde(with = "scrollback_session::view::time")]
    #[schemars(with = "Option<String>")]
    pub time: Option<Time>,
    /// The directory it was typed in.
    pub project: Option<String>,
    /// What was typed, with placeholders for what was pasted.
    pub text: String,
    /// What was pasted.
    pub pasted: Vec<PastedView>,
    /// The session it went to, if known.
    pub session_id: Option<String>,
    /// How the session is known.
    pub session_by: Option<SessionEvidence>,
    /// Is the session still in the store?
    pub session_exists: bool,
    /// Its turn there.
    pub turn: Option<u32>,
    /// 0 is the live thread there, `n` the n-th branch.
    pub branch: Option<u64>,
    /// Its line in the session's file.
    pub session_line: Option<u64>,
    /// How that line is known.
    pub turn_by: Option<TurnEvidence>,
    /// The line in the history's file.
    pub line: u64,
    /// The history's file.
    #[serde(with = "scrollback_session::view::path")]
    #[schemars(with = "String")]
    pub path: PathBuf,
}

/// Something that was pasted into a prompt.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct PastedView {
    /// Its number in the placeholder.
    pub id: u64,
    /// `text`, `image`, or what the entry says.
    pub kind: String,
    /// The text; none if it no longer exists.
    pub text: Option<String>,
    /// Where the text was found.
    pub from: Option<PasteSource>,
    /// The hash that names it in `paste-cache`.
    pub hash: Option<String>,
}

/// A prompt on its way to a view.
struct PromptEntry<'r> {
    root: &'r Root,
    line: u64,
    prompt: Prompt,
}

/// Looks through the history.
pub fn history(library: &Library, index: &Index, filter: &HistoryFilter) -> Result<HistoryView, AppError> {
    let mut troubles = Vec::new();
    let mut entries = Vec::new();
    for root in &library.roots {
        read(root, &mut entries, &mut troubles);
    }
    entries.retain(|entry| {
        let prompt = &entry.prompt;
        let session = prompt.session.as_ref().map(|session| session.as_str());
        filter.scope.has_project(prompt.project.as_deref())
            && filter.scope.has_time(prompt.time)
            && filter.session.as_deref().is_none_or(|wanted| session == Some(wanted))
    });
    // The last line is the newest where times are the same or missing.
    entries.reverse();
    entries.sort_by_key(|entry| std::cmp::Reverse(entry.prompt.time));
    let (mut entries, fuzzy) = fit::fitting(entries, &filter.words, filter.exact);
    let matched = entries.len() as u64;
    entries.truncate(filter.limit.unwrap_or(usize::MAX));
    let places = place::places(library, &index.sessions()?, &entries);
    let prompts =
        entries.into_iter().zip(places).map(|(entry, place)| view(entry, place, &mut troubles)).collect();
    Ok(HistoryView { prompts, matched, fuzzy, troubles })
}

fn view(entry: PromptEntry<'_>, place: place::PromptPlace, troubles: &mut Vec<TroubleView>) -> TypedView {
    let pasted = pasted::pasted(&entry, place.sent.as_deref(), troubles);
    TypedView {
        time: entry.prompt.time,
        project: entry.prompt.project,
        text: entry.prompt.display,
        pasted,
        session_id: place.session_id,
        session_by: place.session_by,
        session_exists: place.exists,
        turn: place.turn,
        branch: place.branch,
        session_line: place.line,
        turn_by: place.turn_by,
        line: entry.line,
        path: entry.root.history(),
    }
}

/// The prompts of a root, in the order of their lines.
fn read<'r>(root: &'r Root, entries: &mut Vec<PromptEntry<'r>>, troubles: &mut Vec<TroubleView>) {
    let path = root.history();
    if !stamp::is_there(&path) {
        return;
    }
    let mut tape = Tape::new();
    let end = LineReader::new().read(&path, Start::default(), |chunk| {
        match chunk {
            Chunk::Line(line) if line.bytes.iter().all(u8::is_ascii_whitespace) => {}
            Chunk::Line(line) => match history::decode(line.bytes, &mut tape) {
                Ok(prompt) => entries.push(PromptEntry { root, line: line.number, prompt }),
                Err(odd) => {
                    troubles.push(area::trouble(&path, format!("line {} {}", line.number, odd.words())));
                }
            },
            Chunk::Oversize(part) if part.first => {
                troubles.push(area::trouble(&path, format!("line {} is too long to read", part.number)));
            }
            Chunk::Oversize(_) => {}
        }
        std::ops::ControlFlow::Continue(())
    });
    if let Err(error) = end {
        troubles.push(area::trouble(&path, error.source.to_string()));
    }
}
