//! `scrollback journal`: edits, newest first.

use clap::Args;
use scrollback_app::edit::{EditState, RecordView};
use scrollback_app::request::journal::{JournalRequest, LIMIT};

use crate::context::Context;
use crate::date;
use crate::failure::Failure;
use crate::paint::grid::{Column, Grid};
use crate::paint::{Style, StyledLine, fold};

/// Arguments of `journal`.
#[derive(Debug, Args)]
pub struct JournalArgs {
    /// Maximum number of edits (0 = no limit).
    #[arg(long, short = 'n', value_name = "N", default_value_t = LIMIT)]
    pub limit: usize,
}

/// Lists edits.
pub fn run(context: &mut Context, args: &JournalArgs) -> Result<(), Failure> {
    let records = context.journal_desk()?.answer(&JournalRequest { limit: Some(args.limit) })?;
    if context.global.json {
        return Ok(context.out.document(&records)?);
    }
    if records.is_empty() {
        return Ok(context.out.line(StyledLine::new("No edits yet.", Style::Dim))?);
    }
    context.start_pager();
    let mut grid = Grid::new(vec![
        Column::new("").right(),
        Column::new("when"),
        Column::new("state"),
        Column::new("kept").right(),
        Column::new("what").shrinks(1, 20),
    ]);
    for record in &records {
        let style = match record.state {
            EditState::Interrupted => Style::Warning,
            _ if record.undoable => Style::Plain,
            _ => Style::Dim,
        };
        let kept = if record.saved == 0 { String::new() } else { fold::bytes(record.saved) };
        grid.row(vec![
            StyledLine::new(record.number.to_string(), Style::Number),
            StyledLine::new(date::minute(record.time, &context.zone), Style::Time),
            StyledLine::new(state(record), style),
            StyledLine::new(kept, Style::Number),
            StyledLine::plain(&record.title),
        ]);
    }
    let lines = grid.lines(context.out.fit());
    context.out.lines(&lines)?;
    for record in records.iter().filter(|record| record.state == EditState::Interrupted) {
        let text = format!("edit {} is incomplete; run `scrollback undo` to roll it back", record.number);
        context.out.line(StyledLine::new(text, Style::Warning))?;
    }
    Ok(())
}

/// What became of an edit, in a word or two.
fn state(record: &RecordView) -> &'static str {
    match (record.state, record.undoes, record.emptied) {
        (EditState::Open | EditState::Interrupted, _, _) => record.state.name(),
        (_, Some(_), _) => "undo",
        (_, None, true) => "emptied",
        (state, None, false) => state.name(),
    }
}
