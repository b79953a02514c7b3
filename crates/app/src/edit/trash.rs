//! The trash: what edits have removed, had back or let go of for good.

use std::path::{Path, PathBuf};

use scrollback_format::time::Time;
use scrollback_store::journal::{self, JournalError, Trashed, trash};
use scrollback_store::live::Watch;
use scrollback_store::{DataDir, Journal, Place};
use serde::Serialize;

use super::journal::RecordView;
use crate::error::AppError;
use crate::view::time;

/// Something that an edit removed (of files that were restored also what was there before), and that can still be had back.
#[derive(Debug, Clone, Serialize)]
pub struct TrashedView {
    /// The edit.
    pub number: u64,
    /// When.
    #[serde(serialize_with = "time")]
    pub time: Option<Time>,
    /// What the edit did.
    pub title: String,
    /// The store or the directory that it was in.
    #[serde(serialize_with = "crate::view::path")]
    pub root: PathBuf,
    /// Where it was, below the root.
    pub path: String,
    /// Files in it.
    pub files: u64,
    /// Bytes in it.
    pub bytes: u64,
}

/// What was let go of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct EmptiedView {
    /// The edit, which cannot be taken back any more.
    pub number: u64,
    /// Bytes of originals that were deleted.
    pub bytes: u64,
}

/// Everything in the trash, the oldest first. Makes no directory.
pub fn trashed(data: &Path) -> Result<Vec<TrashedView>, AppError> {
    if !data.is_dir() {
        return Ok(Vec::new());
    }
    let data = DataDir::open(data)?;
    let records = journal::list(&data)?;
    let root = |number: u64| records.iter().find(|record| record.number == number).map(|record| &record.root);
    let view = |item: Trashed| TrashedView {
        root: root(item.number).cloned().unwrap_or_default(),
        number: item.number,
        time: Some(item.time),
        title: item.title,
        path: item.path,
        files: item.files,
        bytes: item.bytes,
    };
    Ok(trash::list(&data)?.into_iter().map(view).collect())
}

/// Has what an edit removed back: all of it, or only these paths below the root and what is in them.
pub fn restore(number: u64, paths: &[String], data: &Path, watch: &Watch) -> Result<RecordView, AppError> {
    if !data.is_dir() {
        return Err(JournalError::NoSuchRecord(number).into());
    }
    if paths.is_empty() {
        return super::journal::undo(Some(number), data, watch);
    }
    let places: Result<Vec<Place>, _> = paths.iter().map(|path| Place::new(path)).collect();
    let mut journal = Journal::open(&DataDir::open(data)?)?;
    Ok(RecordView::of(&journal.undo_at(number, &places?, watch)?))
}

/// Deletes originals for good: those of one edit, or of all that could still be taken back.
pub fn empty(number: Option<u64>, data: &Path) -> Result<Vec<EmptiedView>, AppError> {
    if !data.is_dir() {
        return match number {
            Some(number) => Err(JournalError::NoSuchRecord(number).into()),
            None => Ok(Vec::new()),
        };
    }
    let mut journal = Journal::open(&DataDir::open(data)?)?;
    let numbers: Vec<u64> = match number {
        Some(number) => vec![journal.record(number)?.number],
        None => journal
            .records()?
            .iter()
            .filter(|record| record.saved() > 0)
            .map(|record| record.number)
            .collect(),
    };
    let mut emptied = Vec::new();
    for number in numbers {
        emptied.push(EmptiedView { number, bytes: journal.empty(number)? });
    }
    Ok(emptied)
}
