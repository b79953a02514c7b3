//! `watch`: everything that happens in a store, event by event.

use std::time::Duration;

use schemars::JsonSchema;
use scrollback_session::error::AppError;
use serde::{Deserialize, Serialize};

use super::ScopeRequest;
use crate::desk::Desk;
use crate::stop::StopSignal;
use crate::watch::{WatchEvent, Watcher};

/// How often a watched store is looked at. A look walks over all names of the store.
const PERIOD: Duration = Duration::from_millis(500);

/// What to watch.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct WatchRequest {
    /// Only projects whose directory contains this; `.` is the current directory.
    pub project: Option<String>,
    /// Include thinking, results, and what the client adds.
    pub all: bool,
}

/// A store that is watched.
#[derive(Debug)]
pub struct StoreWatch {
    watcher: Watcher,
    all: bool,
    stop: StopSignal,
}

impl WatchRequest {
    /// Watches from now on.
    pub fn open(&self, desk: &Desk) -> Result<StoreWatch, AppError> {
        let scope = desk.scope(&ScopeRequest { project: self.project.clone(), ..ScopeRequest::default() })?;
        let watcher = Watcher::new(&desk.library()?, scope);
        Ok(StoreWatch { watcher, all: self.all, stop: desk.stop.clone() })
    }
}

impl StoreWatch {
    /// What happened until the next look; none once the desk is stopped.
    pub fn poll(&mut self) -> Result<Option<Vec<WatchEvent>>, AppError> {
        if !self.stop.wait(PERIOD) {
            return Ok(None);
        }
        let mut events = self.watcher.look()?;
        events.retain(|event| self.all || event.is_plain());
        Ok(Some(events))
    }
}
