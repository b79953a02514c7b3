//! `tail`: the end of a conversation, and what is added to it.

use std::time::Duration;

use schemars::JsonSchema;
use scrollback_session::error::AppError;
use scrollback_session::resolve::SessionArg;
use serde::{Deserialize, Serialize};

use crate::desk::Desk;
use crate::follow::{Follow, News, SessionChange};
use crate::stop::StopSignal;

/// How often a followed session is looked at. A look that finds nothing asks the system three questions.
const PERIOD: Duration = Duration::from_millis(250);

/// Which conversation to follow.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct TailRequest {
    /// An id, the start of one, a path, a title, or `last`; `SESSION/AGENT` for an agent.
    pub session: String,
    /// How many of the last turns to start with.
    pub turns: usize,
}

impl Default for TailRequest {
    fn default() -> Self {
        Self { session: "last".to_owned(), turns: 3 }
    }
}

/// A conversation that is followed.
#[derive(Debug)]
pub struct Tail {
    /// The session.
    pub session_id: String,
    /// Its last turns, as they were when it was opened.
    pub first: SessionChange,
    follow: Follow,
    stop: StopSignal,
}

impl TailRequest {
    /// Opens the conversation with its last turns.
    pub fn open(&self, desk: &Desk) -> Result<Tail, AppError> {
        let named = SessionArg::parse(&self.session);
        let library = desk.resolve(&named.session)?.library;
        let missing = || AppError::NoSuchSession { wanted: self.session.clone(), near: Vec::new() };
        let (session_id, path) = {
            let files = library.the_one().ok_or_else(missing)?;
            (files.id.to_string(), files.found.path.clone())
        };
        let mut follow = Follow::new(&library, &session_id, named.agent, &path);
        let first = follow.begin(self.turns)?;
        Ok(Tail { session_id, first, follow, stop: desk.stop.clone() })
    }
}

impl Tail {
    /// What is new at the next look; none once the desk is stopped.
    pub fn poll(&mut self) -> Result<Option<News>, AppError> {
        if !self.stop.wait(PERIOD) {
            return Ok(None);
        }
        self.follow.look().map(Some)
    }
}
