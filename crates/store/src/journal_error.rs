//! What a change can answer instead of being made.

use std::fmt;
use std::path::PathBuf;

use crate::live::SessionInUse;
use crate::write_error::WriteError;

/// The state of the tree after a failed change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TreeOutcome {
    /// Nothing was done.
    Unchanged,
    /// What was done is rolled back: the tree is as it was.
    RolledBack,
    /// What was done is rolled back but for these, which someone else has changed meanwhile. Their old content is in the
    /// record.
    RolledBackExcept(Vec<String>),
    /// Rolling back failed too. The next opening of the journal goes on with it.
    Unfinished,
    /// Everything is done; only that it is on the disk for good is not sure.
    Done,
}

/// Why the journal did not do what it was asked for.
#[derive(Debug)]
#[non_exhaustive]
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
    Live(SessionInUse),
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
        outcome: TreeOutcome,
    },
    /// There is no such record.
    NoSuchRecord(u64),
    /// The record cannot be undone.
    NotUndoable {
        /// Which one.
        number: u64,
        /// Why.
        why: &'static str,
    },
    /// A file is not what the record left: undoing it would lose what came after. Nothing was done.
    ModifiedSince {
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
    pub fn outcome(&self) -> TreeOutcome {
        match self {
            Self::Write { outcome, .. } => outcome.clone(),
            _ => TreeOutcome::Unchanged,
        }
    }
}

impl From<WriteError> for JournalError {
    fn from(error: WriteError) -> Self {
        Self::Write { error, outcome: TreeOutcome::Unchanged }
    }
}

impl fmt::Display for JournalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Busy { lock } => write!(f, "another process is editing (it holds {})", lock.display()),
            Self::Inside { data, root } => {
                write!(
                    f,
                    "the data directory {} must not be inside the store {} (or the reverse)",
                    data.display(),
                    root.display()
                )
            }
            Self::Live(held) => held.fmt(f),
            Self::Plan { path, why } => write!(f, "{path}: {why}"),
            Self::Write { error, outcome } => {
                error.fmt(f)?;
                match outcome {
                    TreeOutcome::Unchanged => f.write_str("; nothing was changed"),
                    TreeOutcome::RolledBack => f.write_str("; all changes were rolled back"),
                    TreeOutcome::RolledBackExcept(kept) => {
                        write!(
                            f,
                            "; all changes were rolled back except for {}, modified meanwhile",
                            kept.join(", ")
                        )
                    }
                    TreeOutcome::Unfinished => {
                        f.write_str("; rolling back failed too, and is continued by the next edit")
                    }
                    TreeOutcome::Done => f.write_str("; all changes were made"),
                }
            }
            Self::NoSuchRecord(number) => write!(f, "no edit {number} in the journal"),
            Self::NotUndoable { number, why } => write!(f, "edit {number} cannot be undone: {why}"),
            Self::ModifiedSince { number, path } => {
                write!(f, "{} was modified since edit {number}", path.display())
            }
            Self::Damaged { path, why } => write!(f, "cannot read {}: {why}", path.display()),
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
