//! `scrollback pin`: sessions that are listed first.

use clap::Args;
use scrollback_app::marks::Mark;

use crate::commands::tag::put;
use crate::context::Context;
use crate::failure::Failure;

/// Arguments of `pin`.
#[derive(Debug, Args)]
pub struct PinArgs {
    /// Session IDs or prefixes, titles, paths, or `last`.
    #[arg(required = true)]
    pub sessions: Vec<String>,
    /// Unpin.
    #[arg(long)]
    pub off: bool,
}

/// Pins sessions, or unpins them.
pub fn run(context: &mut Context, args: &PinArgs) -> Result<(), Failure> {
    put(context, &args.sessions, Mark::Pin(!args.off))
}
