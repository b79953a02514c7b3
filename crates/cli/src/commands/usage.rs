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
mod time;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use scrollback_app::request::usage::{UsageRequest, UsageScope};
use scrollback_app::usage::Money;
use scrollback_app::usage::by::By;

use crate::context::Context;
use crate::failure::{ExitKind, Failure};
use crate::paint::fold;
use crate::scope::ScopeArgs;

/// How many rows are shown to people.
const ROWS: usize = 30;

/// Arguments of `usage`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct UsageArgs {
    #[command(subcommand)]
    command: Option<UsageCommand>,
    #[command(flatten)]
    of: OfArgs,
    /// Group by.
    #[arg(long, value_name = "WHAT", default_value = By::default().name(), value_parser = by_parser())]
    by: By,
    /// Maximum number of rows, newest or most expensive first (0 = no limit) [default: 30; no limit with --json or --csv].
    #[arg(long, short = 'n', value_name = "N")]
    limit: Option<usize>,
    /// Print comma-separated values.
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Show a calendar of up to a year.
    #[arg(long, conflicts_with_all = ["csv", "json"])]
    calendar: bool,
    /// Exit with code 6 if more was spent: 50/day, 200/week, 500/month or 20/block. Without a value, check the budgets of the
    /// configuration file.
    #[arg(long, value_name = "DOLLARS/PERIOD", num_args = 0..=1)]
    budget: Option<Option<String>>,
}

/// The names of what rows can be sums of, with words for the help.
fn by_parser() -> impl TypedValueParser<Value = By> {
    let values = By::ALL.map(|by| PossibleValue::new(by.name()).help(by.about()));
    PossibleValuesParser::new(values).try_map(|name| By::find(&name).ok_or("unknown"))
}

/// Which projects and dates, and the time zone.
#[derive(Debug, Clone, Default, Args)]
pub struct OfArgs {
    #[command(flatten)]
    scope: ScopeArgs,
    /// Time zone for dates, such as Europe/Berlin [default: from the configuration file, else the system's].
    #[arg(long, value_name = "ZONE")]
    time_zone: Option<String>,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
enum UsageCommand {
    /// Show five-hour blocks, with a projection for the current one.
    Blocks(blocks::BlocksArgs),
    /// Show how raw lines become cost: what each rule dropped, and where.
    Audit(audit::AuditArgs),
    /// Print one line for the client's status line, for the session named on standard input.
    Statusline(statusline::StatuslineArgs),
    /// Show where the time of a session went: model, tools, retries, waiting for you.
    Time(time::TimeArgs),
    /// Compare totals recorded by clients with calculated ones.
    Recorded(recorded::RecordedArgs),
    /// Compare with the JSON output of another tool.
    Compare(compare::CompareArgs),
    /// Keep totals of sessions after the client deletes them (off by default).
    Ledger(ledger::LedgerArgs),
}

/// Shows usage.
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
    // Programs get all rows unless they ask for fewer.
    let is_for_people = !args.csv && !context.global.json;
    let limit = args.limit.unwrap_or(if is_for_people { ROWS } else { 0 });
    let request = UsageRequest {
        of: args.of.scope(),
        by: if args.calendar { By::Day } else { args.by },
        limit: (!args.calendar).then_some(limit),
        budget: args.budget.clone().flatten(),
        budget_required: args.budget.is_some(),
    };
    let view = context.desk()?.answer(&request)?;
    if args.csv {
        context.out.untrusted(table::csv(&view).as_bytes())?;
    } else if context.global.json {
        context.out.document(&view)?;
    } else {
        context.start_pager();
        if args.calendar {
            calendar::draw(context, &view, request.of.scope.until.is_none())?;
        } else {
            table::print(context, &view)?;
        }
    }
    if args.budget.is_some() {
        return budget::judge(&view.budgets);
    }
    if view.rows.is_empty() { Err(Failure::quiet(ExitKind::NothingFound)) } else { Ok(()) }
}

impl OfArgs {
    fn scope(&self) -> UsageScope {
        UsageScope { scope: self.scope.request(), time_zone: self.time_zone.clone() }
    }
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
