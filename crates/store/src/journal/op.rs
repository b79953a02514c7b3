//! One change to the tree, as a caller plans it.

use std::fmt;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

use scrollback_format::stamp::Stamp;

use crate::place::Place;

/// Writes bytes when asked; may be asked more than once and always writes the same.
pub type Make = Arc<dyn Fn(&mut dyn Write) -> io::Result<()> + Send + Sync>;

/// Where new bytes come from.
#[derive(Clone)]
pub enum ByteSource {
    /// From here.
    Bytes(Vec<u8>),
    /// From a file, or for a new folder from a whole folder: copied part by part, with mode and time.
    Copy {
        /// Where it is.
        path: PathBuf,
        /// How much it is, for the preview.
        bytes: u64,
    },
    /// From a function that writes them part by part: for what is too large to hold.
    Stream {
        /// How many it will write, for the preview.
        bytes: u64,
        /// The function.
        make: Make,
    },
}

impl ByteSource {
    /// How many bytes.
    pub fn bytes(&self) -> u64 {
        match self {
            Self::Bytes(bytes) => bytes.len() as u64,
            Self::Copy { bytes, .. } | Self::Stream { bytes, .. } => *bytes,
        }
    }
}

impl From<Vec<u8>> for ByteSource {
    fn from(bytes: Vec<u8>) -> Self {
        Self::Bytes(bytes)
    }
}

impl fmt::Debug for ByteSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bytes(bytes) => write!(f, "{} bytes", bytes.len()),
            Self::Copy { path, .. } => write!(f, "a copy of {}", path.display()),
            Self::Stream { bytes, .. } => write!(f, "a stream of {bytes} bytes"),
        }
    }
}

/// One change.
#[derive(Debug, Clone)]
pub enum Op {
    /// A new file; nothing may have its name. A copy of a folder makes a folder.
    Create {
        /// Where.
        path: Place,
        /// What.
        source: ByteSource,
        /// Its mode; none: 0600, or that of what is copied.
        mode: Option<u32>,
        /// Its modification time; none: now, or that of what is copied.
        mtime_ns: Option<i64>,
    },
    /// Whole lines at a file's end.
    Append {
        /// Where.
        path: Place,
        /// The file as it was read.
        expected: Stamp,
        /// The lines.
        bytes: Vec<u8>,
        /// The modification time afterwards; none: now.
        mtime_ns: Option<i64>,
    },
    /// New content for a file, in its old mode.
    Replace {
        /// Where.
        path: Place,
        /// The file as it was read.
        expected: Stamp,
        /// What.
        source: ByteSource,
        /// The modification time afterwards; none: now.
        mtime_ns: Option<i64>,
    },
    /// Another name for a file or a folder; nothing may have it.
    Move {
        /// From where.
        from: Place,
        /// To where.
        to: Place,
        /// The file as it was read, if it was.
        expected: Option<Stamp>,
    },
    /// A file or a whole folder, to the trash.
    Remove {
        /// Where.
        path: Place,
        /// The file as it was read, if it was.
        expected: Option<Stamp>,
    },
    /// A new folder; nothing may have its name.
    MakeDir {
        /// Where.
        path: Place,
        /// Its mode.
        mode: u32,
    },
}

impl Op {
    /// Where; of a move, to where.
    pub fn path(&self) -> &Place {
        match self {
            Self::Create { path, .. }
            | Self::Append { path, .. }
            | Self::Replace { path, .. }
            | Self::Remove { path, .. }
            | Self::MakeDir { path, .. } => path,
            Self::Move { to, .. } => to,
        }
    }

    /// How many bytes it writes into the tree.
    pub fn bytes(&self) -> u64 {
        match self {
            Self::Create { source, .. } | Self::Replace { source, .. } => source.bytes(),
            Self::Append { bytes, .. } => bytes.len() as u64,
            Self::Move { .. } | Self::Remove { .. } | Self::MakeDir { .. } => 0,
        }
    }

    /// What it does, in a word.
    pub fn verb(&self) -> &'static str {
        match self {
            Self::Create { .. } => "create",
            Self::Append { .. } => "append",
            Self::Replace { .. } => "replace",
            Self::Move { .. } => "move",
            Self::Remove { .. } => "remove",
            Self::MakeDir { .. } => "make",
        }
    }
}
