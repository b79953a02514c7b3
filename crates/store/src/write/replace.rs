//! A file's whole content at once: whoever reads sees the old one or the new one.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use scrollback_format::stamp::Stamp;

use super::sync_parent;
use crate::disk::Disk;
use crate::write_error::{FileState, WriteError};

/// Mode and time of what is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileAttributes {
    /// The mode.
    pub mode: u32,
    /// The modification time in nanoseconds since 1970; none: that of the writing.
    pub mtime_ns: Option<i64>,
}

impl Default for FileAttributes {
    fn default() -> Self {
        Self { mode: super::FILE_MODE, mtime_ns: None }
    }
}

/// Gives a file that is still the one of the stamp new content, in its old mode; with `keep_time`, its old time too.
pub fn replace(
    disk: &Disk,
    path: &Path,
    expected: &Stamp,
    bytes: &[u8],
    keep_time: bool,
) -> Result<(), WriteError> {
    let old = super::expect(disk, path, expected)?;
    let keep = FileAttributes { mode: old.mode, mtime_ns: keep_time.then_some(old.mtime_ns) };
    let temp = temp_name(path);
    fill(disk, &temp, bytes, keep)?;
    let finish = || {
        // Writing took its time: once more, right before.
        super::expect(disk, path, expected)?;
        disk.rename(&temp, path)
    };
    finish().inspect_err(|_| {
        let _ = disk.remove_file(&temp);
    })?;
    sync_parent(disk, path).map_err(|error| error.leaving(FileState::New))
}

/// Writes a file through a temporary one beside it. With `over`, what has that name is replaced.
pub fn put(
    disk: &Disk,
    path: &Path,
    bytes: &[u8],
    keep: FileAttributes,
    over: bool,
) -> Result<(), WriteError> {
    if !over && disk.look(path)?.is_some() {
        return Err(WriteError::Exists { path: path.to_owned() });
    }
    let temp = temp_name(path);
    // One of a process that died: ours to clear.
    disk.remove_file(&temp)?;
    fill(disk, &temp, bytes, keep)?;
    let named = if over { disk.rename(&temp, path) } else { disk.rename_new(&temp, path) };
    named.inspect_err(|_| {
        let _ = disk.remove_file(&temp);
    })?;
    sync_parent(disk, path).map_err(|error| error.leaving(FileState::New))
}

/// A hidden name in the same folder, with an ending that neither the client nor our walk takes for a session.
fn temp_name(path: &Path) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(".scrollback-tmp");
    path.with_file_name(name)
}

fn fill(disk: &Disk, temp: &Path, bytes: &[u8], keep: FileAttributes) -> Result<(), WriteError> {
    let mut handle = disk.create(temp)?;
    let mut write = || {
        disk.write_all(&mut handle, bytes)?;
        disk.set_mode(&handle, keep.mode)?;
        if let Some(mtime_ns) = keep.mtime_ns {
            disk.set_mtime(&handle, mtime_ns)?;
        }
        disk.sync(&handle)
    };
    write().inspect_err(|_| {
        let _ = disk.remove_file(temp);
    })
}
