//! `scrollback usage compare`: our sums beside the JSON of another tool.

use std::path::PathBuf;

use clap::Args;
use scrollback_app::request::usage::compare::CompareRequest;
use scrollback_app::usage::compare::CompareRow;

use super::{OfArgs, dollars};
use crate::context::Context;
use crate::failure::Failure;
use crate::paint::grid::{Column, Grid};
use crate::paint::{Style, StyledLine, fold};

/// Arguments of `usage compare`.
#[derive(Debug, Args)]
pub struct CompareArgs {
    /// File with the JSON output of the other tool, by day or month.
    file: PathBuf,
    #[command(flatten)]
    of: OfArgs,
}

/// Compares.
pub fn run(context: &mut Context, args: &CompareArgs) -> Result<(), Failure> {
    let request = CompareRequest { file: args.file.clone(), of: args.of.scope() };
    let view = context.desk()?.answer(&request)?;
    if context.global.json {
        return Ok(context.out.document(&view)?);
    }
    context.start_pager();
    let right = |title: &str| Column::new(title).right();
    let mut grid = Grid::new(vec![
        Column::new(view.by.name()),
        Column::new(""),
        right("input"),
        right("output"),
        right("cache write"),
        right("cache read"),
        right("cost"),
    ]);
    for row in view.rows.iter().chain([&view.total]) {
        add(&mut grid, row);
    }
    let lines = grid.lines(context.out.fit());
    context.out.lines(&lines)?;
    context.out.gap()?;
    let text = format!(
        "Tokens agree on {} and differ on {}.",
        fold::plural(view.agree, view.by.name()),
        fold::plural(view.rows.len() as u64, view.by.name())
    );
    context.out.line(StyledLine::new(text, Style::Strong))?;
    let text = "`usage audit` shows which copies are not counted again, and why.";
    Ok(context.out.line(StyledLine::new(text, Style::Dim))?)
}

fn add(grid: &mut Grid, row: &CompareRow) {
    for (name, counts, key) in [("ours", &row.ours, row.key.as_str()), ("theirs", &row.theirs, "")] {
        let tokens = [counts.input, counts.output, counts.cache_write, counts.cache_read];
        let mut cells = vec![StyledLine::plain(key), StyledLine::new(name, Style::Dim)];
        cells.extend(tokens.map(|count| StyledLine::plain(fold::count(count))));
        cells.push(StyledLine::new(dollars(counts.cost), Style::Number));
        grid.row(cells);
    }
}
