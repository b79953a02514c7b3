//! `scrollback undo`: takes an edit back.

use clap::Args;
use scrollback_app::edit;

use crate::context::Context;
use crate::failure::Failure;
use crate::paint::{Line, Style};

/// Arguments of `undo`.
#[derive(Debug, Args)]
pub struct UndoArgs {
    /// Which edit, as `journal` numbers them; the last one that can be taken back if none is given.
    pub number: Option<u64>,
}

/// Takes an edit back.
pub fn run(context: &mut Context, args: &UndoArgs) -> Result<(), Failure> {
    let record = edit::undo(args.number, &context.data()?, &context.watch())?;
    if context.global.json {
        return Ok(context.out.json(&record)?);
    }
    Ok(context.out.line(Line::new(format!("Done: {}.", record.title), Style::Success))?)
}
