//! `scrollback usage statusline`: one line for the client's own status line.
//!
//! The client gives a JSON object on standard input that names the session. Only that session and its agents are looked at.

use std::io::Read;

use clap::Args;
use scrollback_app::error::AppError;
use scrollback_app::usage::cost::{Pricer, Sum};
use scrollback_app::usage::{Book, Money};

use super::{OfArgs, dollars, prices};
use crate::config;
use crate::context::Context;
use crate::failure::Failure;
use crate::paint::{Line, fold};

/// Arguments of `usage statusline`.
#[derive(Debug, Args)]
pub struct StatuslineArgs {
    /// The session, instead of the one that standard input names.
    #[arg(long)]
    session: Option<String>,
}

/// What the client says is small; more is none of it.
const MOST: u64 = 1 << 20;

/// Prints the line.
pub fn run(context: &mut Context, args: &StatuslineArgs) -> Result<(), Failure> {
    let session = match &args.session {
        Some(session) => session.clone(),
        None => asked().unwrap_or_else(|| "last".to_owned()),
    };
    let library = context.session(&session)?;
    let files = context.resolve(&library, &session)?;
    let id = files.id.as_str().to_owned();
    let index = match context.session_index(&library) {
        Some(index) => index,
        None => context.index(&library)?,
    };
    let book = Book::of(&index, Some(&id)).map_err(AppError::from)?;
    let config = config::load(&context.env)?;
    let prices = prices(&config)?;
    let mut pricer = Pricer::new(&prices, OfArgs::default().zone(context, &config)?);
    let (mut sum, mut today) = (Sum::default(), Sum::default());
    let now = context.now().timestamp().map(|now| now.to_zoned(pricer.zone().clone()).date());
    for entry in book.entries() {
        pricer.add(&mut sum, &book, &entry);
        if pricer.day(&entry) == now {
            pricer.add(&mut today, &book, &entry);
        }
    }
    let cost = |pricer: &Pricer<'_>, sum: &Sum| -> Money { pricer.price(sum, &book).bill.total() };
    let last = book.entries().filter(|entry| entry.time.is_some()).max_by_key(|entry| entry.time);
    let mut parts = vec![format!("{} session", dollars(cost(&pricer, &sum)))];
    if today.messages < sum.messages {
        parts.push(format!("{} today", dollars(cost(&pricer, &today))));
    }
    if let Some(last) = last {
        let tokens = &last.tokens;
        let sent = tokens.input + tokens.cache_read + tokens.cache_write;
        parts.push(format!("{} context", fold::short_count(sent)));
        parts.push(book.name(last.model).to_owned());
    }
    Ok(context.out.line(Line::plain(parts.join(" · ")))?)
}

/// The session that standard input names.
fn asked() -> Option<String> {
    let mut text = String::new();
    std::io::stdin().take(MOST).read_to_string(&mut text).ok()?;
    let said: serde_json::Value = serde_json::from_str(&text).ok()?;
    said.get("session_id")?.as_str().map(str::to_owned)
}
