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

use scrollback_app::usage::Override;
use serde::Deserialize;

use crate::env::Env;
use crate::failure::{Failure, Kind};

/// What the config says.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// Prices of the user's own.
    pub prices: Vec<Override>,
    /// What `usage` goes by.
    pub usage: UsageConfig,
}

/// What `usage` goes by.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct UsageConfig {
    /// The time zone that days are of.
    pub time_zone: Option<String>,
    /// Budgets, such as `50/day`.
    pub budgets: Vec<String>,
}

/// Reads the config; none is as good as an empty one.
pub fn load(env: &Env) -> Result<Config, Failure> {
    let Some(path) = env.config_file.as_deref().filter(|path| path.is_file()) else {
        return Ok(Config::default());
    };
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::new(Kind::Io, format!("{}: {error}", path.display())))?;
    toml::from_str(&text).map_err(|error| {
        Failure::new(Kind::Usage, format!("{}: {error}", path.display()))
            .hint("docs/usage.md tells what may stand there")
    })
}
