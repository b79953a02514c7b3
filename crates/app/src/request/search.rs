//! `search`: ranked full text over everything, with what the text index lacks scanned. Whether the index is refreshed
//! first, what was not searched and what is left to index are decided here, so that every front gives the same answer.

use schemars::JsonSchema;
use scrollback_search::search::{self, Filter, HitOrder, QueryError, Search, SearchResults, Skipped};
use scrollback_session::catalogue::Index;
use scrollback_session::error::{AppError, Input};
use scrollback_session::library::Library;
use serde::{Deserialize, Serialize};

use super::{Request, ScopeRequest};
use crate::desk::Desk;
use crate::notice::Work;

/// The index is refreshed before the answer if it lacks no more than this: a scan of more answers sooner.
const AT_ONCE: u64 = 24 << 20;

/// What to search for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct SearchRequest {
    /// The query, as docs/search.md describes it.
    pub query: String,
    /// The order of hits.
    pub sort: HitOrder,
    /// Maximum number of sessions (0 = no limit).
    pub limit: usize,
    /// Maximum number of hits of each session (0 = no limit).
    pub hits: usize,
    /// Which projects, and between which dates.
    #[serde(flatten)]
    pub scope: ScopeRequest,
    /// Leave the text index as it is, and scan what it lacks.
    pub no_index: bool,
}

impl Default for SearchRequest {
    fn default() -> Self {
        Self {
            query: String::new(),
            sort: HitOrder::Best,
            limit: 20,
            hits: 3,
            scope: ScopeRequest::default(),
            no_index: false,
        }
    }
}

impl SearchRequest {
    fn search(&self, desk: &Desk) -> Result<Search, AppError> {
        let scope = desk.scope(&self.scope)?;
        let mut within = Vec::new();
        within.extend(scope.project.map(|part| Filter::Project(part.to_lowercase())));
        within.extend(scope.since.map(Filter::Since));
        within.extend(scope.until.map(Filter::Until));
        let date = |text: &str| desk.date(text).map_err(|error| error.to_string());
        let query = search::parse_within(&self.query, within, &date)
            .map_err(|error| malformed(&self.query, error))?;
        let most = |count: usize| (count > 0).then_some(count);
        Ok(Search {
            query,
            order: self.sort,
            sessions: most(self.limit),
            hits: most(self.hits),
            now: desk.now(),
        })
    }
}

impl Request for SearchRequest {
    type Document = SearchResults;

    fn answer(&self, desk: &Desk) -> Result<SearchResults, AppError> {
        let wanted = self.search(desk)?;
        let library = desk.library()?;
        let mut index = desk.index(&library)?;
        let pending = Pending::of(desk, &mut index, self.no_index)?;
        let progress = desk.progress(Work::Reading, pending.scanned);
        let mut found = search::search(&index, &wanted, &|bytes| progress.add(bytes))?;
        drop(progress);
        found.pending_bytes = pending.indexable;
        leave_out(&library, &mut found);
        Ok(found)
    }
}

/// Bytes that the text index lacks when the search begins.
struct Pending {
    /// Those that are scanned.
    scanned: u64,
    /// Those that a refresh would add.
    indexable: u64,
}

impl Pending {
    /// Refreshes the text index where that is soon done; what is left.
    fn of(desk: &Desk, index: &mut Index, no_index: bool) -> Result<Self, AppError> {
        let readiness = search::readiness(index)?;
        let scanned = readiness.behind_bytes;
        if !readiness.can_refresh || scanned == 0 {
            return Ok(Self { scanned, indexable: 0 });
        }
        if no_index || scanned > AT_ONCE {
            return Ok(Self { scanned, indexable: scanned });
        }
        desk.refresh_text(index, scanned);
        Ok(Self { scanned: 0, indexable: 0 })
    }
}

/// What the walk could not read was not searched either.
fn leave_out(library: &Library, found: &mut SearchResults) {
    for trouble in library.troubles.iter().filter(|trouble| trouble.unread) {
        found.complete = false;
        found.skipped.push(Skipped { path: trouble.path.clone(), why: trouble.what.clone() });
    }
}

fn malformed(query: &str, error: QueryError) -> AppError {
    AppError::Malformed {
        what: Input::Query,
        text: query.to_owned(),
        place: Some(error.place),
        why: error.message,
        suggestion: error.suggestion,
    }
}

#[cfg(test)]
mod tests {
    use scrollback_format::time::Time;
    use scrollback_session::error::Code;
    use scrollback_store::Root;
    use scrollback_testkit::home::Store;

    use super::*;
    use crate::request::index::IndexRefresh;

    const LINE: &str = r#"{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"s","cwd":"/p","timestamp":"2026-11-01T10:00:00.000Z","message":{"role":"user","content":"hello there"}}"#;

    fn store() -> Store {
        Store::new().lines("projects/-p/aaaa1111-0000-4000-8000-000000000001.jsonl", [LINE])
    }

    fn desk(store: &Store) -> Desk {
        let cache = Some(store.home().join("cache"));
        Desk { cache, ..Desk::new(vec![Root::new(store.root())], Time(1_793_900_000_000)) }
    }

    fn hello() -> SearchRequest {
        SearchRequest { query: "hello".to_owned(), ..SearchRequest::default() }
    }

    #[test]
    fn what_the_index_lacks_is_left_for_a_refresh_and_said() {
        let store = store();
        let desk = desk(&store);
        let without = SearchRequest { no_index: true, ..hello() };
        let found = desk.answer(&without).unwrap();
        assert_eq!((found.matched, found.scanned_files), (1, 1));
        assert_eq!(found.pending_bytes, LINE.len() as u64 + 1);
        desk.answer(&IndexRefresh {}).unwrap();
        let found = desk.answer(&without).unwrap();
        assert_eq!((found.matched, found.scanned_files, found.pending_bytes), (1, 0, 0));
    }

    #[test]
    fn a_little_is_indexed_before_the_answer() {
        let store = store();
        let found = desk(&store).answer(&hello()).unwrap();
        assert_eq!((found.matched, found.scanned_files, found.pending_bytes), (1, 0, 0));
    }

    #[test]
    fn nothing_is_left_to_index_where_there_is_no_place_for_it() {
        let store = store();
        let found = Desk { cache: None, ..desk(&store) }.answer(&hello()).unwrap();
        assert_eq!((found.matched, found.scanned_files, found.pending_bytes), (1, 1, 0));
    }

    #[cfg(unix)]
    #[test]
    fn what_the_walk_could_not_read_is_not_searched_and_said() {
        let store = store();
        let link = store.root().join("projects/-p/bbbb1111-0000-4000-8000-000000000001.jsonl");
        std::os::unix::fs::symlink("/nowhere", &link).unwrap();
        let found = desk(&store).answer(&hello()).unwrap();
        assert!(!found.complete);
        assert_eq!(found.skipped.iter().map(|skipped| &skipped.path).collect::<Vec<_>>(), [&link]);
    }

    #[test]
    fn mistakes_are_told_apart() {
        let store = store();
        let desk = desk(&store);
        let scope = ScopeRequest { since: Some("someday".to_owned()), ..ScopeRequest::default() };
        let error = desk.answer(&SearchRequest { scope, ..hello() }).unwrap_err();
        assert_eq!((error.code(), error.to_string().as_str()), (Code::Invalid, "invalid date 'someday'"));
        let error = desk.answer(&SearchRequest { query: "a (b".to_owned(), ..hello() }).unwrap_err();
        let AppError::Malformed { place, why, .. } = error else { panic!("{error}") };
        assert_eq!((place, why.as_str()), (Some(2..3), "unclosed parenthesis"));
    }

    #[test]
    fn a_project_makes_a_query_of_exclusions_one_that_finds() {
        let store = store();
        let scope = ScopeRequest { project: Some("/P".to_owned()), ..ScopeRequest::default() };
        let request = SearchRequest { query: "-absent".to_owned(), scope, ..SearchRequest::default() };
        assert_eq!(desk(&store).answer(&request).unwrap().matched, 1);
    }
}
