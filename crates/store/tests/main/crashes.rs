//! Every call to the system fails once, and the process dies before and in every one: the tree is then the old one or the
//! new one, and nothing is left behind.

use std::path::Path;

use scrollback_store::journal::{
    ByteSource, Journal, JournalError, Op, RecordState, Transaction, TreeOutcome,
};
use scrollback_store::{Disk, Place, Root, stamp};

use crate::faults::{FEW_MODES, Faults, Field, MODES, Mode, Tree, watch};

fn place(name: &str) -> Place {
    Place::new(name).unwrap()
}

const TIME: Option<i64> = Some(1_750_000_000_000_000_000);

/// Everything that a transaction can do, on the full field.
pub fn everything(root: &Path) -> Transaction {
    let mut all = Transaction::new(&Root::new(root), "everything").command(["all".to_owned()]);
    let stamp = |name: &str| stamp::take(&root.join(name)).unwrap();
    let moved = stamp("projects/-b/3333.jsonl");
    all.folders_for(&place("projects/-c/x/3333.jsonl"));
    all.move_to(place("projects/-b/3333.jsonl"), place("projects/-c/3333.jsonl"));
    all.push(Op::Append {
        path: place("projects/-c/3333.jsonl"),
        expected: moved,
        bytes: b"{\"relocated\":1}\n".to_vec(),
        mtime_ns: TIME,
    });
    all.push(Op::Create {
        path: place("projects/-c/x/4444.jsonl"),
        source: b"{\"new\":1}\n".to_vec().into(),
        mode: Some(0o600),
        mtime_ns: TIME,
    });
    all.push(Op::Append {
        path: place("projects/-a/1111.jsonl"),
        expected: stamp("projects/-a/1111.jsonl"),
        bytes: b"{\"title\":1}\n{\"more\":2}\n".to_vec(),
        mtime_ns: TIME,
    });
    let make = std::sync::Arc::new(|sink: &mut dyn std::io::Write| {
        sink.write_all(b"{\"c\":")?;
        sink.write_all(b"4}\n")
    });
    all.push(Op::Replace {
        path: place("projects/-a/2222.jsonl"),
        expected: stamp("projects/-a/2222.jsonl"),
        source: ByteSource::Stream { bytes: 8, make },
        mtime_ns: TIME,
    });
    all.remove(place("projects/-a/1111"));
    all.remove(place("debug/latest"));
    all.copy(&root.join("file-history/1111"), place("file-history/4444"), 7);
    all.push(Op::Remove { path: place("history.jsonl"), expected: Some(stamp("history.jsonl")) });
    all
}

fn one(root: &Path, kind: &str) -> Transaction {
    let mut one = Transaction::new(&Root::new(root), kind);
    let session = "projects/-a/1111.jsonl";
    let expected = stamp::take(&root.join(session)).unwrap();
    match kind {
        "append" => {
            one.push(Op::Append { path: place(session), expected, bytes: b"{}\n".to_vec(), mtime_ns: TIME });
        }
        "replace" => one.push(Op::Replace {
            path: place(session),
            expected,
            source: b"{}\n".to_vec().into(),
            mtime_ns: TIME,
        }),
        "create" => one.push(Op::Create {
            path: place("projects/-a/5555.jsonl"),
            source: b"{}\n".to_vec().into(),
            mode: None,
            mtime_ns: TIME,
        }),
        "move" => one.move_to(place("projects/-a"), place("projects/-z")),
        "remove" => one.remove(place("projects/-a")),
        "make" => one.folders_for(&place("projects/-n/x")),
        "empty append" => one.push(Op::Append {
            path: place("empty.jsonl"),
            expected: stamp::take(&root.join("empty.jsonl")).unwrap(),
            bytes: b"{}\n".to_vec(),
            mtime_ns: TIME,
        }),
        _ => unreachable!(),
    }
    one
}

/// The field on one device, our directory on another, or a part of the store on another.
fn apart(field: &Field, how: &str) -> Option<std::path::PathBuf> {
    match how {
        "one device" => None,
        "data apart" => Some(field.root.clone()),
        "projects apart" => Some(field.root.join("projects/-b")),
        _ => unreachable!(),
    }
}

fn open(field: &Field, disk: Disk) -> Result<Journal, JournalError> {
    Journal::open_on(&field.open(), disk)
}

/// No temporary file anywhere, and in the journal only what a finished record has.
fn nothing_left(field: &Field, what: &str) {
    for name in field.tree().keys() {
        assert!(!name.contains("scrollback"), "{what}: {name} is left in the store");
    }
    let known = ["plan.json", "committed.json", "rolled-back.json", "undone.json", "emptied.json", "saved"];
    for record in std::fs::read_dir(field.data.join("journal")).unwrap() {
        let record = record.unwrap().path();
        let names: Vec<String> = std::fs::read_dir(&record)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        for name in &names {
            assert!(known.contains(&name.as_str()), "{what}: {name} is left in {}", record.display());
        }
        assert!(names.contains(&"plan.json".to_owned()), "{what}: a record without a plan");
    }
}

fn judge(field: &Field, result: &Result<(), JournalError>, died: bool, old: &Tree, new: &Tree, what: &str) {
    let now = field.tree();
    if !died {
        match result {
            Ok(()) => assert_eq!(&visible(&now), new, "{what}: said done"),
            Err(error) => match error.outcome() {
                TreeOutcome::Unchanged | TreeOutcome::RolledBack => {
                    assert_eq!(visible(&now), *old, "{what}: {error}");
                }
                TreeOutcome::Done => assert_eq!(&visible(&now), new, "{what}: {error}"),
                TreeOutcome::Unfinished => {}
                TreeOutcome::RolledBackExcept(kept) => panic!("{what}: kept {kept:?}"),
            },
        }
    }
    drop(open(field, Faults::none(None)).unwrap_or_else(|error| panic!("{what}: reopening: {error}")));
    let now = field.tree();
    let own = crate::faults::tree(&field.data);
    let told = || {
        own.iter()
            .chain(&now)
            .map(|(k, (m, t, b))| format!("{k} {m:o} {t} {:?}\n", String::from_utf8_lossy(b)))
    };
    assert!(now == *old || now == *new, "{what}: neither old nor new:\n{}", told().collect::<String>());
    if !died && result.is_ok() {
        assert_eq!(&now, new, "{what}: undone by reopening");
    }
    if let (false, Err(error)) = (died, result)
        && error.outcome() == TreeOutcome::Unfinished
    {
        assert_eq!(&now, old, "{what}: reopening did not finish taking back");
    }
    nothing_left(field, what);
}

/// Without what stands ready on another device, which may be left until the journal is next opened.
fn visible(tree: &Tree) -> Tree {
    tree.iter()
        .filter(|(name, _)| !name.contains(".scrollback-"))
        .map(|(k, v)| (k.clone(), v.clone()))
        .collect()
}

/// All failpoints of applying and of undoing; how many there were.
fn enumerate(how: &str, modes: &[Mode], build: impl Fn(&Path) -> Transaction) -> usize {
    let (old, new) = reference(how, &build);
    let mut points = 0;
    for mode in modes.iter().copied() {
        for at in 1.. {
            let field = Field::full();
            let faults = Faults::new(at, mode, apart(&field, how).as_deref());
            let disk = Disk::behind(faults.clone());
            let transaction = build(&field.root);
            let result = open(&field, disk).and_then(|mut journal| journal.apply(&transaction, &watch()));
            let result = result.map(|_| ());
            if !faults.was_hit() {
                break;
            }
            points += 1;
            judge(&field, &result, faults.died(), &old, &new, &format!("{how}, {mode:?} at {at}"));
        }
        for at in 1.. {
            let field = Field::full();
            let far = apart(&field, how);
            let mut journal = open(&field, Faults::none(far.as_deref())).unwrap();
            journal.apply(&build(&field.root), &watch()).unwrap();
            drop(journal);
            let faults = Faults::new(at, mode, far.as_deref());
            let disk = Disk::behind(faults.clone());
            let result = open(&field, disk).and_then(|mut journal| journal.undo(1, &watch())).map(|_| ());
            if !faults.was_hit() {
                break;
            }
            points += 1;
            let what = format!("undo, {how}, {mode:?} at {at}");
            judge(&field, &result, faults.died(), &new, &old, &what);
            let record = &scrollback_store::journal::list(&field.open()).unwrap()[0];
            let undone = record.state == RecordState::Undone;
            assert_eq!(undone, field.tree() == old, "{what}: the record does not say so");
            if field.tree() == new {
                let mut journal = open(&field, Faults::none(far.as_deref())).unwrap();
                journal.undo(1, &watch()).unwrap_or_else(|error| panic!("{what}: undo later: {error}"));
                drop(journal);
                assert_eq!(field.tree(), old, "{what}: undo later");
            }
        }
    }
    println!("{how}: {points} failpoints");
    points
}

fn reference(how: &str, build: &impl Fn(&Path) -> Transaction) -> (Tree, Tree) {
    let field = Field::full();
    let old = field.tree();
    let mut journal = open(&field, Faults::none(apart(&field, how).as_deref())).unwrap();
    journal.apply(&build(&field.root), &watch()).unwrap();
    let new = field.tree();
    assert_ne!(old, new);
    journal.undo(1, &watch()).unwrap();
    assert_eq!(field.tree(), old, "{how}: undo");
    (old, new)
}

#[test]
fn whole_transactions_on_one_device() {
    assert!(enumerate("one device", &MODES, everything) > 1000);
}

#[test]
fn whole_transactions_with_the_journal_on_another_device() {
    assert!(enumerate("data apart", &MODES[1..], everything) > 1000);
}

#[test]
fn whole_transactions_with_a_part_of_the_store_on_another_device() {
    assert!(enumerate("projects apart", &MODES[1..], everything) > 1000);
}

#[test]
fn every_kind_of_step_alone() {
    let mut points = 0;
    for kind in ["append", "empty append", "replace", "create", "move", "remove", "make"] {
        for how in ["one device", "data apart"] {
            points += enumerate(how, &FEW_MODES, |root| one(root, kind));
        }
    }
    println!("single steps: {points} failpoints");
    assert!(points > 1000);
}

#[test]
fn recovery_itself_may_die_anywhere() {
    let (old, new) = reference("data apart", &everything);
    let mut points = 0;
    for first in (1..).step_by(3) {
        let dying = |field: &Field| {
            let faults = Faults::new(first, Mode::Half, Some(&field.root));
            let result = open(field, Disk::behind(faults.clone()))
                .and_then(|mut journal| journal.apply(&everything(&field.root), &watch()));
            (result.is_err(), faults.was_hit())
        };
        if !dying(&Field::full()).1 {
            break;
        }
        for second in (1..).step_by(3) {
            let field = Field::full();
            dying(&field);
            let faults = Faults::new(second, Mode::Crash, Some(&field.root));
            drop(open(&field, Disk::behind(faults.clone())));
            if !faults.was_hit() {
                break;
            }
            points += 1;
            let dead = Err(JournalError::NoSuchRecord(0));
            judge(&field, &dead, true, &old, &new, &format!("died at {first}, recovery at {second}"));
        }
    }
    println!("dying twice: {points} failpoints");
    assert!(points > 200);
}

#[test]
fn record_is_on_the_disk_before_the_tree_changes() {
    for how in ["one device", "data apart"] {
        let field = Field::full();
        let transaction = everything(&field.root);
        let gate = Faults::new(0, Mode::Crash, apart(&field, how).as_deref());
        let mut journal = open(&field, Disk::behind(gate.clone())).unwrap();
        journal.apply(&transaction, &watch()).unwrap();
        let calls = gate.calls.lock().unwrap();
        let is_tree =
            |path: &Path| path.starts_with(&field.root) && !path.to_string_lossy().contains(".scrollback-");
        let first =
            calls.iter().position(|(name, path, changes)| *changes && *name != "sync" && is_tree(path));
        // What is removed first leaves the tree by a rename into the record.
        let first = first.unwrap();
        let synced = |from: usize, wanted: &Path| {
            calls[from..]
                .iter()
                .position(|(name, path, _)| *name == "sync" && path == wanted)
                .map(|at| at + from)
        };
        let written: Vec<(usize, &Path)> = calls[..first]
            .iter()
            .enumerate()
            .filter(|(_, (name, _, _))| *name == "write")
            .map(|(at, (_, path, _))| (at, path.as_path()))
            .collect();
        assert!(written.iter().any(|(_, path)| path.to_string_lossy().contains("plan.json")));
        for (at, path) in written {
            let sync = synced(at, path);
            assert!(sync.is_some_and(|sync| sync < first), "{how}: {} is not synced", path.display());
        }
        let commit = calls
            .iter()
            .rposition(|(name, path, _)| *name == "rename to" && path.ends_with("committed.json"));
        let commit = commit.unwrap();
        for (at, (name, path, _)) in calls[..commit].iter().enumerate() {
            if *name == "rename to" && is_tree(path) {
                let sync = synced(at, path.parent().unwrap());
                assert!(sync.is_some_and(|sync| sync < commit), "{how}: {} is not synced", path.display());
            }
        }
    }
}
