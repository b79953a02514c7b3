//! `scrollback move`: a session or a whole project to another directory.

use std::path::{Component, Path, PathBuf};

use clap::Args;
use scrollback_app::edit::{Plan, moving};
use scrollback_app::error::AppError;

use crate::commands::rename::whole;
use crate::context::Context;
use crate::edit::{self, EditArgs};
use crate::failure::{Failure, Kind};

/// Arguments of `move`.
#[derive(Debug, Args)]
pub struct MoveArgs {
    /// An id, the start of one, a path, a title, or `last`.
    #[arg(required_unless_present = "project", requires = "to")]
    pub session: Option<String>,
    /// The directory that the session moves to.
    #[arg(long, value_name = "DIR", requires = "session")]
    pub to: Option<PathBuf>,
    /// Move everything that is at home in one directory, or below it, to another one.
    #[arg(long, num_args = 2, value_names = ["OLD", "NEW"], conflicts_with_all = ["session", "to"])]
    pub project: Option<Vec<PathBuf>>,
    /// How to edit.
    #[command(flatten)]
    pub edit: EditArgs,
}

/// Moves a session or a project.
pub fn run(context: &mut Context, args: &MoveArgs) -> Result<(), Failure> {
    let plan = match (&args.session, &args.to, args.project.as_deref()) {
        (_, _, Some([old, new])) => project(context, old, new)?,
        (Some(session), Some(to), _) => {
            whole(session)?;
            let library = context.library_for(session)?;
            let files = context.resolve(&library, session)?;
            let to = real(context, to)?;
            let words = edit::words(&["move", files.id.as_str(), "--to", &to]);
            moving::move_session(&library, &files, &to, words)?
        }
        _ => return Err(Failure::new(Kind::Usage, "move SESSION --to DIR, or move --project OLD NEW")),
    };
    edit::offer(context, &plan, &args.edit)
}

fn project(context: &mut Context, old: &Path, new: &Path) -> Result<Plan, Failure> {
    let library = context.library()?;
    let new = real(context, new)?;
    let plan =
        |old: &str| moving::move_project(&library, old, &new, edit::words(&["move", "--project", old, &new]));
    let typed = text(&absolute(context, old)?)?;
    match plan(&typed) {
        // The old name may be a link by now, or have been one: clients record what it led to.
        Err(AppError::NothingToEdit(why)) => match real(context, old)? {
            real if real == typed || real == new => Err(AppError::NothingToEdit(why).into()),
            real => Ok(plan(&real)?),
        },
        other => Ok(other?),
    }
}

/// A directory as clients record it: links on the way followed, as far as it is there.
fn real(context: &Context, path: &Path) -> Result<String, Failure> {
    let whole = absolute(context, path)?;
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
fn absolute(context: &Context, path: &Path) -> Result<PathBuf, Failure> {
    let base = context.env.cwd.clone().unwrap_or_default();
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
    if path.as_os_str().is_empty() {
        return Err(Failure::new(Kind::Usage, "a directory has to have a name"));
    }
    Ok(whole)
}

fn text(path: &Path) -> Result<String, Failure> {
    path.to_str().map(str::to_owned).ok_or_else(|| {
        Failure::new(Kind::Refused, format!("{} is not UTF-8: no client could record it", path.display()))
    })
}
