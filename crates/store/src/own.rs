//! Our own data directory: the journal with the trash, and what users say about sessions. For the user alone, never inside
//! a store. Unlike the cache, deleting it loses something: what could still be taken back.

#![allow(clippy::disallowed_methods, reason = "the lock is a file of ours, not of the store")]

use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};

use crate::disk::Disk;
use crate::journal_error::JournalError;
use crate::platform;
use crate::write::FOLDER_MODE;
use crate::write_error::WriteError;

/// The lock.
const LOCK: &str = "lock";

/// The folder of records.
pub(crate) const JOURNAL: &str = "journal";

/// The data directory.
#[derive(Debug, Clone)]
pub struct DataDir {
    path: PathBuf,
}

/// Held while one process edits. Given back when dropped, or when the process ends, however it ends.
#[derive(Debug)]
pub struct DataLock {
    _file: File,
}

/// No edits while this is held: a shared lock for readers.
#[derive(Debug)]
pub(crate) struct Idle {
    _file: Option<File>,
}

/// Sees to it that no process edits, without making anything; none if one does.
pub(crate) fn idle(data: &Path) -> Option<Idle> {
    // Without a lock nobody has ever edited.
    let Ok(file) = File::open(data.join(LOCK)) else { return Some(Idle { _file: None }) };
    match file.try_lock_shared() {
        Err(TryLockError::WouldBlock) => None,
        _ => Some(Idle { _file: Some(file) }),
    }
}

impl DataDir {
    /// Opens the directory, made for the user alone if it is not there.
    pub fn open(path: &Path) -> Result<Self, WriteError> {
        let disk = Disk::real();
        disk.make_dirs(path)?;
        let path = disk.real_path(path)?;
        if disk.look(&path)?.is_some_and(|meta| platform::mode(&meta) & 0o077 != 0) {
            disk.set_mode(&disk.open(&path)?, FOLDER_MODE)?;
        }
        Ok(Self { path })
    }

    /// Where it is, free of links.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where records are.
    pub fn journal(&self) -> PathBuf {
        self.path.join(JOURNAL)
    }

    /// What users say about sessions.
    pub fn notes(&self) -> PathBuf {
        self.path.join("data.json")
    }

    /// The sums of sessions that may be gone.
    pub fn usage_ledger(&self) -> PathBuf {
        self.path.join("usage-ledger.jsonl")
    }

    /// Takes the lock; an error if another process has it.
    pub fn lock(&self) -> Result<DataLock, JournalError> {
        let path = self.path.join(LOCK);
        let io = |source| WriteError::io("lock", &path, source);
        let mut options = OpenOptions::new();
        options.create(true).append(true);
        platform::private(&mut options);
        let file = options.open(&path).map_err(io)?;
        match file.try_lock() {
            Ok(()) => Ok(DataLock { _file: file }),
            Err(TryLockError::WouldBlock) => Err(JournalError::Busy { lock: path }),
            Err(TryLockError::Error(error)) => Err(io(error).into()),
        }
    }
}
