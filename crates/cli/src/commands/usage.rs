//! `scrollback usage`: tokens and what they cost.

mod audit;
mod blocks;
mod calendar;
mod compare;
mod ledger;
mod recorded;
mod statusline;
mod time;

use clap::{Args, Subcommand, ValueEnum};
use jiff::tz::TimeZone;
use scrollback_app::catalogue::Index;
use scrollback_app::error::AppError;
use scrollback_app::usage::by::{self, By};
use scrollback_app::usage::cost::Pricer;
use scrollback_app::usage::view::{UsageRow, UsageView};
use scrollback_app::usage::{Book, Money, Prices};

use crate::config;
use crate::context::Context;
use crate::csv;
use crate::failure::{Failure, Kind};
use crate::paint::grid::{Column, Grid, bar};
use crate::paint::{Line, Style, fold};
use crate::scope::ScopeArgs;

/// What to add up by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ByArg {
    /// Days.
    Day,
    /// Weeks, by their Monday.
    Week,
    /// Months.
    Month,
    /// Hours of the day.
    Hour,
    /// Models.
    Model,
    /// Directories.
    Project,
    /// Sessions with their agents.
    Session,
    /// Agents, and sessions without theirs.
    Agent,
    /// Tools that messages call.
    Tool,
    /// Git branches.
    Branch,
    /// What it was for: the conversation, what was left behind, agents of each kind, errors.
    Purpose,
}

/// Arguments of `usage`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct UsageArgs {
    #[command(subcommand)]
    command: Option<UsageCommand>,
    #[command(flatten)]
    of: OfArgs,
    /// What to add up by.
    #[arg(long, value_enum, default_value = "day")]
    by: ByArg,
    /// At most so many rows, the newest or dearest; 0 is all.
    #[arg(long, short = 'n', default_value_t = 30)]
    limit: usize,
    /// Print comma-separated values.
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Draw the year as a calendar.
    #[arg(long, conflicts_with_all = ["csv", "json"])]
    calendar: bool,
    /// Fail with exit code 6 if more was spent: `50/day`, `200/week`, `500/month`, `20/block`.
    #[arg(long, value_name = "DOLLARS/TIME")]
    budget: Option<String>,
}

/// Which usage.
#[derive(Debug, Clone, Default, Args)]
pub struct OfArgs {
    #[command(flatten)]
    scope: ScopeArgs,
    /// The time zone that days are of, such as Europe/Berlin; yours if it is not given.
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
    let budget = args.budget.as_deref().map(Budget::decode).transpose()?;
    let library = context.library()?;
    let index = context.index(&library)?;
    let prices = prices(context)?;
    let mut pricer = Pricer::new(&prices, args.of.zone(context)?);
    let book = args.of.book(context, &index, &mut pricer)?;
    let by = if args.calendar { By::Day } else { args.by.by() };
    let mut view = by::usage(&index, &book, &mut pricer, by).map_err(AppError::from)?;
    let over = budget.as_ref().map(|budget| budget.check(context, &book, &mut pricer)).transpose()?;
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
    match over.flatten() {
        Some(words) => Err(Failure::new(Kind::OverBudget, words)),
        None => Ok(()),
    }
}

/// The prices that are built in, with those of the user's config over them.
fn prices(context: &Context) -> Result<Prices, Failure> {
    let broken = |error: &dyn std::fmt::Display| {
        Failure::new(Kind::Bug, format!("the price table is broken: {error}"))
    };
    let prices = Prices::built_in().map_err(|error| broken(&error))?;
    let config = config::load(&context.env)?;
    prices.with_overrides(&config.prices).map_err(|error| {
        Failure::new(Kind::Usage, error.to_string())
            .hint("docs/usage.md tells how prices are written in config.toml")
    })
}

impl OfArgs {
    fn zone(&self, context: &Context) -> Result<TimeZone, Failure> {
        let Some(name) = &self.time_zone else { return Ok(context.zone.clone()) };
        TimeZone::get(name).map_err(|_| {
            Failure::new(Kind::Usage, format!("'{name}' is no time zone"))
                .hint("a zone is named like Europe/Berlin or UTC")
        })
    }

    /// The book of an index, as far as it is asked for; with sessions that are gone, if a ledger is kept.
    fn book(&self, context: &Context, index: &Index, pricer: &mut Pricer<'_>) -> Result<Book, Failure> {
        let scope = self.scope.resolve(context)?;
        let mut book = Book::of(index, None).map_err(AppError::from)?;
        ledger::join(context, &mut book, pricer)?;
        book.between(scope.since, scope.until);
        if let Some(project) = &scope.project {
            let part = project.to_lowercase();
            let files = std::mem::take(&mut book.files);
            book.entries.retain(|entry| {
                let file = &files[entry.file as usize];
                file.project.as_deref().unwrap_or(&file.folder).to_lowercase().contains(&part)
            });
            book.files = files;
        }
        Ok(book)
    }
}

impl ByArg {
    fn by(self) -> By {
        match self {
            Self::Day => By::Day,
            Self::Week => By::Week,
            Self::Month => By::Month,
            Self::Hour => By::Hour,
            Self::Model => By::Model,
            Self::Project => By::Project,
            Self::Session => By::Session,
            Self::Agent => By::Agent,
            Self::Tool => By::Tool,
            Self::Branch => By::Branch,
            Self::Purpose => By::Purpose,
        }
    }
}

/// Money for people.
fn dollars(money: Money) -> String {
    let text = money.cents();
    if text == "0.00" && money > Money::ZERO { format!("${}", money.fine()) } else { format!("${text}") }
}

const BAR: usize = 12;

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
        Line::new(bar(share, BAR), Style::Number),
    ]
}

fn notes(context: &mut Context, view: &UsageView, all: usize) -> Result<(), Failure> {
    context.out.gap()?;
    let mut notes = Vec::new();
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

/// How much may be spent in a stretch of time.
struct Budget {
    most: Money,
    span: &'static str,
}

impl Budget {
    fn decode(text: &str) -> Result<Self, Failure> {
        let wrong = || {
            Failure::new(Kind::Usage, format!("'{text}' is no budget"))
                .hint("a budget is written as 50/day, 200/week, 500/month or 20/block")
        };
        let (most, span) = text.split_once('/').ok_or_else(wrong)?;
        let most = Money::decode(most.trim_start_matches('$')).map_err(|_| wrong())?;
        let span =
            ["day", "week", "month", "block"].into_iter().find(|known| *known == span).ok_or_else(wrong)?;
        Ok(Self { most, span })
    }

    /// Words, if more was spent in the current stretch.
    fn check(
        &self,
        context: &Context,
        book: &Book,
        pricer: &mut Pricer<'_>,
    ) -> Result<Option<String>, Failure> {
        let spent = scrollback_app::usage::spent(book, pricer, context.now(), self.span);
        Ok((spent > self.most).then(|| {
            format!(
                "{} were spent this {}, and {} are the budget",
                dollars(spent),
                self.span,
                dollars(self.most)
            )
        }))
    }
}
