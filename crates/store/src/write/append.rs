//! Adding whole lines to a file, as the client does it: one write at its end.

use std::path::Path;

use scrollback_format::stamp::Stamp;

use crate::disk::{Disk, Handle};
use crate::shape::read_from;
use crate::write_error::{FileState, WriteError};

/// Adds whole lines to a file that is still the one of the stamp, in one write, and waits for the disk. If the file ends
/// in a torn line, a line feed comes first, so that the new lines are not fused to it.
///
/// If the disk takes only a part, that part is cut off again; the state in the error says whether that worked.
pub fn append(disk: &Disk, path: &Path, expected: &Stamp, lines: &[u8]) -> Result<(), WriteError> {
    super::expect(disk, path, expected)?;
    let mut handle = disk.open_append(path)?;
    let joint = joint(disk, &mut handle, expected.size)?;
    let bytes = [joint, lines].concat();
    grow(disk, &mut handle, expected.size, &bytes).map_err(|error| {
        if error.state() == FileState::New {
            return error;
        }
        match take_back(disk, &mut handle, expected, &bytes) {
            Ok(true) => error.leaving(FileState::Old),
            _ => error.leaving(FileState::Torn),
        }
    })
}

/// Cuts off what the disk took of our bytes. False if something else follows: then nothing is cut.
fn take_back(disk: &Disk, handle: &mut Handle, was: &Stamp, ours: &[u8]) -> Result<bool, WriteError> {
    let added = read_from(disk, handle, was.size, ours.len() as u64 + 1)?;
    if !ours.starts_with(&added) {
        return Ok(false);
    }
    let len = was.size + added.len() as u64;
    Ok(disk.cut(handle, len, was.size)? && disk.set_mtime(handle, was.mtime_ns).is_ok())
}

/// What has to come before new lines: a line feed if the file does not end in one.
pub(crate) fn joint(disk: &Disk, handle: &mut Handle, size: u64) -> Result<&'static [u8], WriteError> {
    if size == 0 || read_from(disk, handle, size - 1, 1)? == b"\n" { Ok(b"") } else { Ok(b"\n") }
}

/// One write at the end of a file that has this size, and a wait for the disk.
pub(crate) fn grow(disk: &Disk, handle: &mut Handle, size: u64, bytes: &[u8]) -> Result<(), WriteError> {
    if disk.look_at(handle)?.len() != size {
        return Err(WriteError::Changed { path: handle.path().to_owned() });
    }
    let taken = disk.write(handle, bytes).map_err(|error| error.leaving(FileState::Torn))?;
    if taken != bytes.len() {
        let source = std::io::ErrorKind::WriteZero.into();
        return Err(WriteError::io("write", handle.path(), source).leaving(FileState::Torn));
    }
    disk.sync(handle).map_err(|error| error.leaving(FileState::New))
}
