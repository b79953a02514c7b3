//! `scrollback usage statusline`: one line for the client's own status line.
//!
//! The client passes a JSON object on standard input that names the session. Only that session and its agents are read.

use std::io::Read;

use clap::Args;
use scrollback_app::request::usage::status_line::StatusLineRequest;

use super::dollars;
use crate::context::Context;
use crate::failure::Failure;
use crate::paint::{StyledLine, fold};

/// Arguments of `usage statusline`.
#[derive(Debug, Args)]
pub struct StatuslineArgs {
    /// Session to use instead of the one named on standard input.
    #[arg(long)]
    session: Option<String>,
}

/// What the client passes is small; more is something else.
const MOST: u64 = 1 << 20;

/// Prints the line.
pub fn run(context: &mut Context, args: &StatuslineArgs) -> Result<(), Failure> {
    let input = if args.session.is_none() { input() } else { None };
    let request = StatusLineRequest { session: args.session.clone(), input };
    let status = context.desk()?.answer(&request)?;
    if context.global.json {
        return Ok(context.out.document(&status)?);
    }
    let mut parts = vec![format!("{} session", dollars(status.cost))];
    if status.messages_today < status.messages {
        parts.push(format!("{} today", dollars(status.cost_today)));
    }
    parts.extend(status.context_tokens.map(|tokens| format!("{} context", fold::short_count(tokens))));
    parts.extend(status.model);
    Ok(context.out.line(StyledLine::plain(parts.join(" · ")))?)
}

fn input() -> Option<String> {
    let mut text = String::new();
    std::io::stdin().take(MOST).read_to_string(&mut text).ok()?;
    Some(text)
}
