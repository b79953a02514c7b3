//! `scrollback usage compare`: our sums beside the JSON of another tool.

use std::path::PathBuf;

use clap::Args;
use scrollback_app::area;
use scrollback_app::error::AppError;
use scrollback_app::usage::by::{self, By};
use scrollback_app::usage::compare::{self, CompareRow};

use super::till::Till;
use super::{OfArgs, dollars};
use crate::context::Context;
use crate::failure::{Failure, Kind};
use crate::paint::grid::{Column, Grid};
use crate::paint::{Line, Style, fold};

/// Arguments of `usage compare`.
#[derive(Debug, Args)]
pub struct CompareArgs {
    /// What the other tool printed as JSON, by day or month.
    file: PathBuf,
    #[command(flatten)]
    of: OfArgs,
}

/// Compares.
pub fn run(context: &mut Context, args: &CompareArgs) -> Result<(), Failure> {
    let document = area::json(&args.file).map_err(|trouble| {
        Failure::new(Kind::Usage, format!("{}: {}", trouble.path.display(), trouble.what))
    })?;
    let Some((unit, theirs)) = compare::read(&document) else {
        return Err(Failure::new(
            Kind::Usage,
            format!("{} has no rows by day or month", args.file.display()),
        )
        .hint("`ccusage daily --json` prints such rows"));
    };
    let till = Till::open(context, &args.of)?;
    let library = context.library()?;
    let index = context.index(&library)?;
    let mut pricer = till.pricer();
    let book = till.book(context, &index, &mut pricer)?;
    let by = if unit == "month" { By::Month } else { By::Day };
    let ours = by::usage(&index, &book, &mut pricer, by).map_err(AppError::from)?;
    let view = compare::compare(&ours, unit, &theirs);
    if context.global.json {
        return Ok(context.out.json(&view)?);
    }
    context.start_pager();
    let right = |title: &str| Column::new(title).right();
    let mut grid = Grid::new(vec![
        Column::new(view.by),
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
        "Tokens agree in {}, and differ in {}.",
        fold::plural(view.agree, view.by),
        fold::plural(view.rows.len() as u64, view.by)
    );
    context.out.line(Line::new(text, Style::Strong))?;
    let text = "`usage audit` tells which copies we do not count again, and why.";
    Ok(context.out.line(Line::new(text, Style::Dim))?)
}

fn add(grid: &mut Grid, row: &CompareRow) {
    for (name, counts, key) in [("ours", &row.ours, row.key.as_str()), ("theirs", &row.theirs, "")] {
        let tokens = [counts.input, counts.output, counts.cache_write, counts.cache_read];
        let mut cells = vec![Line::plain(key), Line::new(name, Style::Dim)];
        cells.extend(tokens.map(|count| Line::plain(fold::count(count))));
        cells.push(Line::new(dollars(counts.cost), Style::Number));
        grid.row(cells);
    }
}
