//! `usage time`: where the time of a session went.

use schemars::JsonSchema;
use scrollback_format::generation::Generation;
use scrollback_session::error::AppError;
use scrollback_usage::time::{self, TimeView};
use serde::{Deserialize, Serialize};

use crate::desk::Desk;
use crate::request::Request;

/// Which session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct TimeRequest {
    /// An id, the start of one, a path, a title, or `last`.
    pub session: String,
}

impl Default for TimeRequest {
    fn default() -> Self {
        Self { session: "last".to_owned() }
    }
}

impl Request for TimeRequest {
    type Document = TimeView;

    fn answer(&self, desk: &Desk) -> Result<TimeView, AppError> {
        let library = desk.resolve(&self.session)?.library;
        let missing = || AppError::NoSuchSession { wanted: self.session.clone(), near: Vec::new() };
        let files = library.the_one().ok_or_else(missing)?;
        let index = desk.session_index(&library);
        let loaded = library.load_with(&files, Generation::NEWEST, index.as_ref())?;
        Ok(time::times(files.id.as_str(), &loaded))
    }
}
