//! What is damaged, empty or strange is told and never fatal.

use scrollback_app::Root;
use scrollback_app::catalogue::{CachePlace, Index};
use scrollback_app::library::Library;
use scrollback_app::listing::{self, ListFilter, Listing, Order};
use scrollback_app::model::TitleSource;
use scrollback_app::verify;
use scrollback_format::time::Time;
use scrollback_testkit::home::Store;

const S: &str = "aaaa1111-0000-4000-8000-000000000001";

fn list(library: &Library, filter: &ListFilter, order: Order) -> Listing {
    let index = Index::open(library, &CachePlace::Nowhere, Time(0), &|_| {}).unwrap();
    listing::list(library, &index, filter, order, None).unwrap()
}

fn library(store: &Store) -> Library {
    Library::open(vec![Root::new(store.root())]).unwrap()
}

#[test]
fn a_wrong_type_or_a_doubled_key_costs_nothing_but_a_problem() {
    let line = r#"{"type":"user","type":"user","uuid":7,"timestamp":{"a":1},"message":{"role":"user","content":{"x":1}}}"#;
    let store = Store::new().lines(format!("projects/-a/{S}.jsonl"), [line]);
    let library = library(&store);
    let verdict = verify::verify(&[], &verify::targets(&library), &|_| {});
    let problems: Vec<_> =
        verdict.problems.iter().map(|problem| (problem.class.name(), problem.count)).collect();
    assert_eq!(problems, [("wrong_type", 3), ("doubled_key", 1)]);
    assert_eq!(verdict.entries_by_kind["user"], 1);
}

#[test]
fn sessions_in_which_nobody_spoke_are_told_apart() {
    let note = r#"{"type":"mode","mode":"normal","sessionId":"x"}"#;
    let queue = r#"{"type":"queue-operation","operation":"dequeue","timestamp":"2026-11-01T10:00:00.000Z","sessionId":"x"}"#;
    let summary = r#"{"type":"summary","summary":"x","leafUuid":"y"}"#;
    let store = Store::new()
        .file("projects/-a/a.jsonl", "")
        .lines("projects/-a/b.jsonl", [note])
        .lines("projects/-a/c.jsonl", [queue])
        .lines("projects/-a/d.jsonl", [summary]);
    let library = library(&store);
    let all = ListFilter { all: true, ..ListFilter::default() };
    let listing = list(&library, &all, Order::find("title").unwrap());
    let mut kinds: Vec<_> =
        listing.sessions.iter().map(|view| (view.session_id.as_str(), view.kind.name())).collect();
    kinds.sort();
    assert_eq!(kinds, [("a", "empty"), ("b", "side_notes"), ("c", "stub"), ("d", "ghost")]);
    let listing = list(&library, &ListFilter::default(), Order::default());
    assert_eq!((listing.sessions.len(), listing.hidden), (0, 4));
}

#[test]
fn a_session_without_times_sorts_last_and_never_as_now() {
    let user = |time: &str| {
        format!(r#"{{"type":"user","uuid":"u",{time}"message":{{"role":"user","content":"hi"}}}}"#)
    };
    let store = Store::new()
        .lines("projects/-a/timeless.jsonl", [user("")])
        .lines("projects/-a/timed.jsonl", [user(r#""timestamp":"2026-11-01T10:00:00.000Z","#)]);
    let listing = list(&library(&store), &ListFilter::default(), Order::default());
    let ids: Vec<_> = listing.sessions.iter().map(|view| view.session_id.as_str()).collect();
    assert_eq!(ids, ["timed", "timeless"]);
    assert_eq!(listing.sessions[1].last_time, None);
}

#[test]
fn a_summary_titles_the_session_that_has_its_leaf() {
    let leaf = "58c547ce-e92b-4882-befa-7ba5143f8c4b";
    let summary = format!(r#"{{"type":"summary","summary":"The leaf's title","leafUuid":"{leaf}"}}"#);
    let user = format!(r#"{{"type":"user","uuid":"{leaf}","message":{{"role":"user","content":"hi"}}}}"#);
    let store =
        Store::new().lines("projects/-a/later.jsonl", [summary]).lines("projects/-a/first.jsonl", [user]);
    let listing = list(&library(&store), &ListFilter::default(), Order::default());
    assert_eq!(listing.sessions[0].title.as_deref(), Some("The leaf's title"));
    assert_eq!(listing.sessions[0].title_source, Some(TitleSource::Summary));
}
