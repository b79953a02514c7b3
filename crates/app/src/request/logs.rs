//! `logs`: the client's own log of a session.

use std::time::Duration;

use schemars::JsonSchema;
use scrollback_session::error::{AppError, Noun};
use serde::{Deserialize, Serialize};

use super::Request;
use crate::desk::Desk;
use crate::log::{Level, Log, LogEntry, LogView};
use crate::stop::StopSignal;

/// How often a followed log is looked at.
const PERIOD: Duration = Duration::from_millis(250);

/// Which log, and how much of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct LogsRequest {
    /// An id, the start of one, a path, a title, or `last`. A full id also finds the log of a deleted session.
    pub session: String,
    /// Only entries of this level or above.
    pub level: Level,
    /// Only the last entries, at most this many; none for all.
    pub limit: Option<usize>,
}

impl Default for LogsRequest {
    fn default() -> Self {
        Self { session: "last".to_owned(), level: Level::Debug, limit: None }
    }
}

/// A log that is opened.
#[derive(Debug)]
pub struct OpenLog {
    /// The session.
    pub session_id: String,
    log: Log,
    limit: Option<usize>,
    stop: StopSignal,
    is_begun: bool,
}

impl LogsRequest {
    /// Opens the log.
    pub fn open(&self, desk: &Desk) -> Result<OpenLog, AppError> {
        // Logs outlive their sessions.
        let by_id = Some(&self.session).filter(|id| is_id(id));
        let found = by_id.and_then(|id| Some((id.clone(), Log::find(&desk.roots, id, self.level)?)));
        let (session_id, log) = match found {
            Some(found) => found,
            None => {
                let id = desk.resolve_id(Some(&self.session))?.unwrap_or_default();
                let missing = || AppError::NotFound { what: Noun::Log, wanted: id.clone(), near: Vec::new() };
                let log = Log::find(&desk.roots, &id, self.level).ok_or_else(missing)?;
                (id, log)
            }
        };
        let limit = self.limit.filter(|limit| *limit > 0);
        Ok(OpenLog { session_id, log, limit, stop: desk.stop.clone(), is_begun: false })
    }
}

impl OpenLog {
    /// Gives what was asked for, entry by entry: a log may be larger than any memory.
    pub fn each<E: From<AppError>>(
        mut self,
        mut tell: impl FnMut(LogEntry) -> Result<(), E>,
    ) -> Result<(), E> {
        if let Some(limit) = self.limit {
            return self.log.last(limit, true)?.into_iter().try_for_each(tell);
        }
        let mut done = Ok(());
        self.log.read(|entry| {
            if done.is_ok() {
                done = tell(entry);
            }
        })?;
        done?;
        self.log.rest().into_iter().try_for_each(tell)
    }

    /// What is new: at first what was asked for, then what is added; none once the desk is stopped.
    pub fn poll(&mut self) -> Result<Option<Vec<LogEntry>>, AppError> {
        let is_first = !std::mem::replace(&mut self.is_begun, true);
        if !is_first && !self.stop.wait(PERIOD) {
            return Ok(None);
        }
        if let Some(limit) = self.limit.filter(|_| is_first) {
            return self.log.last(limit, false).map(Some);
        }
        let mut entries = Vec::new();
        self.log.read(|entry| entries.push(entry))?;
        // Nothing follows the last entry just now: it is given as far as it has come.
        entries.extend(self.log.finish());
        Ok(Some(entries))
    }
}

impl Request for LogsRequest {
    type Document = LogView;

    fn answer(&self, desk: &Desk) -> Result<LogView, AppError> {
        let mut open = self.open(desk)?;
        let entries = open.log.last(open.limit.unwrap_or(usize::MAX), true)?;
        Ok(LogView { session_id: open.session_id, path: open.log.path, entries })
    }
}

/// The shape of a session's id; anything else is a title, a path or the start of one.
fn is_id(text: &str) -> bool {
    text.len() == 36 && text.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
}
