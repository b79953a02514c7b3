//! `scrollback usage ledger`: sums that outlive their sessions.

use clap::{Args, Subcommand};
use scrollback_app::usage::Book;
use scrollback_app::usage::cost::Pricer;
use scrollback_app::usage::ledger::{self, LedgerView};

use super::OfArgs;
use super::till::Till;
use crate::context::Context;
use crate::failure::{Failure, Kind};
use crate::paint::{Line, fold};

/// Arguments of `usage ledger`.
#[derive(Debug, Args)]
pub struct LedgerArgs {
    #[command(subcommand)]
    command: Option<LedgerCommand>,
}

/// What to do with it.
#[derive(Debug, Subcommand)]
enum LedgerCommand {
    /// Keep one from now on; `usage` brings it up to date.
    On,
    /// Throw it away.
    Off,
    /// Bring it up to date.
    Update,
    /// Tell whether one is kept, and what is in it.
    Status,
}

/// Does it.
pub fn run(context: &mut Context, args: &LedgerArgs) -> Result<(), Failure> {
    if context.is_sample() || context.global.sample {
        return Err(Failure::new(Kind::Refused, "no ledger is kept of the sample"));
    }
    let data = context.data()?;
    match &args.command {
        Some(LedgerCommand::Off) => ledger::forget(&data)?,
        Some(LedgerCommand::On) => {
            ledger::begin(&data)?;
            update(context)?;
        }
        Some(LedgerCommand::Update) => update(context)?,
        Some(LedgerCommand::Status) | None => {}
    }
    let view = ledger::view(&data)?;
    if context.global.json {
        return Ok(context.out.json(&view)?);
    }
    Ok(context.out.line(Line::plain(words(&view)))?)
}

fn words(view: &LedgerView) -> String {
    if !view.is_kept {
        return "No ledger is kept. `usage ledger on` begins one.".to_owned();
    }
    let strange = if view.strange_lines > 0 {
        format!(", {} not understood", fold::plural(view.strange_lines, "line"))
    } else {
        String::new()
    };
    format!("A ledger is kept: {}{strange}.", fold::plural(view.sessions, "session"))
}

fn update(context: &mut Context) -> Result<(), Failure> {
    let till = Till::open(context, &OfArgs::default())?;
    let library = context.library()?;
    let index = context.index(&library)?;
    till.whole_book(context, &index, &mut till.pricer()).map(|_| ())
}

/// Brings a ledger that is kept up to date with a whole book, and adds to the book what only the ledger has.
pub fn join(context: &Context, book: &mut Book, pricer: &mut Pricer<'_>) -> Result<(), Failure> {
    let Some(data) = context.env.data_dir.clone().filter(|_| !context.is_sample()) else { return Ok(()) };
    match ledger::join(&data, book, pricer) {
        Ok(()) => Ok(()),
        // Sums without it are better than none.
        Err(error) => context.say(&format!("the ledger cannot be used: {error}")),
    }
}
