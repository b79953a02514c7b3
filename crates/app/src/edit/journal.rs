//! Making a plan's changes, taking them back, and listing both.

use std::path::{Path, PathBuf};

use scrollback_format::time::Time;
use scrollback_store::journal::{self, Record, RecordState, RecordStep};
use scrollback_store::live::Watch;
use scrollback_store::{DataDir, Journal, Root};
use serde::Serialize;

use super::lock;
use super::plan::Plan;
use crate::error::AppError;
use crate::view::time;

/// One record of the journal.
#[derive(Debug, Clone, Serialize)]
pub struct RecordView {
    /// Its number, which `undo` takes.
    pub number: u64,
    /// When.
    #[serde(serialize_with = "time")]
    pub time: Option<Time>,
    /// What it does.
    pub title: String,
    /// The words of the command.
    pub command: Vec<String>,
    /// The store, or the directory that files were restored to.
    #[serde(serialize_with = "crate::view::path")]
    pub root: PathBuf,
    /// `committed`, `partly_undone`, `undone`, `rolled_back` or `open`.
    pub state: &'static str,
    /// Which record it takes back, if that is what it does.
    pub undoes: Option<u64>,
    /// Can it be taken back, as far as the record itself tells?
    pub undoable: bool,
    /// Its originals are deleted.
    pub emptied: bool,
    /// Bytes that it wrote.
    pub bytes: u64,
    /// Bytes of originals that the journal keeps for it.
    pub saved: u64,
    /// Its steps.
    pub steps: Vec<RecordStepView>,
    /// Paths that were changed by someone else while it was taken back, and left as they are.
    pub kept: Vec<String>,
}

/// One step of a record.
#[derive(Debug, Clone, Serialize)]
pub struct RecordStepView {
    /// `create`, `append`, `replace`, `move`, `carry`, `remove`, `make`, `cut` or `restore`.
    pub verb: String,
    /// Where, below the root; of a move, to where.
    pub path: String,
    /// Of a move, from where.
    pub from: Option<String>,
    /// Bytes that it writes, moves, cuts or removes.
    pub bytes: u64,
    /// It was taken back.
    pub undone: bool,
}

/// Makes the changes of a plan, all or none. `data` is our own directory.
pub fn apply(plan: &Plan, data: &Path, watch: &Watch) -> Result<RecordView, AppError> {
    let mut journal = Journal::open(&DataDir::open(data)?)?;
    let paths = plan.transaction.ops().iter().map(|op| op.path().as_str());
    lock::holding(plan.transaction.root(), paths, watch, || {
        Ok(RecordView::of(&journal.apply(&plan.transaction, watch)?))
    })
}

/// Takes a record back, all or nothing; the last one that can be if no number is given.
pub fn undo(number: Option<u64>, data: &Path, watch: &Watch) -> Result<RecordView, AppError> {
    let number = match number {
        Some(number) => number,
        None => last_undoable(data)?,
    };
    if !data.is_dir() {
        return Err(journal::JournalError::NoSuchRecord(number).into());
    }
    let mut journal = Journal::open(&DataDir::open(data)?)?;
    let record = journal.record(number)?;
    let paths = record.steps.iter().map(|step| step.path.as_str());
    lock::holding(&Root::new(&record.root), paths, watch, || {
        Ok(RecordView::of(&journal.undo(number, watch)?))
    })
}

/// The newest record before this one that can be taken back as things are; none if there is none.
pub fn undoable_before(number: u64, data: &Path) -> Result<Option<RecordView>, AppError> {
    let journal = Journal::open(&DataDir::open(data)?)?;
    let older = journal.records()?.into_iter().rev().filter(|record| record.number < number);
    let found = older.filter(Record::is_undoable).find(|record| journal.check_undo(record.number).is_ok());
    Ok(found.as_ref().map(RecordView::of))
}

/// All records, the oldest first. Makes no directory.
pub fn list(data: &Path) -> Result<Vec<RecordView>, AppError> {
    if !data.is_dir() {
        return Ok(Vec::new());
    }
    let records = journal::list(&DataDir::open(data)?)?;
    Ok(records.iter().map(RecordView::of).collect())
}

fn last_undoable(data: &Path) -> Result<u64, AppError> {
    let last = list(data)?.into_iter().rev().find(|record| record.undoable);
    last.map(|record| record.number).ok_or_else(|| AppError::NothingToEdit("there is nothing to undo".into()))
}

impl RecordView {
    /// The view of a record.
    pub fn of(record: &Record) -> Self {
        Self {
            number: record.number,
            time: Some(record.time),
            title: record.title.clone(),
            command: record.command.clone(),
            root: record.root.clone(),
            state: match record.state {
                RecordState::Committed => "committed",
                RecordState::PartlyUndone => "partly_undone",
                RecordState::Undone => "undone",
                RecordState::RolledBack => "rolled_back",
                RecordState::Open => "open",
            },
            undoes: record.undoes,
            undoable: record.is_undoable(),
            emptied: record.emptied,
            bytes: record.bytes(),
            saved: record.saved(),
            steps: record.steps.iter().map(RecordStepView::of).collect(),
            kept: record.kept.clone(),
        }
    }
}

impl RecordStepView {
    fn of(step: &RecordStep) -> Self {
        Self {
            verb: step.verb.to_string(),
            path: step.path.clone(),
            from: step.from.clone(),
            bytes: step.bytes,
            undone: step.undone,
        }
    }
}
