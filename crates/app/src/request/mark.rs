//! `tag`, `pin`, `hide`: marks of the user's on sessions, kept in our own data directory.

use schemars::JsonSchema;
use scrollback_session::error::{AppError, refuse};
use scrollback_session::marks::{Mark, MarkView, mark};
use serde::{Deserialize, Serialize};

use super::Request;
use crate::desk::Desk;

/// How to mark which sessions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MarkRequest {
    /// Ids, starts of ids, paths, titles, or `last`.
    pub sessions: Vec<String>,
    /// What to change.
    pub mark: Mark,
}

impl MarkRequest {
    /// The command that asks for it.
    const fn command(&self) -> &'static str {
        match self.mark {
            Mark::Tag(_) | Mark::Untag(_) => "tag",
            Mark::Pin(_) => "pin",
            Mark::Hide(_) => "hide",
        }
    }
}

impl Request for MarkRequest {
    type Document = Vec<MarkView>;

    fn answer(&self, desk: &Desk) -> Result<Vec<MarkView>, AppError> {
        let wanted: Vec<&str> = self.sessions.iter().map(String::as_str).collect();
        let subjects = desk.subjects(self.command(), &wanted)?;
        let ids: Vec<String> = subjects.files()?.iter().map(|files| files.id.as_str().to_owned()).collect();
        if desk.is_sample {
            return Err(refuse(
                "sessions of the built-in sample cannot be marked",
                "`scrollback sample DIR` writes a copy; use it with --root DIR",
            ));
        }
        mark(desk.data()?, &ids, &self.mark)
    }
}
