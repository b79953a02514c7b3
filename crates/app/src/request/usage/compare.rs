//! `usage compare`: our sums beside the JSON of another tool.

use std::path::PathBuf;

use schemars::JsonSchema;
use scrollback_session::area;
use scrollback_session::error::{AppError, Hint};
use scrollback_usage::by;
use scrollback_usage::compare::{self, CompareView};
use serde::{Deserialize, Serialize};

use super::UsageScope;
use crate::desk::Desk;
use crate::request::Request;

/// What to compare with.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct CompareRequest {
    /// The JSON that the other tool printed, by day or month.
    pub file: PathBuf,
    /// Which projects and dates, and the time zone.
    #[serde(flatten)]
    pub of: UsageScope,
}

impl Request for CompareRequest {
    type Document = CompareView;

    fn answer(&self, desk: &Desk) -> Result<CompareView, AppError> {
        let document = area::json(&self.file).map_err(|trouble| AppError::Unsuitable {
            why: format!("{}: {}", trouble.path.display(), trouble.what),
            hints: Vec::new(),
        })?;
        let (unit, theirs) = compare::read(&document).ok_or_else(|| AppError::Unsuitable {
            why: format!("no rows by day or month in {}", self.file.display()),
            hints: vec![Hint::say("`ccusage daily --json` prints such rows")],
        })?;
        let context = desk.usage(&self.of)?;
        let index = desk.index(&desk.library()?)?;
        let mut pricer = context.pricer();
        let mut book = desk.whole_book(&context, &index, &mut pricer)?;
        context.retain_projects(&mut book);
        context.retain_times(&mut book);
        let ours = by::usage(&index, &book, &mut pricer, unit)?;
        Ok(compare::compare(&ours, &theirs))
    }
}
