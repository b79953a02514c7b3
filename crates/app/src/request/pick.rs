//! `pick`: the conversations that a person can choose among. Choosing is a front's own matter; a preview is a
//! conversation opened by [`Desk::open`].

use schemars::JsonSchema;
use scrollback_session::error::AppError;
use serde::{Deserialize, Serialize};

use super::Request;
use crate::desk::Desk;
use crate::picking::{self, PickCandidate};

/// Asks for every conversation that can be picked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PickRequest {}

impl Request for PickRequest {
    type Document = Vec<PickCandidate>;

    fn answer(&self, desk: &Desk) -> Result<Vec<PickCandidate>, AppError> {
        let library = desk.library()?;
        let index = desk.index(&library)?;
        Ok(picking::candidates(&index, &desk.marks())?)
    }
}
