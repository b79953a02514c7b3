//! `scrollback move`: a session or a whole project to another directory.

use std::path::PathBuf;

use clap::Args;
use scrollback_app::request::relocate::{MoveProjectRequest, MoveSessionRequest};

use crate::context::Context;
use crate::edit::{self, EditArgs};
use crate::failure::{ExitKind, Failure};

/// Arguments of `move`.
#[derive(Debug, Args)]
pub struct MoveArgs {
    /// Session ID or prefix, title, path, or `last`.
    #[arg(required_unless_present = "project", requires = "to")]
    pub session: Option<String>,
    /// Directory to move the session to; recorded paths are rewritten.
    #[arg(long, value_name = "DIR", requires = "session")]
    pub to: Option<PathBuf>,
    /// Move all sessions of a directory and its subdirectories to another directory.
    #[arg(long, num_args = 2, value_names = ["OLD", "NEW"], conflicts_with_all = ["session", "to"])]
    pub project: Option<Vec<PathBuf>>,
    /// How to apply it.
    #[command(flatten)]
    pub edit: EditArgs,
}

/// Moves a session or a project.
pub fn run(context: &mut Context, args: &MoveArgs) -> Result<(), Failure> {
    match (&args.session, &args.to, args.project.as_deref()) {
        (_, _, Some([old, new])) => {
            let request = MoveProjectRequest { old: old.clone(), new: new.clone() };
            edit::run(context, &request, &args.edit)
        }
        (Some(session), Some(to), _) => {
            let request = MoveSessionRequest { session: session.clone(), to: to.clone() };
            edit::run(context, &request, &args.edit)
        }
        _ => Err(Failure::new(ExitKind::Usage, "use `move SESSION --to DIR` or `move --project OLD NEW`")),
    }
}
