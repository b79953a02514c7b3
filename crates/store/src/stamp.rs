//! Taking change stamps of files on disk.

use std::fs::{self, Metadata};
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use std::time::UNIX_EPOCH;

use scrollback_format::stamp::{FileChange, Stamp, TAIL, tail_hash};

use crate::error::ReadError;
use crate::guard;

/// The stamp of a file as it is now.
pub fn take(path: &Path) -> Result<Stamp, ReadError> {
    let meta = fs::metadata(path).map_err(ReadError::at(path))?;
    let hash = hash_at(path, meta.len())?;
    Ok(Stamp { size: meta.len(), mtime_ns: mtime_ns(&meta), inode: inode(&meta), tail_hash: hash })
}

/// What is known of a file without opening it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Look {
    /// Its length.
    pub size: u64,
    /// Its modification time, in nanoseconds since 1970.
    pub mtime_ns: i64,
    /// Its inode; 0 where there are none.
    pub inode: u64,
}

impl Look {
    /// What the file system says of a file.
    pub fn of(meta: &Metadata) -> Self {
        Self { size: meta.len(), mtime_ns: mtime_ns(meta), inode: inode(meta) }
    }
}

/// Looks at a file; none if it is gone.
pub fn look(path: &Path) -> Option<Look> {
    fs::metadata(path).ok().map(|meta| Look::of(&meta))
}

/// Has anything this name, be it a link to nothing?
pub fn is_there(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

/// Is it a link?
pub fn is_link(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|meta| meta.is_symlink())
}

/// The length and the permissions of a plain file that can be read; none if the name is a link's, a folder's or the like.
pub fn plain(path: &Path) -> Result<Option<(u64, Option<u32>)>, ReadError> {
    let meta = fs::symlink_metadata(path).map_err(ReadError::at(path))?;
    if !meta.is_file() {
        return Ok(None);
    }
    guard::open(path)?;
    Ok(Some((meta.len(), permissions(&meta))))
}

#[cfg(unix)]
fn permissions(meta: &Metadata) -> Option<u32> {
    Some(std::os::unix::fs::MetadataExt::mode(meta) & 0o777)
}

#[cfg(not(unix))]
fn permissions(_meta: &Metadata) -> Option<u32> {
    None
}

/// The hash of the bytes before an offset of a file.
pub fn hash_at(path: &Path, end: u64) -> Result<u64, ReadError> {
    let from = end.saturating_sub(TAIL);
    let mut bytes = vec![0; (end - from) as usize];
    let mut file = guard::open(path)?;
    file.seek(SeekFrom::Start(from))
        .and_then(|_| file.read_exact(&mut bytes))
        .map_err(ReadError::at(path))?;
    Ok(tail_hash(&bytes))
}

/// What became of a file since a stamp was taken; `None` if it is gone.
pub fn compare(path: &Path, stamp: &Stamp) -> Result<Option<FileChange>, ReadError> {
    let meta = match fs::metadata(path) {
        Ok(meta) => meta,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(ReadError::at(path)(error)),
    };
    Ok(Some(stamp.compare(meta.len(), mtime_ns(&meta), inode(&meta), |at| hash_at(path, at).ok())))
}

/// The modification time in nanoseconds since 1970; 0 where the platform has none.
pub fn mtime_ns(meta: &Metadata) -> i64 {
    let Ok(time) = meta.modified() else { return 0 };
    match time.duration_since(UNIX_EPOCH) {
        Ok(after) => i64::try_from(after.as_nanos()).unwrap_or(i64::MAX),
        Err(before) => i64::try_from(before.duration().as_nanos()).map_or(i64::MIN, |nanos| -nanos),
    }
}

/// The inode; 0 where there are none.
#[cfg(unix)]
pub fn inode(meta: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(meta)
}

/// The inode; 0 where there are none.
#[cfg(not(unix))]
pub fn inode(_meta: &Metadata) -> u64 {
    0
}
