//! `scrollback trim`: removes turns, calls, thinking, images or redundant lines from a session.

use clap::{ArgGroup, Args};
use scrollback_app::request::trim::TrimRequest;

use crate::context::Context;
use crate::edit::{self, EditArgs};
use crate::failure::Failure;

/// Arguments of `trim`.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("what").required(true).multiple(true))]
pub struct TrimArgs {
    /// Session ID or prefix, title, path, or `last`.
    pub session: String,
    /// Remove the turns before this one.
    #[arg(long, value_name = "TURN", group = "what")]
    pub from: Option<u32>,
    /// Remove the turns after this one.
    #[arg(long, value_name = "TURN", group = "what")]
    pub upto: Option<u32>,
    /// Remove these turns: 3, 3-5, 3- or -5, separated by commas. Compactions among them stay.
    #[arg(long, value_name = "TURNS", group = "what", value_delimiter = ',', allow_hyphen_values = true)]
    pub drop: Vec<String>,
    /// Remove tool calls with their results.
    #[arg(long, group = "what")]
    pub drop_tools: bool,
    /// Remove thinking.
    #[arg(long, group = "what")]
    pub drop_thinking: bool,
    /// Replace images with `[image removed]`.
    #[arg(long, group = "what")]
    pub drop_images: bool,
    /// Remove redundant lines: progress, earlier copies of lines, stored API requests.
    #[arg(long, group = "what")]
    pub slim: bool,
    /// Edit the session itself (the journal keeps the original) instead of creating a new one.
    #[arg(long)]
    pub in_place: bool,
    /// Title of the new session.
    #[arg(long, value_name = "TITLE", conflicts_with = "in_place")]
    pub title: Option<String>,
    /// How to apply it.
    #[command(flatten)]
    pub edit: EditArgs,
}

/// Trims a session.
pub fn run(context: &mut Context, args: &TrimArgs) -> Result<(), Failure> {
    let request = TrimRequest {
        session: args.session.clone(),
        from: args.from,
        upto: args.upto,
        drop: args.drop.clone(),
        drop_tools: args.drop_tools,
        drop_thinking: args.drop_thinking,
        drop_images: args.drop_images,
        slim: args.slim,
        in_place: args.in_place,
        title: args.title.clone(),
        client: args.edit.client.clone(),
    };
    edit::run(context, &request, &args.edit)
}
