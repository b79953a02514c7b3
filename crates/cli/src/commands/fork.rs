//! `scrollback fork`: a new session with the same conversation, or with its beginning.

use std::path::PathBuf;

use clap::Args;
use scrollback_app::request::fork::ForkRequest;

use crate::context::Context;
use crate::edit::{self, EditArgs};
use crate::failure::Failure;

/// Arguments of `fork`.
#[derive(Debug, Args)]
pub struct ForkArgs {
    /// Session ID or prefix, title, path, or `last`.
    pub session: String,
    /// Copy only up to here: the end of a turn, an entry, before-compaction (the last one) or before-compaction:N.
    #[arg(long, value_name = "TURN|UUID")]
    pub at: Option<String>,
    /// Branch to copy, as numbered by `tree` (0 = the live thread).
    #[arg(long, short, value_name = "N", default_value_t = 0)]
    pub branch: u64,
    /// Copy into the project of DIR, and rewrite recorded paths to DIR.
    #[arg(long, value_name = "DIR")]
    pub to: Option<PathBuf>,
    /// Record the original session on every line, as the client's /branch does (the default).
    #[arg(long, overrides_with = "unmarked")]
    pub mark: bool,
    /// Do not record the original session, like the client's --fork-session.
    #[arg(long)]
    pub unmarked: bool,
    /// Give every line a new ID.
    #[arg(long)]
    pub fresh_ids: bool,
    /// Do not copy agents.
    #[arg(long)]
    pub without_agents: bool,
    /// Do not copy file checkpoints.
    #[arg(long)]
    pub without_files: bool,
    /// Title of the new session.
    #[arg(long, value_name = "TITLE")]
    pub title: Option<String>,
    /// How to apply it.
    #[command(flatten)]
    pub edit: EditArgs,
}

/// Forks a session.
pub fn run(context: &mut Context, args: &ForkArgs) -> Result<(), Failure> {
    let request = ForkRequest {
        session: args.session.clone(),
        at: args.at.clone(),
        branch: args.branch,
        to: args.to.clone(),
        unmarked: args.unmarked,
        fresh_ids: args.fresh_ids,
        without_agents: args.without_agents,
        without_files: args.without_files,
        title: args.title.clone(),
        client: args.edit.client.clone(),
    };
    edit::run(context, &request, &args.edit)
}
