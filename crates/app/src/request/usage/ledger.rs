//! `usage ledger`: sums that outlive their sessions.

use schemars::JsonSchema;
use scrollback_session::error::{AppError, refuse};
use scrollback_usage::ledger::{self, LedgerView};
use serde::{Deserialize, Serialize};

use super::UsageScope;
use crate::desk::Desk;
use crate::request::Request;

/// What to do with the ledger.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum LedgerAction {
    /// Show whether one is kept.
    #[default]
    Status,
    /// Keep one from now on.
    On,
    /// Delete it.
    Off,
    /// Bring it up to date.
    Update,
}

/// What to do with the ledger.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct LedgerRequest {
    /// The action.
    pub action: LedgerAction,
}

impl Request for LedgerRequest {
    type Document = LedgerView;

    fn answer(&self, desk: &Desk) -> Result<LedgerView, AppError> {
        if desk.is_sample {
            return Err(refuse("the sample has no ledger", ""));
        }
        let data = desk.data()?;
        match self.action {
            LedgerAction::Off => ledger::forget(data)?,
            LedgerAction::On => {
                ledger::begin(data)?;
                update(desk)?;
            }
            LedgerAction::Update => update(desk)?,
            LedgerAction::Status => {}
        }
        ledger::view(data)
    }
}

fn update(desk: &Desk) -> Result<(), AppError> {
    let context = desk.usage(&UsageScope::default())?;
    let index = desk.index(&desk.library()?)?;
    desk.whole_book(&context, &index, &mut context.pricer()).map(|_| ())
}
