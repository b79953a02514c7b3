//! `usage statusline`: what one session has cost so far. Only that session and its agents are read.

use schemars::JsonSchema;
use scrollback_session::error::{AppError, Code};
use scrollback_usage::Book;
use scrollback_usage::status_line::{self, StatusLine};
use serde::{Deserialize, Serialize};

use super::UsageScope;
use crate::desk::Desk;
use crate::request::Request;

/// Which session.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct StatusLineRequest {
    /// The session: an id, the start of one, a path, a title, or `last`.
    pub session: Option<String>,
    /// If no session is given: the JSON that the client passes to status lines, which names one.
    pub input: Option<String>,
}

impl Request for StatusLineRequest {
    type Document = StatusLine;

    fn answer(&self, desk: &Desk) -> Result<StatusLine, AppError> {
        let named = || self.input.as_deref().and_then(status_line::named_session);
        let session = self.session.clone().or_else(named).unwrap_or_else(|| "last".to_owned());
        let context = desk.usage(&UsageScope::default())?;
        let (id, book) = match book(desk, &session) {
            Ok((id, book)) => (Some(id), book),
            // A session has no file before its first prompt.
            Err(error) if error.code() == Code::NotFound && self.session.is_none() => (None, Book::default()),
            Err(error) => return Err(error),
        };
        Ok(status_line::status_line(id, &book, &mut context.pricer(), desk.now()))
    }
}

/// The id of a session, and its book.
fn book(desk: &Desk, session: &str) -> Result<(String, Book), AppError> {
    let library = desk.resolve(session)?.library;
    let missing = || AppError::NoSuchSession { wanted: session.to_owned(), near: Vec::new() };
    let id = library.the_one().ok_or_else(missing)?.id.as_str().to_owned();
    let index = match desk.session_index(&library) {
        Some(index) => index,
        None => desk.index(&library)?,
    };
    let book = Book::of(&index, Some(&id))?;
    Ok((id, book))
}
