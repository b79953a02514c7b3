//! Why a request has no answer: a typed reason with a stable code and structured hints. Fronts choose the words of hints
//! and, from the class of the code, how to end.

mod code;
mod hint;
mod noun;

use std::fmt;
use std::ops::Range;
use std::path::PathBuf;

use scrollback_index::error::IndexError;
use scrollback_store::{JournalError, ReadError, WriteError};

pub use code::{Code, ErrorClass};
pub use hint::{Candidate, Hint};
pub use noun::{Input, Noun};

/// Why a request has no answer.
#[derive(Debug)]
#[non_exhaustive]
pub enum AppError {
    /// A root that was asked for does not exist.
    NoRoot(PathBuf),
    /// No session has that name.
    NoSuchSession {
        /// What was asked for.
        wanted: String,
        /// Similar names.
        near: Vec<String>,
    },
    /// Several have it.
    Ambiguous {
        /// What was asked for.
        wanted: String,
        /// What there are several of.
        what: Noun,
        /// What it could be.
        candidates: Vec<Candidate>,
    },
    /// The session has no such agent.
    NoSuchAgent {
        /// What was asked for.
        wanted: String,
        /// The agents that it has.
        agents: Vec<String>,
    },
    /// The session has no such turn or branch.
    OutOfRange {
        /// What was asked for.
        what: Noun,
        /// Its number.
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
    /// No session touched such a file.
    NoSuchFile {
        /// What was asked for.
        wanted: String,
        /// Files of the same name elsewhere.
        near: Vec<String>,
    },
    /// A file has no such version, or its content is unknown.
    NoSuchVersion {
        /// The file.
        path: String,
        /// What there is.
        why: String,
    },
    /// A file that was to be read from disk is not there; sessions may know it.
    NotOnDisk {
        /// Its whole path.
        path: String,
        /// As it was typed.
        named: String,
    },
    /// Nothing else of that name exists: a plan, a definition, a snapshot, a log, a kind, a claim.
    NotFound {
        /// What was asked for.
        what: Noun,
        /// Its name.
        wanted: String,
        /// Similar names.
        near: Vec<String>,
    },
    /// A given value is invalid.
    Invalid {
        /// What it was given as.
        what: Input,
        /// The value.
        value: String,
        /// What is wrong with it, where there is more to say.
        why: Option<String>,
        /// What would be valid.
        expected: String,
    },
    /// A text in a small language, such as a query, has a mistake.
    Malformed {
        /// What it was given as.
        what: Input,
        /// The text.
        text: String,
        /// Where the mistake is, in bytes of the text.
        place: Option<Range<usize>>,
        /// What is wrong.
        why: String,
        /// What may have been meant.
        suggestion: Option<String>,
    },
    /// The request does not apply to what it names.
    Unsuitable {
        /// Why.
        why: String,
        /// What to do instead.
        hints: Vec<Hint>,
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
    /// The journal did not make a change, or did not undo one.
    Journal(Box<JournalError>),
    /// There is no directory to keep something in.
    NoDirectory(OwnDirectory),
    /// The index failed, and so did every way around it.
    Index(IndexError),
    /// Another process is at work in the index.
    IndexBusy,
    /// A file could not be read.
    Read(ReadError),
    /// The same, with more to do about it.
    Hinted {
        /// What is wrong.
        error: Box<Self>,
        /// What else to do about it.
        hints: Vec<Hint>,
    },
    /// The request was stopped.
    Stopped,
    /// A bug in the program.
    Bug(String),
}

/// What a directory of our own keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum OwnDirectory {
    /// The journal, without which nothing is edited.
    Journal,
    /// A store.
    Store,
    /// The index.
    Index,
}

impl AppError {
    /// Its stable code.
    pub fn code(&self) -> Code {
        match self {
            Self::NoRoot(_) => Code::NoStore,
            Self::NoSuchSession { .. }
            | Self::NoSuchAgent { .. }
            | Self::OutOfRange { .. }
            | Self::NoSuchHit { .. }
            | Self::NoSuchFile { .. }
            | Self::NoSuchVersion { .. }
            | Self::NotOnDisk { .. }
            | Self::NotFound { .. } => Code::NotFound,
            Self::Ambiguous { .. } => Code::Ambiguous,
            Self::Invalid { .. } | Self::Malformed { .. } => Code::Invalid,
            Self::Unsuitable { .. } => Code::Unsuitable,
            Self::NoEdit { .. } => Code::Refused,
            Self::NothingToEdit(_) => Code::NothingToDo,
            Self::Journal(error) => journal_code(error),
            Self::NoDirectory(_) | Self::Read(_) => Code::Io,
            Self::Index(_) => Code::Index,
            Self::IndexBusy => Code::Busy,
            Self::Hinted { error, .. } => error.code(),
            Self::Stopped => Code::Stopped,
            Self::Bug(_) => Code::Bug,
        }
    }

    /// What to do about it.
    pub fn hints(&self) -> Vec<Hint> {
        let did_you_mean = |near: &[String]| -> Vec<Hint> {
            near.iter().map(|name| Hint::DidYouMean { name: name.clone() }).collect()
        };
        match self {
            Self::NoRoot(_) => vec![
                Hint::option("root", "names another store"),
                Hint::option("sample", "reads the built-in sample"),
            ],
            Self::NoSuchSession { wanted, near } if near.is_empty() && wanted == "last" => {
                vec![Hint::say("there is no conversation in this store yet")]
            }
            Self::NoSuchSession { near, .. } if near.is_empty() => vec![
                Hint::command(&["ls"], "lists sessions"),
                Hint::say("use a session ID or prefix, a title or a path"),
            ],
            Self::NotFound { what: Noun::Folder, .. } => {
                vec![Hint::say("to name a directory, use a path such as ./name")]
            }
            Self::NotFound { what: Noun::Log, .. } => vec![Hint::say(
                "clients since 2.1.80 write a log only when started with --debug, and delete old ones",
            )],
            Self::NoSuchSession { near, .. } | Self::NotFound { near, .. } => did_you_mean(near),
            Self::Ambiguous { candidates, .. } => candidates.iter().cloned().map(Hint::Candidate).collect(),
            Self::NoSuchAgent { agents, .. } if agents.is_empty() => {
                vec![Hint::say("this session has no agents")]
            }
            Self::NoSuchAgent { agents, .. } => vec![Hint::say(format!("its agents: {}", agents.join(", ")))],
            Self::OutOfRange { what, .. } => {
                vec![Hint::command(&["tree", "SESSION"], format!("shows every {}", what.one()))]
            }
            Self::NoSuchHit { .. } => {
                vec![Hint::say("use a line number, or the id of an entry, a message or a tool call")]
            }
            Self::NoSuchFile { near, .. } if near.is_empty() => {
                vec![Hint::command(&["files", "ls", "SESSION"], "lists the files of a session")]
            }
            Self::NoSuchFile { near, .. } => did_you_mean(near),
            Self::NoSuchVersion { .. } => {
                vec![Hint::command(&["files", "log", "PATH"], "lists the versions of a file")]
            }
            Self::NotOnDisk { named, .. } => {
                let text = format!("{named}@ is its newest recorded version, {named}@v1 the oldest");
                vec![Hint::say(text)]
            }
            Self::Invalid { expected, .. } if !expected.is_empty() => {
                vec![Hint::say(format!("use {expected}"))]
            }
            Self::Malformed { suggestion, .. } => {
                suggestion.iter().map(|name| Hint::DidYouMean { name: name.clone() }).collect()
            }
            Self::Unsuitable { hints, .. } => hints.clone(),
            Self::NoEdit { hint, .. } if !hint.is_empty() => vec![Hint::say(hint.clone())],
            Self::Journal(error) => journal_hint(error).into_iter().collect(),
            Self::NoDirectory(OwnDirectory::Journal) => {
                vec![Hint::say("set SCROLLBACK_DATA_DIR, XDG_DATA_HOME or HOME")]
            }
            Self::NoDirectory(OwnDirectory::Index) => {
                vec![Hint::say("set SCROLLBACK_CACHE_DIR, XDG_CACHE_HOME or HOME")]
            }
            Self::NoDirectory(OwnDirectory::Store) => vec![
                Hint::option("root", "names a store"),
                Hint::option("sample", "reads the built-in sample"),
            ],
            Self::Hinted { error, hints } => error.hints().into_iter().chain(hints.iter().cloned()).collect(),
            _ => Vec::new(),
        }
    }

    /// The same with more to do about it.
    pub fn with_hint(self, hint: Hint) -> Self {
        match self {
            Self::Hinted { error, mut hints } => {
                hints.push(hint);
                Self::Hinted { error, hints }
            }
            error => Self::Hinted { error: Box::new(error), hints: vec![hint] },
        }
    }
}

fn journal_code(error: &JournalError) -> Code {
    match error {
        JournalError::Busy { .. } => Code::Busy,
        JournalError::Live(_) => Code::InUse,
        JournalError::ModifiedSince { .. } => Code::Changed,
        JournalError::NoSuchRecord(_) => Code::NotFound,
        JournalError::Plan { .. } => Code::Bug,
        JournalError::Damaged { .. } => Code::Io,
        JournalError::Write { error: WriteError::Io { .. }, .. } => Code::Io,
        JournalError::Write { error: WriteError::Changed { .. }, .. } => Code::Changed,
        JournalError::Write { error: WriteError::Stopped, .. } => Code::Stopped,
        // Inside the store, not undoable, what the writer refuses.
        _ => Code::Refused,
    }
}

fn journal_hint(error: &JournalError) -> Option<Hint> {
    Some(match error {
        JournalError::Busy { .. } => Hint::say("wait for the other scrollback process to finish"),
        JournalError::Inside { .. } => Hint::say("set SCROLLBACK_DATA_DIR to a directory outside the store"),
        JournalError::Live(held) => Hint::say(held.advice()),
        JournalError::ModifiedSince { .. } => {
            Hint::command(&["journal"], "lists edits; undoing this one would lose later changes")
        }
        JournalError::NotUndoable { .. } | JournalError::NoSuchRecord(_) => {
            Hint::command(&["journal"], "lists edits and which of them can be undone")
        }
        JournalError::Plan { .. } => Hint::say("this is a bug in scrollback"),
        JournalError::Damaged { .. } => {
            Hint::say("a newer version of scrollback may be able to read it; edits are refused until then")
        }
        JournalError::Write { error: WriteError::Changed { .. }, .. } => {
            Hint::say("run the same command again to use its current content")
        }
        _ => return None,
    })
}

impl fmt::Display for AppError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoRoot(path) => write!(f, "no store at {}", path.display()),
            Self::NoSuchSession { wanted, .. } if wanted == "last" => f.write_str("no matching sessions"),
            Self::NoSuchSession { wanted, .. } => write!(f, "no session matches '{wanted}'"),
            Self::Ambiguous { wanted, what, candidates } => {
                write!(f, "'{wanted}' is ambiguous; it matches {} {}", candidates.len(), what.many())
            }
            Self::NoSuchAgent { wanted, .. } => write!(f, "the session has no agent '{wanted}'"),
            Self::OutOfRange { what, wanted, count } => {
                let noun = if *count == 1 { what.one() } else { what.many() };
                write!(f, "no {} {wanted}: the session has {count} {noun}", what.one())
            }
            Self::NoSuchHit { wanted, lines } => {
                write!(f, "no line or id '{wanted}' in this session; it has {lines} lines")
            }
            Self::NoSuchFile { wanted, .. } => write!(f, "no session touched '{wanted}'"),
            Self::NoSuchVersion { path, why } => write!(f, "no such version of {path}: {why}"),
            Self::NotOnDisk { path, .. } => write!(f, "no file {path} on disk"),
            Self::NotFound { what, wanted, .. } => write!(f, "no {} matches '{wanted}'", what.one()),
            Self::Invalid { what, value, why, .. } => {
                write!(f, "invalid {} '{value}'", what.name())?;
                why.as_ref().map_or(Ok(()), |why| write!(f, ": {why}"))
            }
            Self::Malformed { what, why, .. } => write!(f, "invalid {}: {why}", what.name()),
            Self::Unsuitable { why, .. } | Self::NoEdit { why, .. } | Self::NothingToEdit(why) => {
                f.write_str(why)
            }
            Self::Journal(error) => error.fmt(f),
            Self::NoDirectory(OwnDirectory::Journal) => f.write_str("no directory for the journal"),
            Self::NoDirectory(OwnDirectory::Store) => f.write_str("no home directory"),
            Self::NoDirectory(OwnDirectory::Index) => f.write_str("no directory for the index"),
            Self::IndexBusy => f.write_str("another scrollback process is using the index"),
            Self::Index(error) => error.fmt(f),
            Self::Read(error) => error.fmt(f),
            Self::Hinted { error, .. } => error.fmt(f),
            Self::Stopped => f.write_str("interrupted"),
            Self::Bug(what) => write!(f, "{what}; this is a bug in scrollback"),
        }
    }
}

impl std::error::Error for AppError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Journal(error) => Some(error.as_ref()),
            Self::Index(error) => Some(error),
            Self::Read(error) => Some(error),
            Self::Hinted { error, .. } => error.source(),
            _ => None,
        }
    }
}

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

/// What an edit is refused with when it makes no sense.
pub fn refuse(why: impl Into<String>, hint: &str) -> AppError {
    AppError::NoEdit { why: why.into(), hint: hint.to_owned() }
}

/// What a value is refused with that makes no sense.
pub fn invalid(what: Input, value: impl Into<String>, expected: impl Into<String>) -> AppError {
    AppError::Invalid { what, value: value.into(), why: None, expected: expected.into() }
}
