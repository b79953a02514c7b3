//! A move to another device: a copy is put in place, then the original set aside until all is done.

use super::Taken;
use crate::journal::bench::Bench;
use crate::journal::plan::JournalStep;
use crate::shape::PathShape;
use crate::write::{copy_tree, sync_parent};
use crate::write_error::WriteError;

pub(super) fn make(bench: &Bench, index: usize, step: &JournalStep) -> Result<(), WriteError> {
    let Bench { disk, .. } = bench;
    let (from, to) = (bench.source(step)?, bench.target(step)?);
    let (fresh, away) = (bench.fresh(index, step), bench.away(index, step));
    let changed = || WriteError::Changed { path: from.clone() };
    let found = PathShape::of(disk, &from)?.ok_or_else(changed)?;
    if step.before.as_ref().is_none_or(|before| before.inode != found.inode) {
        return Err(changed());
    }
    copy_tree(disk, &from, &fresh)?;
    sync_parent(disk, &fresh)?;
    disk.rename_new(&fresh, &to)?;
    sync_parent(disk, &to)?;
    disk.rename_new(&from, &away)?;
    sync_parent(disk, &from)?;
    if PathShape::of(disk, &away)?.is_some_and(|now| now.is(&found)) { Ok(()) } else { Err(changed()) }
}

pub(super) fn take_back(bench: &Bench, index: usize, step: &JournalStep) -> Result<Taken, WriteError> {
    let Bench { disk, .. } = bench;
    let (from, to) = (bench.source(step)?, bench.target(step)?);
    let (fresh, away) = (bench.fresh(index, step), bench.away(index, step));
    if disk.look(&away)?.is_some() {
        disk.rename_new(&away, &from)?;
        sync_parent(disk, &from)?;
    }
    // A copy that is not in place yet, or is no more, goes with all that stands ready.
    if disk.look(&fresh)?.is_some() {
        return Ok(Taken::Back);
    }
    let (Some(original), Some(copy)) = (PathShape::of(disk, &from)?, PathShape::of(disk, &to)?) else {
        return Ok(if disk.look(&from)?.is_some() { Taken::Back } else { Taken::Kept });
    };
    if !copy.holds(&original) || copy.mtime_ns != original.mtime_ns {
        return Ok(Taken::Kept);
    }
    disk.rename_new(&to, &fresh)?;
    if !PathShape::of(disk, &fresh)?.is_some_and(|now| now.is(&copy)) {
        disk.rename_new(&fresh, &to)?;
        return Ok(Taken::Kept);
    }
    sync_parent(disk, &to)?;
    Ok(Taken::Back)
}
