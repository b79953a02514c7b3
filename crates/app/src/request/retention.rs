//! `retention`: what the client will delete by itself, and when.

use schemars::JsonSchema;
use scrollback_inspect::settings::SettingsPlaces;
use scrollback_inspect::stock::retention::{self, Retention};
use scrollback_session::error::AppError;
use serde::{Deserialize, Serialize};

use super::Request;
use crate::desk::Desk;

/// What to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct RetentionRequest {
    /// Sessions that the client deletes within this number of days.
    pub within_days: u64,
    /// Maximum number of sessions (0 = no limit).
    pub limit: usize,
}

impl RetentionRequest {
    /// The number of days unless another is asked for.
    pub const WITHIN_DAYS: u64 = 7;
    /// The maximum number of sessions unless another is asked for.
    pub const LIMIT: usize = 20;
}

impl Default for RetentionRequest {
    fn default() -> Self {
        Self { within_days: Self::WITHIN_DAYS, limit: Self::LIMIT }
    }
}

impl Request for RetentionRequest {
    type Document = Retention;

    fn answer(&self, desk: &Desk) -> Result<Retention, AppError> {
        let (stock, index) = desk.stock()?;
        let places = SettingsPlaces { managed: desk.managed_settings(), project: None };
        let mut found = retention::retention(&stock, &places, desk.now(), self.within_days);
        found.sessions.truncate(if self.limit == 0 { usize::MAX } else { self.limit });
        if let Some(index) = &index {
            found.name(index);
        }
        Ok(found)
    }
}
