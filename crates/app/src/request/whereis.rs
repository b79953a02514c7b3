//! `where`: the folder names of a directory, or the directories of a folder.

use std::path::Path;

use schemars::JsonSchema;
use scrollback_session::error::{AppError, Input, Noun, invalid};
use serde::{Deserialize, Serialize};

use super::Request;
use crate::desk::Desk;
use crate::whereis::{self, Whereabouts};

/// Asks for one or the other.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct WhereRequest {
    /// A directory, or the name of a folder below `projects/`; the current directory if none is given.
    pub what: Option<String>,
}

impl Request for WhereRequest {
    type Document = Whereabouts;

    fn answer(&self, desk: &Desk) -> Result<Whereabouts, AppError> {
        let library = desk.library()?;
        let what = match (&self.what, &desk.cwd) {
            (Some(what), _) => what.clone(),
            (None, Some(cwd)) => cwd.display().to_string(),
            (None, None) => {
                return Err(invalid(Input::Directory, "", "a directory; there is no current one"));
            }
        };
        let is_name = !what.contains(['/', '\\']) && !Path::new(&what).is_dir();
        if is_name {
            let named = whereis::folder(&library, &what);
            if named.is_empty() {
                return Err(AppError::NotFound { what: Noun::Folder, wanted: what, near: Vec::new() });
            }
            return Ok(Whereabouts { named, ..Whereabouts::default() });
        }
        // The client takes the real path; a directory that is gone is taken as it is written.
        let real = std::fs::canonicalize(&what).ok().or_else(|| std::path::absolute(&what).ok());
        let real = real.map_or(what, |path| path.to_string_lossy().into_owned());
        let folders = whereis::directory(&library, &real);
        Ok(Whereabouts { directory: Some(real), folders, named: Vec::new() })
    }
}
