//! To the trash: a rename out of the tree, and a second look at what was taken.

use super::Taken;
use crate::journal::bench::Bench;
use crate::journal::plan::JournalStep;
use crate::shape::PathShape;
use crate::write::sync_parent;
use crate::write_error::WriteError;

pub(super) fn make(bench: &Bench, index: usize, step: &JournalStep) -> Result<(), WriteError> {
    let Bench { disk, .. } = bench;
    let (target, old) = (bench.target(step)?, bench.old(index, step));
    let changed = || WriteError::Changed { path: target.clone() };
    let before = step.before.as_ref().ok_or_else(changed)?;
    if !PathShape::of(disk, &target)?.is_some_and(|now| now.is(before)) {
        return Err(changed());
    }
    disk.rename_new(&target, &old)?;
    sync_parent(disk, &target)?;
    sync_parent(disk, &old)?;
    if PathShape::of(disk, &old)?.is_some_and(|now| now.is(before)) { Ok(()) } else { Err(changed()) }
}

pub(super) fn take_back(bench: &Bench, index: usize, step: &JournalStep) -> Result<Taken, WriteError> {
    let Bench { disk, .. } = bench;
    let (target, old) = (bench.target(step)?, bench.old(index, step));
    if disk.look(&old)?.is_none() {
        return Ok(Taken::Back);
    }
    disk.rename_new(&old, &target)?;
    sync_parent(disk, &target)?;
    Ok(Taken::Back)
}
