//! Lines at a file's end: one write that adds them, one cut that takes them off. The bytes stand ready in a file.

use super::Taken;
use crate::journal::bench::Bench;
use crate::journal::plan::JournalStep;
use crate::shape::{PathShape, hash_before, read_from};
use crate::stamp::mtime_ns;
use crate::write::grow;
use crate::write_error::WriteError;

pub(super) fn append(bench: &Bench, index: usize, step: &JournalStep) -> Result<(), WriteError> {
    let Bench { disk, .. } = bench;
    let target = bench.target(step)?;
    let before = unchanged(bench, step)?;
    let bytes = ours(bench, index, step)?;
    let mut handle = disk.open_append(&target)?;
    grow(disk, &mut handle, before.bytes, &bytes)?;
    if let Some(mtime_ns) = step.mtime_ns {
        disk.set_mtime(&handle, mtime_ns)?;
        disk.sync(&handle)?;
    }
    Ok(())
}

pub(super) fn take_append_back(bench: &Bench, index: usize, step: &JournalStep) -> Result<Taken, WriteError> {
    let Bench { disk, .. } = bench;
    let target = bench.target(step)?;
    let Some(before) = &step.before else { return Ok(Taken::Kept) };
    if !disk.look(&target)?.is_some_and(|meta| meta.is_file() && meta.len() >= before.bytes) {
        return Ok(Taken::Kept);
    }
    let ours = ours(bench, index, step)?;
    let mut handle = disk.open_write(&target)?;
    let added = read_from(disk, &mut handle, before.bytes, ours.len() as u64 + 1)?;
    let old = format!("{:016x}", hash_before(disk, &mut handle, before.bytes)?);
    if old != before.hash || !ours.starts_with(&added) {
        return Ok(Taken::Kept);
    }
    if !disk.cut(&handle, before.bytes + added.len() as u64, before.bytes)? {
        return Ok(Taken::Kept);
    }
    disk.set_mtime(&handle, before.mtime_ns)?;
    disk.sync(&handle)?;
    Ok(Taken::Back)
}

pub(super) fn cut(bench: &Bench, step: &JournalStep) -> Result<(), WriteError> {
    let Bench { disk, .. } = bench;
    let target = bench.target(step)?;
    let before = unchanged(bench, step)?;
    let handle = disk.open_write(&target)?;
    if !disk.cut(&handle, before.bytes, before.bytes.saturating_sub(step.bytes))? {
        return Err(WriteError::Changed { path: target });
    }
    if let Some(mtime_ns) = step.mtime_ns {
        disk.set_mtime(&handle, mtime_ns)?;
    }
    disk.sync(&handle)
}

pub(super) fn take_cut_back(bench: &Bench, index: usize, step: &JournalStep) -> Result<Taken, WriteError> {
    let Bench { disk, .. } = bench;
    let target = bench.target(step)?;
    let Some(before) = &step.before else { return Ok(Taken::Kept) };
    let ours = ours(bench, index, step)?;
    let end = before.bytes.saturating_sub(step.bytes);
    let mut handle = disk.open_append(&target)?;
    let added = read_from(disk, &mut handle, end, ours.len() as u64 + 1)?;
    if disk.look_at(&handle)?.len() < end || !ours.starts_with(&added) {
        return Ok(Taken::Kept);
    }
    if added.len() < ours.len() {
        if !disk.cut(&handle, end + added.len() as u64, end)? {
            return Ok(Taken::Kept);
        }
        grow(disk, &mut handle, end, &ours)?;
    }
    if mtime_ns(&disk.look_at(&handle)?) != before.mtime_ns {
        disk.set_mtime(&handle, before.mtime_ns)?;
        disk.sync(&handle)?;
    }
    Ok(Taken::Back)
}

/// What was there before, if it is still there.
fn unchanged<'s>(bench: &Bench, step: &'s JournalStep) -> Result<&'s PathShape, WriteError> {
    let target = bench.target(step)?;
    let now = PathShape::of(&bench.disk, &target)?;
    match &step.before {
        Some(before) if now.is_some_and(|now| now.is(before)) => Ok(before),
        _ => Err(WriteError::Changed { path: target }),
    }
}

fn ours(bench: &Bench, index: usize, step: &JournalStep) -> Result<Vec<u8>, WriteError> {
    let mut handle = bench.disk.open(&bench.fresh(index, step))?;
    read_from(&bench.disk, &mut handle, 0, step.bytes)
}
