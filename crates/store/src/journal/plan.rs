//! The files of a record, as they are on disk. docs/internals/journal.md describes them.

use std::fmt;
use std::path::Path;

use scrollback_format::time::Time;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::disk::Disk;
use crate::journal_error::JournalError;
use crate::live::EditedSession;
use crate::shape::{PathShape, read_from};
use crate::write::{FileAttributes, put};

/// The form of these files. A record of a higher one is left alone.
pub const FORMAT: u32 = 1;

/// `plan.json`: everything that is needed to undo the record.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct UndoPlan {
    /// [`FORMAT`].
    pub format: u32,
    /// The record's number.
    pub number: u64,
    /// Six digits that distinguish it from another one with that number.
    pub id: String,
    /// When.
    pub time: Time,
    /// What it does, for people.
    pub title: String,
    /// The words of the command.
    pub command: Vec<String>,
    /// The store, or the directory that is changed, free of links.
    pub root: String,
    /// Is it no store, but a tree of the user's?
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub tree: bool,
    /// Sessions that must not be in use.
    #[serde(default)]
    pub sessions: Vec<EditedSession>,
    /// Which record it takes back, and which of its steps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undoes: Option<Undoes>,
    /// The steps, in order.
    pub steps: Vec<JournalStep>,
}

/// What a record takes back.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Undoes {
    /// The record.
    pub number: u64,
    /// Its steps.
    pub steps: Vec<usize>,
}

/// What a step does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StepVerb {
    /// A new file, or a copy of a folder.
    Create,
    /// A new folder.
    Make,
    /// New content for a file.
    Replace,
    /// Lines at a file's end.
    Append,
    /// Appended lines taken off again.
    Cut,
    /// Another name.
    Move,
    /// Another name on another device.
    Carry,
    /// Out of the trash again.
    Restore,
    /// To the trash.
    Remove,
}

impl fmt::Display for StepVerb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Create => "create",
            Self::Make => "make",
            Self::Replace => "replace",
            Self::Append => "append",
            Self::Cut => "cut",
            Self::Move | Self::Carry => "move",
            Self::Restore => "restore",
            Self::Remove => "remove",
        })
    }
}

/// One step.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct JournalStep {
    /// What it does.
    pub verb: StepVerb,
    /// Where, below the root; of a move, to where.
    pub path: String,
    /// Of a move, from where, below the root; of a restoring, below the journal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Bytes that it writes, moves, cuts or removes.
    pub bytes: u64,
    /// What was there before; of a move, what is moved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<PathShape>,
    /// What is put there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<PathShape>,
    /// The SHA-256 of the bytes that it writes or cuts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// The modification time that it sets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mtime_ns: Option<i64>,
    /// If the store is on another device than the journal: the folder on that device for what is about to be put in
    /// place, and for what was taken away until all is done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub work: Option<String>,
    /// Of a move to another device: the folder for what was moved until all is done, if it is not the record's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub away: Option<String>,
}

/// `draft.json`: folders outside of the record that belong to it. Written before they are made.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Draft {
    /// The folders.
    pub work: Vec<String>,
}

/// `committed.json`: all steps are done.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Committed {
    /// What each step left at its path, at the end of all.
    pub ends: Vec<Option<PathShape>>,
}

/// `rolled-back.json`: all steps are taken back.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct RolledBack {
    /// Paths that someone else had changed meanwhile, and that were left as they are.
    pub kept: Vec<String>,
}

/// `undone.json`: these steps were taken back by a later record.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Undone {
    /// Which ones.
    pub steps: Vec<usize>,
}

/// The names of a record's files.
pub mod name {
    /// See [`super::UndoPlan`].
    pub const PLAN: &str = "plan.json";
    /// See [`super::Draft`].
    pub const DRAFT: &str = "draft.json";
    /// See [`super::Committed`].
    pub const COMMITTED: &str = "committed.json";
    /// See [`super::RolledBack`].
    pub const ROLLED_BACK: &str = "rolled-back.json";
    /// See [`super::Undone`].
    pub const UNDONE: &str = "undone.json";
    /// There to say that the saved originals are deleted.
    pub const EMPTIED: &str = "emptied.json";
    /// See [`super::super::progress`].
    pub const PROGRESS: &str = "progress";
    /// The folder of saved originals, named by the number of their step.
    pub const SAVED: &str = "saved";
    /// The folder of what is about to be put in place.
    pub const WORK: &str = "work";
}

/// Writes a file of a record and waits for the disk.
pub(super) fn store<T: Serialize>(disk: &Disk, path: &Path, value: &T) -> Result<(), JournalError> {
    let damaged =
        |error: serde_json::Error| JournalError::Damaged { path: path.to_owned(), why: error.to_string() };
    let mut bytes = serde_json::to_vec_pretty(value).map_err(damaged)?;
    bytes.push(b'\n');
    Ok(put(disk, path, &bytes, FileAttributes::default(), true)?)
}

/// Reads a file of a record; none if it is not there.
pub(super) fn load<T: DeserializeOwned>(disk: &Disk, path: &Path) -> Result<Option<T>, JournalError> {
    let Some(bytes) = read(disk, path)? else { return Ok(None) };
    match serde_json::from_slice(&bytes) {
        Ok(value) => Ok(Some(value)),
        Err(error) => Err(JournalError::Damaged { path: path.to_owned(), why: error.to_string() }),
    }
}

/// A whole small file of ours; none if it is not there.
pub(super) fn read(disk: &Disk, path: &Path) -> Result<Option<Vec<u8>>, JournalError> {
    let Some(meta) = disk.look(path)? else { return Ok(None) };
    Ok(Some(read_from(disk, &mut disk.open(path)?, 0, meta.len())?))
}

/// Reads a record's plan, and refuses one of a newer version.
pub(super) fn load_plan(disk: &Disk, dir: &Path) -> Result<Option<UndoPlan>, JournalError> {
    let path = dir.join(name::PLAN);
    let Some(bytes) = read(disk, &path)? else { return Ok(None) };
    let damaged = |why: String| JournalError::Damaged { path: path.clone(), why };
    let value: serde_json::Value =
        serde_json::from_slice(&bytes).map_err(|error| damaged(error.to_string()))?;
    let format = value.get("format").and_then(serde_json::Value::as_u64);
    if format != Some(u64::from(FORMAT)) {
        return Err(damaged("it was written by another version of this program".to_owned()));
    }
    serde_json::from_value(value).map(Some).map_err(|error| damaged(error.to_string()))
}
