//! `merge`: one new session out of two.

use schemars::JsonSchema;
use scrollback_edit::{EditPlan, Merge, load, merge};
use scrollback_session::error::AppError;
use serde::{Deserialize, Serialize};

use crate::desk::Desk;
use crate::edits::EditRequest;

/// Which sessions to merge.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct MergeRequest {
    /// The session that comes first; the new one is stored beside it.
    pub first: String,
    /// The session that continues it.
    pub second: String,
    /// The title of the new session; that of the first if none is given.
    pub title: Option<String>,
    /// The client version whose loading is shown before and after; the newest if none is given.
    pub client: Option<String>,
}

impl EditRequest for MergeRequest {
    fn plan(&self, desk: &Desk) -> Result<EditPlan, AppError> {
        let how = Merge {
            title: self.title.clone(),
            generation: Some(load::generation(self.client.as_deref())?),
            command: desk.command.clone(),
        };
        let subjects = desk.subjects("merge", &[&self.first, &self.second])?;
        match subjects.files()?.as_slice() {
            [first, second] => merge(&subjects.library, [first, second], &how, &mut desk.ids()),
            _ => Err(AppError::Bug("two sessions were named, and not two were found".to_owned())),
        }
    }
}
