//! What a view reports about files and folders that are odd or could not be read.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::library::Library;

/// Something odd about the tree.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct TroubleView {
    /// Where.
    #[serde(with = "crate::view::path")]
    #[schemars(with = "String")]
    pub path: PathBuf,
    /// What.
    pub what: String,
}

impl Library {
    /// The troubles that the walk met, as views.
    pub fn trouble_views(&self) -> Vec<TroubleView> {
        self.troubles
            .iter()
            .map(|trouble| TroubleView { path: trouble.path.clone(), what: trouble.what.clone() })
            .collect()
    }
}
