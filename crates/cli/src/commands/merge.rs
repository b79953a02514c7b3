//! `scrollback merge`: one new session out of two.

use clap::Args;
use scrollback_app::edit::{self, Merge};

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
    /// What the new session is to be called; as the first one is if not given.
    #[arg(long, value_name = "TITLE")]
    pub title: Option<String>,
    /// What every edit takes.
    #[command(flatten)]
    pub edit: EditArgs,
}

/// Merges two sessions.
pub fn run(context: &mut Context, args: &MergeArgs) -> Result<(), Failure> {
    let [first, second] = [whole_session(&args.first)?, whole_session(&args.second)?];
    let merge = Merge {
        title: args.title.clone(),
        generation: Some(args.edit.generation()?),
        command: vec!["merge".into(), args.first.clone(), args.second.clone()],
    };
    let library = context.library_for(&first)?;
    let [first, second] = [context.resolve(&library, &first)?, context.resolve(&library, &second)?];
    let plan = edit::merge(&library, [&first, &second], &merge, &mut context.ids())?;
    offer(context, &plan, &args.edit)
}
