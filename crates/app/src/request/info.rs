//! `info`: everything about one session.

use schemars::JsonSchema;
use scrollback_session::error::AppError;
use serde::{Deserialize, Serialize};

use super::Request;
use crate::desk::Desk;
use crate::info::{self, Info};

/// Which session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct InfoRequest {
    /// An id, the start of one, a path, a title, or `last`.
    pub session: String,
}

impl Default for InfoRequest {
    fn default() -> Self {
        Self { session: "last".to_owned() }
    }
}

impl Request for InfoRequest {
    type Document = Info;

    fn answer(&self, desk: &Desk) -> Result<Info, AppError> {
        let opened = desk.open_whole(&self.session, "info")?;
        let files = opened
            .files()
            .ok_or_else(|| AppError::NoSuchSession { wanted: self.session.clone(), near: Vec::new() })?;
        // The sample's own tasks left nothing there.
        let temporary = desk.temporary.as_deref().filter(|_| !desk.is_sample);
        info::of_agents(
            &opened.library,
            &files,
            &opened.session,
            &opened.agents,
            opened.index.as_ref(),
            temporary,
        )
    }
}
