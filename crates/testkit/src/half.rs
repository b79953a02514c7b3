//! Edits that die half way, as if the process had been killed: what they leave is for others to find.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use scrollback_format::time::Time;
use scrollback_store::gate::{DiskCall, Gate, Permission};
use scrollback_store::live::LiveCheck;
use scrollback_store::{DataDir, Disk, Journal, Place, Root, Transaction, stamp};

/// Where an edit dies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Death {
    /// Before it has a plan: nothing is changed.
    Unplanned,
    /// Between its two steps: the first is made.
    HalfMade,
}

/// What the second step would have made.
const SECOND: &str = "second-step";

/// Appends lines to a file of a store, as the first of two steps of an edit that dies. The record has no end.
pub fn edit(root: &Path, data: &Path, title: &str, (file, lines): (&str, &str), death: Death) {
    let at = match death {
        Death::Unplanned => "plan.json",
        Death::HalfMade => SECOND,
    };
    let mut transaction = Transaction::new(&Root::new(root), title).command(["killed".to_owned()]);
    let place = |path: &str| Place::new(path).expect("a place of the store");
    let expected = stamp::take(&root.join(file)).expect("the file is there");
    transaction.append(place(file), expected, lines.as_bytes().to_vec());
    transaction.create(place(SECOND), b"x".to_vec());
    let disk = Disk::behind(Arc::new(Dies { at, dead: AtomicBool::new(false) }));
    let data = DataDir::open(data).expect("a data directory");
    let watch = LiveCheck { now: Time(1_790_000_000_000), processes: None, own: 0 };
    let mut journal = Journal::open_on(&data, disk).expect("the journal opens");
    assert!(journal.apply(&transaction, &watch).is_err(), "the edit has to die");
}

/// Nothing works any more from the first change of a path on.
#[derive(Debug)]
struct Dies {
    at: &'static str,
    dead: AtomicBool,
}

impl Gate for Dies {
    fn pass(&self, call: &DiskCall<'_>) -> Permission {
        if call.changes && call.path.ends_with(self.at) {
            self.dead.store(true, Ordering::SeqCst);
        }
        match self.dead.load(Ordering::SeqCst) {
            true => Permission::Fail(io::Error::other("dead")),
            false if call.name == "sync" => Permission::Skip,
            false => Permission::Go,
        }
    }
}
