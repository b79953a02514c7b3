//! What a transaction or an undo asks for, before anything stands ready: an [`Op`], and what only an undo does.

use std::path::PathBuf;

use scrollback_format::stamp::Stamp;

use super::op::{ByteSource, Op};
use crate::place::Place;
use crate::shape::PathShape;

/// Something to prepare.
#[derive(Debug, Clone)]
pub(super) enum Task {
    Create { path: Place, source: ByteSource, mode: Option<u32>, mtime_ns: Option<i64> },
    Make { path: Place, mode: u32 },
    Replace { path: Place, expected: Expected, source: ByteSource, mode: Option<u32>, mtime_ns: Option<i64> },
    Append { path: Place, expected: Expected, bytes: Vec<u8>, mtime_ns: Option<i64> },
    Cut { path: Place, bytes: u64, sha256: Option<String>, mtime_ns: i64 },
    Move { from: Place, to: Place, expected: Expected },
    Carry { from: Place, to: Place, expected: Expected },
    Restore { saved: String, path: Place },
    Remove { path: Place, expected: Expected },
}

/// What should be there now.
#[derive(Debug, Clone)]
pub(super) enum Expected {
    /// Whatever it is.
    Any,
    /// A file as it was read.
    Stamp(Stamp),
    /// This, when the step's turn comes.
    Shape(Box<PathShape>),
}

impl Expected {
    fn of(stamp: Option<&Stamp>) -> Self {
        stamp.map_or(Self::Any, |stamp| Self::Stamp(*stamp))
    }
}

impl From<&Op> for Task {
    fn from(op: &Op) -> Self {
        match op.clone() {
            Op::Create { path, source, mode, mtime_ns } => {
                let copied = matches!(source, ByteSource::Copy { .. });
                let mode = mode.or((!copied).then_some(crate::write::FILE_MODE));
                Self::Create { path, source, mode, mtime_ns }
            }
            Op::MakeDir { path, mode } => Self::Make { path, mode },
            Op::Replace { path, expected, source, mtime_ns } => {
                Self::Replace { path, expected: Expected::Stamp(expected), source, mode: None, mtime_ns }
            }
            Op::Append { path, expected, bytes, mtime_ns } => {
                Self::Append { path, expected: Expected::Stamp(expected), bytes, mtime_ns }
            }
            Op::Move { from, to, expected } => {
                Self::Move { from, to, expected: Expected::of(expected.as_ref()) }
            }
            Op::Remove { path, expected } => Self::Remove { path, expected: Expected::of(expected.as_ref()) },
        }
    }
}

impl Task {
    /// Where.
    pub fn path(&self) -> &Place {
        match self {
            Self::Create { path, .. }
            | Self::Make { path, .. }
            | Self::Replace { path, .. }
            | Self::Append { path, .. }
            | Self::Cut { path, .. }
            | Self::Restore { path, .. }
            | Self::Remove { path, .. } => path,
            Self::Move { to, .. } | Self::Carry { to, .. } => to,
        }
    }

    /// A copy, which takes the place of a restoring on another device.
    pub fn copy(from: PathBuf, path: Place) -> Self {
        Self::Create { path, source: ByteSource::Copy { path: from, bytes: 0 }, mode: None, mtime_ns: None }
    }
}
