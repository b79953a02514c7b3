//! `scrollback files rewind`: all files that a session changed, as they were at the end of a turn.

use std::path::PathBuf;

use clap::Args;
use scrollback_app::files::restore::Target;

use super::restore::{self, HowArgs};
use crate::context::Context;
use crate::edit::whole_session;
use crate::failure::Failure;

/// Arguments of `files rewind`.
#[derive(Debug, Args)]
pub struct RewindArgs {
    /// An id, the start of one, a path, a title, or `last`.
    pub session: String,
    /// The turn at whose end the files were so; 0 is before the session.
    #[arg(long, value_name = "TURN")]
    pub to: u32,
    /// Into this directory instead of in place.
    #[arg(long, value_name = "DIR")]
    pub into: Option<PathBuf>,
    /// How to go about it.
    #[command(flatten)]
    pub how: HowArgs,
}

/// Rewinds the files of a session.
pub fn run(context: &mut Context, args: &RewindArgs) -> Result<(), Failure> {
    let session = whole_session(&args.session)?;
    let target = match &args.into {
        Some(directory) => Target::Into(restore::here(context, directory)),
        None => Target::InPlace,
    };
    let library = context.library()?;
    let files = context.resolve(&library, &session)?;
    let turn = args.to.to_string();
    let words = ["files", "rewind", session.as_str(), "--to", &turn];
    restore::all(context, &library, &files, Some(args.to), target, &args.how, &words)
}
