//! `scrollback usage statusline`: one line for the client's own status line.
//!
//! The client gives a JSON object on standard input that names the session. Only that session and its agents are looked at.

use std::io::Read;

use clap::Args;
use scrollback_app::error::AppError;
use scrollback_app::usage::Book;
use scrollback_app::usage::cost::Sum;

use super::till::Till;
use super::{OfArgs, dollars};
use crate::context::Context;
use crate::failure::{Failure, Kind};
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
    let till = Till::open(context, &OfArgs::default())?;
    let mut pricer = till.pricer();
    let book = match book(context, &session) {
        Ok(book) => book,
        // A session has no file before its first prompt.
        Err(failure) if failure.kind == Kind::NothingFound && args.session.is_none() => Book::default(),
        Err(failure) => return Err(failure),
    };
    let (mut sum, mut today) = (Sum::default(), Sum::default());
    let now = context.now().timestamp().map(|now| now.to_zoned(till.zone.clone()).date());
    // What a fork took along was paid for where it came from.
    for entry in book.entries().filter(|entry| !entry.is_forked()) {
        pricer.add(&mut sum, &book, &entry);
        if pricer.day(&entry) == now {
            pricer.add(&mut today, &book, &entry);
        }
    }
    let cost = |sum: &Sum| dollars(pricer.price(sum, &book).bill.total());
    let mut parts = vec![format!("{} session", cost(&sum))];
    if today.messages < sum.messages {
        parts.push(format!("{} today", cost(&today)));
    }
    let answers = book.entries().filter(|entry| book.is_conversation(entry));
    if let Some(last) = answers.filter(|entry| entry.time.is_some()).max_by_key(|entry| entry.time) {
        parts.push(format!("{} context", fold::short_count(last.tokens.sent())));
        parts.push(book.name(last.model).to_owned());
    }
    Ok(context.out.line(Line::plain(parts.join(" · ")))?)
}

/// The book of one session.
fn book(context: &mut Context, session: &str) -> Result<Book, Failure> {
    let library = context.session(session)?;
    let id = context.resolve(&library, session)?.id.as_str().to_owned();
    let index = match context.session_index(&library) {
        Some(index) => index,
        None => context.index(&library)?,
    };
    Ok(Book::of(&index, Some(&id)).map_err(AppError::from)?)
}

/// The session that standard input names, by its id or its file.
fn asked() -> Option<String> {
    let mut text = String::new();
    std::io::stdin().take(MOST).read_to_string(&mut text).ok()?;
    let said: serde_json::Value = serde_json::from_str(&text).ok()?;
    let names = ["session_id", "transcript_path"];
    names.iter().find_map(|name| said.get(name)?.as_str()).map(str::to_owned)
}
