//! Edits over the recorded stores: what a client loads of a copy, what is left linked, and that undo gives back every byte.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use scrollback_app::Root;
use scrollback_app::edit::{self, BlockKinds, EditPlan, Fork, LiveCheck, Point, Trim};
use scrollback_app::error::AppError;
use scrollback_app::library::{Library, SessionFiles};
use scrollback_app::resume::view::{ResumeOutcome, ResumeView};
use scrollback_app::resume::{self, Options};
use scrollback_compose::source::Counter;
use scrollback_format::generation::Generation;
use scrollback_format::time::Time;
use scrollback_store::journal::{ByteSource, Op};
use scrollback_testkit::corpus;
use scrollback_testkit::home::Store;
use serde_json::Value;

pub(crate) const ALL: Fork = Fork {
    at: None,
    branch: 0,
    to: None,
    mark: true,
    fresh_ids: false,
    agents: true,
    files: true,
    title: None,
    generation: Generation::NEWEST,
    command: Vec::new(),
};

pub(crate) fn library(root: &Path) -> Library {
    Library::open(vec![Root::new(root)]).unwrap()
}

/// Every session of the recorded stores that a client loads anything of.
fn each_session(mut with: impl FnMut(&Library, &SessionFiles<'_>, &[u8])) {
    for version in corpus::VERSIONS {
        let library = library(&corpus::tree(version));
        for files in library.sessions() {
            let bytes = std::fs::read(&files.found.path).unwrap();
            if load(&bytes, Generation::NEWEST).outcome == ResumeOutcome::Loaded {
                with(&library, &files, &bytes);
            }
        }
    }
}

fn load(bytes: &[u8], generation: Generation) -> ResumeView {
    resume::of_bytes(bytes, &Options { generation, ..Options::default() }).unwrap()
}

/// The messages, without the lines that they come from.
pub(crate) fn messages(view: &ResumeView) -> Vec<String> {
    let block = |block: &resume::view::BlockView| {
        format!(
            "{:?} {:?} {:?} {:?} {:?} {:?}",
            block.kind, block.text, block.id, block.tool_use_id, block.is_error, block.made_up
        )
    };
    view.messages
        .iter()
        .map(|message| {
            let blocks: Vec<String> = message.content.iter().map(block).collect();
            format!("{:?}: {}", message.role, blocks.join(" | "))
        })
        .collect()
}

/// What is sent of what is stored, block by block, with who says it. Calls that nothing stored answers are left out: a
/// client keeps one that stands last, and drops it where the conversation went on.
pub(crate) fn stored_blocks(view: &ResumeView) -> Vec<String> {
    let blocks = || view.messages.iter().flat_map(|message| &message.content);
    let results =
        blocks().filter(|block| block.made_up.is_none()).filter_map(|block| block.tool_use_id.as_ref());
    let answered: Vec<&String> = results.collect();
    let of = |message: &resume::view::MessageView| {
        let stored = message.content.iter().filter(|block| block.made_up.is_none());
        let stored = stored.filter(|block| block.id.as_ref().is_none_or(|id| answered.contains(&id)));
        let trimmed = |text: &Option<String>| text.as_ref().map(|text| text.trim_end().to_owned());
        let told = stored.map(|block| {
            let ids = (&block.id, &block.tool_use_id, block.is_error);
            format!("{:?} {:?} {:?} {ids:?}", message.role, block.kind, trimmed(&block.text))
        });
        told.collect::<Vec<String>>()
    };
    view.messages.iter().flat_map(of).collect()
}

/// The sessions that a plan writes.
pub(crate) fn written(plan: &EditPlan) -> Vec<Vec<u8>> {
    let sessions = plan.transaction.ops().iter().filter(|op| {
        let parts: Vec<&str> = op.path().as_str().split('/').collect();
        let is_session = |name: &str| name.ends_with(".jsonl") && !name.starts_with("agent-");
        parts.len() == 3 && parts[0] == "projects" && is_session(parts[2])
    });
    let bytes = sessions.filter_map(|op| match op {
        Op::Create { source: ByteSource::Bytes(bytes), .. }
        | Op::Replace { source: ByteSource::Bytes(bytes), .. } => Some(bytes.clone()),
        _ => None,
    });
    bytes.collect()
}

fn one(plan: &EditPlan) -> Vec<u8> {
    let mut written = written(plan);
    assert_eq!(written.len(), 1);
    written.remove(0)
}

/// What refers to nothing in a file: parents, leaves, calls, results.
fn loose(bytes: &[u8]) -> BTreeMap<&'static str, BTreeSet<String>> {
    let lines: Vec<Value> =
        bytes.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect();
    let text = |value: &Value, path: &str| value.pointer(path).and_then(Value::as_str).map(str::to_owned);
    let ids: BTreeSet<String> = lines.iter().filter_map(|line| text(line, "/uuid")).collect();
    let (mut calls, mut results) = (BTreeSet::new(), BTreeSet::new());
    for block in lines.iter().filter_map(|line| line.pointer("/message/content")?.as_array()).flatten() {
        match text(block, "/type").as_deref() {
            Some("tool_use") => calls.extend(text(block, "/id")),
            Some("tool_result") => results.extend(text(block, "/tool_use_id")),
            _ => {}
        }
    }
    let dangling = |path: &str| -> BTreeSet<String> {
        lines.iter().filter_map(|line| text(line, path)).filter(|id| !ids.contains(id)).collect()
    };
    let mut loose = BTreeMap::from([
        ("call", calls.difference(&results).cloned().collect()),
        ("result", results.difference(&calls).cloned().collect()),
    ]);
    for (name, path) in [
        ("parent", "/parentUuid"),
        ("logical parent", "/logicalParentUuid"),
        ("leaf", "/leafUuid"),
        ("head", "/compactMetadata/preservedSegment/headUuid"),
        ("anchor", "/compactMetadata/preservedSegment/anchorUuid"),
        ("tail", "/compactMetadata/preservedSegment/tailUuid"),
    ] {
        loose.insert(name, dangling(path));
    }
    loose
}

pub(crate) fn assert_no_looser(before: &[u8], after: &[u8], what: &str) {
    let (before, after) = (loose(before), loose(after));
    for (name, ids) in after {
        let new: Vec<&String> = ids.difference(&before[name]).collect();
        assert!(new.is_empty(), "{what}: a {name} leads nowhere: {new:?}");
    }
}

#[test]
fn a_fork_is_loaded_as_the_original_is() {
    let mut checked = 0;
    each_session(|library, files, bytes| {
        for (mark, fresh_ids) in [(true, false), (false, true)] {
            let fork = Fork { mark, fresh_ids, ..ALL };
            let plan = edit::fork(library, files, &fork, &mut Counter::default()).unwrap();
            let copy = one(&plan);
            for generation in Generation::ALL {
                let (was, is) = (load(bytes, generation), load(&copy, generation));
                assert_eq!(was.outcome, is.outcome, "{} {generation:?}", files.found.path.display());
                assert_eq!(messages(&was), messages(&is), "{} {generation:?}", files.found.path.display());
                checked += 1;
            }
        }
    });
    assert!(checked > 1000, "{checked}");
}

/// What a trim may take out.
fn trims(turns: u32) -> Vec<(String, Trim)> {
    let blocks =
        |tools, thinking, images| Trim { blocks: BlockKinds { tools, thinking, images }, ..Trim::default() };
    let mut trims = vec![
        ("tools".to_owned(), blocks(true, false, false)),
        ("thinking".to_owned(), blocks(false, true, false)),
        ("images".to_owned(), blocks(false, false, true)),
        ("slim".to_owned(), Trim { slim: true, ..Trim::default() }),
    ];
    for turn in 1..=turns.min(6) {
        trims.push((format!("from {turn}"), Trim { from: Some(turn), ..Trim::default() }));
        trims.push((format!("upto {turn}"), Trim { upto: Some(turn), ..Trim::default() }));
        trims.push((format!("drop {turn}"), Trim { drop: vec![turn..=turn], ..Trim::default() }));
    }
    trims
}

pub(crate) fn turns(library: &Library, files: &SessionFiles<'_>) -> u32 {
    library.load(files, Generation::NEWEST).unwrap().facts.turns as u32
}

#[test]
fn a_trim_leaves_nothing_loose_that_was_not() {
    let mut made = 0;
    each_session(|library, files, bytes| {
        for (name, trim) in trims(turns(library, files)) {
            let what = format!("{name} of {}", files.found.path.display());
            match edit::trim(library, files, &trim, &mut Counter::default()) {
                Ok(plan) => {
                    let left = one(&plan);
                    assert!(left.ends_with(b"\n"), "{what}");
                    assert_no_looser(bytes, &left, &what);
                    made += 1;
                }
                Err(AppError::NothingToEdit(_) | AppError::NoEdit { .. }) => {}
                Err(error) => panic!("{what}: {error}"),
            }
        }
    });
    assert!(made > 500, "{made}");
}

#[test]
fn what_is_slimmed_is_loaded_as_before() {
    let mut made = 0;
    each_session(|library, files, bytes| {
        let trim = Trim { slim: true, ..Trim::default() };
        let Ok(plan) = edit::trim(library, files, &trim, &mut Counter::default()) else { return };
        let left = one(&plan);
        assert!(left.len() <= bytes.len() + 4096);
        for generation in Generation::ALL {
            let (was, is) = (load(bytes, generation), load(&left, generation));
            let what = format!("{} {generation:?}", files.found.path.display());
            assert_eq!(messages(&was), messages(&is), "{what}");
        }
        made += 1;
    });
    assert!(made > 50, "{made}");
}

#[test]
fn a_fork_at_a_turn_loads_the_conversation_up_to_it() {
    let mut made = 0;
    each_session(|library, files, bytes| {
        let loaded = library.load(files, Generation::NEWEST).unwrap();
        if loaded.facts.compactions > 0 || loaded.facts.dangling > 0 {
            return;
        }
        let was = stored_blocks(&load(bytes, Generation::NEWEST));
        for turn in 1..=(loaded.facts.turns as u32).min(5) {
            let fork = Fork { at: Some(Point::Turn(turn)), ..ALL };
            let plan = edit::fork(library, files, &fork, &mut Counter::default()).unwrap();
            let copy = one(&plan);
            assert_no_looser(bytes, &copy, &format!("{} at {turn}", files.found.path.display()));
            // How blocks make messages depends on what follows; the blocks themselves are those that were, up to there.
            let is = stored_blocks(&load(&copy, Generation::NEWEST));
            assert!(!is.is_empty());
            assert!(was.starts_with(&is), "{} at {turn}: {is:?}", files.found.path.display());
            made += 1;
        }
    });
    assert!(made > 200, "{made}");
}

pub(crate) fn watch(nothing: &Path) -> LiveCheck {
    // Far from any file's time, and no process to be seen.
    LiveCheck { now: Time(4_000_000_000_000), processes: Some(nothing.to_owned()), own: 0 }
}

/// Every file and folder of a store.
pub(crate) fn all(root: &Path) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap().map(Result::unwrap) {
            let path = entry.path();
            if entry.file_type().unwrap().is_dir() {
                found.insert(path.clone(), None);
                folders.push(path);
            } else {
                found.insert(path.clone(), std::fs::read(&path).ok());
            }
        }
    }
    found
}

#[test]
fn an_edit_that_is_taken_back_leaves_every_byte_as_it_was() {
    let nothing = tempfile::tempdir().unwrap();
    for version in ["2.1.9", "2.1.325"] {
        let store = Store::of_tree(version);
        let data = store.home().join("data");
        let before = all(store.root());
        let library = library(store.root());
        let talks: Vec<SessionFiles<'_>> =
            library.sessions().filter(|files| turns(&library, files) >= 2).take(4).collect();
        assert!(talks.len() >= 2, "{version}");
        let mut ids = Counter::default();
        for files in &talks {
            let in_place = Trim { upto: Some(1), in_place: true, ..Trim::default() };
            let plans = [
                edit::fork(&library, files, &ALL, &mut ids).unwrap(),
                edit::trim(&library, files, &in_place, &mut ids).unwrap(),
            ];
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
fn a_file_that_was_written_to_after_the_preview_is_not_changed() {
    let nothing = tempfile::tempdir().unwrap();
    let store = Store::of_tree("2.1.325");
    let data = store.home().join("data");
    let library = library(store.root());
    let files = library.sessions().find(|files| turns(&library, files) >= 2).unwrap();
    let trim = Trim { upto: Some(1), in_place: true, ..Trim::default() };
    let plan = edit::trim(&library, &files, &trim, &mut Counter::default()).unwrap();
    let path = files.found.path.strip_prefix(store.root()).unwrap();
    store.append(path, "{\"type\":\"mode\"}\n");
    let before = all(store.root());
    let error = edit::apply(&plan, &data, &watch(nothing.path())).unwrap_err();
    assert!(error.to_string().contains("has changed since it was read; nothing was changed"), "{error}");
    assert!(all(store.root()) == before);
}

#[test]
fn a_fork_before_an_automatic_compaction_says_that_it_is_full() {
    let mut told = BTreeMap::from([("auto", 0), ("manual", 0)]);
    let nothing = tempfile::tempdir().unwrap();
    each_session(|library, files, bytes| {
        let lines = bytes.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok());
        let triggers: Vec<String> = lines
            .filter_map(|line: Value| Some(line.pointer("/compactMetadata/trigger")?.as_str()?.to_owned()))
            .collect();
        let [trigger] = triggers.as_slice() else { return };
        let fork = Fork { at: Some(Point::BeforeCompaction(None)), ..ALL };
        let Ok(plan) = edit::fork(library, files, &fork, &mut Counter::default()) else { return };
        let notes = plan.preview(&watch(nothing.path())).notes;
        let says = notes.iter().any(|note| note.contains("as full as the session was then"));
        assert_eq!(says, trigger == "auto", "{}: {notes:?}", files.found.path.display());
        *told.get_mut(trigger.as_str()).unwrap() += 1;
    });
    assert!(told.values().all(|count| *count > 0), "{told:?}");
}

#[test]
fn a_fork_of_nothing_is_refused() {
    let mut refused = 0;
    each_session(|library, files, bytes| {
        let lines = bytes.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok());
        let first = lines.into_iter().find(|line: &Value| line["uuid"].is_string());
        if first.is_none_or(|line| line["subtype"] != "compact_boundary") {
            return;
        }
        let fork = Fork { at: Some(Point::BeforeCompaction(Some(1))), ..ALL };
        let error = edit::fork(library, files, &fork, &mut Counter::default()).unwrap_err();
        assert!(matches!(error, AppError::NothingToEdit(_)), "{error}");
        refused += 1;
    });
    assert!(refused > 2, "{refused}");
}

#[test]
fn a_titled_fork_of_an_old_session_shares_no_listed_line_with_it() {
    let library = library(&corpus::tree("2.0.29"));
    let mut forks = 0;
    for files in library.sessions() {
        let bytes = std::fs::read(&files.found.path).unwrap();
        if load(&bytes, Generation::NEWEST).outcome != ResumeOutcome::Loaded {
            continue;
        }
        let fork = Fork { title: Some("Mine".to_owned()), ..ALL };
        let plan = edit::fork(&library, &files, &fork, &mut Counter::default()).unwrap();
        let copy = String::from_utf8_lossy(&one(&plan)).into_owned();
        let listed = copy.lines().rev().find_map(|line| {
            let line: Value =
                serde_json::from_str(line).ok().filter(|line: &Value| line["type"] == "summary")?;
            Some((line["summary"].clone(), line["leafUuid"].as_str()?.to_owned()))
        });
        let (title, leaf) = listed.unwrap();
        assert_eq!(title, "Mine");
        assert!(copy.contains(&format!(r#""uuid":"{leaf}""#)), "{leaf}");
        assert!(!String::from_utf8_lossy(&bytes).contains(&leaf), "{leaf}");
        forks += 1;
    }
    assert!(forks > 50, "{forks}");
}
