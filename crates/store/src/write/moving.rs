//! Another name for a file or a folder, on the same device or on another one.

use std::io::ErrorKind;
use std::path::Path;

use super::{copy_tree, remove_tree, sync_parent};
use crate::disk::Disk;
use crate::shape::PathShape;
use crate::write_error::{FileState, WriteError};

/// Moves what is still of this shape to a name that is free. To another device it is copied, and removed only when the
/// copy is on the disk.
pub fn move_to(disk: &Disk, from: &Path, to: &Path, expected: &PathShape) -> Result<(), WriteError> {
    if !PathShape::of(disk, from)?.is_some_and(|now| now.is(expected)) {
        return Err(WriteError::Changed { path: from.to_owned() });
    }
    match disk.rename_new(from, to) {
        Err(WriteError::Io { source, .. }) if source.kind() == ErrorKind::CrossesDevices => {
            return carry(disk, from, to, expected);
        }
        other => other?,
    }
    let sync = sync_parent(disk, to).and_then(|()| sync_parent(disk, from));
    sync.map_err(|error| error.leaving(FileState::New))
}

fn carry(disk: &Disk, from: &Path, to: &Path, expected: &PathShape) -> Result<(), WriteError> {
    if disk.look(to)?.is_some() {
        return Err(WriteError::Exists { path: to.to_owned() });
    }
    let copy = || {
        copy_tree(disk, from, to)?;
        sync_parent(disk, to)?;
        match PathShape::of(disk, from)?.is_some_and(|now| now.is(expected)) {
            true => Ok(()),
            false => Err(WriteError::Changed { path: from.to_owned() }),
        }
    };
    copy().inspect_err(|_: &WriteError| {
        let _ = remove_tree(disk, to);
    })?;
    remove_tree(disk, from).map_err(|error| error.leaving(FileState::New))
}
