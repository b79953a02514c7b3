//! What a change can answer instead of being made.

use std::fmt;
use std::path::PathBuf;

use crate::live::Held;
use crate::write::error::WriteError;

/// What the tree is after a change that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing was done.
    Unchanged,
    /// What was done is taken back: the tree is as it was.
    RolledBack,
    /// What was done is taken back but for these, which someone else has changed meanwhile. Their old content is in the
    /// record.
    RolledBackExcept(Vec<String>),
    /// Taking it back failed too. The next opening of the journal goes on with it.
    Unfinished,
    /// Everything is done; only that it is on the disk for good is not sure.
    Done,
}

/// Why the journal did not do what it was asked for.
#[derive(Debug)]
pub enum JournalError {
    /// Another process is editing.
    Busy {
        /// The lock that it holds.
        lock: PathBuf,
    },
    /// Our own directory may not be in the store, nor the store in it.
    Inside {
        /// Ours.
        data: PathBuf,
        /// The store.
        root: PathBuf,
    },
    /// Someone is working in a session that is to be changed.
    Live(Held),
    /// The steps make no sense together.
    Plan {
        /// Where.
        path: String,
        /// Why.
        why: &'static str,
    },
    /// A step failed.
    Write {
        /// Why.
        error: WriteError,
        /// What the tree is now.
        outcome: Outcome,
    },
    /// There is no such record.
    NoSuchRecord(u64),
    /// The record cannot be taken back.
    NotUndoable {
        /// Which one.
        number: u64,
        /// Why.
        why: &'static str,
    },
    /// A file is not what the record left: taking it back would lose what came after. Nothing was done.
    MovedOn {
        /// Which record.
        number: u64,
        /// Which file.
        path: PathBuf,
    },
    /// A file of ours cannot be understood: broken, or written by a newer version.
    Damaged {
        /// Which one.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
}

impl JournalError {
    /// What the tree is now.
    pub fn outcome(&self) -> Outcome {
        match self {
            Self::Write { outcome, .. } => outcome.clone(),
            _ => Outcome::Unchanged,
        }
    }
}

impl From<WriteError> for JournalError {
    fn from(error: WriteError) -> Self {
        Self::Write { error, outcome: Outcome::Unchanged }
    }
}

impl fmt::Display for JournalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Busy { lock } => write!(f, "another process is editing: it holds {}", lock.display()),
            Self::Inside { data, root } => {
                write!(f, "{} and the store {} lie in each other", data.display(), root.display())
            }
            Self::Live(held) => held.fmt(f),
            Self::Plan { path, why } => write!(f, "{path}: {why}"),
            Self::Write { error, outcome } => {
                error.fmt(f)?;
                match outcome {
                    Outcome::Unchanged => f.write_str("; nothing was changed"),
                    Outcome::RolledBack => f.write_str("; all is as it was"),
                    Outcome::RolledBackExcept(kept) => {
                        write!(f, "; all is as it was but for {}, changed meanwhile", kept.join(", "))
                    }
                    Outcome::Unfinished => {
                        f.write_str("; taking it back failed too and goes on with the next edit")
                    }
                    Outcome::Done => f.write_str("; everything is done"),
                }
            }
            Self::NoSuchRecord(number) => write!(f, "there is no record {number}"),
            Self::NotUndoable { number, why } => write!(f, "record {number} cannot be taken back: {why}"),
            Self::MovedOn { number, path } => {
                write!(f, "{} is not what record {number} left: it has moved on since", path.display())
            }
            Self::Damaged { path, why } => write!(f, "cannot understand {}: {why}", path.display()),
        }
    }
}

impl std::error::Error for JournalError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Write { error, .. } => Some(error),
            _ => None,
        }
    }
}
