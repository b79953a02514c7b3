//! `scrollback split`: two new sessions out of one.

use clap::Args;
use scrollback_app::edit::{self, Split};

use crate::context::Context;
use crate::edit::{EditArgs, offer, whole_session};
use crate::failure::Failure;

/// Arguments of `split`.
#[derive(Debug, Args)]
pub struct SplitArgs {
    /// An id, the start of one, a path, a title, or `last`.
    pub session: String,
    /// The turn that the second session begins with, as `show` numbers them.
    #[arg(long, value_name = "TURN")]
    pub at: u32,
    /// What the two are to be called; both keep the title of the whole if not given.
    #[arg(long, value_names = ["FIRST", "SECOND"], num_args = 2)]
    pub titles: Option<Vec<String>>,
    /// What every edit takes.
    #[command(flatten)]
    pub edit: EditArgs,
}

/// Splits a session.
pub fn run(context: &mut Context, args: &SplitArgs) -> Result<(), Failure> {
    let session = whole_session(&args.session)?;
    let split = Split {
        at: args.at,
        titles: args.titles.clone().and_then(|titles| titles.try_into().ok()),
        generation: Some(args.edit.generation()?),
        command: vec!["split".into(), args.session.clone(), "--at".into(), args.at.to_string()],
    };
    let library = context.library_for(&session)?;
    let files = context.resolve(&library, &session)?;
    let plan = edit::split(&library, &files, &split, &mut context.ids())?;
    offer(context, &plan, &args.edit)
}
