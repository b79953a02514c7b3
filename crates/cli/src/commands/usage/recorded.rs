//! `scrollback usage recorded`: what clients recorded themselves, beside what is calculated.

use clap::Args;
use scrollback_app::error::AppError;
use scrollback_app::usage::Book;
use scrollback_app::usage::recorded;

use super::till::Till;
use super::{OfArgs, dollars};
use crate::context::Context;
use crate::failure::Failure;
use crate::paint::grid::{Column, Grid};
use crate::paint::{Line, Style, fold};

/// Arguments of `usage recorded`.
#[derive(Debug, Args)]
pub struct RecordedArgs {
    /// Also sessions whose totals agree.
    #[arg(long)]
    all: bool,
}

/// Sets both beside each other.
pub fn run(context: &mut Context, args: &RecordedArgs) -> Result<(), Failure> {
    let till = Till::open(context, &OfArgs::default())?;
    let library = context.library()?;
    let index = context.index(&library)?;
    let book = Book::of(&index, None).map_err(AppError::from)?;
    let mut pricer = till.pricer();
    let mut view = recorded::recorded(&library, &book, &mut pricer);
    let all = view.sessions.len() as u64;
    if !args.all {
        view.sessions.retain(|row| row.why != "same");
    }
    if context.global.json {
        return Ok(context.out.json(&view)?);
    }
    context.start_pager();
    if all == 0 {
        let text = "No session has a record: clients from 2.1.280 on write one.";
        return Ok(context.out.line(Line::plain(text))?);
    }
    let right = |title: &str| Column::new(title).right();
    let mut grid = Grid::new(vec![
        Column::new("session"),
        right("recorded"),
        right("calculated"),
        right("output"),
        right("on lines"),
        Column::new("").shrinks(1, 20),
    ]);
    for row in &view.sessions {
        grid.row(vec![
            Line::new(row.session_id.chars().take(8).collect::<String>(), Style::Number),
            Line::plain(dollars(row.recorded)),
            Line::plain(dollars(row.calculated)),
            Line::plain(fold::count(row.recorded_output)),
            Line::plain(fold::count(row.calculated_output)),
            Line::new(why(row.why), Style::Dim),
        ]);
    }
    if !grid.is_empty() {
        let lines = grid.lines(context.out.fit());
        context.out.lines(&lines)?;
        context.out.gap()?;
    }
    let text = format!(
        "{} of {} agree to the cent. All together: {} recorded, {} calculated.",
        fold::count(view.agree),
        fold::plural(all, "session"),
        dollars(view.recorded),
        dollars(view.calculated)
    );
    Ok(context.out.line(Line::new(text, Style::Strong))?)
}

fn why(why: &str) -> &'static str {
    match why {
        "same" => "they agree",
        "prices" => "the same tokens at other prices",
        "carried_over" => "the same process had another session before: its total goes on",
        "more_recorded" => "the client asked for more than it wrote down",
        _ => "lines of processes that recorded nothing",
    }
}
