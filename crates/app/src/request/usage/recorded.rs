//! `usage recorded`: what clients recorded themselves, beside what is calculated.

use schemars::JsonSchema;
use scrollback_session::error::AppError;
use scrollback_usage::Book;
use scrollback_usage::recorded::{self, Difference, RecordedView};
use serde::{Deserialize, Serialize};

use super::UsageScope;
use crate::desk::Desk;
use crate::request::Request;

/// Which sessions to show.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct RecordedRequest {
    /// Include sessions whose totals agree.
    pub all: bool,
}

impl Request for RecordedRequest {
    type Document = RecordedView;

    fn answer(&self, desk: &Desk) -> Result<RecordedView, AppError> {
        let context = desk.usage(&UsageScope::default())?;
        let library = desk.library()?;
        let book = Book::of(&desk.index(&library)?, None)?;
        let mut view = recorded::recorded(&library, &book, &mut context.pricer());
        view.sessions.retain(|row| self.all || row.why != Difference::Same);
        Ok(view)
    }
}
