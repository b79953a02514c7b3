//! `move`: a session or a whole project to another directory.

use std::path::{Component, Path, PathBuf};

use schemars::JsonSchema;
use scrollback_edit::{EditPlan, moving};
use scrollback_session::error::{AppError, Input, invalid, refuse};
use serde::{Deserialize, Serialize};

use crate::desk::Desk;
use crate::edits::EditRequest;

/// Which session to move, and to where.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct MoveSessionRequest {
    /// An id, the start of one, a path, a title, or `last`.
    pub session: String,
    /// The directory that it moves to.
    pub to: PathBuf,
}

impl EditRequest for MoveSessionRequest {
    fn plan(&self, desk: &Desk) -> Result<EditPlan, AppError> {
        let subjects = desk.subjects("move", &[&self.session])?;
        let to = real(desk, &self.to)?;
        moving::move_session(&subjects.library, &subjects.one()?, &to, desk.command.clone())
    }
}

/// Which project to move, and to where.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct MoveProjectRequest {
    /// The directory that it is in: everything stored under it or a directory below it moves.
    pub old: PathBuf,
    /// The directory that it moves to.
    pub new: PathBuf,
}

impl EditRequest for MoveProjectRequest {
    fn plan(&self, desk: &Desk) -> Result<EditPlan, AppError> {
        let library = desk.library()?;
        let new = real(desk, &self.new)?;
        let plan = |old: &str| moving::move_project(&library, old, &new, desk.command.clone());
        let typed = text(&absolute(desk, &self.old)?)?;
        match plan(&typed) {
            // The old name may be a link by now, or have been one: clients record what it led to.
            Err(AppError::NothingToEdit(why)) => match real(desk, &self.old)? {
                real if real == typed || real == new => Err(AppError::NothingToEdit(why)),
                real => plan(&real),
            },
            other => other,
        }
    }
}

/// A directory as clients record it: links on the way followed, as far as it is there.
fn real(desk: &Desk, path: &Path) -> Result<String, AppError> {
    let whole = absolute(desk, path)?;
    let mut there = whole.as_path();
    let mut rest = Vec::new();
    loop {
        if let Ok(found) = std::fs::canonicalize(there) {
            return text(&rest.iter().rev().fold(found, |path: PathBuf, part| path.join(part)));
        }
        match (there.parent(), there.file_name()) {
            (Some(parent), Some(name)) => {
                rest.push(name);
                there = parent;
            }
            _ => return text(&whole),
        }
    }
}

/// The path from the working directory on, without `.` and `..`.
fn absolute(desk: &Desk, path: &Path) -> Result<PathBuf, AppError> {
    if path.as_os_str().is_empty() {
        return Err(invalid(Input::Directory, "", "the path of a directory"));
    }
    let base = desk.cwd.clone().unwrap_or_default();
    let mut whole = PathBuf::new();
    for part in base.join(path).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                whole.pop();
            }
            part => whole.push(part),
        }
    }
    Ok(whole)
}

fn text(path: &Path) -> Result<String, AppError> {
    let bad = || refuse(format!("{} is not UTF-8", path.display()), "use a directory with a UTF-8 name");
    path.to_str().map(str::to_owned).ok_or_else(bad)
}
