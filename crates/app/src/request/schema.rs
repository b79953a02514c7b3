//! `schema`: kinds and fields by client version.

use schemars::JsonSchema;
use scrollback_inspect::census::{self, Census};
use scrollback_inspect::verify;
use scrollback_session::error::AppError;
use serde::{Deserialize, Serialize};

use super::Request;
use crate::desk::Desk;
use crate::notice::Work;

/// Which kinds to show.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct SchemaRequest {
    /// Only this kind, or the kinds of this group: `user`, `system`, `system/api_error`.
    pub kind: Option<String>,
    /// Only what FORMAT.md does not describe.
    pub unknown: bool,
}

impl Request for SchemaRequest {
    type Document = Census;

    fn answer(&self, desk: &Desk) -> Result<Census, AppError> {
        let targets = verify::targets(&desk.library()?);
        let progress = desk.progress(Work::Reading, targets.iter().map(|target| target.size).sum());
        let mut census = census::census(&targets, &|bytes| progress.add(bytes));
        drop(progress);
        if let Some(kind) = &self.kind {
            census.retain_kind(kind)?;
        }
        if self.unknown {
            census.retain_unknown();
        }
        Ok(census)
    }
}
