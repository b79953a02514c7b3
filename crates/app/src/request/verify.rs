//! `verify`: every file, to the last byte.

use std::path::PathBuf;

use schemars::JsonSchema;
use scrollback_inspect::verify::{self, VerifyReport};
use scrollback_session::error::AppError;
use serde::{Deserialize, Serialize};

use super::Request;
use crate::desk::Desk;
use crate::notice::Work;

/// What to verify.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct VerifyRequest {
    /// Files and directories; the whole store if there are none.
    pub paths: Vec<PathBuf>,
}

impl Request for VerifyRequest {
    type Document = VerifyReport;

    fn answer(&self, desk: &Desk) -> Result<VerifyReport, AppError> {
        let (targets, troubles) = if self.paths.is_empty() {
            let library = desk.library()?;
            (verify::targets(&library), library.troubles)
        } else {
            verify::targets_named(&self.paths)?
        };
        let progress = desk.progress(Work::Reading, targets.iter().map(|target| target.size).sum());
        Ok(verify::verify(&troubles, &targets, &|bytes| progress.add(bytes)))
    }
}
