//! What a search found, as a view: sessions with their best hits.

use std::path::PathBuf;

use rustc_hash::FxHashMap;
use scrollback_format::time::Time;
use scrollback_index::error::IndexError;
use serde::Serialize;

use super::groups::Groups;
use super::reader::Reader;
use super::{Candidates, Search, selection};
use crate::catalogue::Index;
use crate::view::{path, time};

/// Something that could not be looked at.
#[derive(Debug, Clone, Serialize)]
pub struct Skipped {
    /// Where.
    #[serde(serialize_with = "path")]
    pub path: PathBuf,
    /// Why.
    pub why: String,
}

/// Another place of the same hit.
#[derive(Debug, Clone, Serialize, PartialEq, Eq)]
pub struct OtherPlace {
    /// The session.
    pub session_id: String,
    /// The agent, if it is in an agent's file.
    pub agent_id: Option<String>,
    /// The file.
    #[serde(serialize_with = "path")]
    pub path: PathBuf,
    /// Its first line there; 0 for a title.
    pub line: u64,
}

/// One hit.
#[derive(Debug, Clone, Serialize)]
pub struct FoundHit {
    /// `prompt`, `answer`, `call`, `output`, `summary`, `title`.
    pub kind: &'static str,
    /// `user`, `assistant`, `tool`.
    pub role: &'static str,
    /// Where the best match stands: `prompts`, `answers`, `thinking`, `input`, `output`, `titles`.
    pub class: &'static str,
    /// The line where it begins, counted from 1; 0 for a title.
    pub line: u64,
    /// All its lines.
    pub lines: Vec<u64>,
    /// Offset of its first line in the file.
    pub offset: u64,
    /// The file that it is in.
    #[serde(serialize_with = "path")]
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
    #[serde(serialize_with = "time")]
    pub time: Option<Time>,
    /// How well it fits: larger is better.
    pub score: f32,
    /// The words around the match, on one line, from the file itself.
    pub snippet: String,
    /// Where matches stand in the snippet, in bytes.
    pub matches: Vec<(usize, usize)>,
    /// Copies of it, in forks of the session.
    pub also_in: Vec<OtherPlace>,
    /// What names it: the arguments of `show`.
    pub open: Vec<String>,
}

/// A session with hits.
#[derive(Debug, Clone, Serialize)]
pub struct FoundSession {
    /// The session.
    pub session_id: String,
    /// The shortest name that means it alone: the first characters of its id, or the whole.
    pub name: String,
    /// Its title.
    pub title: Option<String>,
    /// The directory in which it was begun.
    pub project: Option<String>,
    /// Its last line's time.
    #[serde(serialize_with = "time")]
    pub last_time: Option<Time>,
    /// Its file.
    #[serde(serialize_with = "path")]
    pub path: PathBuf,
    /// How many hits it has, those in its agents included.
    pub matched: u64,
    /// The best of them.
    pub hits: Vec<FoundHit>,
}

/// What a search found.
#[derive(Debug, Clone, Serialize)]
pub struct Found {
    /// Sessions, best first.
    pub sessions: Vec<FoundSession>,
    /// How many units match, copies in forks counted as they stand.
    pub matched: u64,
    /// How many sessions have hits.
    pub matched_sessions: u64,
    /// Was everything looked at?
    pub complete: bool,
    /// What was not, and why.
    pub skipped: Vec<Skipped>,
    /// How many files were scanned because the text index does not have them yet.
    pub scanned_files: u64,
}

/// How much of an id is shown where that is enough.
const SHORT: usize = 8;

impl Candidates {
    /// The best sessions with their best hits, read from the files.
    pub(super) fn found(mut self, index: &Index, wanted: &Search) -> Result<Found, IndexError> {
        let mut reader = Reader::new(index, wanted, &self.direct);
        let counts = self.counts();
        let groups = Groups::of(index, &self.direct, counts.keys().copied())?;
        let mut matched: Vec<u64> = vec![0; groups.count()];
        for (file, count) in &counts {
            if let Some(group) = groups.find(*file) {
                matched[group as usize] += count;
            }
        }
        let total = self.ranked.len() as u64;
        let chosen = selection::select(&mut self.ranked, wanted, &groups, &mut |file| reader.rank(file))?;
        let counts: Vec<usize> = chosen.iter().map(|chosen| chosen.hits.len()).collect();
        let names: Vec<&str> = chosen.iter().map(|chosen| groups.name(chosen.group)).collect();
        let sums = chosen.iter().map(|chosen| matched[chosen.group as usize]).collect::<Vec<u64>>();
        let hits: Vec<_> = chosen.into_iter().flat_map(|chosen| chosen.hits).collect();
        let mut hits = reader.read(&hits)?.into_iter();
        let mut sessions = Vec::new();
        for ((name, count), sum) in names.into_iter().zip(counts).zip(sums) {
            let own: Vec<FoundHit> = hits.by_ref().take(count).flatten().collect();
            sessions.extend(session(index, name, own, sum)?);
        }
        Ok(Found {
            sessions,
            matched: total,
            matched_sessions: matched.iter().filter(|count| **count > 0).count() as u64,
            complete: self.skipped.is_empty(),
            scanned_files: self.scanned,
            skipped: std::mem::take(&mut self.skipped),
        })
    }

    /// How many hits each file has.
    fn counts(&self) -> FxHashMap<i64, u64> {
        let mut counts: FxHashMap<i64, u64> = FxHashMap::default();
        // Hits of a file mostly come one after the other.
        for run in self.ranked.chunk_by(|a, b| a.file == b.file) {
            if let Some(first) = run.first() {
                *counts.entry(first.file).or_default() += run.len() as u64;
            }
        }
        counts
    }
}

/// A session with its hits; none if none of them could be read.
fn session(
    index: &Index,
    session_id: &str,
    hits: Vec<FoundHit>,
    matched: u64,
) -> Result<Option<FoundSession>, IndexError> {
    let Some(first) = hits.first() else { return Ok(None) };
    let known = index.session_brief(session_id)?;
    let path = known.as_ref().map_or_else(|| first.path.clone(), |known| index.given_path(&known.path));
    let short: String = session_id.chars().take(SHORT).collect();
    let name = if index.catalogue().ids_with(&short)? > 1 { session_id.to_owned() } else { short };
    Ok(Some(FoundSession {
        session_id: session_id.to_owned(),
        name,
        title: known.as_ref().and_then(|known| known.title.clone()),
        project: known.as_ref().and_then(|known| known.project.clone()),
        last_time: known.as_ref().and_then(|known| known.last_time),
        path,
        matched,
        hits,
    }))
}
