//! `scrollback trash`: what edits have removed, to restore or to delete for good.

use std::io::{BufRead, IsTerminal};

use clap::{Args, Subcommand};
use scrollback_app::request::trash::{TrashEmptyRequest, TrashRequest, TrashRestoreRequest};

use crate::commands::undo;
use crate::context::Context;
use crate::date;
use crate::failure::{ExitKind, Failure};
use crate::paint::grid::{Column, Grid};
use crate::paint::{Style, StyledLine, fold};

/// Arguments of `trash`.
#[derive(Debug, Args)]
pub struct TrashArgs {
    /// What to do (default: list).
    #[command(subcommand)]
    pub what: Option<TrashCommand>,
}

/// What to do with the trash.
#[derive(Debug, Subcommand)]
pub enum TrashCommand {
    /// List what is in the trash.
    List,
    /// Restore everything that an edit removed, or only the given paths.
    Restore {
        /// Number of the edit, as shown by `trash list`.
        number: u64,
        /// Paths to restore, as shown by `trash list`.
        paths: Vec<String>,
    },
    /// Permanently delete the originals of one edit or of all edits; these can no longer be undone.
    Empty {
        /// Number of the edit, as shown by `trash list`.
        number: Option<u64>,
        /// Delete without asking for confirmation.
        #[arg(long, short)]
        yes: bool,
    },
}

/// Lists, restores or empties the trash.
pub fn run(context: &mut Context, args: &TrashArgs) -> Result<(), Failure> {
    match args.what.as_ref().unwrap_or(&TrashCommand::List) {
        TrashCommand::List => list(context),
        TrashCommand::Restore { number, paths } => {
            let request = TrashRestoreRequest { number: *number, paths: paths.clone() };
            let undone = context.journal_desk()?.answer(&request)?;
            undo::show(context, &undone)
        }
        TrashCommand::Empty { number, yes } => empty(context, *number, *yes),
    }
}

fn list(context: &mut Context) -> Result<(), Failure> {
    let items = context.journal_desk()?.answer(&TrashRequest {})?;
    if context.global.json {
        return Ok(context.out.document(&items)?);
    }
    if items.is_empty() {
        return Ok(context.out.line(StyledLine::new("The trash is empty.", Style::Dim))?);
    }
    context.start_pager();
    let mut grid = Grid::new(vec![
        Column::new("").right(),
        Column::new("when"),
        Column::new("files").right(),
        Column::new("size").right(),
        Column::new("path").shrinks(1, 30).keeps_end(),
    ]);
    for item in &items {
        grid.row(vec![
            StyledLine::new(item.number.to_string(), Style::Number),
            StyledLine::new(date::minute(item.time, &context.zone), Style::Time),
            StyledLine::plain(fold::count(item.files)),
            StyledLine::plain(fold::bytes(item.bytes)),
            StyledLine::new(&item.path, Style::Path),
        ]);
    }
    let lines = grid.lines(context.out.fit());
    context.out.lines(&lines)?;
    context.out.gap()?;
    let hint = format!("Restore with `{} trash restore N [PATH...]`.", context.program());
    Ok(context.out.line(StyledLine::new(hint, Style::Dim))?)
}

fn empty(context: &mut Context, number: Option<u64>, yes: bool) -> Result<(), Failure> {
    let what = match number {
        Some(number) => format!("deletes the originals of edit {number} for good"),
        None => "deletes the originals of all edits for good".to_owned(),
    };
    if !yes {
        let asked = !context.global.json && context.out.is_terminal() && std::io::stdin().is_terminal();
        if !asked {
            return Err(Failure::new(
                ExitKind::Refused,
                format!("trash empty {what}; this cannot be undone"),
            )
            .hint("use --yes to delete"));
        }
        context.out.bytes(format!("This {what}. Delete? [y/N] ").as_bytes())?;
        context.out.flush()?;
        let mut answer = String::new();
        std::io::stdin().lock().read_line(&mut answer)?;
        if !matches!(answer.trim().to_lowercase().as_str(), "y" | "yes") {
            return Ok(context.out.line(StyledLine::new("Nothing was deleted.", Style::Dim))?);
        }
    }
    let emptied = context.journal_desk()?.answer(&TrashEmptyRequest { number })?;
    if context.global.json {
        return Ok(context.out.document(&emptied)?);
    }
    let bytes = emptied.iter().map(|one| one.bytes).sum();
    Ok(context.out.line(StyledLine::new(format!("Done: deleted {}.", fold::bytes(bytes)), Style::Success))?)
}
