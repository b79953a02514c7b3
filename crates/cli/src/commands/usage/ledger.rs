//! `scrollback usage ledger`: totals that outlive their sessions.

use clap::{Args, Subcommand};
use scrollback_app::request::usage::ledger::{LedgerAction, LedgerRequest};
use scrollback_app::usage::ledger::LedgerView;

use crate::context::Context;
use crate::failure::Failure;
use crate::paint::{StyledLine, fold};

/// Arguments of `usage ledger`.
#[derive(Debug, Args)]
pub struct LedgerArgs {
    #[command(subcommand)]
    command: Option<LedgerCommand>,
}

/// What to do with it.
#[derive(Debug, Clone, Copy, Subcommand)]
enum LedgerCommand {
    /// Start a ledger; `usage` keeps it up to date.
    On,
    /// Delete the ledger.
    Off,
    /// Update the ledger.
    Update,
    /// Show the status and contents of the ledger.
    Status,
}

/// Does it.
pub fn run(context: &mut Context, args: &LedgerArgs) -> Result<(), Failure> {
    let action = match args.command {
        Some(LedgerCommand::On) => LedgerAction::On,
        Some(LedgerCommand::Off) => LedgerAction::Off,
        Some(LedgerCommand::Update) => LedgerAction::Update,
        Some(LedgerCommand::Status) | None => LedgerAction::Status,
    };
    let view = context.desk()?.answer(&LedgerRequest { action })?;
    if context.global.json {
        return Ok(context.out.document(&view)?);
    }
    Ok(context.out.line(StyledLine::plain(words(&view)))?)
}

fn words(view: &LedgerView) -> String {
    if !view.is_kept {
        return "No ledger is kept. `usage ledger on` starts one.".to_owned();
    }
    let strange = if view.strange_lines > 0 {
        format!(", {} not understood", fold::plural(view.strange_lines, "line"))
    } else {
        String::new()
    };
    format!("A ledger is kept: {}{strange}.", fold::plural(view.sessions, "session"))
}
