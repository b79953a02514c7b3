//! `scrollback undo`: undoes an edit, or rolls back one that was interrupted.

use clap::Args;
use scrollback_app::edit::UndoneView;
use scrollback_app::request::journal::UndoRequest;

use crate::context::Context;
use crate::edit::too_late;
use crate::failure::{ExitKind, Failure};
use crate::paint::{Style, StyledLine};

/// Arguments of `undo`.
#[derive(Debug, Args)]
pub struct UndoArgs {
    /// Number of the edit, as shown by `journal` [default: an interrupted edit, else the last one that can be undone].
    pub number: Option<u64>,
}

/// Undoes an edit.
pub fn run(context: &mut Context, args: &UndoArgs) -> Result<(), Failure> {
    let undone = context.journal_desk()?.answer(&UndoRequest { number: args.number })?;
    show(context, &undone)
}

/// Shows what an undo has done.
pub fn show(context: &mut Context, undone: &UndoneView) -> Result<(), Failure> {
    let made = undone.made();
    if context.global.json {
        context.out.document(undone)?;
    } else if let Some(made) = made {
        context.out.line(StyledLine::new(format!("Done: {}.", made.title), Style::Success))?;
    } else {
        for one in &undone.recovered {
            context.out.line(StyledLine::new(format!("Done: {one}."), Style::Success))?;
        }
        let hint = match &undone.next {
            Some(next) => {
                format!("`scrollback undo {}` undoes the edit before it: {}", next.number, next.title)
            }
            None => "No other edit can be undone.".to_owned(),
        };
        context.out.line(StyledLine::new(hint, Style::Dim))?;
    }
    match made {
        Some(made) => too_late(context, made.number),
        None if context.stop.is_set() => Err(Failure::quiet(ExitKind::Interrupted)),
        None => Ok(()),
    }
}
