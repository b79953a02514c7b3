//! From candidates to what is shown: the best sessions with their best hits, read from the files.

use rustc_hash::FxHashMap;
use scrollback_index::error::IndexError;
use scrollback_session::catalogue::Index;

use super::groups::Groups;
use super::reader::Reader;
use super::view::{FoundHit, FoundSession, SearchResults};
use super::{Candidates, Search, selection};

/// How much of an id is shown where that is enough.
const SHORT: usize = 8;

impl Candidates {
    /// The best sessions with their best hits, read from the files.
    pub(super) fn found(mut self, index: &Index, wanted: &Search) -> Result<SearchResults, IndexError> {
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
        Ok(SearchResults {
            sessions,
            matched: total,
            matched_sessions: matched.iter().filter(|count| **count > 0).count() as u64,
            complete: self.skipped.is_empty(),
            scanned_files: self.scanned,
            pending_bytes: 0,
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
