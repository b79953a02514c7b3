//! `todos` and `tasks`: lists of both generations, in their files and in the sessions.

use schemars::JsonSchema;
use scrollback_session::error::AppError;
use serde::{Deserialize, Serialize};

use super::{Request, ScopeRequest};
use crate::desk::Desk;
use crate::todo::{self, TodoFilter, TodoGeneration, TodosView};

/// Which lists to show.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct TodosRequest {
    /// Todos or tasks.
    pub generation: TodoGeneration,
    /// Only of this session.
    pub session: Option<String>,
    /// Which projects, and between which dates.
    #[serde(flatten)]
    pub scope: ScopeRequest,
    /// Only lists with open items.
    pub open: bool,
    /// Include empty lists.
    pub all: bool,
}

impl Request for TodosRequest {
    type Document = TodosView;

    fn answer(&self, desk: &Desk) -> Result<TodosView, AppError> {
        let filter = TodoFilter {
            scope: desk.scope(&self.scope)?,
            session: desk.resolve_id(self.session.as_deref())?,
            open: self.open,
            all: self.all,
        };
        let library = desk.library()?;
        let index = desk.index(&library)?;
        todo::lists(&library, &index, self.generation, &filter)
    }
}
