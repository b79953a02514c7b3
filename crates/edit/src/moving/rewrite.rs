//! Files rewritten line by line as they are read: a line that does not change is written as it stands.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use memchr::memchr;
use scrollback_format::stamp::Stamp;
use scrollback_store::journal::{ByteSource, Op};
use scrollback_store::{Place, ReadError, small, stamp};

/// A longer line is no line of a client that changes: it is passed through in parts.
const LONGEST: usize = 64 << 20;

/// What becomes of a line; none if it stays.
pub(super) type Change = Arc<dyn Fn(&[u8]) -> Option<Vec<u8>> + Send + Sync>;

/// A file with lines that change.
pub(super) struct Rewrite {
    path: PathBuf,
    stamp: Stamp,
    change: Change,
    /// How many lines change.
    pub lines: u64,
    bytes: u64,
}

impl Rewrite {
    /// Reads a file and tells what would change; none if nothing does.
    pub fn of(path: &Path, change: &Change) -> Result<Option<Self>, ReadError> {
        let stamp = stamp::take(path)?;
        let mut bytes = 0;
        let lines = pass(path, change, |part| {
            bytes += part.len() as u64;
            Ok(())
        });
        let lines = match lines {
            Ok(lines) => lines,
            Err(Stop::Read(error)) => return Err(error),
            Err(Stop::Write(source)) => return Err(ReadError::at(path)(source)),
        };
        let (path, change) = (path.to_owned(), change.clone());
        Ok((lines > 0).then_some(Self { path, stamp, change, lines, bytes }))
    }

    /// The change that writes it at a place, which is its own or the one that it is moved to before. Its time stays:
    /// clients list and clean up sessions by it.
    pub fn at(self, place: Place) -> Op {
        let Self { path, stamp, change, bytes, .. } = self;
        let make = Arc::new(move |out: &mut dyn Write| {
            let done = pass(&path, &change, |part| out.write_all(part));
            done.map(|_| ()).map_err(|stop| match stop {
                Stop::Read(error) => io::Error::other(error.to_string()),
                Stop::Write(error) => error,
            })
        });
        let mtime_ns = Some(stamp.mtime_ns);
        Op::Replace { path: place, expected: stamp, source: ByteSource::Stream { bytes, make }, mtime_ns }
    }
}

enum Stop {
    Read(ReadError),
    Write(io::Error),
}

impl From<ReadError> for Stop {
    fn from(error: ReadError) -> Self {
        Self::Read(error)
    }
}

/// Passes a file through a change, line by line; how many lines it changed.
fn pass(path: &Path, change: &Change, mut put: impl FnMut(&[u8]) -> io::Result<()>) -> Result<u64, Stop> {
    let mut held = Vec::new();
    let (mut through, mut lines) = (false, 0);
    let mut line = |line: &[u8], put: &mut dyn FnMut(&[u8]) -> io::Result<()>| {
        match change(line) {
            Some(changed) => {
                lines += 1;
                put(&changed)
            }
            None => put(line),
        }
        .map_err(Stop::Write)
    };
    small::copy(path, |mut part| {
        while let Some(end) = memchr(b'\n', part) {
            let (head, rest) = part.split_at(end + 1);
            let head = &head[..end];
            if through {
                put(head).map_err(Stop::Write)?;
            } else if held.is_empty() {
                line(head, &mut put)?;
            } else {
                held.extend_from_slice(head);
                line(&held, &mut put)?;
                held.clear();
            }
            put(b"\n").map_err(Stop::Write)?;
            through = false;
            part = rest;
        }
        if through {
            return put(part).map_err(Stop::Write);
        }
        held.extend_from_slice(part);
        if held.len() > LONGEST {
            put(&held).map_err(Stop::Write)?;
            held.clear();
            through = true;
        }
        Ok(())
    })?;
    if !held.is_empty() {
        line(&held, &mut put)?;
    }
    Ok(lines)
}
