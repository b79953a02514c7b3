//! Durable byte operations on single files and folders: the only ones that change the tree.
//!
//! Each checks what it expects, does one thing, and is on the disk when it returns. An error says which state the file
//! is in. None keeps what it replaces or removes: whoever wants to take something back goes through
//! [`crate::journal`], which is built on these.

mod append;
mod create;
mod moving;
mod remove;
mod replace;

pub use append::append;
pub(crate) use append::{grow, joint};
pub(crate) use create::copy_tree;
pub use create::{FILE_MODE, FOLDER_MODE, create, make_dir};
pub use moving::move_to;
pub use remove::remove;
pub(crate) use remove::remove_tree;
pub use replace::{FileAttributes, put, replace};

use std::path::Path;

use scrollback_format::stamp::Stamp;

use crate::disk::Disk;
use crate::shape::PathShape;
use crate::write_error::WriteError;

/// What is at a path, if it is still the file of this stamp.
pub(crate) fn expect(disk: &Disk, path: &Path, stamp: &Stamp) -> Result<PathShape, WriteError> {
    let shape = PathShape::of(disk, path)?
        .ok_or_else(|| WriteError::Missing { path: path.to_owned(), wanted: "a file" })?;
    if shape.is_stamped(stamp) { Ok(shape) } else { Err(WriteError::Changed { path: path.to_owned() }) }
}

/// The folder of a path, synced: a new name is on the disk only then.
pub(crate) fn sync_parent(disk: &Disk, path: &Path) -> Result<(), WriteError> {
    match path.parent() {
        Some(parent) => disk.sync_dir(parent),
        None => Ok(()),
    }
}
