//! An edit that was interrupted, and what became of it.

use std::fmt;

use serde::{Deserialize, Serialize};

/// An edit that was interrupted and has been rolled back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct RecoveredView {
    /// Its number.
    pub number: u64,
    /// What it was about to do; null if it was interrupted before it had changed anything, which leaves no title.
    pub title: Option<String>,
    /// Paths that someone else had changed meanwhile, and that were left as they are.
    pub kept: Vec<String>,
}

impl fmt::Display for RecoveredView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { number, title, kept } = self;
        match (title, kept.as_slice()) {
            (None, _) => write!(f, "edit {number} was interrupted before it changed anything"),
            (Some(title), []) => write!(f, "edit {number} ({title}) was interrupted; rolled back"),
            (Some(title), kept) => write!(
                f,
                "edit {number} ({title}) was interrupted; rolled back, except for what was modified since: {}",
                kept.join(", ")
            ),
        }
    }
}
