//! `sample`: what writing the built-in sample answers. The sample itself comes with a front.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The sample was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SampleWritten {
    /// Where to.
    #[serde(with = "scrollback_session::view::path")]
    #[schemars(with = "String")]
    pub root: PathBuf,
}
