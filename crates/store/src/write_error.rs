//! What can go wrong when the tree is changed. Every error names its path and says which state the file is in.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// What a file is after an attempt to change it that failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileState {
    /// As it was before.
    Old,
    /// As it should be; only that it is on the disk for good is not sure.
    New,
    /// Neither: part of an append stands at its end. No byte that was there before is lost.
    Torn,
}

/// A path was not changed, or not as it should have been.
#[derive(Debug)]
#[non_exhaustive]
pub enum WriteError {
    /// The disk said no.
    Io {
        /// What was being done: `rename to`, `write`, …
        doing: &'static str,
        /// On which path.
        path: PathBuf,
        /// Why not.
        source: io::Error,
        /// What the file is now.
        state: FileState,
    },
    /// The file is not what it was when it was read. Nothing was done.
    Changed {
        /// Which one.
        path: PathBuf,
    },
    /// Something has this name already. Nothing was done.
    Exists {
        /// Which one.
        path: PathBuf,
    },
    /// There is nothing of this name, or not of the kind that it takes. Nothing was done.
    Missing {
        /// Which one.
        path: PathBuf,
        /// What should be there: `a file`, `a folder`.
        wanted: &'static str,
    },
    /// A link on the way leads out of the root. Nothing was done.
    Outside {
        /// What was to be written.
        path: PathBuf,
        /// The link.
        link: PathBuf,
    },
    /// A name that is never written. Nothing was done.
    Name {
        /// Which one.
        name: String,
        /// Why.
        why: &'static str,
    },
    /// Whoever asked for it wants it stopped. Nothing was done.
    Stopped,
}

impl WriteError {
    /// The disk said no, and the file is as it was.
    pub fn io(doing: &'static str, path: &Path, source: io::Error) -> Self {
        Self::Io { doing, path: path.to_owned(), source, state: FileState::Old }
    }

    /// The same error, when it left the file in this state.
    pub fn leaving(mut self, left: FileState) -> Self {
        if let Self::Io { state, .. } = &mut self {
            *state = left;
        }
        self
    }

    /// What the file is now.
    pub fn state(&self) -> FileState {
        match self {
            Self::Io { state, .. } => *state,
            _ => FileState::Old,
        }
    }

    /// The path in question; none for a name that is no path.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Io { path, .. }
            | Self::Changed { path }
            | Self::Exists { path }
            | Self::Missing { path, .. }
            | Self::Outside { path, .. } => Some(path),
            Self::Name { .. } | Self::Stopped => None,
        }
    }
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { doing, path, source, state } => {
                write!(f, "cannot {doing} {}: {source}", path.display())?;
                match state {
                    FileState::Old => Ok(()),
                    FileState::New => f.write_str("; it is changed, but the disk has not confirmed it"),
                    FileState::Torn => f.write_str("; part of the new content was appended to it"),
                }
            }
            Self::Changed { path } => write!(f, "{} has changed since it was read", path.display()),
            Self::Exists { path } => write!(f, "{} already exists", path.display()),
            Self::Missing { path, wanted } => write!(f, "{} is not {wanted}", path.display()),
            Self::Outside { path, link } => {
                write!(f, "{} is outside the store: {} links out of it", path.display(), link.display())
            }
            Self::Name { name, why } => write!(f, "cannot write '{}': {why}", name.escape_debug()),
            Self::Stopped => f.write_str("interrupted"),
        }
    }
}

impl std::error::Error for WriteError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { source, .. } => Some(source),
            _ => None,
        }
    }
}
