//! `scrollback rename`: a title for a session, as its own client writes it.

use clap::Args;
use scrollback_app::edit::rename;
use scrollback_app::resolve::SessionArg;

use crate::context::Context;
use crate::edit::{self, EditArgs};
use crate::failure::{Failure, Kind};

/// Arguments of `rename`.
#[derive(Debug, Args)]
pub struct RenameArgs {
    /// An id, the start of one, a path, a title, or `last`.
    pub session: String,
    /// The new title.
    pub title: String,
    /// How to edit.
    #[command(flatten)]
    pub edit: EditArgs,
}

/// Renames a session.
pub fn run(context: &mut Context, args: &RenameArgs) -> Result<(), Failure> {
    whole(&args.session)?;
    let library = context.library_for(&args.session)?;
    let files = context.resolve(&library, &args.session)?;
    let words = edit::words(&["rename", files.id.as_str(), &args.title]);
    let plan = rename::rename(&library, &files, &args.title, words)?;
    edit::offer(context, &plan, &args.edit)
}

/// These edits are about whole sessions.
pub fn whole(session: &str) -> Result<(), Failure> {
    if SessionArg::parse(session).agent.is_some() {
        return Err(Failure::new(
            Kind::Usage,
            format!("'{session}' is an agent, and this edits whole sessions"),
        )
        .hint("name the session alone"));
    }
    Ok(())
}
