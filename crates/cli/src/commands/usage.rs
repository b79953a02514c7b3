//! `scrollback usage`: tokens and what they cost.

mod audit;
mod blocks;
mod budget;
mod calendar;
mod compare;
mod ledger;
mod recorded;
mod statusline;
mod table;
mod till;
mod time;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use scrollback_app::error::AppError;
use scrollback_app::usage::by::{self, By};
use scrollback_app::usage::{Book, Money};

use self::till::Till;
use crate::context::Context;
use crate::failure::Failure;
use crate::paint::fold;
use crate::scope::ScopeArgs;

/// How many rows people are shown.
const ROWS: usize = 30;

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
    /// At most so many rows, the newest or dearest; 0 is all. Without it 30, and all with --json or --csv.
    #[arg(long, short = 'n')]
    limit: Option<usize>,
    /// Print comma-separated values.
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Draw the weeks as a calendar, as many as fit, up to a year.
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
    let till = Till::open(context, &args.of)?;
    let budgets = budget::asked(args.budget.as_ref(), &till.config)?;
    let library = context.library()?;
    let index = context.index(&library)?;
    let mut pricer = till.pricer();
    let mut book = till.whole_book(context, &index, &mut pricer)?;
    // A budget has a time of its own. That of the config is for everything; one that is given, for what is asked for.
    let mut check = |book: &Book| -> Vec<_> {
        budgets.iter().map(|budget| budget.check(book, &mut pricer, context.now())).collect()
    };
    let of_all = check(&book);
    till.of_projects(&mut book);
    let is_given = matches!(args.budget, Some(Some(_)));
    let budgets = if is_given { check(&book) } else { of_all };
    book.between(till.scope.since, till.scope.until);
    let by = if args.calendar { By::Day } else { args.by };
    let mut view = by::usage(&index, &book, &mut pricer, by).map_err(AppError::from)?;
    view.budgets = budgets;
    let all = view.rows.len();
    // What programs read is whole unless they say otherwise.
    let is_for_people = !args.csv && !context.global.json;
    let limit = args.limit.unwrap_or(if is_for_people { ROWS } else { 0 });
    if !args.calendar && limit > 0 && all > limit {
        // Of times the newest are kept, of all else the dearest.
        let from = if by.is_time() && by != By::Hour { all - limit } else { 0 };
        view.rows.drain(..from);
        view.rows.truncate(limit);
    }
    by::label(&index, &book, by, &mut view);
    // The process is at its end: giving the memory back piece by piece would take milliseconds.
    std::mem::forget(book);
    if args.csv {
        context.out.bytes(table::csv(&view).as_bytes())?;
    } else if context.global.json {
        context.out.json(&view)?;
    } else {
        context.start_pager();
        if args.calendar {
            calendar::draw(context, &view, &till)?;
        } else {
            table::print(context, &view, all)?;
        }
    }
    if args.budget.is_some() { budget::judge(&view.budgets) } else { Ok(()) }
}

/// Money for people.
fn dollars(money: Money) -> String {
    let text = money.cents();
    if text == "0.00" && money > Money::ZERO {
        return format!("${}", money.fine());
    }
    let (whole, cents) = text.split_once('.').unwrap_or((&text, "00"));
    let whole = whole.parse().map_or_else(|_| whole.to_owned(), fold::count);
    format!("${whole}.{cents}")
}
