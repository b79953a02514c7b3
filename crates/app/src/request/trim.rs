//! `trim`: removes turns, tool calls, thinking, images or redundant lines from a session.

use std::ops::RangeInclusive;

use schemars::JsonSchema;
use scrollback_edit::{BlockKinds, EditPlan, Trim, load, trim};
use scrollback_session::error::{AppError, Hint};
use serde::{Deserialize, Serialize};

use super::show::turns;
use crate::desk::Desk;
use crate::edits::EditRequest;

/// What to remove from a session.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct TrimRequest {
    /// An id, the start of one, a path, a title, or `last`.
    pub session: String,
    /// Remove the turns before this one.
    pub from: Option<u32>,
    /// Remove the turns after this one.
    pub upto: Option<u32>,
    /// Remove these turns: `3`, `3-5`, `3-` or `-5`. Compactions among them stay.
    pub drop: Vec<String>,
    /// Remove tool calls with their results.
    pub drop_tools: bool,
    /// Remove thinking.
    pub drop_thinking: bool,
    /// Replace images by `[image removed]`.
    pub drop_images: bool,
    /// Remove redundant lines: progress, earlier copies of lines, stored API requests.
    pub slim: bool,
    /// Replace the file of the session instead of making a new session.
    pub in_place: bool,
    /// The title of the new session.
    pub title: Option<String>,
    /// The client version whose loading is shown before and after; the newest if none is given.
    pub client: Option<String>,
}

impl TrimRequest {
    fn removes_anything(&self) -> bool {
        let by_turn = self.from.is_some() || self.upto.is_some() || !self.drop.is_empty();
        by_turn || self.drop_tools || self.drop_thinking || self.drop_images || self.slim
    }
}

impl EditRequest for TrimRequest {
    fn plan(&self, desk: &Desk) -> Result<EditPlan, AppError> {
        if !self.removes_anything() {
            return Err(AppError::Unsuitable {
                why: "nothing to remove was given".to_owned(),
                hints: vec![Hint::option("drop-tools", "removes tool calls with their results")],
            });
        }
        let drop: Vec<RangeInclusive<u32>> =
            self.drop.iter().map(|text| turns(text)).collect::<Result<_, _>>()?;
        let how = Trim {
            from: self.from,
            upto: self.upto,
            drop,
            blocks: BlockKinds {
                tools: self.drop_tools,
                thinking: self.drop_thinking,
                images: self.drop_images,
            },
            slim: self.slim,
            in_place: self.in_place,
            title: self.title.clone().filter(|_| !self.in_place),
            generation: Some(load::generation(self.client.as_deref())?),
            command: desk.command.clone(),
        };
        let subjects = desk.subjects("trim", &[&self.session])?;
        trim(&subjects.library, &subjects.one()?, &how, &mut desk.ids())
    }
}
