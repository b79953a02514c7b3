//! A new file or folder: it stands ready, and a rename puts it in place.

use super::Taken;
use crate::journal::bench::Bench;
use crate::journal::plan::JournalStep;
use crate::shape::{PathKind, PathShape};
use crate::write::sync_parent;
use crate::write_error::WriteError;

pub(super) fn make(bench: &Bench, index: usize, step: &JournalStep) -> Result<(), WriteError> {
    let target = bench.target(step)?;
    bench.disk.rename_new(&bench.fresh(index, step), &target)?;
    sync_parent(&bench.disk, &target)
}

pub(super) fn take_back(bench: &Bench, index: usize, step: &JournalStep) -> Result<Taken, WriteError> {
    let Bench { disk, .. } = bench;
    let (target, fresh) = (bench.target(step)?, bench.fresh(index, step));
    let there = PathShape::of(disk, &target)?;
    if let Some(ready) = PathShape::of(disk, &fresh)? {
        // Where a rename cannot spare what it would replace, the file had two names for a moment.
        if there.as_ref().is_some_and(|there| {
            there.kind == PathKind::File && there.inode != 0 && there.inode == ready.inode
        }) {
            disk.remove_file(&target)?;
        } else if !bench.is_after(&fresh, &ready, step)? {
            // It was taken away, had grown in between, and the process died before it put it back.
            disk.rename_new(&fresh, &target)?;
            return Ok(Taken::Kept);
        }
        return Ok(Taken::Back);
    }
    let Some(there) = there else { return Ok(Taken::Back) };
    if !bench.is_after(&target, &there, step)? {
        return Ok(Taken::Kept);
    }
    // Away with it first, then a second look: what came in between is put back.
    disk.rename_new(&target, &fresh)?;
    if !PathShape::of(disk, &fresh)?.is_some_and(|now| now.is(&there)) {
        disk.rename_new(&fresh, &target)?;
        return Ok(Taken::Kept);
    }
    sync_parent(disk, &target)?;
    Ok(Taken::Back)
}
