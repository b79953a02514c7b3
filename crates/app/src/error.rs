//! What a use case can answer instead of a result. Fronts choose words, hints and exit codes from the variant.

use std::fmt;
use std::path::PathBuf;

use scrollback_index::error::IndexError;
use scrollback_store::{JournalError, ReadError, WriteError};

/// Why a use case has no answer.
#[derive(Debug)]
pub enum AppError {
    /// A root that was asked for is not there.
    NoRoot(PathBuf),
    /// Nothing has that name.
    NoSuchSession {
        /// What was asked for.
        wanted: String,
        /// Names that are near.
        near: Vec<String>,
    },
    /// Several have it.
    Ambiguous {
        /// What was asked for.
        wanted: String,
        /// `sessions` or `agents`.
        what: &'static str,
        /// What it could be: id and title.
        candidates: Vec<(String, String)>,
    },
    /// The session has no such agent.
    NoSuchAgent {
        /// What was asked for.
        wanted: String,
        /// The agents that there are.
        agents: Vec<String>,
    },
    /// The session has no such turn or branch.
    OutOfRange {
        /// `turn` or `branch`.
        what: &'static str,
        /// What was asked for.
        wanted: u64,
        /// How many there are.
        count: u64,
    },
    /// The session has no such line or id.
    NoSuchHit {
        /// What was asked for.
        wanted: String,
        /// How many lines it has.
        lines: u64,
    },
    /// No session tells of such a file.
    NoSuchFile {
        /// What was asked for.
        wanted: String,
        /// Files that are called the same elsewhere.
        near: Vec<String>,
    },
    /// A file has no such version, or it is not known what that held.
    NoSuchVersion {
        /// The file.
        path: String,
        /// What there is.
        why: String,
    },
    /// The edit cannot be made, and nothing was changed.
    NoEdit {
        /// Why.
        why: String,
        /// What to do about it.
        hint: String,
    },
    /// The edit would change nothing.
    NothingToEdit(String),
    /// The journal did not make a change, or did not take one back.
    Journal(Box<JournalError>),
    /// The index said no, and so did every way around it.
    Index(IndexError),
    /// The disk said no.
    Read(ReadError),
    /// Whoever was told could not take more: its output is closed or full.
    Output(std::io::Error),
}

impl fmt::Display for AppError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoRoot(path) => write!(f, "there is no store at {}", path.display()),
            Self::NoSuchSession { wanted, .. } => write!(f, "no session is called '{wanted}'"),
            Self::Ambiguous { wanted, what, candidates } => {
                write!(f, "'{wanted}' could be {} {what}", candidates.len())
            }
            Self::NoSuchAgent { wanted, .. } => write!(f, "the session has no agent '{wanted}'"),
            Self::OutOfRange { what, wanted, count } => {
                write!(f, "there is no {what} {wanted}: the session has {count}")
            }
            Self::NoSuchHit { wanted, lines } => {
                write!(f, "there is no '{wanted}' here: the file has {lines} lines")
            }
            Self::NoSuchFile { wanted, .. } => write!(f, "no session tells of a file '{wanted}'"),
            Self::NoSuchVersion { path, why } => write!(f, "there is no such version of {path}: {why}"),
            Self::NoEdit { why, .. } | Self::NothingToEdit(why) => f.write_str(why),
            Self::Journal(error) => error.fmt(f),
            Self::Index(error) => error.fmt(f),
            Self::Read(error) => error.fmt(f),
            Self::Output(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for AppError {}

impl From<IndexError> for AppError {
    fn from(error: IndexError) -> Self {
        Self::Index(error)
    }
}

impl From<ReadError> for AppError {
    fn from(error: ReadError) -> Self {
        Self::Read(error)
    }
}

impl From<JournalError> for AppError {
    fn from(error: JournalError) -> Self {
        Self::Journal(Box::new(error))
    }
}

impl From<WriteError> for AppError {
    fn from(error: WriteError) -> Self {
        JournalError::from(error).into()
    }
}
