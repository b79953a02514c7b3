//! `definitions`: agents, commands, skills and output styles of the user and of projects.

use std::path::PathBuf;

use schemars::JsonSchema;
use scrollback_session::error::{AppError, Noun};
use scrollback_session::library::Library;
use serde::{Deserialize, Serialize};

use super::Request;
use crate::definition::{self, DefinitionKind, DefinitionsView};
use crate::desk::Desk;
use crate::plan::near;

/// Which definitions to show.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct DefinitionsRequest {
    /// Only those of this name.
    pub name: Option<String>,
    /// Only this kind.
    pub kind: Option<DefinitionKind>,
    /// The project whose definitions are included; else the current directory.
    pub project: Option<PathBuf>,
    /// Include those of every project in the store.
    pub all: bool,
}

impl Request for DefinitionsRequest {
    type Document = DefinitionsView;

    fn answer(&self, desk: &Desk) -> Result<DefinitionsView, AppError> {
        let library = desk.library()?;
        let mut view = definition::definitions(&library, &self.projects(desk, &library)?);
        view.definitions.retain(|one| self.kind.is_none_or(|kind| kind == one.kind));
        if let Some(name) = &self.name {
            let near = near(view.definitions.iter().map(|one| one.name.as_str()), &name.to_lowercase());
            view.definitions.retain(|one| one.name == *name);
            if view.definitions.is_empty() {
                return Err(AppError::NotFound { what: Noun::Definition, wanted: name.clone(), near });
            }
        }
        Ok(view)
    }
}

impl DefinitionsRequest {
    fn projects(&self, desk: &Desk, library: &Library) -> Result<Vec<PathBuf>, AppError> {
        let mut projects: Vec<PathBuf> =
            self.project.clone().or_else(|| desk.cwd.clone()).into_iter().collect();
        if self.all {
            let sessions = desk.index(library)?.sessions()?;
            let known = sessions.into_iter().filter_map(|view| view.project).map(PathBuf::from);
            projects.extend(known.filter(|path| path.is_dir()));
            projects.sort();
            projects.dedup();
        }
        Ok(projects)
    }
}
