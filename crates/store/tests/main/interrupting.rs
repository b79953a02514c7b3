//! Edits that are cut off: stopped between two steps, or left half made by a process that died.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use scrollback_store::gate::{DiskCall, Gate, Permission};
use scrollback_store::journal::{
    self, Journal, JournalError, JournalStop, RecordState, Transaction, TreeOutcome,
};
use scrollback_store::write_error::WriteError;
use scrollback_store::{Disk, Place, Root};

use crate::crashes::everything;
use crate::faults::{Faults, Field, Mode, watch};

/// Asks for a stop at the n-th call.
#[derive(Debug)]
struct Asks {
    at: usize,
    count: AtomicUsize,
    flag: Arc<AtomicBool>,
}

impl Gate for Asks {
    fn pass(&self, call: &DiskCall<'_>) -> Permission {
        if self.count.fetch_add(1, Ordering::SeqCst) + 1 == self.at {
            self.flag.store(true, Ordering::SeqCst);
        }
        if call.name == "sync" { Permission::Skip } else { Permission::Go }
    }
}

/// Opens the journal such that a stop is asked for at the n-th call; also tells whether it was.
fn asked_at(field: &Field, at: usize) -> (Journal, Arc<AtomicBool>) {
    let flag = Arc::new(AtomicBool::new(false));
    let asks = Asks { at, count: AtomicUsize::new(0), flag: Arc::clone(&flag) };
    let journal = Journal::open_on(&field.open(), Disk::behind(Arc::new(asks))).unwrap();
    (journal.stopping_at(JournalStop::sharing(Arc::clone(&flag))), flag)
}

fn is_stopped(error: &JournalError) -> bool {
    let rolled_back = matches!(error.outcome(), TreeOutcome::Unchanged | TreeOutcome::RolledBack);
    rolled_back && matches!(error, JournalError::Write { error: WriteError::Stopped, .. })
}

#[test]
fn edit_that_is_stopped_anywhere_is_rolled_back_or_made_whole() {
    let (mut stopped, mut made) = (0, 0);
    for at in (1..).step_by(3) {
        let field = Field::full();
        let before = field.tree();
        let (mut journal, flag) = asked_at(&field, at);
        match journal.apply(&everything(&field.root), &watch()) {
            Ok(record) => {
                assert_eq!(record.state, RecordState::Committed);
                made += usize::from(flag.load(Ordering::SeqCst));
            }
            Err(error) => {
                assert!(is_stopped(&error), "{at}: {error}");
                assert_eq!(field.tree(), before, "{at}");
                stopped += 1;
            }
        }
        drop(journal);
        assert!(journal::interrupted(&field.data).unwrap().is_none(), "{at}");
        assert!(!journal::is_unended(&field.data).unwrap(), "{at}");
        if !flag.load(Ordering::SeqCst) {
            break;
        }
    }
    assert!(stopped > 10 && made > 0, "{stopped} {made}");
}

#[test]
fn undo_that_is_stopped_anywhere_is_rolled_back_or_made_whole() {
    let mut stopped = 0;
    for at in (1..).step_by(3) {
        let field = Field::full();
        let before = field.tree();
        let disk = Faults::none(None);
        Journal::open_on(&field.open(), disk).unwrap().apply(&everything(&field.root), &watch()).unwrap();
        let after = field.tree();
        let (mut journal, flag) = asked_at(&field, at);
        match journal.undo(1, &watch()) {
            Ok(_) => assert_eq!(field.tree(), before, "{at}"),
            Err(error) => {
                assert!(is_stopped(&error), "{at}: {error}");
                assert_eq!(field.tree(), after, "{at}");
                assert_eq!(journal.record(1).unwrap().state, RecordState::Committed, "{at}");
                stopped += 1;
            }
        }
        drop(journal);
        assert!(!journal::is_unended(&field.data).unwrap(), "{at}");
        if !flag.load(Ordering::SeqCst) {
            break;
        }
    }
    assert!(stopped > 10, "{stopped}");
}

/// Every change fails while it is on.
#[derive(Debug)]
struct Broken {
    from: &'static str,
    on: AtomicBool,
    mended: AtomicBool,
}

impl Gate for Broken {
    fn pass(&self, call: &DiskCall<'_>) -> Permission {
        if call.changes && call.path.ends_with(self.from) && !self.mended.load(Ordering::SeqCst) {
            self.on.store(true, Ordering::SeqCst);
        }
        match self.on.load(Ordering::SeqCst) && !self.mended.load(Ordering::SeqCst) && call.changes {
            true => Permission::Fail(io::Error::other("dead")),
            false => Permission::Go,
        }
    }
}

fn broken(from: &'static str) -> Arc<Broken> {
    Arc::new(Broken { from, on: AtomicBool::new(false), mended: AtomicBool::new(false) })
}

fn two_files(field: &Field, title: &str) -> Transaction {
    let mut transaction = Transaction::new(&Root::new(&field.root), title);
    for name in ["first", "second"] {
        transaction.create(Place::new(&format!("projects/{title}-{name}")).unwrap(), b"x".to_vec());
    }
    transaction
}

#[test]
fn half_made_edit_is_told_unless_someone_is_at_work_and_looking_makes_nothing() {
    let field = Field::full();
    assert!(journal::interrupted(&field.data).unwrap().is_none());
    assert!(!field.data.exists(), "looking makes no directory");
    let before = field.tree();
    let disk = Disk::behind(broken("a-second"));
    let mut journal = Journal::open_on(&field.open(), disk).unwrap();
    let error = journal.apply(&two_files(&field, "a"), &watch()).unwrap_err();
    assert_eq!(error.outcome(), TreeOutcome::Unfinished);
    assert!(journal::interrupted(&field.data).unwrap().is_none(), "its process still has the lock");
    assert!(journal::is_at_work(&field.data) && journal::is_unended(&field.data).unwrap());
    drop(journal);
    assert!(!journal::is_at_work(&field.data));
    let found = journal::interrupted(&field.data).unwrap().unwrap();
    assert_eq!((found.number, found.title.as_str(), found.state), (1, "a", RecordState::Open));
    let journal = Journal::open(&field.open()).unwrap();
    assert_eq!((journal.recovered().len(), journal.discarded().len()), (1, 0));
    drop(journal);
    assert_eq!(field.tree(), before);
    assert!(journal::interrupted(&field.data).unwrap().is_none());
}

#[test]
fn edit_that_died_before_its_plan_is_told_apart_and_is_no_half_made_one() {
    let field = Field::full();
    let disk = Disk::behind(broken("plan.json"));
    Journal::open_on(&field.open(), disk).unwrap().apply(&two_files(&field, "a"), &watch()).unwrap_err();
    assert!(journal::interrupted(&field.data).unwrap().is_none());
    assert!(journal::is_unended(&field.data).unwrap());
    let journal = Journal::open(&field.open()).unwrap();
    assert_eq!((journal.recovered().len(), journal.discarded()), (0, [1].as_slice()));
}

#[test]
fn only_the_newest_record_is_ever_open() {
    let field = Field::full();
    let gate = broken("a-second");
    let mut journal = Journal::open_on(&field.open(), Disk::behind(gate.clone())).unwrap();
    journal.apply(&two_files(&field, "a"), &watch()).unwrap_err();
    gate.mended.store(true, Ordering::SeqCst);
    journal.apply(&two_files(&field, "b"), &watch()).unwrap();
    let states: Vec<_> = journal.records().unwrap().iter().map(|record| record.state).collect();
    assert_eq!(states, [RecordState::RolledBack, RecordState::Committed]);
    assert_eq!(journal.recovered().len(), 1);
    assert!(!field.root.join("projects/a-first").exists());
}

#[test]
fn undo_keeps_the_words_of_the_command_that_asked_for_it() {
    let field = Field::full();
    let mut journal = Journal::open_on(&field.open(), Faults::none(None)).unwrap();
    journal.apply(&two_files(&field, "a"), &watch()).unwrap();
    journal.apply(&two_files(&field, "b"), &watch()).unwrap();
    let words = ["--root", "x", "undo"].map(str::to_owned);
    let mut journal = journal.asked_by(&words);
    assert_eq!(journal.undo(2, &watch()).unwrap().command, words);
    let mut journal = journal.asked_by(&[]);
    assert_eq!(journal.undo(1, &watch()).unwrap().command, ["undo", "1"]);
}

#[test]
fn death_at_any_call_leaves_at_most_the_newest_record_without_an_end() {
    for at in (1..).step_by(7) {
        let field = Field::full();
        let gate = Faults::new(at, Mode::Crash, None);
        let opened = Journal::open_on(&field.open(), Disk::behind(gate.clone()));
        let done = opened.and_then(|mut journal| journal.apply(&everything(&field.root), &watch()));
        let found = journal::interrupted(&field.data).unwrap();
        if done.is_ok() {
            assert!(found.is_none(), "{at}");
            if !gate.was_hit() {
                break;
            }
        }
        let journal = Journal::open(&field.open()).unwrap();
        let recovered: Vec<u64> = journal.recovered().iter().map(|one| one.number).collect();
        assert_eq!(recovered, found.iter().map(|record| record.number).collect::<Vec<_>>(), "{at}");
    }
}
