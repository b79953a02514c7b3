//! `scrollback usage`: tokens and what they cost.

mod audit;
mod blocks;
mod budget;
mod calendar;
mod compare;
mod ledger;
mod recorded;
mod statusline;
mod time;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use jiff::tz::TimeZone;
use scrollback_app::catalogue::Index;
use scrollback_app::error::AppError;
use scrollback_app::usage::by::{self, By};
use scrollback_app::usage::cost::Pricer;
use scrollback_app::usage::view::{UsageRow, UsageView};
use scrollback_app::usage::{Book, Money, Prices};

use crate::config::{self, Config};
use crate::context::Context;
use crate::csv;
use crate::failure::{Failure, Kind};
use crate::paint::grid::{Column, Grid, bar, spark};
use crate::paint::{Line, Style, fold};
use crate::scope::ScopeArgs;

/// Arguments of `usage`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct UsageArgs {
    #[command(subcommand)]
    command: Option<UsageCommand>,
    #[command(flatten)]
    of: OfArgs,
    /// What to add up by.
    #[arg(long, default_value = "day", value_parser = by_parser())]
    by: By,
    /// At most so many rows, the newest or dearest; 0 is all.
    #[arg(long, short = 'n', default_value_t = 30)]
    limit: usize,
    /// Print comma-separated values.
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Draw the year as a calendar.
    #[arg(long, conflicts_with_all = ["csv", "json"])]
    calendar: bool,
    /// Fail with exit code 6 if more was spent: `50/day`, `200/week`, `500/month`, `20/block`. Without a value, the budgets of
    /// the config.
    #[arg(long, value_name = "DOLLARS/TIME", num_args = 0..=1)]
    budget: Option<Option<String>>,
}

/// What can be added up by, with words for the help.
fn by_parser() -> impl TypedValueParser<Value = By> {
    let values = By::ALL.map(|by| PossibleValue::new(by.name()).help(by.about()));
    PossibleValuesParser::new(values)
        .try_map(|name| By::ALL.into_iter().find(|by| by.name() == name).ok_or("it is none of them"))
}

/// Which usage.
#[derive(Debug, Clone, Default, Args)]
pub struct OfArgs {
    #[command(flatten)]
    scope: ScopeArgs,
    /// The time zone that days are of, such as Europe/Berlin; else that of the config, else yours.
    #[arg(long, value_name = "ZONE")]
    time_zone: Option<String>,
}

/// What else can be asked.
#[derive(Debug, Subcommand)]
enum UsageCommand {
    /// Five-hour blocks, with what the current one comes to.
    Blocks(blocks::BlocksArgs),
    /// From raw lines to money: what each rule dropped, and where.
    Audit(audit::AuditArgs),
    /// One line for the client's status line, of the session on standard input.
    Statusline(statusline::StatuslineArgs),
    /// Where the time of a session went: model, tools, waiting for you, trying again.
    Time(time::TimeArgs),
    /// What clients recorded themselves, beside what is calculated.
    Recorded(recorded::RecordedArgs),
    /// Our sums beside the JSON of another tool.
    Compare(compare::CompareArgs),
    /// Keep sums of sessions that the client deletes (off unless you turn it on).
    Ledger(ledger::LedgerArgs),
}

/// Tells usage.
pub fn run(context: &mut Context, args: &UsageArgs) -> Result<(), Failure> {
    match &args.command {
        Some(UsageCommand::Blocks(blocks)) => return blocks::run(context, blocks),
        Some(UsageCommand::Audit(audit)) => return audit::run(context, audit),
        Some(UsageCommand::Statusline(line)) => return statusline::run(context, line),
        Some(UsageCommand::Time(time)) => return time::run(context, time),
        Some(UsageCommand::Recorded(recorded)) => return recorded::run(context, recorded),
        Some(UsageCommand::Compare(compare)) => return compare::run(context, compare),
        Some(UsageCommand::Ledger(ledger)) => return ledger::run(context, ledger),
        None => {}
    }
    let config = config::load(&context.env)?;
    let budgets = budget::asked(args.budget.as_ref(), &config)?;
    let library = context.library()?;
    let index = context.index(&library)?;
    let prices = prices(&config)?;
    let mut pricer = Pricer::new(&prices, args.of.zone(context, &config)?);
    let scope = args.of.scope.resolve(context)?;
    let mut book = args.of.book_of_all_times(context, &index, &mut pricer)?;
    // A budget has a time of its own.
    let checked = budgets.iter().map(|budget| budget.check(&book, &mut pricer, context.now())).collect();
    book.between(scope.since, scope.until);
    let by = if args.calendar { By::Day } else { args.by };
    let mut view = by::usage(&index, &book, &mut pricer, by).map_err(AppError::from)?;
    view.budgets = checked;
    let all = view.rows.len();
    if !args.calendar && args.limit > 0 && all > args.limit {
        // Of times the newest are kept, of all else the dearest.
        let from = if by.is_time() && by != By::Hour { all - args.limit } else { 0 };
        view.rows.drain(..from);
        view.rows.truncate(args.limit);
    }
    if args.csv {
        context.out.bytes(table(&view).as_bytes())?;
    } else if context.global.json {
        context.out.json(&view)?;
    } else {
        context.start_pager();
        if args.calendar { calendar::draw(context, &view)? } else { print(context, &view, all)? }
    }
    if args.budget.is_some() { budget::judge(&view.budgets) } else { Ok(()) }
}

/// The prices that are built in, with those of the user's config over them.
fn prices(config: &Config) -> Result<Prices, Failure> {
    let broken = |error: &dyn std::fmt::Display| {
        Failure::new(Kind::Bug, format!("the price table is broken: {error}"))
    };
    let prices = Prices::built_in().map_err(|error| broken(&error))?;
    prices.with_overrides(&config.prices).map_err(|error| {
        Failure::new(Kind::Usage, error.to_string())
            .hint("docs/usage.md tells how prices are written in config.toml")
    })
}

impl OfArgs {
    fn zone(&self, context: &Context, config: &Config) -> Result<TimeZone, Failure> {
        let Some(name) = self.time_zone.as_ref().or(config.usage.time_zone.as_ref()) else {
            return Ok(context.zone.clone());
        };
        TimeZone::get(name).map_err(|_| {
            Failure::new(Kind::Usage, format!("'{name}' is no time zone"))
                .hint("a zone is named like Europe/Berlin or UTC")
        })
    }

    /// The book of an index, as far as it is asked for.
    fn book(&self, context: &Context, index: &Index, pricer: &mut Pricer<'_>) -> Result<Book, Failure> {
        let mut book = self.book_of_all_times(context, index, pricer)?;
        let scope = self.scope.resolve(context)?;
        book.between(scope.since, scope.until);
        Ok(book)
    }

    /// The same, whenever it was; with sessions that are gone, if a ledger is kept.
    fn book_of_all_times(
        &self,
        context: &Context,
        index: &Index,
        pricer: &mut Pricer<'_>,
    ) -> Result<Book, Failure> {
        let mut book = Book::of(index, None).map_err(AppError::from)?;
        ledger::join(context, &mut book, pricer)?;
        if let Some(project) = &self.scope.resolve(context)?.project {
            let part = project.to_lowercase();
            book.retain(|file, _| {
                file.project.as_deref().unwrap_or(&file.folder).to_lowercase().contains(&part)
            });
        }
        Ok(book)
    }
}

/// Money for people.
fn dollars(money: Money) -> String {
    let text = money.cents();
    if text == "0.00" && money > Money::ZERO { format!("${}", money.fine()) } else { format!("${text}") }
}

/// The widths of a bar, and of one beside a trend.
const BARS: (usize, usize) = (12, 8);

fn print(context: &mut Context, view: &UsageView, all: usize) -> Result<(), Failure> {
    if view.rows.is_empty() {
        return Ok(context.out.line(Line::plain("Nothing was used."))?);
    }
    let right = |title: &str| Column::new(title).right();
    let mut grid = Grid::new(vec![
        Column::new(view.by).shrinks(2, 10),
        Column::new("").shrinks(1, 0).max(32),
        right("messages"),
        right("input"),
        right("output"),
        right("cache write"),
        right("cache read"),
        right("cost"),
        Column::new(""),
        Column::new(if view.total.trend.is_some() { "over time" } else { "" }),
    ]);
    let largest = view.rows.iter().map(|row| row.cost.total).max().unwrap_or_default();
    for row in &view.rows {
        let key = match view.by {
            "session" | "agent" => row
                .key
                .split('/')
                .map(|id| id.chars().take(8).collect::<String>())
                .collect::<Vec<_>>()
                .join("/"),
            "project" => context.short_dir(&row.key),
            _ => row.key.clone(),
        };
        grid.row(cells(row, key, largest));
    }
    let mut total = cells(&view.total, "total".to_owned(), Money::ZERO);
    total[0] = Line::new("total", Style::Strong);
    grid.row(total);
    let lines = grid.lines(context.out.fit());
    context.out.lines(&lines)?;
    notes(context, view, all)
}

fn cells(row: &UsageRow, key: String, largest: Money) -> Vec<Line> {
    let tokens = &row.tokens;
    let out = if tokens.output_is_lower_bound { "≥ " } else { "" };
    let share =
        if largest > Money::ZERO { row.cost.total.pico() as f64 / largest.pico() as f64 } else { 0.0 };
    vec![
        Line::plain(key),
        Line::new(
            row.label.as_deref().map(|label| fold::one_line(label, 40)).unwrap_or_default(),
            Style::Dim,
        ),
        Line::plain(fold::count(row.messages)),
        Line::plain(fold::short_count(tokens.input)),
        Line::plain(format!("{out}{}", fold::short_count(tokens.output))),
        Line::plain(fold::short_count(tokens.cache_write)),
        Line::plain(fold::short_count(tokens.cache_read)),
        Line::new(dollars(row.cost.total), Style::Number),
        Line::new(bar(share, if row.trend.is_some() { BARS.1 } else { BARS.0 }), Style::Number),
        Line::new(row.trend.as_deref().map(trend).unwrap_or_default(), Style::Dim),
    ]
}

fn trend(costs: &[Money]) -> String {
    let costs: Vec<f64> = costs.iter().map(|cost| cost.pico() as f64).collect();
    spark(&costs)
}

fn notes(context: &mut Context, view: &UsageView, all: usize) -> Result<(), Failure> {
    context.out.gap()?;
    let mut notes: Vec<String> = view.budgets.iter().map(budget::words).collect();
    if all > view.rows.len() {
        notes.push(format!("{} of {all} rows; the total is of all. --limit 0 shows them.", view.rows.len()));
    }
    if view.copies_dropped > 0 {
        let copies = fold::plural(view.copies_dropped, "copy");
        notes.push(format!(
            "{copies} in forks, agents and progress lines are not counted again (`usage audit`)."
        ));
    }
    if view.total.tokens.output_is_lower_bound {
        notes.push("≥: some clients did not write down all output; it was at least this.".to_owned());
    }
    for (model, messages) in &view.unknown_models {
        notes.push(format!("{model} has no price: {} are in no sum.", fold::plural(*messages, "message")));
    }
    notes.extend(view.gaps.iter().map(|gap| format!("{gap}: taken at the ordinary price.")));
    notes.push(format!("Prices: {}.", view.prices));
    for note in notes {
        context.out.line(Line::new(note, Style::Dim))?;
    }
    Ok(())
}

/// The rows as comma-separated values.
fn table(view: &UsageView) -> String {
    let head = [
        view.by,
        "label",
        "messages",
        "input_tokens",
        "output_tokens",
        "cache_write_tokens",
        "cache_read_tokens",
        "web_searches",
        "cost_usd",
    ];
    let mut text = csv::line(head.into_iter());
    for row in &view.rows {
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
        ];
        text.push_str(&csv::line(cells.iter().map(String::as_str)));
    }
    text
}
