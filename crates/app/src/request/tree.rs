//! `tree`: a session's threads, compactions and agents.

use schemars::JsonSchema;
use scrollback_session::error::AppError;
use scrollback_session::tree::{self, TreeView};
use serde::{Deserialize, Serialize};

use super::Request;
use crate::desk::Desk;

/// Which session or agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct TreeRequest {
    /// An id, the start of one, a path, a title, or `last`; `SESSION/AGENT` for an agent.
    pub session: String,
}

impl Default for TreeRequest {
    fn default() -> Self {
        Self { session: "last".to_owned() }
    }
}

impl Request for TreeRequest {
    type Document = TreeView;

    fn answer(&self, desk: &Desk) -> Result<TreeView, AppError> {
        tree::of_opened(&desk.open(&self.session)?)
    }
}
