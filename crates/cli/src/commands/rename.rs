//! `scrollback rename`: a title for a session, as its own client writes it.

use clap::Args;
use scrollback_app::request::rename::RenameRequest;

use crate::context::Context;
use crate::edit::{self, EditArgs};
use crate::failure::Failure;

/// Arguments of `rename`.
#[derive(Debug, Args)]
pub struct RenameArgs {
    /// Session ID or prefix, title, path, or `last`.
    pub session: String,
    /// The new title.
    pub title: String,
    /// How to apply it.
    #[command(flatten)]
    pub edit: EditArgs,
}

/// Renames a session.
pub fn run(context: &mut Context, args: &RenameArgs) -> Result<(), Failure> {
    let request = RenameRequest { session: args.session.clone(), title: args.title.clone() };
    edit::run(context, &request, &args.edit)
}
