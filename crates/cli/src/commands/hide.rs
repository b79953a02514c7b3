//! `scrollback hide`: sessions that the list leaves out. Nothing of them is changed.

use clap::Args;
use scrollback_app::marks::Mark;

use crate::commands::tag::put;
use crate::context::Context;
use crate::failure::Failure;

/// Arguments of `hide`.
#[derive(Debug, Args)]
pub struct HideArgs {
    /// Session IDs or prefixes, titles, paths, or `last`.
    #[arg(required = true)]
    pub sessions: Vec<String>,
    /// Show them again.
    #[arg(long)]
    pub off: bool,
}

/// Hides sessions, or shows them again.
pub fn run(context: &mut Context, args: &HideArgs) -> Result<(), Failure> {
    put(context, &args.sessions, Mark::Hide(!args.off))
}
