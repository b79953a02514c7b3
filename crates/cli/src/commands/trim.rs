//! `scrollback trim`: takes turns, calls, thinking, images or dead weight out of a session.

use std::ops::RangeInclusive;

use clap::{ArgGroup, Args};
use scrollback_app::edit::{self, Blocks, Trim};

use crate::commands::show;
use crate::context::Context;
use crate::edit::{EditArgs, offer, whole_session};
use crate::failure::Failure;

/// Arguments of `trim`.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("what").required(true).multiple(true))]
pub struct TrimArgs {
    /// An id, the start of one, a path, a title, or `last`.
    pub session: String,
    /// Drop the turns before this one.
    #[arg(long, value_name = "TURN", group = "what")]
    pub from: Option<u32>,
    /// Drop the turns after this one.
    #[arg(long, value_name = "TURN", group = "what")]
    pub upto: Option<u32>,
    /// Drop these turns: 3, 3-5, 3- or -5, several by comma. Compactions among them stay.
    #[arg(long, value_name = "TURNS", group = "what", value_delimiter = ',', allow_hyphen_values = true)]
    pub drop: Vec<String>,
    /// Drop tool calls with their results.
    #[arg(long, group = "what")]
    pub drop_tools: bool,
    /// Drop what the model thought.
    #[arg(long, group = "what")]
    pub drop_thinking: bool,
    /// Put words in the place of images.
    #[arg(long, group = "what")]
    pub drop_images: bool,
    /// Drop what no reader needs: progress, earlier copies of lines, stored API requests.
    #[arg(long, group = "what")]
    pub slim: bool,
    /// Replace the session's own file, which the journal keeps, instead of making a new session.
    #[arg(long)]
    pub in_place: bool,
    /// What the new session is to be called.
    #[arg(long, value_name = "TITLE", conflicts_with = "in_place")]
    pub title: Option<String>,
    /// What every edit takes.
    #[command(flatten)]
    pub edit: EditArgs,
}

/// Trims a session.
pub fn run(context: &mut Context, args: &TrimArgs) -> Result<(), Failure> {
    let session = whole_session(&args.session)?;
    let drop: Vec<RangeInclusive<u32>> =
        args.drop.iter().map(|text| show::turns(text)).collect::<Result<_, _>>()?;
    let trim = Trim {
        from: args.from,
        upto: args.upto,
        drop,
        blocks: Blocks { tools: args.drop_tools, thinking: args.drop_thinking, images: args.drop_images },
        slim: args.slim,
        in_place: args.in_place,
        title: args.title.clone(),
        generation: Some(args.edit.generation()?),
        command: vec!["trim".into(), args.session.clone()],
    };
    let library = context.library_for(&session)?;
    let files = context.resolve(&library, &session)?;
    let plan = edit::trim(&library, &files, &trim, &mut context.ids())?;
    offer(context, &plan, &args.edit)
}
