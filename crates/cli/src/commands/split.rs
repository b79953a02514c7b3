//! `scrollback split`: two new sessions out of one.

use clap::Args;
use scrollback_app::edit;

use crate::context::Context;
use crate::edit::{EditArgs, offer, whole_session};
use crate::failure::Failure;

/// Arguments of `split`.
#[derive(Debug, Args)]
pub struct SplitArgs {
    /// An id, the start of one, a path, a title, or `last`.
    pub session: String,
    /// The turn that the second session begins with.
    #[arg(long, value_name = "TURN")]
    pub at: u32,
    /// What every edit takes.
    #[command(flatten)]
    pub edit: EditArgs,
}

/// Splits a session.
pub fn run(context: &mut Context, args: &SplitArgs) -> Result<(), Failure> {
    let session = whole_session(&args.session)?;
    let generation = args.edit.generation()?;
    let library = context.library_for(&session)?;
    let files = context.resolve(&library, &session)?;
    let command = ["split".into(), args.session.clone(), "--at".into(), args.at.to_string()];
    let plan = edit::split(&library, &files, args.at, generation, &command, &mut context.ids())?;
    offer(context, &plan, &args.edit)
}
