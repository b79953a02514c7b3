//! What is at a path, in few bytes: enough to check later, exactly, whether it is still the same.
//!
//! Stricter than [`crate::stamp`], which asks whether a file has to be read again: here a file that was only touched is
//! another one, because something touched it.

use std::path::Path;

use scrollback_format::stamp::{Stamp, TAIL, tail_hash};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::disk::{Disk, Handle};
use crate::platform;
use crate::stamp::{inode, mtime_ns};
use crate::write_error::WriteError;

/// File, folder or link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PathKind {
    /// A file.
    File,
    /// A folder, with all that is in it.
    Folder,
    /// A link itself.
    Link,
}

/// What is at a path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathShape {
    /// File, folder or link.
    pub kind: PathKind,
    /// Bytes of the file, or of all files in the folder.
    pub bytes: u64,
    /// Files: 1, or as many as are in the folder.
    pub files: u64,
    /// The mode; 0 where there are none.
    pub mode: u32,
    /// The modification time in nanoseconds since 1970.
    pub mtime_ns: i64,
    /// The inode; 0 where there are none.
    pub inode: u64,
    /// Of a file, the hash of its last bytes (as in stamps); of a folder, of names, lengths, modes and times of all that
    /// is in it; of a link, of where it leads.
    pub hash: String,
}

impl PathShape {
    /// What is at this path now; none if nothing is.
    pub fn of(disk: &Disk, path: &Path) -> Result<Option<Self>, WriteError> {
        let Some(meta) = disk.look(path)? else { return Ok(None) };
        let mut shape = Self {
            kind: PathKind::File,
            bytes: meta.len(),
            files: 1,
            mode: platform::mode(&meta),
            mtime_ns: mtime_ns(&meta),
            inode: inode(&meta),
            hash: String::new(),
        };
        if meta.is_symlink() {
            shape.kind = PathKind::Link;
            shape.hash = hex(&Sha256::digest(disk.read_link(path)?.to_string_lossy().as_bytes()));
        } else if meta.is_dir() {
            let mut listing = Listing::default();
            listing.add(disk, path, "")?;
            shape.kind = PathKind::Folder;
            shape.bytes = listing.bytes;
            shape.files = listing.files;
            shape.hash = hex(&listing.digest.finalize());
        } else if meta.is_file() {
            let mut handle = disk.open(path)?;
            shape.hash = format!("{:016x}", hash_before(disk, &mut handle, meta.len())?);
        } else {
            return Err(WriteError::Missing { path: path.to_owned(), wanted: "a file or a folder" });
        }
        Ok(Some(shape))
    }

    /// Is this the very same that is expected, untouched? Of a folder its own time does not count: only what is in it
    /// does. An expected inode of 0 is any.
    pub fn is(&self, expected: &Self) -> bool {
        let times = self.kind == PathKind::Folder || self.mtime_ns == expected.mtime_ns;
        let inode = self.inode == expected.inode || expected.inode == 0;
        times && inode && self.mode == expected.mode && self.holds(expected)
    }

    /// Is its content the same, judging by lengths and hashes?
    pub fn holds(&self, other: &Self) -> bool {
        self.kind == other.kind
            && self.bytes == other.bytes
            && self.files == other.files
            && self.hash == other.hash
    }

    /// Is it the file that a stamp was taken of, untouched?
    pub fn is_stamped(&self, stamp: &Stamp) -> bool {
        self.kind == PathKind::File
            && self.bytes == stamp.size
            && self.mtime_ns == stamp.mtime_ns
            && self.inode == stamp.inode
            && self.hash == format!("{:016x}", stamp.tail_hash)
    }

    /// Is it a folder with nothing in it?
    pub fn is_empty_folder(&self) -> bool {
        self.kind == PathKind::Folder && self.hash == hex(&Sha256::digest([]))
    }
}

/// What is in a folder, in the order of names.
#[derive(Default)]
struct Listing {
    digest: Sha256,
    files: u64,
    bytes: u64,
}

impl Listing {
    fn add(&mut self, disk: &Disk, dir: &Path, prefix: &str) -> Result<(), WriteError> {
        for name in disk.list(dir)? {
            let path = dir.join(&name);
            let Some(meta) = disk.look(&path)? else { continue };
            let name = format!("{prefix}{}", name.to_string_lossy());
            let mode = platform::mode(&meta);
            if meta.is_dir() {
                self.digest.update(format!("{name}/\0{mode:o}\n"));
                self.add(disk, &path, &format!("{name}/"))?;
            } else {
                let (len, time) = (meta.len(), mtime_ns(&meta));
                self.digest.update(format!("{name}\0{mode:o} {len} {time}\n"));
                self.files += 1;
                self.bytes += len;
            }
        }
        Ok(())
    }
}

/// The hash that a stamp has of the bytes before an offset.
pub(crate) fn hash_before(disk: &Disk, handle: &mut Handle, end: u64) -> Result<u64, WriteError> {
    let from = end.saturating_sub(TAIL);
    let bytes = read_from(disk, handle, from, end - from)?;
    Ok(tail_hash(&bytes))
}

/// Bytes of a file from an offset, at most `len`.
pub(crate) fn read_from(
    disk: &Disk,
    handle: &mut Handle,
    offset: u64,
    len: u64,
) -> Result<Vec<u8>, WriteError> {
    disk.seek(handle, offset)?;
    let mut bytes = vec![0; usize::try_from(len).unwrap_or(usize::MAX)];
    let mut filled = 0;
    while filled < bytes.len() {
        match disk.read(handle, &mut bytes[filled..])? {
            0 => break,
            read => filled += read,
        }
    }
    bytes.truncate(filled);
    Ok(bytes)
}

/// The SHA-256 of a whole file.
pub(crate) fn sha256_of(disk: &Disk, path: &Path) -> Result<String, WriteError> {
    let mut handle = disk.open(path)?;
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 256 << 10];
    loop {
        match disk.read(&mut handle, &mut buffer)? {
            0 => return Ok(hex(&hasher.finalize())),
            read => hasher.update(&buffer[..read]),
        }
    }
}

/// Bytes as hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
