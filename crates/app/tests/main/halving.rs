//! Splitting and merging over the recorded stores and cases: what each client loads of the halves, and that halves that are
//! merged again load as the whole did.

use std::path::Path;

use scrollback_app::edit::{self, Merge, Split};
use scrollback_app::error::AppError;
use scrollback_app::library::{Library, SessionFiles};
use scrollback_app::resume::view::{ResumeOutcome, ResumeView};
use scrollback_app::resume::{self, Options};
use scrollback_compose::source::Counter;
use scrollback_format::generation::Generation;
use scrollback_testkit::corpus;
use scrollback_testkit::home::Store;
use serde_json::Value;

use crate::editing::{all, assert_no_looser, library, messages, stored_blocks, turns, watch, written};

const ID: &str = "aaaa1111-0000-4000-8000-000000000001";
const OTHER: &str = "bbbb1111-0000-4000-8000-000000000002";

/// Every session that a version wrote, and every case made of one.
fn each_recorded(version: &str, mut with: impl FnMut(&str, &[u8])) {
    for files in library(&corpus::tree(version)).sessions() {
        with(&format!("{version}/{}", files.id.as_str()), &std::fs::read(&files.found.path).unwrap());
    }
    // Where lines stand out of order, halves are known to end elsewhere (SHORTCOMINGS.md); `order-*` are nothing but that.
    for case in corpus::oracle_cases(version).iter().filter(|case| !case.name.starts_with("order-")) {
        with(&format!("{version}/{}", case.name), &std::fs::read(case.session()).unwrap());
    }
}

fn load(bytes: &[u8], generation: Generation, model: &str) -> ResumeView {
    let model = Some(model.to_owned());
    resume::of_bytes(bytes, &Options { generation, model, ..Options::default() }).unwrap()
}

fn objects(bytes: &[u8]) -> impl Iterator<Item = Option<Value>> {
    let lines = bytes.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
    lines.map(|line| serde_json::from_slice(line).ok())
}

/// The model that made the last answer, so that halves are gone on with by the same one.
fn model(bytes: &[u8]) -> String {
    let named = |line: Value| Some(line.pointer("/message/model")?.as_str()?.to_owned());
    let models = objects(bytes).flatten().filter_map(named);
    models.filter(|model| model != "<synthetic>").last().unwrap_or_default()
}

/// A store with these sessions, and nothing else.
fn store(sessions: &[(&str, &[u8])]) -> Store {
    let put =
        |store: Store, (id, bytes): &(&str, &[u8])| store.file(format!("projects/-x/{id}.jsonl"), bytes);
    sessions.iter().fold(Store::new(), put)
}

fn session<'l>(library: &'l Library, id: &str) -> SessionFiles<'l> {
    library.sessions().find(|files| files.id.as_str() == id).unwrap()
}

fn merged(halves: &[Vec<u8>]) -> Vec<u8> {
    let store = store(&[(ID, &halves[0]), (OTHER, &halves[1])]);
    let library = library(store.root());
    let pair = [&session(&library, ID), &session(&library, OTHER)];
    let plan = edit::merge(&library, pair, &Merge::default(), &mut Counter::default()).unwrap();
    written(&plan).remove(0)
}

/// A session as each client loads it, and whether that client goes on from where the newest does, along an unbroken chain.
///
/// What a client makes of a session that it goes on with elsewhere is no measure for where the newest cuts it: it has another
/// conversation. Nor are two objects on one line, which are never touched and so stay in both halves.
fn wholes(bytes: &[u8], model: &str) -> Vec<(Generation, ResumeView, bool)> {
    // 1.x has the rules of 2.0.29.
    let clients = Generation::ALL.into_iter().filter(|generation| *generation > Generation::V1_0);
    let views: Vec<(Generation, ResumeView)> =
        clients.map(|generation| (generation, load(bytes, generation, model))).collect();
    let newest = &views[views.len() - 1].1;
    let (leaf, is_broken) = (newest.leaf_line, !newest.bridged_lines.is_empty());
    let goes_round = views[0].1.outcome == ResumeOutcome::Hang;
    let is_glued = objects(bytes).any(|line| line.is_none());
    let agrees = |generation: Generation, view: &ResumeView| {
        let bridges = generation >= Generation::V2_1_200;
        view.outcome == ResumeOutcome::Loaded
            && view.leaf_line == leaf
            && !is_glued
            && (bridges || !is_broken && !goes_round)
    };
    let judged = |(generation, view)| {
        let agrees = agrees(generation, &view);
        (generation, view, agrees)
    };
    views.into_iter().map(judged).collect()
}

/// Splits all sessions of a version at every turn, and merges the halves again.
fn halves_merge_to_the_whole(version: &str) {
    let (mut splits, mut loads) = (0, 0);
    each_recorded(version, |name, bytes| {
        let store = store(&[(ID, bytes)]);
        let library = library(store.root());
        let files = session(&library, ID);
        let model = model(bytes);
        let wholes = wholes(bytes, &model);
        for at in 1.. {
            let split = Split { at, ..Split::default() };
            let plan = match edit::split(&library, &files, &split, &mut Counter::default()) {
                Ok(plan) => plan,
                Err(AppError::NoEdit { .. }) => continue,
                Err(AppError::OutOfRange { .. } | AppError::NothingToEdit(_)) => break,
                Err(error) => panic!("{name} at {at}: {error}"),
            };
            splits += 1;
            let halves = written(&plan);
            let merged = merged(&halves);
            let what = format!("{name} at {at}");
            let compacts = String::from_utf8_lossy(&halves[1]).contains("compact_boundary");
            for (generation, whole, _) in wholes.iter().filter(|(_, _, agrees)| *agrees) {
                loads += 1;
                let told = load(&merged, *generation, &model);
                assert_eq!(messages(&told), messages(whole), "{what} {generation:?}");
                let whole = stored_blocks(whole);
                let [first, second] = [0, 1].map(|at| stored_blocks(&load(&halves[at], *generation, &model)));
                // What a compaction in the second half summarises is in the first half alone.
                if !(compacts && second == whole) {
                    assert_eq!([first, second].concat(), whole, "{what} {generation:?}");
                }
            }
        }
    });
    assert!(splits > 250 && loads > 1250, "{version}: {splits} splits, {loads} loads");
}

#[test]
fn halves_of_2_0_29_merge_to_the_whole() {
    halves_merge_to_the_whole("2.0.29");
}

#[test]
fn halves_of_2_1_9_merge_to_the_whole() {
    halves_merge_to_the_whole("2.1.9");
}

#[test]
fn halves_of_2_1_200_merge_to_the_whole() {
    halves_merge_to_the_whole("2.1.200");
}

#[test]
fn halves_of_2_1_325_merge_to_the_whole() {
    halves_merge_to_the_whole("2.1.325");
}

fn ids(bytes: &[u8]) -> Vec<String> {
    let id = |line: Value| Some(line.get("uuid")?.as_str()?.to_owned());
    objects(bytes).flatten().filter_map(id).collect()
}

/// A file with every id of a line replaced by its place, so that old and new ones compare.
fn numbered(bytes: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let numbered =
        ids(bytes).iter().enumerate().fold(text, |text, (at, id)| text.replace(id, &format!("line-{at}")));
    numbered.into_bytes()
}

#[test]
fn halves_leave_nothing_loose_and_share_no_id() {
    let mut splits = 0;
    for version in corpus::VERSIONS {
        let library = library(&corpus::tree(version));
        for files in library.sessions() {
            let bytes = std::fs::read(&files.found.path).unwrap();
            for at in 2..=turns(&library, &files) {
                let split = Split { at, ..Split::default() };
                let plan = edit::split(&library, &files, &split, &mut Counter::default()).unwrap();
                let halves = written(&plan);
                let whole = ids(&bytes);
                let both: Vec<String> = halves.iter().flat_map(|half| ids(half)).collect();
                assert!(both.iter().all(|id| !whole.contains(id)));
                let what = format!("{} at {at}", files.found.path.display());
                for half in &halves {
                    assert!(half.ends_with(b"\n"), "{what}");
                    assert_no_looser(&numbered(&bytes), &numbered(half), &what);
                }
                splits += 1;
            }
        }
    }
    assert!(splits > 100, "{splits}");
}

#[test]
fn agents_go_with_the_half_that_has_their_call() {
    let library = library(&corpus::tree("2.1.325"));
    let mut carried = 0;
    for files in library.sessions() {
        for at in 2..=turns(&library, &files) {
            let split = Split { at, ..Split::default() };
            let plan = edit::split(&library, &files, &split, &mut Counter::default()).unwrap();
            let halves = written(&plan);
            let preview = plan.preview(&watch(Path::new("/nowhere")));
            let paths: Vec<&str> = preview.changes.iter().map(|change| change.path.as_str()).collect();
            for (half, load) in halves.iter().zip(&preview.after) {
                let inside = format!("{}/", load.session_id);
                let metas = paths.iter().filter(|path| path.ends_with(".meta.json"));
                for (_, rest) in metas.filter_map(|path| path.split_once(&inside)) {
                    let original = files.found.path.with_extension("").join(rest);
                    let meta: Value = serde_json::from_slice(&std::fs::read(original).unwrap()).unwrap();
                    let (Some(call), Some(1)) = (meta["toolUseId"].as_str(), meta["spawnDepth"].as_u64())
                    else {
                        continue;
                    };
                    assert!(String::from_utf8_lossy(half).contains(call), "{rest}");
                    carried += 1;
                }
            }
        }
    }
    assert!(carried > 2, "{carried}");
}

#[test]
fn a_split_and_a_merge_that_are_taken_back_leave_every_byte_as_it_was() {
    let nothing = tempfile::tempdir().unwrap();
    for version in corpus::VERSIONS {
        let store = Store::of_tree(version);
        let data = store.home().join("data");
        let before = all(store.root());
        let library = library(store.root());
        let talks: Vec<SessionFiles<'_>> =
            library.sessions().filter(|files| turns(&library, files) >= 2).take(4).collect();
        let mut ids = Counter::default();
        for pair in talks.windows(2) {
            let split = Split { at: 2, ..Split::default() };
            let mut plans = vec![edit::split(&library, &pair[0], &split, &mut ids).unwrap()];
            // Two sessions of which one is a fork of the other are not merged.
            plans.extend(edit::merge(&library, [&pair[0], &pair[1]], &Merge::default(), &mut ids));
            for plan in plans {
                let record = edit::apply(&plan, &data, &watch(nothing.path())).unwrap();
                assert_ne!(all(store.root()), before, "{version}: {}", record.title);
                edit::undo(Some(record.number), &data, &watch(nothing.path())).unwrap();
                assert!(all(store.root()) == before, "{version}: {}", record.title);
            }
        }
    }
}

#[test]
fn a_session_is_not_merged_with_its_own_copy() {
    let library = library(&corpus::tree("2.1.325"));
    let files = library.sessions().find(|files| turns(&library, files) >= 2).unwrap();
    let error =
        edit::merge(&library, [&files, &files], &Merge::default(), &mut Counter::default()).unwrap_err();
    assert!(error.to_string().contains("one is a copy of the other"), "{error}");
    let bytes = std::fs::read(&files.found.path).unwrap();
    let store = store(&[(ID, &bytes), (OTHER, &bytes)]);
    let library = self::library(store.root());
    let pair = [&session(&library, ID), &session(&library, OTHER)];
    assert!(edit::merge(&library, pair, &Merge::default(), &mut Counter::default()).is_err());
}

#[test]
fn a_merged_session_has_the_first_ones_title_and_goes_on_from_the_second() {
    let line = |kind: &str, n: u32, parent: &str, text: &str| {
        format!(
            r#"{{"parentUuid":{parent},"isSidechain":false,"sessionId":"s","type":"{kind}","message":{{"role":"{kind}","content":[{{"type":"text","text":"{text}"}}]}},"uuid":"0000000{n}-0000-4000-8000-000000000000","timestamp":"2026-11-01T10:0{n}:00.000Z"}}"#
        )
    };
    let id = |n: u32| format!(r#""0000000{n}-0000-4000-8000-000000000000""#);
    let title = |text: &str| format!(r#"{{"type":"custom-title","customTitle":"{text}","sessionId":"s"}}"#);
    let note =
        |n: u32| format!(r#"{{"type":"last-prompt","lastPrompt":"x","leafUuid":{},"sessionId":"s"}}"#, id(n));
    let one = [line("user", 1, "null", "one"), line("assistant", 2, &id(1), "two"), title("first"), note(2)];
    let two = [line("user", 3, "null", "three"), line("assistant", 4, &id(3), "four"), title("second")];
    let merged = merged(&[
        one.join(
            "
",
        )
        .into_bytes(),
        (two.join(
            "
",
        ) + "
")
        .into_bytes(),
    ]);
    let lines: Vec<Value> = objects(&merged).flatten().collect();
    let kinds: Vec<&str> = lines.iter().map(|line| line["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["user", "assistant", "custom-title", "user", "assistant"]);
    assert_eq!(lines[2]["customTitle"], "first");
    assert_eq!(lines[3]["parentUuid"], lines[1]["uuid"]);
    assert!(lines.iter().all(|line| line["sessionId"] == lines[0]["sessionId"]));
}
