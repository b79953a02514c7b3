//! `rm`: sessions with everything that belongs to them, to the trash.

use schemars::JsonSchema;
use scrollback_edit::{EditPlan, remove};
use scrollback_session::error::AppError;
use serde::{Deserialize, Serialize};

use crate::desk::Desk;
use crate::edits::EditRequest;

/// Which sessions to remove.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct RmRequest {
    /// Ids, starts of ids, paths, titles, or `last`.
    pub sessions: Vec<String>,
}

impl EditRequest for RmRequest {
    fn plan(&self, desk: &Desk) -> Result<EditPlan, AppError> {
        let wanted: Vec<&str> = self.sessions.iter().map(String::as_str).collect();
        let subjects = desk.subjects("rm", &wanted)?;
        let mut all = subjects.files()?;
        // One session may have been named twice.
        let mut seen = Vec::new();
        all.retain(|files| {
            let is_new = !seen.contains(&&files.found.path);
            seen.push(&files.found.path);
            is_new
        });
        remove::remove(&subjects.library, &all, desk.command.clone())
    }
}
