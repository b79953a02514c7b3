//! `scrollback merge`: one new session out of two.

use clap::Args;
use scrollback_app::request::merge::MergeRequest;

use crate::context::Context;
use crate::edit::{self, EditArgs};
use crate::failure::Failure;

/// Arguments of `merge`.
#[derive(Debug, Args)]
pub struct MergeArgs {
    /// Session that comes first; the new one is stored next to it.
    #[arg(value_name = "FIRST")]
    pub first: String,
    /// Session that follows it.
    #[arg(value_name = "SECOND")]
    pub second: String,
    /// Title of the new session [default: the title of the first].
    #[arg(long, value_name = "TITLE")]
    pub title: Option<String>,
    /// How to apply it.
    #[command(flatten)]
    pub edit: EditArgs,
}

/// Merges two sessions.
pub fn run(context: &mut Context, args: &MergeArgs) -> Result<(), Failure> {
    let request = MergeRequest {
        first: args.first.clone(),
        second: args.second.clone(),
        title: args.title.clone(),
        client: args.edit.client.clone(),
    };
    edit::run(context, &request, &args.edit)
}
