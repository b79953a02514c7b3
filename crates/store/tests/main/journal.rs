//! The journal as its users see it: records, undo, trash, refusals, and another client beside us.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use scrollback_format::time::Time;
use scrollback_store::gate::{DiskCall, Gate, Permission};
use scrollback_store::journal::{
    self, Journal, JournalError, Op, Prune, RecordState, Transaction, TreeOutcome,
};
use scrollback_store::live::EditedSession;
use scrollback_store::write_error::WriteError;
use scrollback_store::{Disk, Place, Root, stamp};

use crate::crashes::everything;
use crate::faults::{Faults, Field, file, tree, watch};

fn place(name: &str) -> Place {
    Place::new(name).unwrap()
}

fn open(field: &Field) -> Journal {
    Journal::open_on(&field.open(), Faults::none(None)).unwrap()
}

fn transaction(field: &Field, title: &str) -> Transaction {
    Transaction::new(&Root::new(&field.root), title)
}

/// As a client does it.
fn client_appends(path: &Path, line: &[u8]) {
    fs::OpenOptions::new().create(true).append(true).open(path).unwrap().write_all(line).unwrap();
}

#[test]
fn transaction_can_be_looked_at_before() {
    let field = Field::full();
    let before = field.tree();
    let all = everything(&field.root);
    let told: Vec<String> =
        all.ops().iter().map(|op| format!("{} {} {}", op.verb(), op.path(), op.bytes())).collect();
    assert_eq!(told[0], "make projects/-c 0");
    assert_eq!(told[3], "append projects/-c/3333.jsonl 16");
    assert_eq!(all.bytes(), 16 + 10 + 23 + 8 + 7);
    assert_eq!(field.tree(), before);
}

#[test]
fn records_tell_what_was_done() {
    let field = Field::full();
    let mut journal = open(&field);
    let record = journal.apply(&everything(&field.root), &watch()).unwrap();
    assert_eq!((record.number, record.state), (1, RecordState::Committed));
    journal.undo(1, &watch()).unwrap();
    drop(journal);
    let records = journal::list(&field.open()).unwrap();
    let told: Vec<_> = records
        .iter()
        .map(|record| (record.number, record.title.as_str(), record.state, record.undoes))
        .collect();
    assert_eq!(
        told,
        [
            (1, "everything", RecordState::Undone, None),
            (2, "undo 1: everything", RecordState::Committed, Some(1))
        ]
    );
    assert_eq!(records[0].command, ["all"]);
    assert_eq!(records[0].time, watch().now);
}

#[test]
fn undo_is_done_once_and_not_undone() {
    let field = Field::full();
    let mut journal = open(&field);
    journal.apply(&everything(&field.root), &watch()).unwrap();
    journal.undo(1, &watch()).unwrap();
    for number in [1, 2] {
        let again = journal.undo(number, &watch());
        assert!(matches!(again, Err(JournalError::NotUndoable { .. })), "{again:?}");
    }
    assert!(matches!(journal.undo(9, &watch()), Err(JournalError::NoSuchRecord(9))));
}

#[test]
fn undo_refuses_what_has_moved_on() {
    for name in [
        "projects/-a/1111.jsonl",
        "projects/-a/2222.jsonl",
        "projects/-c/3333.jsonl",
        "projects/-c/x/4444.jsonl",
    ] {
        let field = Field::full();
        let mut journal = open(&field);
        journal.apply(&everything(&field.root), &watch()).unwrap();
        client_appends(&field.root.join(name), b"{\"client\":1}\n");
        let now = field.tree();
        match journal.undo(1, &watch()) {
            Err(JournalError::ModifiedSince { path, .. }) => assert_eq!(path, field.root.join(name)),
            other => panic!("{name}: {other:?}"),
        }
        assert_eq!(field.tree(), now, "{name}");
    }
}

#[test]
fn undo_refuses_a_name_that_is_taken_and_a_folder_that_is_in_use() {
    for name in ["history.jsonl", "projects/-c/new.jsonl", "projects/-a/1111/x", "projects/-b/3333.jsonl"] {
        let field = Field::full();
        let mut journal = open(&field);
        journal.apply(&everything(&field.root), &watch()).unwrap();
        file(&field.root, name, b"{\"client\":1}\n");
        let now = field.tree();
        let error = journal.undo(1, &watch()).unwrap_err();
        let refused = matches!(
            error,
            JournalError::ModifiedSince { .. } | JournalError::Write { error: WriteError::Exists { .. }, .. }
        );
        assert!(refused, "{name}: {error:?}");
        assert_eq!(field.tree(), now, "{name}");
    }
}

#[test]
fn same_bytes_under_another_inode_are_taken_back() {
    let field = Field::full();
    let before = field.tree();
    let mut journal = open(&field);
    let mut make = transaction(&field, "make");
    make.create(place("projects/-a/9.jsonl"), b"{}\n".to_vec());
    journal.apply(&make, &watch()).unwrap();
    let path = field.root.join("projects/-a/9.jsonl");
    fs::remove_file(&path).unwrap();
    fs::write(&path, b"{}\n").unwrap();
    journal.undo(1, &watch()).unwrap();
    assert_eq!(field.tree(), before);
}

#[test]
fn one_session_comes_back_out_of_many() {
    let field = Field::full();
    let before = field.tree();
    let mut journal = open(&field);
    let mut rm = transaction(&field, "rm two sessions");
    for name in ["projects/-a/1111.jsonl", "projects/-a/1111", "file-history/1111", "projects/-a/2222.jsonl"]
    {
        rm.remove(place(name));
    }
    journal.apply(&rm, &watch()).unwrap();
    let paths: Vec<String> = journal.trash().unwrap().into_iter().map(|thing| thing.path).collect();
    assert_eq!(
        paths,
        ["projects/-a/1111.jsonl", "projects/-a/1111", "file-history/1111", "projects/-a/2222.jsonl"]
    );
    journal.undo_at(1, &[place("projects/-a/2222.jsonl")], &watch()).unwrap();
    assert_eq!(journal.record(1).unwrap().state, RecordState::PartlyUndone);
    assert!(field.root.join("projects/-a/2222.jsonl").exists());
    assert_eq!(journal.trash().unwrap().len(), 3);
    journal.undo(1, &watch()).unwrap();
    assert_eq!(field.tree(), before);
    assert_eq!(journal.record(1).unwrap().state, RecordState::Undone);
    assert!(journal.trash().unwrap().is_empty());
}

#[test]
fn emptied_record_says_that_it_cannot_be_taken_back() {
    let field = Field::full();
    let mut journal = open(&field);
    for name in ["history.jsonl", "projects/-a", "projects/-b"] {
        let mut rm = transaction(&field, name);
        rm.remove(place(name));
        let mut at = watch();
        at.now = Time(at.now.0 + journal.records().unwrap().len() as i64);
        journal.apply(&rm, &at).unwrap();
    }
    let sizes: Vec<u64> = journal.trash().unwrap().iter().map(|thing| thing.bytes).collect();
    assert_eq!(journal.empty(1).unwrap(), sizes[0]);
    assert!(matches!(journal.undo(1, &watch()), Err(JournalError::NotUndoable { .. })));
    // The oldest go first; those from before a time go whatever their size.
    let pruned = journal.prune(Prune { before: None, bytes: Some(sizes[2]) }).unwrap();
    assert_eq!(pruned, [(2, sizes[1])]);
    assert!(journal.prune(Prune { before: Some(watch().now), bytes: None }).unwrap().is_empty());
    let pruned = journal.prune(Prune { before: Some(Time(watch().now.0 + 9)), bytes: None }).unwrap();
    assert_eq!(pruned, [(3, sizes[2])]);
    assert!(journal.trash().unwrap().is_empty());
    assert_eq!(journal.records().unwrap().len(), 3);
}

#[test]
fn second_editor_is_told_that_the_first_is_at_work() {
    let field = Field::full();
    let journal = open(&field);
    assert!(matches!(Journal::open(&field.open()), Err(JournalError::Busy { .. })));
    // Reading needs no lock.
    assert!(journal::list(&field.open()).unwrap().is_empty());
    drop(journal);
    Journal::open(&field.open()).unwrap();
}

#[test]
fn many_editors_at_once_lose_nothing() {
    let field = Field::full();
    let target = field.root.join("projects/-a/2222.jsonl");
    std::thread::scope(|scope| {
        for editor in 0..4 {
            let (field, target) = (&field, &target);
            scope.spawn(move || {
                let mut done = 0;
                while done < 10 {
                    let Ok(mut journal) = Journal::open_on(&field.open(), Faults::none(None)) else {
                        continue;
                    };
                    let mut append = Transaction::new(&Root::new(&field.root), "append");
                    let line = format!("{{\"editor\":{editor},\"line\":{done}}}\n").into_bytes();
                    append.append(place("projects/-a/2222.jsonl"), stamp::take(target).unwrap(), line);
                    journal.apply(&append, &watch()).unwrap();
                    done += 1;
                }
            });
        }
    });
    let text = fs::read_to_string(&target).unwrap();
    let mut lines: Vec<&str> = text.lines().skip(1).collect();
    lines.sort_unstable();
    lines.dedup();
    assert_eq!(lines.len(), 40);
    assert_eq!(journal::list(&field.open()).unwrap().len(), 40);
}

#[test]
fn our_own_directory_is_not_in_the_store() {
    let mut field = Field::full();
    field.data = field.root.join("mine");
    let result = open(&field).apply(&everything(&field.root), &watch());
    assert!(matches!(result, Err(JournalError::Inside { .. })), "{result:?}");
}

#[cfg(unix)]
#[test]
fn links_that_lead_out_of_the_root_are_not_followed() {
    let field = Field::full();
    let outside = field.root.parent().unwrap().join("outside");
    file(&outside, "5555.jsonl", b"{}\n");
    std::os::unix::fs::symlink(&outside, field.root.join("projects/-out")).unwrap();
    std::os::unix::fs::symlink("-a", field.root.join("projects/-in")).unwrap();
    let expected = stamp::take(&outside.join("5555.jsonl")).unwrap();
    let before = (field.tree(), tree(&outside));
    let mut journal = open(&field);
    let ops: [&dyn Fn(&mut Transaction); 5] = [
        &|tx| tx.append(place("projects/-out/5555.jsonl"), expected, b"x\n".to_vec()),
        &|tx| tx.replace(place("projects/-out/5555.jsonl"), expected, b"x\n".to_vec()),
        &|tx| tx.create(place("projects/-out/new"), b"x\n".to_vec()),
        &|tx| tx.remove(place("projects/-out/5555.jsonl")),
        &|tx| tx.move_to(place("history.jsonl"), place("projects/-out/history.jsonl")),
    ];
    for op in ops {
        let mut tx = transaction(&field, "out");
        op(&mut tx);
        let result = journal.apply(&tx, &watch());
        let outside = matches!(result, Err(JournalError::Write { error: WriteError::Outside { .. }, .. }));
        assert!(outside, "{result:?}");
    }
    assert_eq!((field.tree(), tree(&outside)), before);
    // Within the root a link is a way like any other; and a link itself can go.
    let mut tx = transaction(&field, "in");
    tx.create(place("projects/-in/new.jsonl"), b"{}\n".to_vec());
    tx.remove(place("projects/-out"));
    journal.apply(&tx, &watch()).unwrap();
    assert!(field.root.join("projects/-a/new.jsonl").exists());
    journal.undo(2, &watch()).unwrap_or_else(|_| journal.undo(1, &watch()).unwrap());
    assert_eq!(tree(&outside), before.1);
}

type Build<'a> = &'a dyn Fn(&mut Transaction);

#[test]
fn steps_that_make_no_sense_are_refused_before_anything() {
    let field = Field::full();
    let session = "projects/-a/2222.jsonl";
    let expected = stamp::take(&field.root.join(session)).unwrap();
    let before = field.tree();
    let mut journal = open(&field);
    let cases: [(&str, Build<'_>); 6] = [
        ("exists", &|tx| tx.create(place(session), b"x".to_vec())),
        ("no folder", &|tx| tx.create(place("nowhere/x"), b"x".to_vec())),
        ("missing", &|tx| tx.remove(place("nowhere"))),
        ("twice", &|tx| {
            tx.append(place(session), expected, b"x\n".to_vec());
            tx.append(place(session), expected, b"y\n".to_vec());
        }),
        ("changed, then removed", &|tx| {
            tx.append(place(session), expected, b"x\n".to_vec());
            tx.remove(place("projects/-a"));
        }),
        ("not a file", &|tx| tx.replace(place("projects/-a"), expected, b"x".to_vec())),
    ];
    for (name, case) in cases {
        let mut tx = transaction(&field, name);
        case(&mut tx);
        let error = journal.apply(&tx, &watch()).unwrap_err();
        assert_eq!(error.outcome(), TreeOutcome::Unchanged, "{name}: {error}");
        assert_eq!(field.tree(), before, "{name}");
    }
    assert!(journal.records().unwrap().is_empty());
}

#[test]
fn store_that_cannot_be_written_stays_as_it_is() {
    // A file where a folder should be: even the superuser cannot write below it.
    let field = Field::full();
    file(&field.root, "blocked", b"a file");
    let before = field.tree();
    let mut journal = open(&field);
    let mut tx = transaction(&field, "blocked");
    tx.push(Op::Append {
        path: place("projects/-a/1111.jsonl"),
        expected: stamp::take(&field.root.join("projects/-a/1111.jsonl")).unwrap(),
        bytes: b"{}\n".to_vec(),
        mtime_ns: None,
    });
    tx.create(place("blocked/x"), b"{}\n".to_vec());
    let error = journal.apply(&tx, &watch()).unwrap_err();
    assert_eq!(error.outcome(), TreeOutcome::Unchanged);
    assert_eq!(field.tree(), before);
}

#[test]
fn record_of_a_newer_version_is_left_alone() {
    let field = Field::full();
    let mut journal = open(&field);
    journal.apply(&everything(&field.root), &watch()).unwrap();
    let dir = field.data.join("journal/000002-abcdef");
    fs::create_dir(&dir).unwrap();
    fs::write(dir.join("plan.json"), b"{\"format\":2,\"steps\":\"otherwise\"}").unwrap();
    drop(journal);
    let opened = Journal::open(&field.open());
    assert!(matches!(opened, Err(JournalError::Damaged { .. })), "{opened:?}");
    assert!(dir.join("plan.json").exists());
}

#[test]
fn live_session_is_not_touched() {
    let field = Field::full();
    let session = "projects/-a/2222.jsonl";
    let path = field.root.join(session);
    client_appends(&path, b"{}\n");
    let now = Time(stamp::take(&path).unwrap().mtime_ns / 1_000_000 + 5_000);
    let mut at = watch();
    at.now = now;
    let mut journal = open(&field);
    let mut tx = transaction(&field, "rename");
    tx.append(place(session), stamp::take(&path).unwrap(), b"{\"title\":1}\n".to_vec());
    tx.guard(EditedSession { id: "2222".to_owned(), file: path.clone(), directories: Vec::new() });
    let before = field.tree();
    let refused = journal.apply(&tx, &at);
    assert!(matches!(refused, Err(JournalError::Live(_))), "{refused:?}");
    assert_eq!(field.tree(), before);
    at.now = Time(now.0 + 120_000);
    journal.apply(&tx, &at).unwrap();
    // What we wrote ourselves a moment ago is no sign of life, neither to an undo nor to the next edit.
    at.now = Time(stamp::take(&path).unwrap().mtime_ns / 1_000_000);
    let mut again = transaction(&field, "again");
    again.append(place(session), stamp::take(&path).unwrap(), b"{\"title\":2}\n".to_vec());
    again.guard(EditedSession { id: "2222".to_owned(), file: path, directories: Vec::new() });
    journal.apply(&again, &at).unwrap();
    journal.undo(2, &at).unwrap();
    journal.undo(1, &at).unwrap();
    assert_eq!(field.tree(), before);
}

/// Another client that appends a line right before the n-th call; with `fails`, the transaction then fails at its end.
#[derive(Debug)]
struct Client {
    at: usize,
    fails: bool,
    count: AtomicUsize,
    path: PathBuf,
}

impl Gate for Client {
    fn pass(&self, call: &DiskCall<'_>) -> Permission {
        if self.count.fetch_add(1, Ordering::SeqCst) + 1 == self.at && self.path.parent().unwrap().is_dir() {
            client_appends(&self.path, b"{\"client\":1}\n");
        }
        if self.fails && call.name == "rename to" && call.path.ends_with("committed.json") {
            return Permission::Fail(std::io::Error::from_raw_os_error(crate::faults::EIO));
        }
        if call.name == "sync" { Permission::Skip } else { Permission::Go }
    }
}

/// All moments of a transaction, for one file; how many there were.
fn client_appends_to(name: &str, fails: bool) -> usize {
    for at in 1.. {
        let field = Field::full();
        let all = everything(&field.root);
        let data = field.open();
        let client = Client { at, fails, count: AtomicUsize::new(0), path: field.root.join(name) };
        let client = Arc::new(client);
        let mut journal = Journal::open_on(&data, Disk::behind(client.clone())).unwrap();
        let result = journal.apply(&all, &watch());
        if client.count.load(Ordering::SeqCst) < at {
            return at;
        }
        drop(journal);
        let wrote = |dir: &Path| {
            let says = |bytes: &[u8]| String::from_utf8_lossy(bytes).contains("{\"client\":1}\n");
            tree(dir).values().any(|(_, _, bytes)| says(bytes))
        };
        // A folder that is not there yet, or is no more: then it wrote nothing.
        if !wrote(&field.root) && !wrote(&field.data) && name.contains("-c") {
            continue;
        }
        let what = format!("{name}: moment {at}: {result:?}");
        assert!(wrote(&field.root), "{what}");
        assert!(result.is_err() || !fails, "{what}");
        Journal::open_on(&data, Faults::none(None)).unwrap();
        assert!(wrote(&field.root), "{what}: after reopening");
    }
    0
}

#[test]
fn client_that_appends_at_any_moment_loses_no_line() {
    let names =
        ["projects/-a/1111.jsonl", "projects/-a/2222.jsonl", "projects/-b/3333.jsonl", "history.jsonl"];
    let moments: usize = names.iter().map(|name| client_appends_to(name, false)).sum();
    println!("another client: {moments} moments");
    assert!(moments > 800);
}

#[test]
fn client_that_appends_while_changes_are_taken_back_loses_no_line() {
    let names = [
        "projects/-a/1111.jsonl",
        "projects/-a/2222.jsonl",
        "projects/-c/3333.jsonl",
        "projects/-c/x/4444.jsonl",
        "history.jsonl",
    ];
    let moments: usize = names.iter().map(|name| client_appends_to(name, true)).sum();
    println!("another client, taken back: {moments} moments");
    assert!(moments > 1000);
}

#[test]
fn a_file_that_was_moved_and_rewritten_goes_back() {
    let field = Field::full();
    let before = field.tree();
    let name = "projects/-a/2222.jsonl";
    let expected = stamp::take(&field.root.join(name)).unwrap();
    let mut moved = transaction(&field, "move and rewrite");
    moved.move_to(place(name), place("projects/-a/9999.jsonl"));
    moved.replace(place("projects/-a/9999.jsonl"), expected, b"another\n".to_vec());
    let mut journal = open(&field);
    journal.apply(&moved, &watch()).unwrap();
    assert_eq!(fs::read(field.root.join("projects/-a/9999.jsonl")).unwrap(), b"another\n");
    journal.undo(1, &watch()).unwrap();
    assert_eq!(field.tree(), before);
}

#[test]
fn a_tree_of_the_users_may_hold_our_own_directory_but_not_be_changed_in_it() {
    let field = Field::full();
    let mut journal = open(&field);
    let data = field.open().path().to_owned();
    let home = fs::canonicalize(data.parent().unwrap()).unwrap();
    let below = data.file_name().unwrap().to_str().unwrap();
    fs::write(home.join("mine.txt"), "mine").unwrap();
    let mut restore = Transaction::in_tree(&home, "restore");
    let expected = stamp::take(&home.join("mine.txt")).unwrap();
    restore.replace(place("mine.txt"), expected, b"theirs".to_vec());
    restore.folders_for(&place("new/deep/file.txt"));
    restore.create(place("new/deep/file.txt"), b"x".to_vec());
    assert!(restore.is_tree() && restore.ops().len() == 4);
    let number = journal.apply(&restore, &watch()).unwrap().number;
    assert_eq!(fs::read(home.join("mine.txt")).unwrap(), b"theirs");
    let trashed: Vec<String> = journal.trash().unwrap().into_iter().map(|item| item.path).collect();
    assert_eq!(trashed, ["mine.txt"]);
    journal.undo(number, &watch()).unwrap();
    assert_eq!(fs::read(home.join("mine.txt")).unwrap(), b"mine");
    assert!(!home.join("new").exists());
    // A store that holds our directory is refused as before, and so is every change in it.
    let mut inside = Transaction::in_tree(&home, "into our own");
    inside.create(place(&format!("{below}/journal/x")), b"x".to_vec());
    assert!(matches!(journal.apply(&inside, &watch()), Err(JournalError::Inside { .. })));
    let mut linked = Transaction::in_tree(&home, "by a link");
    std::os::unix::fs::symlink(&data, home.join("link")).unwrap();
    linked.create(place("link/x"), b"x".to_vec());
    assert!(matches!(journal.apply(&linked, &watch()), Err(JournalError::Inside { .. })));
    let mut store = Transaction::new(&Root::new(&home), "no store");
    store.create(place("other.txt"), b"x".to_vec());
    assert!(matches!(journal.apply(&store, &watch()), Err(JournalError::Inside { .. })));
}

#[test]
fn a_name_that_the_disk_does_not_take_is_refused_before_anything_changes() {
    let field = Field::full();
    let before = field.tree();
    let mut journal = open(&field);
    for long in ["n".repeat(300), format!("projects/{}/x", "n".repeat(300))] {
        let mut transaction = transaction(&field, "long");
        for name in ["projects/short", &long] {
            transaction.folders_for(&place(name));
            let source = journal::ByteSource::Bytes(b"x".to_vec());
            transaction.push(Op::Create { path: place(name), source, mode: None, mtime_ns: None });
        }
        match journal.apply(&transaction, &watch()) {
            Err(JournalError::Write { error: WriteError::Name { .. }, outcome: TreeOutcome::Unchanged }) => {}
            other => panic!("{other:?}"),
        }
        assert_eq!(field.tree(), before);
    }
    journal.apply(&everything(&field.root), &watch()).unwrap();
}

/// The process dies when it puts the file of this name in place.
#[derive(Debug)]
struct DiesAt(&'static str, std::sync::atomic::AtomicBool);

impl Gate for DiesAt {
    fn pass(&self, call: &DiskCall<'_>) -> Permission {
        if call.changes && call.path.ends_with(self.0) {
            self.1.store(true, Ordering::SeqCst);
        }
        match self.1.load(Ordering::SeqCst) {
            true => Permission::Fail(std::io::Error::other("dead")),
            false => Permission::Go,
        }
    }
}

#[test]
fn a_record_with_a_name_that_the_disk_does_not_take_is_taken_back() {
    let field = Field::full();
    let before = field.tree();
    let disk = Disk::behind(Arc::new(DiesAt("projects/second", false.into())));
    let mut transaction = transaction(&field, "long");
    for name in ["projects/first", "projects/second"] {
        let source = journal::ByteSource::Bytes(b"x".to_vec());
        transaction.push(Op::Create { path: place(name), source, mode: None, mtime_ns: None });
    }
    Journal::open_on(&field.open(), disk).unwrap().apply(&transaction, &watch()).unwrap_err();
    assert!(field.root.join("projects/first").exists());
    // As an earlier version planned it: nobody had asked the disk.
    let journal = field.data.join("journal");
    let record =
        fs::read_dir(&journal).unwrap().map(|entry| entry.unwrap().path()).find(|path| path.is_dir());
    let plan = record.unwrap().join("plan.json");
    let text = fs::read_to_string(&plan).unwrap();
    fs::write(&plan, text.replace("projects/second", &format!("projects/{}", "n".repeat(300)))).unwrap();
    let journal = open(&field);
    assert_eq!(journal.recovered().len(), 1);
    assert_eq!(field.tree(), before);
}
