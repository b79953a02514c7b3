//! `scrollback usage recorded`: what clients recorded themselves, beside what is calculated.

use clap::Args;
use scrollback_app::request::usage::recorded::RecordedRequest;
use scrollback_app::usage::recorded::Difference;
use scrollback_format::id;

use super::dollars;
use crate::context::Context;
use crate::failure::Failure;
use crate::paint::grid::{Column, Grid};
use crate::paint::{Style, StyledLine, fold};

/// Arguments of `usage recorded`.
#[derive(Debug, Args)]
pub struct RecordedArgs {
    /// Include sessions whose totals agree.
    #[arg(long)]
    all: bool,
}

/// Compares both.
pub fn run(context: &mut Context, args: &RecordedArgs) -> Result<(), Failure> {
    let view = context.desk()?.answer(&RecordedRequest { all: args.all })?;
    let all = view.sessions.len() as u64 + if args.all { 0 } else { view.agree };
    if context.global.json {
        return Ok(context.out.document(&view)?);
    }
    context.start_pager();
    if all == 0 {
        let text = "No recorded totals (clients since 2.1.280 write them).";
        return Ok(context.out.line(StyledLine::plain(text))?);
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
            StyledLine::new(id::short(&row.session_id), Style::Number),
            StyledLine::plain(dollars(row.recorded)),
            StyledLine::plain(dollars(row.calculated)),
            StyledLine::plain(fold::count(row.recorded_output)),
            StyledLine::plain(fold::count(row.calculated_output)),
            StyledLine::new(why(row.why), Style::Dim),
        ]);
    }
    if !grid.is_empty() {
        let lines = grid.lines(context.out.fit());
        context.out.lines(&lines)?;
        context.out.gap()?;
    }
    let text = format!(
        "{} of {} agree to the cent. Total: {} recorded, {} calculated.",
        fold::count(view.agree),
        fold::plural(all, "session"),
        dollars(view.recorded),
        dollars(view.calculated)
    );
    Ok(context.out.line(StyledLine::new(text, Style::Strong))?)
}

fn why(why: Difference) -> &'static str {
    match why {
        Difference::Same => "agree",
        Difference::Prices => "same tokens, different prices",
        Difference::CarriedOver => "total continues from an earlier session of the same process",
        Difference::MoreRecorded => "the client made requests that are not in the session",
        _ => "some processes recorded nothing",
    }
}
