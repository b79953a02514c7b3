//! Another name: within the tree, or out of the trash into it. Whatever the content is by then, nothing is lost.

use super::Taken;
use crate::disk::Disk;
use crate::journal::bench::Bench;
use crate::journal::plan::JournalStep;
use crate::stamp::inode;
use crate::write::sync_parent;
use crate::write_error::WriteError;
use std::path::Path;

pub(super) fn make(bench: &Bench, step: &JournalStep) -> Result<(), WriteError> {
    let Bench { disk, .. } = bench;
    let (from, to) = (bench.source(step)?, bench.target(step)?);
    if !is_moved(disk, &from, step)? {
        return Err(WriteError::Changed { path: from });
    }
    disk.rename_new(&from, &to)?;
    sync_parent(disk, &to)?;
    sync_parent(disk, &from)
}

pub(super) fn take_back(bench: &Bench, step: &JournalStep) -> Result<Taken, WriteError> {
    let Bench { disk, .. } = bench;
    let (from, to) = (bench.source(step)?, bench.target(step)?);
    let left = disk.look(&from)?;
    if !is_moved(disk, &to, step)? {
        return Ok(if left.is_some() { Taken::Back } else { Taken::Kept });
    }
    match left {
        None => disk.rename_new(&to, &from)?,
        // Two names for a moment, where a rename cannot spare what it would replace.
        Some(meta) if meta.is_file() && inode(&meta) != 0 && is_moved(disk, &from, step)? => {
            disk.remove_file(&to)?;
        }
        Some(_) => return Ok(Taken::Kept),
    }
    sync_parent(disk, &to)?;
    sync_parent(disk, &from)?;
    Ok(Taken::Back)
}

/// Is what is to be moved here?
fn is_moved(disk: &Disk, path: &Path, step: &JournalStep) -> Result<bool, WriteError> {
    let Some(before) = &step.before else { return Ok(false) };
    Ok(disk.look(path)?.is_some_and(|meta| inode(&meta) == before.inode))
}
