//! `history`: prompts of all projects.

use schemars::JsonSchema;
use scrollback_session::error::AppError;
use serde::{Deserialize, Serialize};

use super::{Request, ScopeRequest};
use crate::desk::Desk;
use crate::history::{self, HistoryFilter, HistoryView};

/// Which prompts to list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct HistoryRequest {
    /// Only prompts that contain all of these words, or nearly do.
    pub words: Vec<String>,
    /// Match the words as one exact phrase.
    pub exact: bool,
    /// Which projects, and between which dates.
    #[serde(flatten)]
    pub scope: ScopeRequest,
    /// Only prompts of this session.
    pub session: Option<String>,
    /// Maximum number of prompts (0 = no limit).
    pub limit: usize,
}

impl HistoryRequest {
    /// The maximum number unless another is asked for.
    pub const LIMIT: usize = 50;
}

impl Default for HistoryRequest {
    fn default() -> Self {
        let scope = ScopeRequest::default();
        Self { words: Vec::new(), exact: false, scope, session: None, limit: Self::LIMIT }
    }
}

impl Request for HistoryRequest {
    type Document = HistoryView;

    fn answer(&self, desk: &Desk) -> Result<HistoryView, AppError> {
        let filter = HistoryFilter {
            scope: desk.scope(&self.scope)?,
            words: self.words.clone(),
            exact: self.exact,
            session: desk.resolve_id(self.session.as_deref())?,
            limit: Some(self.limit).filter(|limit| *limit > 0),
        };
        let library = desk.library()?;
        let index = desk.index(&library)?;
        history::history(&library, &index, &filter)
    }
}
