//! `settings`: the client's settings, and which file each comes from.

use std::path::PathBuf;

use schemars::JsonSchema;
use scrollback_inspect::settings::{self, SettingsPlaces, SettingsView};
use scrollback_session::error::{AppError, Noun};
use serde::{Deserialize, Serialize};

use super::Request;
use crate::desk::Desk;

/// Which settings to show.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct SettingsRequest {
    /// Only settings whose name contains this.
    pub name: Option<String>,
    /// The project whose settings apply; else the current directory.
    pub project: Option<PathBuf>,
    /// Only managed settings and the user's.
    pub user: bool,
}

impl Request for SettingsRequest {
    type Document = Vec<SettingsView>;

    fn answer(&self, desk: &Desk) -> Result<Vec<SettingsView>, AppError> {
        let library = desk.library()?;
        let places = SettingsPlaces { managed: desk.managed_settings(), project: self.project(desk)? };
        let mut views: Vec<SettingsView> =
            library.roots.iter().map(|root| settings::settings(root, &places)).collect();
        if let Some(name) = &self.name {
            let wanted = name.to_lowercase();
            for view in &mut views {
                view.values.retain(|value| value.key.to_lowercase().contains(&wanted));
            }
        }
        Ok(views)
    }
}

impl SettingsRequest {
    fn project(&self, desk: &Desk) -> Result<Option<PathBuf>, AppError> {
        let project = match &self.project {
            _ if self.user => None,
            Some(project) if !project.is_dir() => {
                let wanted = project.display().to_string();
                return Err(AppError::NotFound { what: Noun::Project, wanted, near: Vec::new() });
            }
            Some(project) => Some(project.clone()),
            // The sample's projects do not exist on this machine.
            None if desk.is_sample => None,
            None => desk.cwd.clone(),
        };
        Ok(project.map(|path| std::path::absolute(&path).unwrap_or(path)))
    }
}
