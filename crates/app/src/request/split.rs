//! `split`: two new sessions out of one.

use schemars::JsonSchema;
use scrollback_edit::{EditPlan, Split, load, split};
use scrollback_session::error::AppError;
use serde::{Deserialize, Serialize};

use crate::desk::Desk;
use crate::edits::EditRequest;

/// Where to split a session.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct SplitRequest {
    /// An id, the start of one, a path, a title, or `last`.
    pub session: String,
    /// The turn that the second session starts with.
    pub at: u32,
    /// The titles of the two sessions; both keep the title of the original if none are given.
    pub titles: Option<[String; 2]>,
    /// The client version whose loading is shown before and after; the newest if none is given.
    pub client: Option<String>,
}

impl EditRequest for SplitRequest {
    fn plan(&self, desk: &Desk) -> Result<EditPlan, AppError> {
        let how = Split {
            at: self.at,
            titles: self.titles.clone(),
            generation: Some(load::generation(self.client.as_deref())?),
            command: desk.command.clone(),
        };
        let subjects = desk.subjects("split", &[&self.session])?;
        split(&subjects.library, &subjects.one()?, &how, &mut desk.ids())
    }
}
