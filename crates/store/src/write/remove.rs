//! Removing for good. What a user removes goes to the trash instead, which is [`crate::journal`]'s.

use std::path::Path;

use super::sync_parent;
use crate::disk::Disk;
use crate::shape::PathShape;
use crate::write_error::{FileState, WriteError};

/// Removes what is still of this shape, a folder with all that is in it.
pub fn remove(disk: &Disk, path: &Path, expected: &PathShape) -> Result<(), WriteError> {
    if !PathShape::of(disk, path)?.is_some_and(|now| now.is(expected)) {
        return Err(WriteError::Changed { path: path.to_owned() });
    }
    remove_tree(disk, path)?;
    sync_parent(disk, path).map_err(|error| error.leaving(FileState::New))
}

/// Removes whatever is there, if anything is. Links are removed, not followed.
pub(crate) fn remove_tree(disk: &Disk, path: &Path) -> Result<(), WriteError> {
    let Some(meta) = disk.look(path)? else { return Ok(()) };
    if !meta.is_dir() {
        return disk.remove_file(path);
    }
    for name in disk.list(path)? {
        remove_tree(disk, &path.join(name))?;
    }
    disk.remove_dir(path)
}
