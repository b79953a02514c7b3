//! `snapshots`: shell snapshots.

use schemars::JsonSchema;
use scrollback_session::error::AppError;
use serde::{Deserialize, Serialize};

use super::{Request, ScopeRequest};
use crate::desk::Desk;
use crate::snapshot::{self, SnapshotsView};

/// Which snapshots to show.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct SnapshotsRequest {
    /// Only the one of this name, or with this in its name; `last` is the newest.
    pub name: Option<String>,
    /// Only at or after this date.
    pub since: Option<String>,
    /// Only before this date.
    pub until: Option<String>,
}

impl Request for SnapshotsRequest {
    type Document = SnapshotsView;

    fn answer(&self, desk: &Desk) -> Result<SnapshotsView, AppError> {
        let (since, until) = (self.since.clone(), self.until.clone());
        let scope = desk.scope(&ScopeRequest { project: None, since, until })?;
        let mut view = snapshot::snapshots(&desk.library()?, &scope);
        if let Some(name) = &self.name {
            view.snapshots = vec![snapshot::find(view.snapshots, name)?];
        }
        Ok(view)
    }
}
