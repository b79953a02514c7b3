//! `scrollback undo`: takes an edit back.

use std::path::Path;

use clap::Args;
use scrollback_app::JournalError;
use scrollback_app::edit::{self, RecordView};
use scrollback_app::error::AppError;

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
    let data = context.data()?;
    let record = edit::undo(args.number, &data, &context.watch())
        .map_err(|error| if args.number.is_none() { older(error, &data) } else { error.into() })?;
    if context.global.json {
        return Ok(context.out.json(&record)?);
    }
    Ok(context.out.line(Line::new(format!("Done: {}.", record.title), Style::Success))?)
}

/// The last edit cannot be taken back, because what it left has moved on: one before it may be.
fn older(error: AppError, data: &Path) -> Failure {
    let number = match &error {
        AppError::Journal(error) => match **error {
            JournalError::MovedOn { number, .. } => Some(number),
            _ => None,
        },
        _ => None,
    };
    let found = number.and_then(|number| edit::undoable_before(number, data).ok().flatten());
    let failure = Failure::from(error);
    match found {
        Some(RecordView { number, title, .. }) => failure
            .hint(format!("`scrollback undo {number}` takes back the last one that still can be: {title}")),
        None if number.is_some() => failure.hint("no edit before it can be taken back either"),
        None => failure,
    }
}
