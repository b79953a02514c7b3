//! `scrollback merge`: one new session out of two.

use clap::Args;
use scrollback_app::edit;

use crate::context::Context;
use crate::edit::{EditArgs, offer, whole_session};
use crate::failure::Failure;

/// Arguments of `merge`.
#[derive(Debug, Args)]
pub struct MergeArgs {
    /// The session that comes first; the new one is put beside it.
    #[arg(value_name = "FIRST")]
    pub first: String,
    /// The session that goes on from its end.
    #[arg(value_name = "SECOND")]
    pub second: String,
    /// What the new session is to be called.
    #[arg(long, value_name = "TITLE")]
    pub title: Option<String>,
    /// What every edit takes.
    #[command(flatten)]
    pub edit: EditArgs,
}

/// Merges two sessions.
pub fn run(context: &mut Context, args: &MergeArgs) -> Result<(), Failure> {
    let [first, second] = [whole_session(&args.first)?, whole_session(&args.second)?];
    let generation = args.edit.generation()?;
    let library = context.library_for(&first)?;
    let [first, second] = [context.resolve(&library, &first)?, context.resolve(&library, &second)?];
    let command = ["merge".into(), args.first.clone(), args.second.clone()];
    let title = args.title.as_deref();
    let plan = edit::merge(&library, [&first, &second], generation, title, &command, &mut context.ids())?;
    offer(context, &plan, &args.edit)
}
