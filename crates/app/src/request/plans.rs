//! `plans`: plans, and the sessions that made them.

use schemars::JsonSchema;
use scrollback_session::error::AppError;
use serde::{Deserialize, Serialize};

use super::{Request, ScopeRequest};
use crate::desk::Desk;
use crate::plan::{self, PlansView};

/// Which plans to show.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct PlansRequest {
    /// Only the plan of this name, or with this in its name or title.
    pub name: Option<String>,
    /// Which projects, and between which dates.
    #[serde(flatten)]
    pub scope: ScopeRequest,
}

impl Request for PlansRequest {
    type Document = PlansView;

    fn answer(&self, desk: &Desk) -> Result<PlansView, AppError> {
        let scope = desk.scope(&self.scope)?;
        let library = desk.library()?;
        let index = desk.index(&library)?;
        let mut view = plan::plans(&library, &index, &scope)?;
        if let Some(name) = &self.name {
            view.plans = plan::find(view.plans, name)?;
        }
        Ok(view)
    }
}
