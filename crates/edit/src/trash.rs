//! The trash: what edits have removed, to restore or to delete for good.

use std::path::{Path, PathBuf};

use scrollback_format::time::Time;
use scrollback_store::journal::{self, JournalError, Trashed, trash};
use scrollback_store::live::LiveCheck;
use scrollback_store::{DataDir, Journal, Place};
use serde::{Deserialize, Serialize};

use super::journal::{Editor, RecordView, UndoneView, recovered};
use super::recovered::RecoveredView;
use scrollback_session::error::AppError;

/// Something that an edit removed (for restored files also what was there before), and that can still be restored.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct TrashedView {
    /// The edit.
    pub number: u64,
    /// When.
    #[serde(with = "scrollback_session::view::time")]
    #[schemars(with = "Option<String>")]
    pub time: Option<Time>,
    /// What the edit did.
    pub title: String,
    /// The store or the directory that it was in.
    #[serde(with = "scrollback_session::view::path")]
    #[schemars(with = "String")]
    pub root: PathBuf,
    /// Where it was, below the root.
    pub path: String,
    /// Files in it.
    pub files: u64,
    /// Bytes in it.
    pub bytes: u64,
}

/// What was deleted for good.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct EmptiedView {
    /// The edit, which can no longer be undone.
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

/// Restores what an edit removed: all of it, or only these paths below the root and what is in them.
pub fn restore(
    number: u64,
    paths: &[String],
    data: &Path,
    watch: &LiveCheck,
) -> Result<RecordView, AppError> {
    let none = || JournalError::NoSuchRecord(number).into();
    restore_noting(&Editor::new(data, watch), number, paths, &mut Vec::new())?.record.ok_or_else(none)
}

/// The same at a front's editor. Interrupted edits that were rolled back first are noted even if it fails.
pub fn restore_noting(
    editor: &Editor,
    number: u64,
    paths: &[String],
    noted: &mut Vec<RecoveredView>,
) -> Result<UndoneView, AppError> {
    if paths.is_empty() || !editor.data.is_dir() {
        return editor.undo_noting(Some(number), noted);
    }
    let places: Result<Vec<Place>, _> = paths.iter().map(|path| Place::new(path)).collect();
    let mut journal = editor.journal()?;
    let recovered = recovered(&journal);
    noted.clone_from(&recovered);
    let record = RecordView::of(&journal.undo_at(number, &places?, &editor.watch)?);
    Ok(UndoneView { record: Some(record), recovered, next: None })
}

/// Deletes originals for good: those of one edit, or of all that could still be undone.
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
