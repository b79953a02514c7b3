//! `scrollback split`: two new sessions out of one.

use clap::Args;
use scrollback_app::request::split::SplitRequest;

use crate::context::Context;
use crate::edit::{self, EditArgs};
use crate::failure::Failure;

/// Arguments of `split`.
#[derive(Debug, Args)]
pub struct SplitArgs {
    /// Session ID or prefix, title, path, or `last`.
    pub session: String,
    /// Turn that starts the second session, as numbered by `show`.
    #[arg(long, value_name = "TURN")]
    pub at: u32,
    /// Titles of the two new sessions [default: the original title].
    #[arg(long, value_names = ["FIRST", "SECOND"], num_args = 2)]
    pub titles: Option<Vec<String>>,
    /// How to apply it.
    #[command(flatten)]
    pub edit: EditArgs,
}

/// Splits a session.
pub fn run(context: &mut Context, args: &SplitArgs) -> Result<(), Failure> {
    let request = SplitRequest {
        session: args.session.clone(),
        at: args.at,
        titles: args.titles.clone().and_then(|titles| titles.try_into().ok()),
        client: args.edit.client.clone(),
    };
    edit::run(context, &request, &args.edit)
}
