//! `scrollback hide`: sessions that the list leaves out. Nothing of them is changed.

use clap::Args;
use scrollback_app::edit::mark::Mark;

use crate::commands::tag::say;
use crate::context::Context;
use crate::failure::Failure;

/// Arguments of `hide`.
#[derive(Debug, Args)]
pub struct HideArgs {
    /// Ids, starts of ids, paths, titles, or `last`.
    #[arg(required = true)]
    pub sessions: Vec<String>,
    /// List them again.
    #[arg(long)]
    pub off: bool,
}

/// Hides sessions, or lists them again.
pub fn run(context: &mut Context, args: &HideArgs) -> Result<(), Failure> {
    say(context, &args.sessions, &Mark::Hide(!args.off))
}
