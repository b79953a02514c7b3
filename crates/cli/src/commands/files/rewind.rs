//! `scrollback files rewind`: all files that a session changed, restored to the end of a turn.

use std::path::PathBuf;

use clap::Args;
use scrollback_app::request::files::restore::FilesRewindRequest;

use super::restore::{self, HowArgs};
use crate::context::Context;
use crate::failure::Failure;

/// Arguments of `files rewind`.
#[derive(Debug, Args)]
pub struct RewindArgs {
    /// Session ID or prefix, title, path, or `last`.
    pub session: String,
    /// Turn after which the files are restored (0 = before the session).
    #[arg(long, value_name = "TURN")]
    pub to: u32,
    /// Restore into this directory instead of in place.
    #[arg(long, value_name = "DIR")]
    pub into: Option<PathBuf>,
    /// How to restore.
    #[command(flatten)]
    pub how: HowArgs,
}

/// Rewinds the files of a session.
pub fn run(context: &mut Context, args: &RewindArgs) -> Result<(), Failure> {
    let request = FilesRewindRequest {
        session: args.session.clone(),
        turn: args.to,
        how: args.how.request(args.into.as_ref()),
    };
    restore::run_request(context, &request, &args.how)
}
