//! The user's config: `config.toml` in the platform's directory for such files. Everything in it is optional.
//!
//! ```toml
//! # Prices of your own, over those of the built-in table. Dollars per million tokens; from and until are days.
//! [[prices]]
//! model = "claude-sonnet-4-5"
//! from = "2026-01-01"
//! input = 2.4
//! output = 12
//!
//! [usage]
//! time_zone = "Europe/Berlin"
//! budgets = ["50/day", "500/month"]
//! ```

use std::path::Path;

use scrollback_session::error::{AppError, Hint};
use scrollback_store::ReadError;
use scrollback_usage::Override;
use serde::Deserialize;

/// What the config says.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// Prices of the user's own.
    pub prices: Vec<Override>,
    /// What `usage` goes by.
    pub usage: UsageConfig,
}

/// What `usage` goes by.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct UsageConfig {
    /// The time zone that days are of.
    pub time_zone: Option<String>,
    /// Budgets, such as `50/day`.
    pub budgets: Vec<String>,
}

impl Config {
    /// Reads a file; none is as good as an empty one.
    pub fn load(path: &Path) -> Result<Self, AppError> {
        if !path.is_file() {
            return Ok(Self::default());
        }
        let text =
            std::fs::read_to_string(path).map_err(|source| ReadError { path: path.to_owned(), source })?;
        toml::from_str(&text).map_err(|error| AppError::Unsuitable {
            why: format!("{}: {error}", path.display()),
            hints: vec![Hint::say("docs/usage.md describes the configuration file")],
        })
    }
}
