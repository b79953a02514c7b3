//! What can go wrong when the disk is asked. Every error names its path.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// A path could not be read.
#[derive(Debug)]
pub struct ReadError {
    /// Which one.
    pub path: PathBuf,
    /// Why.
    pub source: io::Error,
}

impl ReadError {
    /// An error for this path, in the form that `map_err` takes.
    pub fn at(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self { path, source }
    }

    /// Why the file is not read though it could be, if that is so.
    pub fn refusal(&self) -> Option<ReadRefusal> {
        self.source.get_ref()?.downcast_ref().copied()
    }

    /// Was the file simply not there (any more)?
    pub fn is_gone(&self) -> bool {
        self.source.kind() == io::ErrorKind::NotFound
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.source.kind() {
            io::ErrorKind::UnexpectedEof => {
                write!(f, "cannot read {}: it was cut short while it was read", self.path.display())
            }
            _ => write!(f, "cannot read {}: {}", self.path.display(), self.source),
        }
    }
}

impl std::error::Error for ReadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.source)
    }
}

/// Why a file is not read though it could be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReadRefusal {
    /// It is one of the files that hold credentials, by whatever name it was asked for.
    Credentials,
}

impl fmt::Display for ReadRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Credentials => f.write_str("refused: credentials"),
        }
    }
}

impl std::error::Error for ReadRefusal {}
