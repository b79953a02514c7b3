//! What is asked about one session needs no look at the others: found, refreshed and told alone, it is the same.

#![allow(clippy::disallowed_methods, reason = "files of a store of the test's own are moved")]

use std::path::{Path, PathBuf};

use scrollback_app::Root;
use scrollback_app::catalogue::{CachePlace, Index};
use scrollback_app::error::AppError;
use scrollback_app::info;
use scrollback_app::library::Library;
use scrollback_app::lineage;
use scrollback_app::model::DescentEvidence;
use scrollback_app::resolve::{Resolved, Resolver};
use scrollback_format::generation::Generation;
use scrollback_format::time::Time;
use scrollback_testkit::corpus;
use scrollback_testkit::home::Store;

const A: &str = "aaaa1111-0000-4000-8000-000000000001";
const B: &str = "aaaa2222-0000-4000-8000-000000000002";
const THEN: Time = Time(1_000_000);
const NOW: Time = Time(2_000_000);

fn line(session: &str, uuid: &str, text: &str) -> String {
    format!(
        r#"{{"parentUuid":null,"type":"user","uuid":"{uuid}","sessionId":"{session}","timestamp":"2026-11-01T10:00:00.000Z","cwd":"/a","version":"2.1.9","message":{{"role":"user","content":"{text}"}}}}"#
    )
}

fn path(session: &str) -> String {
    format!("projects/-a/{session}.jsonl")
}

fn store() -> Store {
    Store::new()
        .lines(path(A), [line(A, A, "fix the flaky test")])
        .lines(path(B), [line(B, B, "plan the migration")])
}

fn whole(root: &Path) -> Library {
    Library::open(vec![Root::new(root)]).unwrap()
}

/// The session that a name means, if that can be told without a look at all of them.
fn seek(root: &Path, wanted: &str, cache: &Path) -> Option<Resolved> {
    let resolver = Resolver {
        roots: &[Root::new(root)],
        roots_are_named: true,
        cwd: Some(Path::new("/a")),
        place: &CachePlace::Cache(cache.to_owned()),
        now: NOW,
        refresh: &|_| Err(AppError::Stopped),
    };
    resolver.resolve(wanted).ok()
}

fn build(root: &Path, cache: &Path) -> Index {
    Index::open(&whole(root), &CachePlace::Cache(cache.to_owned()), THEN, &|_| {}).unwrap()
}

fn single(root: &Path, session: &str, cache: &Path) -> (Library, Option<Index>) {
    let library = seek(root, session, cache).unwrap().library;
    let index = Index::of_session(&library, &CachePlace::Cache(cache.to_owned()), NOW);
    (library, index)
}

/// How many lines the catalogue says that each session has, by id.
fn lines(cache: &Path, root: &Path) -> Vec<(String, u64)> {
    let index = Index::as_it_stands(&[Root::new(root)], &CachePlace::Cache(cache.to_owned())).unwrap();
    let mut lines: Vec<_> =
        index.sessions().unwrap().into_iter().map(|view| (view.session_id, view.lines)).collect();
    lines.sort();
    lines
}

#[test]
fn one_session_is_refreshed_and_the_rest_is_as_of_before() {
    let (store, cache) = (store(), tempfile::tempdir().unwrap());
    build(store.root(), cache.path());
    let more = "bbbb1111-0000-4000-8000-000000000001";
    for session in [A, B] {
        store.append(path(session), line(session, more, "more") + "\n");
    }
    let (_, index) = single(store.root(), A, cache.path());
    assert_eq!(index.unwrap().as_of, Some(THEN));
    assert_eq!(lines(cache.path(), store.root()), [(A.to_owned(), 2), (B.to_owned(), 1)]);
    // The next look at everything finds what was left, and no more.
    let index = build(store.root(), cache.path());
    assert_eq!(lines(cache.path(), store.root()), [(A.to_owned(), 2), (B.to_owned(), 2)]);
    let fresh = tempfile::tempdir().unwrap();
    assert_eq!(
        index.catalogue().dump().unwrap(),
        build(store.root(), fresh.path()).catalogue().dump().unwrap()
    );
}

#[test]
fn a_session_that_moved_is_the_same_one_and_its_twin_elsewhere_stays() {
    let (store, cache) = (store(), tempfile::tempdir().unwrap());
    store.put(format!("projects/-twin/{A}.jsonl"), line(A, A, "fix the flaky test") + "\n");
    build(store.root(), cache.path());
    let numbers = |index: Option<Index>| {
        let known = index.unwrap().catalogue().known_of(B).unwrap();
        known.into_iter().map(|file| (file.file, PathBuf::from(file.path))).collect::<Vec<_>>()
    };
    let (_, index) = single(store.root(), B, cache.path());
    let [(number, _)] = numbers(index)[..] else { panic!("it is one file") };
    std::fs::create_dir(store.root().join("projects/-b")).unwrap();
    let moved = store.root().join(format!("projects/-b/{B}.jsonl"));
    std::fs::rename(store.root().join(path(B)), &moved).unwrap();
    let (library, index) = single(store.root(), B, cache.path());
    assert_eq!(library.only.as_deref(), Some(moved.as_path()));
    let own = moved.canonicalize().unwrap();
    assert_eq!(numbers(index), [(number, own)]);
    single(store.root(), A, cache.path());
    assert_eq!(lines(cache.path(), store.root()).len(), 3);
}

#[test]
fn without_a_catalogue_none_is_made() {
    let (store, cache) = (store(), tempfile::tempdir().unwrap());
    let place = cache.path().join("none");
    let (library, index) = single(store.root(), A, &place);
    assert!(index.is_none());
    assert!(!place.exists());
    assert_eq!(library.sessions().count(), 2, "the folder's names are known");
    assert!(seek(store.root(), "plan the migration", &place).is_none(), "a title needs a catalogue");
}

#[test]
fn a_name_is_told_by_names_and_a_title_by_the_catalogue_as_of_then() {
    let (store, cache) = (store(), tempfile::tempdir().unwrap());
    build(store.root(), cache.path());
    let file = store.root().join(path(A));
    let found = |wanted: &str| {
        let sought = seek(store.root(), wanted, cache.path())?;
        Some((sought.library.only?.file_stem()?.to_str()?.to_owned(), sought.as_of))
    };
    for (wanted, expected) in [(A, A), ("aaaa1", A), ("aaaa2222", B), (file.to_str().unwrap(), A)] {
        assert_eq!(found(wanted), Some((expected.to_owned(), None)), "{wanted}");
    }
    assert_eq!(found("Fix the FLAKY"), Some((A.to_owned(), Some(THEN))));
    for unclear in ["aaaa", "", "the", "nothing of the kind", "../x", "-a"] {
        assert_eq!(found(unclear), None, "{unclear}");
    }
    // It has another title by now.
    store.append(
        path(A),
        format!("{{\"type\":\"custom-title\",\"customTitle\":\"other\",\"sessionId\":\"{A}\"}}\n"),
    );
    assert_eq!(found("fix the flaky test"), None);
    // And now the catalogue knows that, of this one session.
    assert_eq!(found("other"), Some((A.to_owned(), Some(THEN))));
}

#[test]
fn the_last_one_is_that_with_the_latest_line_not_the_latest_file() {
    let (store, cache) = (store(), tempfile::tempdir().unwrap());
    let late = "cccc1111-0000-4000-8000-000000000003";
    let spoken = line(late, late, "later").replace("2026-11-01", "2026-11-02");
    store.put(path(late), spoken + "\n");
    // Written to after it, but not spoken in.
    store.append(
        path(A),
        format!("{{\"type\":\"custom-title\",\"customTitle\":\"x\",\"sessionId\":\"{A}\"}}\n"),
    );
    let sought = seek(store.root(), "last", cache.path()).unwrap();
    assert_eq!(sought.library.only, Some(store.root().join(path(late))));
}

/// The relatives of each session, told from the catalogue and by reading the folder.
#[test]
fn relatives_are_the_same_by_the_catalogue_and_by_reading_every_file() {
    for version in corpus::VERSIONS {
        let (root, cache) = (corpus::tree(version), tempfile::tempdir().unwrap());
        let library = whole(&root);
        build(&root, cache.path());
        let index = Index::as_it_stands(&library.roots, &CachePlace::Cache(cache.path().to_owned())).unwrap();
        let mut related = 0;
        for files in library.sessions() {
            let own = library.load(&files, Generation::NEWEST).unwrap().transcript;
            let (_, folder) = library.folder(files.folder);
            let told = |index: Option<&Index>| {
                let view = lineage::lineage(&library, &files, &own, index);
                let here =
                    |path: &Option<PathBuf>| path.as_ref().is_none_or(|path| path.starts_with(&folder.path));
                let all = view.origins.into_iter().chain(view.descendants);
                let kept =
                    all.filter(|origin| here(&origin.path) || origin.evidence != DescentEvidence::SharedIds);
                kept.map(|origin| format!("{origin:?}")).collect::<Vec<_>>()
            };
            let by_reading = told(None);
            related += by_reading.len();
            assert_eq!(told(Some(&index)), by_reading, "{version}: {}", files.id);
        }
        assert!(related > 0, "{version} has relatives");
    }
}

#[test]
fn everything_about_a_session_is_the_same_when_it_is_told_alone() {
    for version in corpus::VERSIONS {
        let (root, cache) = (corpus::tree(version), tempfile::tempdir().unwrap());
        let library = whole(&root);
        build(&root, cache.path());
        for files in library.sessions() {
            let (alone, index) = single(&root, files.found.path.to_str().unwrap(), cache.path());
            let index = index.unwrap();
            let told = |library: &Library, index: Option<&Index>| {
                let files = library.sessions().find(|other| other.found.path == files.found.path).unwrap();
                let loaded = library.load_with(&files, Generation::NEWEST, index).unwrap();
                let mut info = info::info(library, &files, &loaded, index, None).unwrap();
                info.others_as_of = None;
                // Of copies in other folders only the catalogue knows.
                info.lineage = lineage::LineageView::default();
                serde_json::to_value(&info).unwrap()
            };
            assert_eq!(told(&alone, Some(&index)), told(&library, None), "{version}: {}", files.id);
        }
    }
}
