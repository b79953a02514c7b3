//! What a user may call a session.

use scrollback_app::Root;
use scrollback_app::catalogue::{CachePlace, Index};
use scrollback_app::error::AppError;
use scrollback_app::resolve::Resolver;
use scrollback_format::time::Time;
use scrollback_testkit::home::Store;
use std::path::Path;

const A: &str = "aaaa1111-0000-4000-8000-000000000001";
const B: &str = "aaaa2222-0000-4000-8000-000000000002";

fn line(session: &str, text: &str, time: &str, cwd: &str) -> String {
    format!(
        r#"{{"parentUuid":null,"type":"user","uuid":"{session}","sessionId":"{session}","timestamp":"{time}","cwd":"{cwd}","version":"2.1.9","message":{{"role":"user","content":"{text}"}}}}"#
    )
}

fn resolve(store: &Store, wanted: &str, cwd: Option<&Path>) -> Result<String, AppError> {
    let resolver = Resolver {
        roots: &[Root::new(store.root())],
        roots_are_named: true,
        cwd,
        place: &CachePlace::Nowhere,
        now: Time(0),
        refresh: &|library| Ok(Index::open(library, &CachePlace::Nowhere, Time(0), &|_| {})?),
    };
    let resolved = resolver.resolve(wanted)?;
    Ok(resolved.library.the_one().unwrap().id.as_str().to_owned())
}

fn store() -> Store {
    Store::new()
        .lines(
            format!("projects/-a/{A}.jsonl"),
            [line(A, "fix the flaky test", "2026-11-01T10:00:00.000Z", "/a")],
        )
        .lines(
            format!("projects/-b/{B}.jsonl"),
            [line(B, "plan the migration", "2026-11-02T10:00:00.000Z", "/b")],
        )
}

#[test]
fn ids_prefixes_titles_paths_and_last_name_a_session() {
    let store = store();
    let path = store.root().join(format!("projects/-a/{A}.jsonl"));
    for (wanted, expected) in [
        (A, A),
        ("aaaa1", A),
        ("aaaa2222", B),
        ("Fix the flaky test", A),
        ("migration", B),
        ("last", B),
        (path.to_str().unwrap(), A),
    ] {
        assert_eq!(resolve(&store, wanted, None).unwrap(), expected, "{wanted}");
    }
    let here = Path::new("/a");
    assert_eq!(resolve(&store, "last", Some(here)).unwrap(), A);
}

#[test]
fn what_is_ambiguous_or_unknown_is_told_with_candidates() {
    let store = store();
    match resolve(&store, "aaaa", None) {
        Err(AppError::Ambiguous { candidates, .. }) => {
            assert_eq!(candidates.len(), 2);
            assert_eq!(candidates[0].title.as_deref(), Some("fix the flaky test"));
        }
        other => panic!("{other:?}"),
    }
    match resolve(&store, "fix the flakey tests", None) {
        Err(AppError::NoSuchSession { near, .. }) => {
            assert!(near[0].contains("fix the flaky test"), "{near:?}");
        }
        other => panic!("{other:?}"),
    }
}
