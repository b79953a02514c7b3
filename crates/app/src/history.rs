//! The history: every prompt that was typed in the terminal, over all projects, with what was pasted and where it went.

mod fit;
mod pasted;
mod place;

use std::path::PathBuf;

use scrollback_format::history::{self, Prompt};
use scrollback_format::json::Tape;
use scrollback_format::time::Time;
use scrollback_store::{Chunk, LineReader, Root, Start, stamp};
use serde::Serialize;

use crate::area;
use crate::catalogue::Index;
use crate::error::AppError;
use crate::library::Library;
use crate::listing::TroubleView;
use crate::scope::Scope;
use crate::view::time;

/// Which prompts.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// Which projects and dates.
    pub scope: Scope,
    /// Words that all have to be in it, or nearly.
    pub words: Vec<String>,
    /// The words as one phrase, letter by letter.
    pub exact: bool,
    /// Only what was typed in this session.
    pub session: Option<String>,
    /// At most so many.
    pub limit: Option<usize>,
}

/// What the history has.
#[derive(Debug, Serialize)]
pub struct HistoryView {
    /// The prompts, newest first; nearest first where none has the very words.
    pub prompts: Vec<TypedView>,
    /// How many fit, those beyond the limit included.
    pub matched: u64,
    /// No prompt has these words; these are near them.
    pub fuzzy: bool,
    /// Lines that are no prompt, and files that cannot be read.
    pub troubles: Vec<TroubleView>,
}

/// A prompt that was typed.
#[derive(Debug, Clone, Serialize)]
pub struct TypedView {
    /// When.
    #[serde(serialize_with = "time")]
    pub time: Option<Time>,
    /// The directory in which.
    pub project: Option<String>,
    /// What was typed, with placeholders for what was pasted.
    pub text: String,
    /// What was pasted.
    pub pasted: Vec<PastedView>,
    /// The session that it went to, if it is known.
    pub session_id: Option<String>,
    /// How the session is known: `entry` (it says so) or `project` (told by directory, time and text).
    pub session_by: Option<&'static str>,
    /// Is the session still in the store?
    pub session_exists: bool,
    /// Its turn there.
    pub turn: Option<u32>,
    /// 0 is the live thread there, `n` the n-th branch.
    pub branch: Option<u64>,
    /// Its line in the session's file.
    pub session_line: Option<u64>,
    /// How that line is known: `text` or `time`.
    pub turn_by: Option<&'static str>,
    /// The line in the history's file.
    pub line: u64,
    /// The history's file.
    #[serde(serialize_with = "crate::view::path")]
    pub path: PathBuf,
}

/// Something that was pasted into a prompt.
#[derive(Debug, Clone, Serialize)]
pub struct PastedView {
    /// Its number in the placeholder.
    pub id: u64,
    /// `text`, `image`, or what the entry says.
    pub kind: String,
    /// The text; none if it is nowhere any more.
    pub text: Option<String>,
    /// Where the text is from: `entry`, `paste-cache`, `session`.
    pub from: Option<&'static str>,
    /// The hash that names it in `paste-cache`.
    pub hash: Option<String>,
}

/// A prompt on its way to a view.
struct Entry<'r> {
    root: &'r Root,
    line: u64,
    prompt: Prompt,
}

/// Looks through the history.
pub fn history(library: &Library, index: &Index, filter: &Filter) -> Result<HistoryView, AppError> {
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

fn view(entry: Entry<'_>, place: place::Place, troubles: &mut Vec<TroubleView>) -> TypedView {
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
fn read<'r>(root: &'r Root, entries: &mut Vec<Entry<'r>>, troubles: &mut Vec<TroubleView>) {
    let path = root.history();
    if !stamp::is_there(&path) {
        return;
    }
    let mut tape = Tape::new();
    let end = LineReader::new().read(&path, Start::default(), |chunk| {
        match chunk {
            Chunk::Line(line) if line.bytes.iter().all(u8::is_ascii_whitespace) => {}
            Chunk::Line(line) => match history::decode(line.bytes, &mut tape) {
                Ok(prompt) => entries.push(Entry { root, line: line.number, prompt }),
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
