//! Is an edit half made? Asked by those who only read, so it costs next to nothing where there is none: two folders are
//! listed, and no file is opened. The lock is tried only if there is one.
//!
//! Opening the journal rolls back what is open before it begins a record, so only the newest record can be open.

use std::path::Path;

use super::plan::name;
use super::record::{self, Record, RecordState};
use crate::disk::Disk;
use crate::journal_error::JournalError;
use crate::own;

/// The record that a process which died has left half made. None while another process is at work: it is no more than that.
/// Makes no directory.
pub fn interrupted(data: &Path) -> Result<Option<Record>, JournalError> {
    let (disk, journal) = (Disk::real(), data.join(own::JOURNAL));
    if !newest(&disk, &journal)?.is_some_and(|ending| ending.planned) {
        return Ok(None);
    }
    let Some(_idle) = own::idle(data) else { return Ok(None) };
    // Once more, now that nobody is at work: it may have ended meanwhile.
    let Some(Unended { number, planned: true }) = newest(&disk, &journal)? else { return Ok(None) };
    let dir = record::find_dir(&disk, &journal, number)?;
    Ok(record::read(&disk, &dir)?.filter(|record| record.state == RecordState::Open))
}

/// Has the newest record no end: is it at work, or left by a process that died? Makes no directory.
pub fn is_unended(data: &Path) -> Result<bool, JournalError> {
    Ok(newest(&Disk::real(), &data.join(own::JOURNAL))?.is_some())
}

/// Is a process at work in the journal of a data directory?
pub fn is_at_work(data: &Path) -> bool {
    own::idle(data).is_none()
}

/// A record without an end.
struct Unended {
    number: u64,
    /// Has it a plan? Without one it has changed nothing.
    planned: bool,
}

/// The newest record, if it has no end.
fn newest(disk: &Disk, journal: &Path) -> Result<Option<Unended>, JournalError> {
    let Some((number, dir)) = record::dirs(disk, journal)?.pop() else { return Ok(None) };
    let names = disk.list(&dir)?;
    let has = |name: &str| names.iter().any(|other| other == name);
    let ended = has(name::COMMITTED) || has(name::ROLLED_BACK);
    Ok((!ended).then(|| Unended { number, planned: has(name::PLAN) }))
}
