//! New files and folders, and whole copies of old ones.

use std::path::Path;

use super::{FileAttributes, put, sync_parent};
use crate::disk::Disk;
use crate::platform;
use crate::stamp::mtime_ns;
use crate::write_error::{FileState, WriteError};

/// The mode that the client gives to what only its user should read.
pub const FILE_MODE: u32 = 0o600;
/// The same for folders.
pub const FOLDER_MODE: u32 = 0o700;

/// Makes a file; one of that name must not be there.
pub fn create(disk: &Disk, path: &Path, bytes: &[u8], keep: FileAttributes) -> Result<(), WriteError> {
    put(disk, path, bytes, keep, false)
}

/// Makes a folder; the one that it is in must be there, one of that name must not.
pub fn make_dir(disk: &Disk, path: &Path, mode: u32) -> Result<(), WriteError> {
    if disk.look(path)?.is_some() {
        return Err(WriteError::Exists { path: path.to_owned() });
    }
    disk.make_dir(path)?;
    let finish = || {
        disk.set_mode(&disk.open(path)?, mode)?;
        sync_parent(disk, path)
    };
    finish().map_err(|error: WriteError| match disk.remove_dir(path) {
        Ok(()) => error,
        Err(_) => error.leaving(FileState::New),
    })
}

/// Copies a file, a link or a whole folder to a name that is free, with modes and times, and waits for the disk. What
/// is there after an error is half a copy: the caller removes it.
pub(crate) fn copy_tree(disk: &Disk, from: &Path, to: &Path) -> Result<(), WriteError> {
    let Some(meta) = disk.look(from)? else {
        return Err(WriteError::Missing { path: from.to_owned(), wanted: "a file or a folder" });
    };
    if meta.is_symlink() {
        return disk.symlink(&disk.read_link(from)?, to);
    }
    if meta.is_dir() {
        disk.make_dir(to)?;
        for name in disk.list(from)? {
            copy_tree(disk, &from.join(&name), &to.join(&name))?;
        }
        let handle = disk.open(to)?;
        disk.set_mode(&handle, platform::mode(&meta))?;
        disk.set_mtime(&handle, mtime_ns(&meta))?;
        return disk.sync_dir(to);
    }
    let mut source = disk.open(from)?;
    let mut copy = disk.create(to)?;
    let mut buffer = vec![0; 256 << 10];
    loop {
        match disk.read(&mut source, &mut buffer)? {
            0 => break,
            read => disk.write_all(&mut copy, &buffer[..read])?,
        }
    }
    disk.set_mode(&copy, platform::mode(&meta))?;
    disk.set_mtime(&copy, mtime_ns(&meta))?;
    disk.sync(&copy)
}
