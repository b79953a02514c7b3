//! Grep: an exact search through the decoded texts of every file, with no index.
//!
//! ```text
//! pattern ──► need ──► sieve            which raw lines may match
//! target ──► stream ──► scan            files in parallel, results in order
//!                        ├─ block       candidate lines of a block
//!                        ├─ text        which strings of an entry are texts
//!                        ├─ filter      which entries and texts count
//!                        └─ stretch     the lines around a match
//! ```
//!
//! What is found is exactly what decoding every line and searching every text would find; the sieve only spares the
//! work. Nothing is kept but what is ahead of its turn.

mod block;
mod calls;
pub mod filter;
mod need;
mod neighbour;
pub mod pattern;
mod scan;
mod sieve;
mod stream;
mod stretch;
mod sync;
pub mod target;
pub mod text;
pub mod view;

use scrollback_store::work;

use filter::GrepFilter;
use pattern::{Pattern, PatternError};
use scan::Scanner;
use scrollback_session::trouble::TroubleView;
use sieve::Sieve;
use stream::Outlet;
use target::GrepTarget;
use view::{GrepEnd, GrepFile, GrepHit, GrepReport, GrepSession};

/// What is reported of the matches.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// Each of them.
    #[default]
    Hits,
    /// How many entries of each file match.
    Count,
    /// Which files have any.
    Files,
}

/// A search.
#[derive(Debug, Clone, Default)]
pub struct GrepQuery {
    /// What to look for.
    pub pattern: Pattern,
    /// Where.
    pub filter: GrepFilter,
    /// What to report.
    pub mode: Mode,
    /// Entries before each match.
    pub before: usize,
    /// Entries after each match.
    pub after: usize,
    /// Stop after this many matches (files, if only those are listed).
    pub limit: Option<u64>,
}

impl GrepQuery {
    /// Entries before and after a match, where matches are told at all.
    fn context(&self) -> (usize, usize) {
        if self.mode == Mode::Hits { (self.before, self.after) } else { (0, 0) }
    }
}

/// What a search reports, in the order of files.
#[derive(Debug)]
pub enum GrepEvent {
    /// A file with matches begins.
    Begin(GrepFile),
    /// An entry of it matches.
    Hit(Box<GrepHit>),
    /// It is at its end; how many entries match, if they were counted.
    End(Option<u64>),
    /// Something was not looked at.
    Skipped(TroubleView),
}

impl GrepEvent {
    /// About how much memory it takes.
    fn size(&self) -> usize {
        let Self::Hit(hit) = self else { return 256 };
        let texts = hit.texts.iter().map(|text| text.text.len() + 16 * text.matches.len() + 128);
        let beside = (hit.before.len() + hit.after.len()) * 1024;
        512 + texts.sum::<usize>() + beside
    }
}

/// Why a search ended before its end.
enum Halt<E> {
    Limit,
    Sink(E),
}

/// A search that is ready to begin.
#[derive(Debug)]
pub struct PreparedGrep {
    query: GrepQuery,
    regex: regex_automata::meta::Regex,
    sieve: Option<Sieve>,
}

impl PreparedGrep {
    /// Prepares a search; a pattern that makes no sense is an error.
    pub fn new(query: GrepQuery) -> Result<Self, PatternError> {
        let hir = query.pattern.hir()?;
        let regex = query.pattern.matcher(&hir)?;
        let sieve = Sieve::of(&hir);
        Ok(Self { query, regex, sieve })
    }

    /// The same search with every line decoded: what the sieve must not change.
    #[doc(hidden)]
    #[must_use]
    pub fn without_sieve(self) -> Self {
        Self { sieve: None, ..self }
    }

    /// Searches files and gives what it finds to `sink`, as it is found. An error of `sink` ends the search.
    pub fn run<E>(
        &self,
        targets: &[GrepTarget],
        mut sink: impl FnMut(GrepEvent) -> Result<(), E>,
    ) -> Result<GrepEnd, E> {
        let mut order: Vec<(u64, usize)> = (targets.iter().enumerate())
            .map(|(at, target)| (std::fs::metadata(&target.path).map_or(0, |meta| meta.len()), at))
            .collect();
        order.sort_unstable_by(|a, b| b.cmp(a));
        let order: Vec<usize> = order.into_iter().map(|(_, at)| at).collect();
        let mut end = GrepEnd::default();
        let job = |scanner: &mut Scanner<'_>, item: usize, outlet: &mut dyn Outlet<GrepEvent>| {
            scanner.file(&targets[item], outlet);
        };
        let state = || Scanner::new(&self.query, &self.regex, self.sieve.as_ref());
        let done = stream::ordered(&order, work::threads(), state, job, |event| {
            self.count(&event, &mut end);
            sink(event).map_err(Halt::Sink)?;
            let reached = self.query.limit.is_some_and(|limit| end.matched >= limit);
            if reached { Err(Halt::Limit) } else { Ok(()) }
        });
        match done {
            Ok(()) => {}
            Err(Halt::Limit) => end.limited = true,
            Err(Halt::Sink(error)) => return Err(error),
        }
        end.complete = !end.limited && end.skipped.is_empty();
        Ok(end)
    }

    fn count(&self, event: &GrepEvent, end: &mut GrepEnd) {
        match (event, self.query.mode) {
            (GrepEvent::Begin(_), Mode::Files) | (GrepEvent::Hit(_), Mode::Hits) => end.matched += 1,
            (GrepEvent::End(Some(matched)), Mode::Count) => end.matched += matched,
            (GrepEvent::Skipped(trouble), _) => end.skipped.push(trouble.clone()),
            _ => {}
        }
    }

    /// Searches files and gives all that it finds at once, for those who cannot take it bit by bit.
    pub fn report(&self, targets: &[GrepTarget]) -> GrepReport {
        let mut sessions: Vec<GrepSession> = Vec::new();
        let mut take = |event| {
            match (event, sessions.last_mut()) {
                (GrepEvent::Begin(file), _) => {
                    sessions.push(GrepSession { file, hits: Vec::new(), matched: None });
                }
                (GrepEvent::Hit(hit), Some(last)) => {
                    last.hits.push(*hit);
                    last.matched = Some(last.hits.len() as u64);
                }
                (GrepEvent::End(matched), Some(last)) => last.matched = matched,
                _ => {}
            }
            Ok::<(), std::convert::Infallible>(())
        };
        let end = self.run(targets, &mut take).unwrap_or_else(|never| match never {});
        GrepReport {
            pattern: self.query.pattern.text.clone(),
            sessions,
            matched: end.matched,
            limited: end.limited,
            complete: end.complete,
            skipped: end.skipped,
        }
    }

    /// The search itself.
    pub fn query(&self) -> &GrepQuery {
        &self.query
    }
}
