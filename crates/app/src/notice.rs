//! What a front learns while a request is answered: progress of long work, and caveats about the answer.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use scrollback_edit::RecoveredView;
use scrollback_format::time::Time;
use scrollback_session::catalogue::Remark;

/// What takes long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Work {
    /// The catalogue is brought up to date.
    Catalogue,
    /// The text index is.
    Text,
    /// Files are read to answer.
    Reading,
    /// Changes are made, undone or rolled back: until this ends, the process should not be cut off, but set the desk's
    /// [`Stop`](crate::stop::StopSignal) instead.
    Changes,
}

/// A caveat about an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Notice {
    /// How the index stands.
    Index(Remark),
    /// Another process is at work in the text index.
    TextBusy,
    /// The text index could not be brought up to date.
    TextFailed(String),
    /// A session was found by a title in the catalogue, which is as of then.
    FoundByTitle {
        /// When the catalogue was last updated.
        as_of: Time,
    },
    /// Tags, pins and hidden sessions could not be read.
    MarksUnknown(String),
    /// The ledger could not be used.
    LedgerFailed(String),
    /// A file could not be read, and the answer is without it.
    Unreadable(PathBuf),
    /// An edit was interrupted: what is read may be incomplete until it is rolled back.
    Interrupted {
        /// Its number in the journal.
        number: u64,
        /// What it was about to do.
        title: String,
    },
    /// An interrupted edit was rolled back before anything else was done.
    Recovered(RecoveredView),
}

/// Whether something was reported already; clones share it.
#[derive(Debug, Clone, Default)]
pub struct Once(Arc<AtomicBool>);

impl Once {
    /// Is this the first time? Every later answer is no.
    pub fn is_first(&self) -> bool {
        !self.0.swap(true, Ordering::Relaxed)
    }
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Index(remark) => f.write_str(&remark.text),
            Self::TextBusy => f.write_str(
                "another scrollback process is updating the text index; scanning files not yet indexed",
            ),
            Self::TextFailed(error) => write!(f, "cannot update the text index: {error}"),
            Self::FoundByTitle { as_of } => write!(f, "found by title; index last updated {as_of}"),
            Self::MarksUnknown(error) => write!(f, "cannot read tags, pins and hidden sessions: {error}"),
            Self::LedgerFailed(error) => write!(f, "cannot use the ledger: {error}"),
            Self::Unreadable(path) => write!(f, "cannot read {}", path.display()),
            Self::Interrupted { number, title } => write!(
                f,
                "warning: edit {number} ({title}) was interrupted and is incomplete; run `scrollback undo` to roll it back"
            ),
            Self::Recovered(recovered) => write!(f, "recovered: {recovered}"),
        }
    }
}

/// Receives progress and notices.
pub trait Reporter: Send + Sync {
    /// Long work begins; `total` is its number of bytes.
    fn begin(&self, work: Work, total: u64);
    /// One more file is done; `bytes` is its length.
    fn advance(&self, bytes: u64);
    /// The work is done, or was given up.
    fn end(&self);
    /// A caveat about the answer.
    fn notice(&self, notice: &Notice);
}

/// Ignores everything.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Reporter for Silent {
    fn begin(&self, _: Work, _: u64) {}
    fn advance(&self, _: u64) {}
    fn end(&self) {}
    fn notice(&self, _: &Notice) {}
}
