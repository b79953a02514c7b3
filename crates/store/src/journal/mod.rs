//! Changes to the tree that are made whole or not at all, and that can be taken back.
//!
//! A [`Transaction`] is a list of changes that can be shown before it is applied. [`Journal::apply`] first writes a
//! *record* into our own directory: what is going to be done, what was there, and the originals. Then it makes the
//! changes, and then a mark that all are made. If a step fails, or the process dies, what was made is taken back: at once,
//! or when the journal is next opened. [`Journal::undo`] is itself a transaction, so all of this holds for it as well.
//!
//! ```text
//! <data>/lock                          held while one process edits
//! <data>/journal/000007-3f9a2c/        a record; its files are described in docs/internals/journal.md
//! ```
//!
//! What is not here: no meaning of what is changed, no clock, and no place in the store but what the changes name.

mod apply;
mod bench;

mod interrupted;
mod op;
mod origin;
mod plan;
mod prepare;
mod progress;
mod record;
mod recover;
mod step;
mod stop;
mod task;
mod transaction;
pub mod trash;
mod undo;

use std::path::{Path, PathBuf};

pub use crate::journal_error::{JournalError, TreeOutcome};
pub use interrupted::{interrupted, is_at_work, is_unended};
pub use op::{ByteSource, Make, Op};
pub use plan::StepVerb;
pub use record::{Record, RecordState, RecordStep, find, list};
pub use recover::Recovered;
pub use stop::JournalStop;
pub use transaction::Transaction;
pub use trash::{Prune, Trashed};

use crate::disk::Disk;
use crate::own::{DataDir, DataLock};

/// The journal, open for editing: no other process edits meanwhile.
#[derive(Debug)]
pub struct Journal {
    disk: Disk,
    dir: PathBuf,
    lock: DataLock,
    recovered: Vec<Recovered>,
    discarded: Vec<u64>,
    /// The last record may be half made: it is rolled back before the next one begins.
    unsettled: bool,
    stop: JournalStop,
    command: Vec<String>,
}

impl Journal {
    /// Opens the journal of a data directory, takes its lock, and takes back what a process that died left half done.
    pub fn open(data: &DataDir) -> Result<Self, JournalError> {
        Self::open_on(data, Disk::real())
    }

    /// The same behind a gate.
    pub fn open_on(data: &DataDir, disk: Disk) -> Result<Self, JournalError> {
        let lock = data.lock()?;
        let dir = data.journal();
        if disk.look(&dir)?.is_none() {
            disk.make_dirs(&dir)?;
            disk.sync_dir(data.path())?;
        }
        let (recovered, discarded, stop, command) = Default::default();
        let mut journal = Self { disk, dir, lock, recovered, discarded, unsettled: true, stop, command };
        journal.settle()?;
        Ok(journal)
    }

    /// Changes are stopped when this is set, between two steps: what was made is rolled back.
    pub fn stopping_at(mut self, stop: JournalStop) -> Self {
        self.stop = stop;
        self
    }

    /// The words of the command that asks, for the record of an undo. A transaction brings its own.
    pub fn asked_by(mut self, command: &[String]) -> Self {
        self.command = command.to_vec();
        self
    }

    /// What opening it found half done, and took back.
    pub fn recovered(&self) -> &[Recovered] {
        &self.recovered
    }

    /// The numbers of records that opening it found begun by processes that died before they had changed anything.
    pub fn discarded(&self) -> &[u64] {
        &self.discarded
    }

    /// All records, the oldest first.
    pub fn records(&self) -> Result<Vec<Record>, JournalError> {
        record::read_all(&self.disk, &self.dir)
    }

    /// The lock that is held, for other files of ours.
    pub fn lock(&self) -> &DataLock {
        &self.lock
    }

    fn path_of(&self, name: &str) -> PathBuf {
        self.dir.join(name)
    }

    fn records_dir(&self) -> &Path {
        &self.dir
    }
}
