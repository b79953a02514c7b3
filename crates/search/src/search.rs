//! Searching: a query over every unit of the store, by the text index where it has them and by a scan where it has
//! not. Both find the same; the scan only takes longer.

mod found;
mod groups;
mod prefilter;
mod reach;
mod reader;
mod scan;
mod selection;
mod snippet;
pub mod view;

use std::path::PathBuf;

use rustc_hash::FxHashMap;
use scrollback_format::time::Time;
use scrollback_index::error::IndexError;
use scrollback_index::filter;
use scrollback_index::query::Expr;
use scrollback_index::text::{Ranked, Ranking, UnitMatcher};
use scrollback_model::text::UnitText;

use self::prefilter::Prefilter;
use self::reach::Reach;
use scrollback_session::catalogue::Index;

pub use scrollback_index::query::{Filter, QueryError, parse, parse_within};
pub use view::{FoundHit, FoundSession, OtherPlace, SearchResults, Skipped};

/// The order of hits.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum HitOrder {
    /// Best first.
    #[default]
    Best,
    /// Newest first.
    Newest,
}

/// What is asked.
#[derive(Debug, Clone)]
pub struct Search {
    /// The query.
    pub query: Expr,
    /// The order.
    pub order: HitOrder,
    /// Maximum number of sessions; none for all.
    pub sessions: Option<usize>,
    /// Maximum number of hits of each session; none for all.
    pub hits: Option<usize>,
    /// The present, which ages are counted from.
    pub now: Time,
}

/// How the text index stands when a search begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Readiness {
    /// Bytes of files that are not in it.
    pub behind_bytes: u64,
    /// Can it be brought up to date at all?
    pub can_refresh: bool,
}

/// Tells how much of the store the text index does not have yet.
pub fn readiness(index: &Index) -> Result<Readiness, IndexError> {
    let behind_bytes = index.text_behind()?.bytes;
    let missing = index.text_index()?.is_none();
    let behind_bytes = if missing { index.status()?.bytes } else { behind_bytes };
    Ok(Readiness { behind_bytes, can_refresh: index.is_kept() })
}

/// Searches. `progress` is told after each file that had to be scanned how many bytes it has.
pub fn search(
    index: &Index,
    wanted: &Search,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<SearchResults, IndexError> {
    let ranked = Candidates::of(index, wanted, progress)?;
    ranked.found(index, wanted)
}

/// Every unit that matches, with what could not be looked at.
pub(crate) struct Candidates {
    pub(crate) ranked: Vec<Ranked>,
    pub(crate) skipped: Vec<Skipped>,
    /// Files that the catalogue tells as of before: read directly, under numbers of their own.
    pub(crate) direct: FxHashMap<i64, scan::Direct>,
    /// How many files were scanned.
    pub(crate) scanned: u64,
}

impl Candidates {
    fn of(index: &Index, wanted: &Search, progress: &(dyn Fn(u64) + Sync)) -> Result<Self, IndexError> {
        let filters = wanted.query.filters();
        let reach = Reach::of(index, &filters)?;
        let mut ranked = titles(index, wanted, &reach)?;
        let mut targets = reach.targets;
        if let Some(text) = reach.text {
            let ranking = match wanted.order {
                HitOrder::Best => Ranking::Best { now: wanted.now },
                HitOrder::Newest => Ranking::Newest,
            };
            match text.search(&wanted.query, &reach.scope, ranking) {
                Ok(found) => ranked.extend(found),
                // Damage that only reading shows. The files have it all.
                Err(_) => {
                    index.distrust_text()?;
                    targets = Reach::without_text(index, &filters)?;
                }
            }
        }
        let mut candidates = Self {
            ranked,
            skipped: Vec::new(),
            direct: FxHashMap::default(),
            scanned: (targets.len() + index.stale.len()) as u64,
        };
        scan::scan(index, wanted, targets, &mut candidates, progress)?;
        scan::scan_stale(index, wanted, &mut candidates, progress);
        Ok(candidates)
    }
}

/// Titles are looked at in the catalogue: they change without a line of the conversation changing.
fn titles(index: &Index, wanted: &Search, reach: &Reach) -> Result<Vec<Ranked>, IndexError> {
    let prefilter = Prefilter::of(&wanted.query);
    let mut matcher = UnitMatcher::new(&wanted.query);
    let mut found = Vec::new();
    for (file, session_id, title, time) in index.titles()?.iter() {
        if !prefilter.passes(title.as_bytes()) {
            continue;
        }
        let Some(known) = reach.facts(*file) else { continue };
        let unit = UnitText::title(title, *time);
        if let Some(score) = matcher.matches(&unit, &known) {
            found.push(ranked(&unit, *file, score, wanted.now, title_copy(session_id, title)));
        }
    }
    Ok(found)
}

/// What copies of a title share: a session that lies in two stores has it twice.
fn title_copy(session_id: &str, title: &str) -> u64 {
    use std::hash::{Hash, Hasher};
    let mut hasher = rustc_hash::FxHasher::default();
    (5, session_id, title).hash(&mut hasher);
    hasher.finish()
}

fn ranked(unit: &UnitText, file: i64, score: f32, now: Time, copy: u64) -> Ranked {
    Ranked {
        score: score * filter::recency(unit.time, now),
        time: unit.time.map_or(i64::MIN, |time| time.0),
        file,
        key: unit.key.number(),
        copy,
    }
}

/// Every unit that matches, as file and line, with nothing merged or left out: what a judge compares.
pub fn places(index: &Index, wanted: &Search) -> Result<Vec<(PathBuf, u64, &'static str)>, IndexError> {
    let candidates = Candidates::of(index, wanted, &|_| {})?;
    let mut reader = reader::Reader::new(index, wanted, &candidates.direct);
    let mut places = reader::places(&mut reader, &candidates.ranked)?;
    places.sort();
    Ok(places)
}
