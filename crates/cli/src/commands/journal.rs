//! `scrollback journal`: every edit, the newest first.

use clap::Args;
use scrollback_app::edit;

use crate::context::Context;
use crate::date;
use crate::failure::Failure;
use crate::paint::grid::{Column, Grid};
use crate::paint::{Line, Style, fold};

/// Arguments of `journal`.
#[derive(Debug, Args)]
pub struct JournalArgs {
    /// At most so many; 0 is all.
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub limit: usize,
}

/// Lists edits.
pub fn run(context: &mut Context, args: &JournalArgs) -> Result<(), Failure> {
    let mut records = edit::list(&context.data()?)?;
    records.reverse();
    if args.limit > 0 {
        records.truncate(args.limit);
    }
    if context.global.json {
        return Ok(context.out.json(&records)?);
    }
    if records.is_empty() {
        return Ok(context.out.line(Line::new("Nothing was edited yet.", Style::Dim))?);
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
        let state = match (record.undoes, record.emptied) {
            (Some(_), _) => "undo",
            (None, true) => "emptied",
            (None, false) => record.state,
        };
        let kept = if record.saved == 0 { String::new() } else { fold::bytes(record.saved) };
        grid.row(vec![
            Line::new(record.number.to_string(), Style::Number),
            Line::new(date::minute(record.time, &context.zone), Style::Time),
            Line::new(state.replace('_', " "), if record.undoable { Style::Plain } else { Style::Dim }),
            Line::new(kept, Style::Number),
            Line::plain(&record.title),
        ]);
    }
    let lines = grid.lines(context.out.fit());
    Ok(context.out.lines(&lines)?)
}
