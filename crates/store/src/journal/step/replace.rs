//! New content: it stands ready; the old file gets a second name aside, and a rename puts the new one over the first.

use super::Taken;
use crate::journal::bench::Bench;
use crate::journal::plan::JournalStep;
use crate::shape::PathShape;
use crate::write::{copy_tree, sync_parent};
use crate::write_error::WriteError;

pub(super) fn make(bench: &Bench, index: usize, step: &JournalStep) -> Result<(), WriteError> {
    let Bench { disk, .. } = bench;
    let (target, fresh, old) = (bench.target(step)?, bench.fresh(index, step), bench.old(index, step));
    let changed = || WriteError::Changed { path: target.clone() };
    let before = step.before.as_ref().ok_or_else(changed)?;
    if !PathShape::of(disk, &target)?.is_some_and(|now| now.is(before)) {
        return Err(changed());
    }
    disk.sync(&disk.open_write(&target)?)?;
    let linked = disk.link(&target, &old)?;
    if !linked {
        copy_tree(disk, &target, &old)?;
    }
    sync_parent(disk, &old)?;
    disk.rename(&fresh, &target)?;
    sync_parent(disk, &target)?;
    // What a client wrote into the old file up to the rename is in the one set aside, and shows there.
    let same = |now: PathShape| if linked { now.is(before) } else { now.holds(before) };
    if PathShape::of(disk, &old)?.is_some_and(same) { Ok(()) } else { Err(changed()) }
}

pub(super) fn take_back(bench: &Bench, index: usize, step: &JournalStep) -> Result<Taken, WriteError> {
    let Bench { disk, .. } = bench;
    let (target, fresh, old) = (bench.target(step)?, bench.fresh(index, step), bench.old(index, step));
    if disk.look(&fresh)?.is_some() {
        // The rename has not happened.
        disk.remove_file(&old)?;
        return Ok(Taken::Back);
    }
    if disk.look(&old)?.is_none() {
        return Ok(Taken::Back);
    }
    match PathShape::of(disk, &target)? {
        None => disk.rename_new(&old, &target)?,
        Some(there) if bench.is_after(&target, &there, step)? => {
            return over(bench, index, step, &there);
        }
        Some(_) => return Ok(Taken::Kept),
    }
    sync_parent(disk, &target)?;
    Ok(Taken::Back)
}

/// Puts the old file back over the new one. The new one keeps a second name until it is clear that nobody has written to
/// it up to the rename; if someone has, it is put in place again.
fn over(bench: &Bench, index: usize, step: &JournalStep, there: &PathShape) -> Result<Taken, WriteError> {
    let Bench { disk, .. } = bench;
    let (target, old, back) = (bench.target(step)?, bench.old(index, step), bench.back(index, step));
    disk.remove_file(&back)?;
    let linked = disk.link(&target, &back)?;
    disk.rename(&old, &target)?;
    sync_parent(disk, &target)?;
    if linked && !PathShape::of(disk, &back)?.is_some_and(|now| now.is(there)) {
        disk.link(&target, &old)?;
        disk.rename(&back, &target)?;
        return Ok(Taken::Kept);
    }
    Ok(Taken::Back)
}
