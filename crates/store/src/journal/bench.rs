//! Where a record's things are: the tree, the record's own folder, and what stands ready or aside.

use std::path::{Path, PathBuf};

use super::plan::{JournalStep, name};
use super::stop::JournalStop;
use crate::disk::Disk;
use crate::place::Place;
use crate::shape::{PathKind, PathShape, sha256_of};
use crate::write_error::WriteError;

/// A record at work.
#[derive(Debug, Clone)]
pub(super) struct Bench {
    pub disk: Disk,
    /// The store, free of links.
    pub root: PathBuf,
    /// The folder of all records.
    pub journal: PathBuf,
    /// The folder of this one.
    pub dir: PathBuf,
    /// Set when the changes are to be stopped.
    pub stop: JournalStop,
}

impl Bench {
    /// Goes on, unless the changes are to be stopped.
    pub fn go_on(&self) -> Result<(), WriteError> {
        if self.stop.is_set() { Err(WriteError::Stopped) } else { Ok(()) }
    }

    /// What the step changes. Asked anew each time: a link may have come in between.
    pub fn target(&self, step: &JournalStep) -> Result<PathBuf, WriteError> {
        Place::new(&step.path)?.resolve(&self.disk, &self.root)
    }

    /// What a move or a restoring takes.
    pub fn source(&self, step: &JournalStep) -> Result<PathBuf, WriteError> {
        let from = Place::new(step.from.as_deref().unwrap_or_default())?;
        match step.verb {
            super::plan::StepVerb::Restore => Ok(self.journal.join(from.as_str())),
            _ => from.resolve(&self.disk, &self.root),
        }
    }

    /// What is about to be put in place; of an append or a cut, its bytes.
    pub fn fresh(&self, index: usize, step: &JournalStep) -> PathBuf {
        match &step.work {
            Some(work) => Path::new(work).join(format!("{index}.new")),
            None => self.work().join(format!("{index}.new")),
        }
    }

    /// A second name for what was put in place, while the old file is put back over it.
    pub fn back(&self, index: usize, step: &JournalStep) -> PathBuf {
        self.fresh(index, step).with_extension("back")
    }

    /// What was taken away, on the device that it was on.
    pub fn old(&self, index: usize, step: &JournalStep) -> PathBuf {
        match &step.work {
            Some(work) => Path::new(work).join(format!("{index}.old")),
            None => self.saved(index),
        }
    }

    /// What was moved to another device, on the one that it was on.
    pub fn away(&self, index: usize, step: &JournalStep) -> PathBuf {
        match &step.away {
            Some(away) => Path::new(away).join(format!("{index}.away")),
            None => self.work().join(format!("{index}.away")),
        }
    }

    /// The original, for an undo.
    pub fn saved(&self, index: usize) -> PathBuf {
        self.dir.join(name::SAVED).join(index.to_string())
    }

    pub fn work(&self) -> PathBuf {
        self.dir.join(name::WORK)
    }

    /// Is there still what the step put there? The very same, or other bytes with the same hash.
    pub fn is_after(&self, path: &Path, there: &PathShape, step: &JournalStep) -> Result<bool, WriteError> {
        let Some(after) = &step.after else { return Ok(false) };
        // Another inode with the same time, mode, length and hash is what the undo of a later change has put back.
        if there.is(&PathShape { inode: 0, ..after.clone() }) {
            return Ok(true);
        }
        let Some(sha256) = &step.sha256 else { return Ok(false) };
        let alike =
            there.kind == PathKind::File && after.kind == PathKind::File && there.bytes == after.bytes;
        Ok(alike && sha256_of(&self.disk, path)? == *sha256)
    }
}
