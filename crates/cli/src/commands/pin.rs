//! `scrollback pin`: sessions that stand first in the list.

use clap::Args;
use scrollback_app::edit::mark::Mark;

use crate::commands::tag::say;
use crate::context::Context;
use crate::failure::Failure;

/// Arguments of `pin`.
#[derive(Debug, Args)]
pub struct PinArgs {
    /// Ids, starts of ids, paths, titles, or `last`.
    #[arg(required = true)]
    pub sessions: Vec<String>,
    /// No longer.
    #[arg(long)]
    pub off: bool,
}

/// Pins sessions, or lets them go.
pub fn run(context: &mut Context, args: &PinArgs) -> Result<(), Failure> {
    say(context, &args.sessions, &Mark::Pin(!args.off))
}
