//! Requests: one value a command, and how the desk answers it. A request holds what was asked for as it was typed;
//! the desk makes sense of dates, names and `.`, so that every front means the same by them.

pub mod claims;
pub mod complete;
pub mod definitions;
pub mod du;
pub mod files;
pub mod fork;
pub mod grep;
pub mod history;
pub mod index;
pub mod info;
pub mod journal;
pub mod logs;
pub mod ls;
pub mod mark;
pub mod merge;
pub mod orphans;
pub mod overview;
pub mod pick;
pub mod plans;
pub mod ps;
pub mod relocate;
pub mod rename;
pub mod resume;
pub mod retention;
pub mod rm;
pub mod sample;
pub mod schema;
pub mod search;
pub mod settings;
pub mod show;
pub mod snapshots;
pub mod split;
pub mod tail;
pub mod todos;
pub mod trash;
pub mod tree;
pub mod trim;
pub mod usage;
pub mod verify;
pub mod watch;
pub mod whereis;

use scrollback_session::error::AppError;
pub use scrollback_session::scope::ScopeRequest;

use crate::desk::Desk;

/// What can be asked.
pub trait Request {
    /// What it is answered with.
    type Document;

    /// Answers it.
    fn answer(&self, desk: &Desk) -> Result<Self::Document, AppError>;
}

impl Desk {
    /// Answers a request.
    pub fn answer<R: Request>(&self, request: &R) -> Result<R::Document, AppError> {
        request.answer(self)
    }
}
