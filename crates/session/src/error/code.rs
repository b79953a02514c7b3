//! Codes: the stable names of reasons, and how requests end.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The stable name of a reason, for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Code {
    /// There is no store.
    NoStore,
    /// Nothing has that name.
    NotFound,
    /// Several have it.
    Ambiguous,
    /// A value makes no sense.
    Invalid,
    /// The request makes no sense for what it names.
    Unsuitable,
    /// An edit was refused.
    Refused,
    /// An edit would change nothing.
    NothingToDo,
    /// The session is in use.
    InUse,
    /// What was to be changed was changed by someone else.
    Changed,
    /// Another process is at work.
    Busy,
    /// A file could not be read or written.
    Io,
    /// The index failed.
    Index,
    /// The request was stopped.
    Stopped,
    /// A bug.
    Bug,
}

/// How a request ended, as exit codes and HTTP statuses know it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorClass {
    /// Nothing was found.
    NothingFound,
    /// The request was wrong.
    Usage,
    /// It was refused.
    Refused,
    /// The disk or the system failed.
    Io,
    /// It was stopped.
    Interrupted,
    /// The program is wrong.
    Bug,
}

impl Code {
    /// Its class.
    pub const fn class(self) -> ErrorClass {
        match self {
            Self::NotFound | Self::NothingToDo => ErrorClass::NothingFound,
            Self::Ambiguous | Self::Invalid | Self::Unsuitable => ErrorClass::Usage,
            Self::Refused | Self::InUse | Self::Changed | Self::Busy => ErrorClass::Refused,
            Self::NoStore | Self::Io | Self::Index => ErrorClass::Io,
            Self::Stopped => ErrorClass::Interrupted,
            Self::Bug => ErrorClass::Bug,
        }
    }
}
