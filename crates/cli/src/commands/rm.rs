//! `scrollback rm`: sessions with everything that belongs to them, to the trash.

use clap::Args;
use scrollback_app::request::rm::RmRequest;

use crate::context::Context;
use crate::edit::{self, EditArgs};
use crate::failure::Failure;

/// Arguments of `rm`.
#[derive(Debug, Args)]
pub struct RmArgs {
    /// Session IDs or prefixes, titles, paths, or `last`.
    #[arg(required = true)]
    pub sessions: Vec<String>,
    /// How to apply it.
    #[command(flatten)]
    pub edit: EditArgs,
}

/// Removes sessions.
pub fn run(context: &mut Context, args: &RmArgs) -> Result<(), Failure> {
    let request = RmRequest { sessions: args.sessions.clone() };
    edit::run(context, &request, &args.edit)
}
