//! The trash: what records have removed or replaced, and how it is emptied.

use scrollback_format::time::Time;

use super::plan::{name, store};
use super::record::Record;
use super::{Journal, StepVerb};
use crate::journal_error::JournalError;
use crate::own::DataDir;
use crate::write::remove_tree;

/// Something that a record removed (of a tree of the user's also what it replaced) and that can still be had back, by [`Journal::undo`] or [`Journal::undo_at`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trashed {
    /// The record.
    pub number: u64,
    /// When.
    pub time: Time,
    /// What the record did, for people.
    pub title: String,
    /// Where it was, below the root.
    pub path: String,
    /// Files in it.
    pub files: u64,
    /// Bytes in it.
    pub bytes: u64,
}

/// Which originals to let go of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Prune {
    /// Those of records from before this time.
    pub before: Option<Time>,
    /// The oldest ones, until no more than this many bytes are kept.
    pub bytes: Option<u64>,
}

/// Everything in the trash of a data directory, the oldest first.
pub fn list(data: &DataDir) -> Result<Vec<Trashed>, JournalError> {
    Ok(super::record::list(data)?.iter().flat_map(trashed).collect())
}

fn trashed(record: &Record) -> Vec<Trashed> {
    // What an edit of a session replaces is had back by undoing it. A file of the user's that was replaced is worth listing.
    let taken = |verb: StepVerb| verb == StepVerb::Remove || verb == StepVerb::Replace && record.plan.tree;
    let removed = record
        .plan
        .steps
        .iter()
        .zip(&record.steps)
        .filter(|(_, step)| taken(step.verb) && !step.undone && record.is_undoable());
    removed
        .map(|(planned, step)| Trashed {
            number: record.number,
            time: record.time,
            title: record.title.clone(),
            path: step.path.clone(),
            files: planned.before.as_ref().map_or(0, |before| before.files.max(1)),
            bytes: step.saved,
        })
        .collect()
}

impl Journal {
    /// Everything in the trash, the oldest first.
    pub fn trash(&self) -> Result<Vec<Trashed>, JournalError> {
        Ok(self.records()?.iter().flat_map(trashed).collect())
    }

    /// Deletes the originals of a record for good. It can no longer be taken back, and says so.
    pub fn empty(&mut self, number: u64) -> Result<u64, JournalError> {
        let record = self.record(number)?;
        if record.emptied {
            return Ok(0);
        }
        let bytes = record.saved();
        // The mark first: a record that is half emptied must not look as if it could be taken back.
        store(&self.disk, &record.dir.join(name::EMPTIED), &serde_json::json!({ "bytes": bytes }))?;
        remove_tree(&self.disk, &record.dir.join(name::SAVED))?;
        Ok(bytes)
    }

    /// Deletes the originals of old records for good: which records, and how many bytes.
    pub fn prune(&mut self, prune: Prune) -> Result<Vec<(u64, u64)>, JournalError> {
        let records: Vec<Record> =
            self.records()?.into_iter().filter(|record| record.is_undoable()).collect();
        let mut kept: u64 = records.iter().map(Record::saved).sum();
        let mut pruned = Vec::new();
        for record in records {
            let old = prune.before.is_some_and(|before| record.time < before);
            let large = prune.bytes.is_some_and(|bytes| kept > bytes) && record.saved() > 0;
            if old || large {
                let bytes = self.empty(record.number)?;
                kept = kept.saturating_sub(bytes);
                pruned.push((record.number, bytes));
            }
        }
        Ok(pruned)
    }
}
