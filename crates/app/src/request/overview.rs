//! The overview of a store: what the bare command shows.

use schemars::JsonSchema;
use scrollback_session::error::AppError;
use serde::{Deserialize, Serialize};

use super::Request;
use crate::desk::Desk;
use crate::overview::{self, Overview};

/// Asks what is in the store.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OverviewRequest {}

impl Request for OverviewRequest {
    type Document = Overview;

    fn answer(&self, desk: &Desk) -> Result<Overview, AppError> {
        let library = desk.library()?;
        let index = desk.index(&library)?;
        let now_ns = desk.now().0.saturating_mul(1_000_000);
        Ok(overview::overview(&library, &index, &desk.marks(), now_ns)?)
    }
}
