//! `scrollback usage time`: where the time of a session went.

use clap::Args;
use scrollback_app::request::usage::time::TimeRequest;
use scrollback_app::usage::time::TimeSpent;

use crate::context::Context;
use crate::date;
use crate::failure::Failure;
use crate::paint::grid::{Column, Grid};
use crate::paint::{Style, StyledLine, fold};

/// Arguments of `usage time`.
#[derive(Debug, Args)]
pub struct TimeArgs {
    /// Session ID or prefix, title, path, or `last`.
    #[arg(default_value = "last")]
    session: String,
}

/// Shows the time.
pub fn run(context: &mut Context, args: &TimeArgs) -> Result<(), Failure> {
    let view = context.desk()?.answer(&TimeRequest { session: args.session.clone() })?;
    if context.global.json {
        return Ok(context.out.document(&view)?);
    }
    context.start_pager();
    let right = |title: &str| Column::new(title).right();
    let mut grid = Grid::new(vec![
        right("turn"),
        Column::new("start"),
        right("model"),
        right("tools"),
        right("retries"),
        right("other"),
        right("waiting for you"),
    ]);
    for turn in &view.turns {
        let start = date::minute(turn.start, &context.zone);
        grid.row(cells(turn.turn.to_string(), start, &turn.spent));
    }
    grid.row(cells("total".to_owned(), String::new(), &view.total));
    let lines = grid.lines(context.out.fit());
    Ok(context.out.lines(&lines)?)
}

fn cells(turn: String, start: String, spent: &TimeSpent) -> Vec<StyledLine> {
    let mut cells = vec![StyledLine::plain(turn), StyledLine::new(start, Style::Time)];
    let parts = [spent.model_ms, spent.tool_ms, spent.retry_ms, spent.other_ms, spent.user_ms];
    cells.extend(
        parts.map(|ms| if ms == 0 { StyledLine::default() } else { StyledLine::plain(fold::duration(ms)) }),
    );
    cells
}
