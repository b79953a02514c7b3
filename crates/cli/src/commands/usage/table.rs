//! Usage as a table for people, and as comma-separated values.

use scrollback_app::usage::Money;
use scrollback_app::usage::by::By;
use scrollback_app::usage::view::{UsageRow, UsageView};
use scrollback_format::id;

use super::{budget, dollars};
use crate::context::Context;
use crate::csv;
use crate::failure::Failure;
use crate::paint::grid::{Column, Grid, bar, spark};
use crate::paint::{Style, StyledLine, fold};

/// The widths of a bar, and of one beside a trend.
const BARS: (usize, usize) = (12, 8);

/// Prints the rows, their total, and notes.
pub fn print(context: &mut Context, view: &UsageView) -> Result<(), Failure> {
    if view.total.messages == 0 {
        context.out.line(StyledLine::plain("No usage found."))?;
        return notes(context, view);
    }
    let right = |title: &str| Column::new(title).right();
    // Where there is little room, drawings go first, then words, then the counts that matter least. The cost stays.
    let mut grid = Grid::new(vec![
        Column::new(view.by.name()).shrinks(7, 8).keeps_end_if(view.by == By::Project),
        Column::new("").shrinks(2, 12).goes(3).max(40),
        right("messages").goes(6),
        right("input").goes(4),
        right("output"),
        right("cache write").goes(5),
        right("cache read").goes(5),
        right("cost"),
        Column::new("").goes(1),
        Column::new(if view.total.trend.is_some() { "over time" } else { "" }).goes(0),
    ]);
    let largest = view.rows.iter().map(|row| row.cost.total).max().unwrap_or_default();
    for row in &view.rows {
        let key = match view.by {
            By::Session | By::Agent => {
                row.key.split('/').map(|session| id::short(session).to_owned()).collect::<Vec<_>>().join("/")
            }
            By::Project => context.short_dir(&row.key),
            _ => row.key.clone(),
        };
        grid.row(cells(row, key, largest));
    }
    let mut total = cells(&view.total, "total".to_owned(), Money::ZERO);
    total[0] = StyledLine::new("total", Style::Strong);
    grid.row(total);
    let lines = grid.lines(context.out.fit());
    context.out.lines(&lines)?;
    notes(context, view)
}

fn cells(row: &UsageRow, key: String, largest: Money) -> Vec<StyledLine> {
    let tokens = &row.tokens;
    let out = if tokens.output_is_lower_bound { "≥ " } else { "" };
    let share =
        if largest > Money::ZERO { row.cost.total.pico() as f64 / largest.pico() as f64 } else { 0.0 };
    vec![
        StyledLine::plain(key),
        StyledLine::new(
            row.label.as_deref().map(|label| fold::one_line(label, 40)).unwrap_or_default(),
            Style::Dim,
        ),
        StyledLine::plain(fold::count(row.messages)),
        StyledLine::plain(fold::short_count(tokens.input)),
        StyledLine::plain(format!("{out}{}", fold::short_count(tokens.output))),
        StyledLine::plain(fold::short_count(tokens.cache_write)),
        StyledLine::plain(fold::short_count(tokens.cache_read)),
        StyledLine::new(cost(row), Style::Number),
        StyledLine::new(bar(share, if row.trend.is_some() { BARS.1 } else { BARS.0 }), Style::Number),
        StyledLine::new(row.trend.as_deref().map(trend).unwrap_or_default(), Style::Dim),
    ]
}

/// What a row costs, with a sign where that is a lower bound.
pub fn cost(row: &UsageRow) -> String {
    let unpriced = row.models.iter().any(|model| model.cost.is_none());
    let least = row.tokens.output_is_lower_bound || unpriced;
    match row.cost.total {
        Money::ZERO if unpriced => "?".to_owned(),
        total if least && total > Money::ZERO => format!("≥ {}", dollars(total)),
        total => dollars(total),
    }
}

fn trend(costs: &[Money]) -> String {
    let costs: Vec<f64> = costs.iter().map(|cost| cost.pico() as f64).collect();
    spark(&costs)
}

fn notes(context: &mut Context, view: &UsageView) -> Result<(), Failure> {
    if context.global.quiet {
        return Ok(());
    }
    let mut notes: Vec<String> = view.budgets.iter().map(budget::words).collect();
    let (shown, all) = (view.rows.len() as u64, view.row_count);
    if all > shown {
        notes.push(format!("Showing {shown} of {all} rows (--limit 0 shows all); the total includes all."));
    }
    if view.copies_dropped > 0 {
        let copies = fold::plural(view.copies_dropped, "copy");
        notes.push(format!(
            "{copies} in forks, agents and progress lines not counted again (see `usage audit`)."
        ));
    }
    if view.without_time > 0 {
        let messages = fold::plural(view.without_time, "message");
        notes.push(format!("{messages} without a time."));
    }
    if view.from_ledger > 0 {
        let files = fold::plural(view.from_ledger, "file");
        notes.push(format!("{files} deleted by the client, counted from the ledger."));
    }
    if view.total.tokens.output_is_lower_bound {
        notes.push("≥: lower bound, because some clients did not record all output.".to_owned());
    }
    for (model, messages) in &view.unknown_models {
        notes.push(unpriced(model, *messages));
    }
    notes.extend(view.gaps.iter().cloned());
    if view.total.messages > 0 {
        notes.push(format!("Prices: {}.", view.prices));
    }
    if !notes.is_empty() {
        context.out.gap()?;
    }
    for note in notes {
        context.out.line(StyledLine::new(note, Style::Dim))?;
    }
    Ok(())
}

/// The note about a model without a price.
pub fn unpriced(model: &str, messages: u64) -> String {
    let model = if model == "?" { "unknown model" } else { model };
    format!("No price for {model}: {} not included in the cost.", fold::plural(messages, "message"))
}

/// The rows as comma-separated values.
pub fn csv(view: &UsageView) -> String {
    let head = [
        view.by.name(),
        "label",
        "messages",
        "input_tokens",
        "output_tokens",
        "cache_write_tokens",
        "cache_read_tokens",
        "web_searches",
        "cost_usd",
        "output_is_lower_bound",
        "unpriced_messages",
    ];
    let mut text = csv::line(head.into_iter());
    for row in &view.rows {
        let unpriced = row.models.iter().filter(|model| model.cost.is_none());
        let unpriced: u64 = unpriced.map(|model| model.messages).sum();
        let cells = [
            row.key.clone(),
            row.label.clone().unwrap_or_default(),
            row.messages.to_string(),
            row.tokens.input.to_string(),
            row.tokens.output.to_string(),
            row.tokens.cache_write.to_string(),
            row.tokens.cache_read.to_string(),
            row.web_searches.to_string(),
            row.cost.total.to_string(),
            row.tokens.output_is_lower_bound.to_string(),
            unpriced.to_string(),
        ];
        text.push_str(&csv::line(cells.iter().map(String::as_str)));
    }
    text
}
