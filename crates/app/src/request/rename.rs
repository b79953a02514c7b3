//! `rename`: a title for a session, as its own client writes it.

use schemars::JsonSchema;
use scrollback_edit::{EditPlan, rename};
use scrollback_session::error::AppError;
use serde::{Deserialize, Serialize};

use crate::desk::Desk;
use crate::edits::EditRequest;

/// Which session to rename.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct RenameRequest {
    /// An id, the start of one, a path, a title, or `last`.
    pub session: String,
    /// The new title.
    pub title: String,
}

impl EditRequest for RenameRequest {
    fn plan(&self, desk: &Desk) -> Result<EditPlan, AppError> {
        let subjects = desk.subjects("rename", &[&self.session])?;
        rename::rename(&subjects.library, &subjects.one()?, &self.title, desk.command.clone())
    }
}
