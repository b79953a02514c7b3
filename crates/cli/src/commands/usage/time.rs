//! `scrollback usage time`: where the time of a session went.

use clap::Args;
use scrollback_app::usage::time::{self, Spent};
use scrollback_format::generation::Generation;

use crate::context::Context;
use crate::date;
use crate::failure::Failure;
use crate::paint::grid::{Column, Grid};
use crate::paint::{Line, Style, fold};

/// Arguments of `usage time`.
#[derive(Debug, Args)]
pub struct TimeArgs {
    /// An id, the start of one, a path, a title, or `last`.
    #[arg(default_value = "last")]
    session: String,
}

/// Tells the time.
pub fn run(context: &mut Context, args: &TimeArgs) -> Result<(), Failure> {
    let library = context.session(&args.session)?;
    let files = context.resolve(&library, &args.session)?;
    let index = context.session_index(&library);
    let loaded = library.load_with(&files, Generation::NEWEST, index.as_ref())?;
    let view = time::times(files.id.as_str(), &loaded);
    if context.global.json {
        return Ok(context.out.json(&view)?);
    }
    context.start_pager();
    let right = |title: &str| Column::new(title).right();
    let mut grid = Grid::new(vec![
        right("turn"),
        Column::new("begun"),
        right("model"),
        right("tools"),
        right("trying again"),
        right("other"),
        right("waited for you"),
    ]);
    for turn in &view.turns {
        let begun = date::minute(turn.start, &context.zone);
        grid.row(cells(turn.turn.to_string(), begun, &turn.spent));
    }
    grid.row(cells("all".to_owned(), String::new(), &view.total));
    let lines = grid.lines(context.out.fit());
    Ok(context.out.lines(&lines)?)
}

fn cells(turn: String, begun: String, spent: &Spent) -> Vec<Line> {
    let mut cells = vec![Line::plain(turn), Line::new(begun, Style::Time)];
    let parts = [spent.model_ms, spent.tool_ms, spent.retry_ms, spent.other_ms, spent.user_ms];
    cells.extend(parts.map(|ms| if ms == 0 { Line::default() } else { Line::plain(fold::duration(ms)) }));
    cells
}
