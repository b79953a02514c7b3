//! The ledger of usage: a file of ours that the user asked for, replaced as a whole under the lock of the data directory.

use crate::disk::Disk;
use crate::journal_error::JournalError;
use crate::own::DataDir;
use crate::small;
use crate::write::{FileAttributes, put};

/// More than any number of sessions comes to.
const LIMIT: u64 = 1 << 30;

/// Its text; none if the user wants none.
pub fn load(data: &DataDir) -> Result<Option<String>, JournalError> {
    let path = data.usage_ledger();
    match small::read(&path, LIMIT) {
        Ok((bytes, _)) => match String::from_utf8(bytes) {
            Ok(text) => Ok(Some(text)),
            Err(error) => Err(JournalError::Damaged { path, why: error.to_string() }),
        },
        Err(error) if error.is_gone() => Ok(None),
        Err(error) => Err(JournalError::Damaged { path, why: error.source.to_string() }),
    }
}

/// Changes it: `change` is given its text, and gives the new one, or none if it is to stay as it is.
pub fn change(
    data: &DataDir,
    change: impl FnOnce(Option<String>) -> Option<String>,
) -> Result<(), JournalError> {
    let _lock = data.lock()?;
    let before = load(data)?;
    let Some(after) = change(before.clone()) else { return Ok(()) };
    if before.as_deref() == Some(after.as_str()) {
        return Ok(());
    }
    Ok(put(&Disk::real(), &data.usage_ledger(), after.as_bytes(), FileAttributes::default(), true)?)
}

/// Throws it away.
pub fn remove(data: &DataDir) -> Result<(), JournalError> {
    let _lock = data.lock()?;
    let disk = Disk::real();
    let path = data.usage_ledger();
    if disk.look(&path)?.is_some() {
        disk.remove_file(&path)?;
    }
    Ok(())
}
