//! `ps`: running clients.

use schemars::JsonSchema;
use scrollback_session::error::AppError;
use serde::{Deserialize, Serialize};

use super::Request;
use crate::desk::Desk;
use crate::ps::{self, PsView};

/// Which clients run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct PsRequest {}

impl Request for PsRequest {
    type Document = PsView;

    fn answer(&self, desk: &Desk) -> Result<PsView, AppError> {
        let library = desk.library()?;
        let index = desk.index(&library)?;
        ps::ps(&library, &index, &desk.watch())
    }
}
