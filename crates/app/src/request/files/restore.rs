//! `files restore` and `files rewind`: versions of files put back, as a plan that a front shows before it is applied.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use schemars::JsonSchema;
use scrollback_edit::EditPlan;
use scrollback_files::moment::{At, end_of_turn};
use scrollback_files::restore::{self, Restore, RestoreTarget};
use scrollback_files::transcripts::TranscriptSet;
use scrollback_session::error::{AppError, Input, invalid};
use serde::{Deserialize, Serialize};

use super::{WhichRequest, at, missing, turn_of, whole_session};
use crate::desk::Desk;
use crate::edits::EditRequest;

/// What every way of restoring takes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct RestoreHow {
    /// Into this directory; in place if none is given.
    pub into: Option<PathBuf>,
    /// Restore also what is only partly known.
    pub partial: bool,
    /// Directories that have another name now, as `OLD=NEW`.
    pub renamed: Vec<String>,
}

impl RestoreHow {
    fn target(&self, desk: &Desk) -> RestoreTarget {
        match (&self.into, &desk.cwd) {
            (None, _) => RestoreTarget::InPlace,
            (Some(directory), Some(cwd)) => RestoreTarget::Into(cwd.join(directory)),
            (Some(directory), None) => RestoreTarget::Into(directory.clone()),
        }
    }
}

/// Restores a version of one file, or all files that a session changed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct FilesRestoreRequest {
    /// The file; none for all files that the session in `at` changed.
    pub path: Option<String>,
    /// The version: `v3`, `SESSION`, `SESSION/TURN` or a date.
    pub at: String,
    /// Treat every file that has this path below its own project as the same file.
    pub any_project: bool,
    /// How to restore.
    #[serde(flatten)]
    pub how: RestoreHow,
}

impl EditRequest for FilesRestoreRequest {
    fn plan(&self, desk: &Desk) -> Result<EditPlan, AppError> {
        let Some(path) = &self.path else {
            let (session, turn) = turn_of(&self.at);
            return all(desk, session, turn, &self.how);
        };
        if self.at.is_empty() {
            return Err(invalid(Input::FileVersion, "", "v3, SESSION, SESSION/TURN or a date"));
        }
        let at = at(desk, &self.at)?;
        let library = desk.library()?;
        let index = desk.index(&library)?;
        let which = WhichRequest { renamed: self.how.renamed.clone(), any_project: self.any_project };
        let history = which.find(desk, &index, path)?;
        let target = self.how.target(desk);
        let restore = Restore {
            paths: vec![history.path.clone()],
            at,
            title: format!("restore {} {}", history.path, whereto(desk, &target)),
            target,
            project: history.shelf.sources.iter().find_map(|source| source.project()).map(str::to_owned),
            named: true,
            renamed: which.renamed()?,
            partial: self.how.partial,
            command: desk.command.clone(),
            now: desk.now(),
        };
        restore::plan(&Arc::new(history.shelf), &restore)
    }
}

/// Restores all files that a session changed to what they were at the end of a turn.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct FilesRewindRequest {
    /// The session, as typed.
    pub session: String,
    /// The turn; 0 is before the session.
    pub turn: u32,
    /// How to restore.
    #[serde(flatten)]
    pub how: RestoreHow,
}

impl EditRequest for FilesRewindRequest {
    fn plan(&self, desk: &Desk) -> Result<EditPlan, AppError> {
        all(desk, &self.session, Some(self.turn), &self.how)
    }
}

/// All files that a session changed, as they were at the end of a turn, or of the session.
fn all(desk: &Desk, session: &str, turn: Option<u32>, how: &RestoreHow) -> Result<EditPlan, AppError> {
    let library = whole_session(desk, session)?;
    let files = library.the_one().ok_or_else(|| missing(session))?;
    let time = end_of_turn(&library, &files, turn)?;
    let own = TranscriptSet::of_session(&library, &files)?;
    let renamed = WhichRequest { renamed: how.renamed.clone(), any_project: false }.renamed()?;
    let paths = own.changed();
    if paths.is_empty() {
        return Err(AppError::NothingToEdit(format!("session {} changed no files", files.id)));
    }
    let whole = desk.library()?;
    let shelf = TranscriptSet::widened(&desk.index(&whole)?, &paths)?;
    let when = turn.map_or_else(|| "its end".to_owned(), |turn| format!("the end of turn {turn}"));
    let target = how.target(desk);
    let title = format!("restore the files of session {} {}, as of {when}", files.id, whereto(desk, &target));
    let restore = Restore {
        paths,
        at: At::Time(time),
        target,
        project: own.project(files.id.as_str()).map(str::to_owned),
        named: false,
        renamed,
        partial: how.partial,
        title,
        command: desk.command.clone(),
        now: desk.now(),
    };
    restore::plan(&Arc::new(shelf), &restore)
}

fn whereto(desk: &Desk, target: &RestoreTarget) -> String {
    match target {
        RestoreTarget::Into(directory) => format!("into {}", below_home(desk, directory)),
        RestoreTarget::InPlace => "in place".to_owned(),
    }
}

/// A directory, with `~` for the home directory.
fn below_home(desk: &Desk, directory: &Path) -> String {
    let home = desk.home.as_deref().filter(|home| *home != Path::new("/"));
    match home.and_then(|home| directory.strip_prefix(home).ok()) {
        Some(rest) if rest.as_os_str().is_empty() => "~".to_owned(),
        Some(rest) => format!("~/{}", rest.display()),
        None => directory.display().to_string(),
    }
}
