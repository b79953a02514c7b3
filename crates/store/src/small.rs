//! Reading whole small files and single stretches of large ones.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use crate::error::ReadError;
use crate::guard;

/// Reads a file that is expected to be small; of a larger one the first `limit` bytes. True: there was more.
pub fn read(path: &Path, limit: u64) -> Result<(Vec<u8>, bool), ReadError> {
    take(path, guard::open(path)?, limit)
}

/// The same for an editor's lock, which nobody else may read: see [`crate::live`].
pub(crate) fn read_ide_lock(path: &Path, limit: u64) -> Result<(Vec<u8>, bool), ReadError> {
    take(path, guard::open_ide_lock(path)?, limit)
}

fn take(path: &Path, file: File, limit: u64) -> Result<(Vec<u8>, bool), ReadError> {
    let mut bytes = Vec::new();
    file.take(limit + 1).read_to_end(&mut bytes).map_err(ReadError::at(path))?;
    let more = bytes.len() as u64 > limit;
    bytes.truncate(limit as usize);
    Ok((bytes, more))
}

/// Where the last line of the first `size` bytes of a file begins that has no ending yet: `size` itself if it has.
pub fn whole_lines(path: &Path, size: u64) -> Result<u64, ReadError> {
    const STEP: u64 = 64 << 10;
    let mut file = guard::open(path)?;
    let mut buffer = Vec::new();
    let mut end = size;
    while end > 0 {
        let start = end.saturating_sub(STEP);
        buffer.resize((end - start) as usize, 0);
        file.seek(SeekFrom::Start(start))
            .and_then(|_| file.read_exact(&mut buffer))
            .map_err(ReadError::at(path))?;
        if let Some(at) = memchr::memrchr(b'\n', &buffer) {
            return Ok(start + at as u64 + 1);
        }
        end = start;
    }
    Ok(0)
}

/// Gives a whole file to `take`, part by part, as it is.
pub fn copy<E: From<ReadError>>(path: &Path, mut take: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
    let mut file = guard::open(path)?;
    let mut buffer = vec![0; 256 << 10];
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(read) => take(&buffer[..read])?,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(ReadError::at(path)(error).into()),
        }
    }
}

/// A file kept open to read stretches of it.
#[derive(Debug)]
pub struct Spans<'p> {
    path: &'p Path,
    file: File,
    buffer: Vec<u8>,
}

impl<'p> Spans<'p> {
    /// Opens the file.
    pub fn open(path: &'p Path) -> Result<Self, ReadError> {
        let file = guard::open(path)?;
        Ok(Self { path, file, buffer: Vec::new() })
    }

    /// The `len` bytes from `offset` on. It is an error if the file no longer has them.
    pub fn read(&mut self, offset: u64, len: usize) -> Result<&[u8], ReadError> {
        self.buffer.resize(len, 0);
        self.file
            .seek(SeekFrom::Start(offset))
            .and_then(|_| self.file.read_exact(&mut self.buffer))
            .map_err(ReadError::at(self.path))?;
        Ok(&self.buffer)
    }
}
