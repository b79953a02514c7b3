//! The status line: what one session has cost so far, and how full its context is.

use scrollback_format::time::Time;
use scrollback_pricing::Money;
use serde::{Deserialize, Serialize};

use super::Book;
use super::cost::{Pricer, Sum};

/// What a session has cost so far.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct StatusLine {
    /// The session; none if it has no file yet.
    pub session_id: Option<String>,
    /// What it has cost with its agents, in dollars.
    pub cost: Money,
    /// Its messages.
    pub messages: u64,
    /// What it has cost today.
    pub cost_today: Money,
    /// Its messages of today.
    pub messages_today: u64,
    /// Tokens sent with the last request of the conversation.
    pub context_tokens: Option<u64>,
    /// The model of the last answer.
    pub model: Option<String>,
}

/// Adds the book of one session up.
pub fn status_line(
    session_id: Option<String>,
    book: &Book,
    pricer: &mut Pricer<'_>,
    now: Time,
) -> StatusLine {
    let (mut sum, mut today) = (Sum::default(), Sum::default());
    let date = now.timestamp().map(|now| now.to_zoned(pricer.zone().clone()).date());
    // What a fork copied was paid for in the session it came from.
    for entry in book.entries().filter(|entry| !entry.is_forked()) {
        pricer.add(&mut sum, book, &entry);
        if pricer.day(&entry) == date {
            pricer.add(&mut today, book, &entry);
        }
    }
    let answers = book.entries().filter(|entry| book.is_conversation(entry));
    let last = answers.filter(|entry| entry.time.is_some()).max_by_key(|entry| entry.time);
    let cost = |sum: &Sum| pricer.price(sum, book).bill.total();
    StatusLine {
        session_id,
        cost: cost(&sum),
        messages: sum.messages,
        cost_today: cost(&today),
        messages_today: today.messages,
        context_tokens: last.map(|last| last.tokens.sent()),
        model: last.map(|last| book.name(last.model).to_owned()),
    }
}

/// The session that the client's JSON on standard input names, by its id or its file.
pub fn named_session(input: &str) -> Option<String> {
    let value: serde_json::Value = serde_json::from_str(input).ok()?;
    let names = ["session_id", "transcript_path"];
    names.iter().find_map(|name| value.get(name)?.as_str()).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::named_session;

    #[test]
    fn the_session_is_named_by_its_id_or_its_file() {
        assert_eq!(named_session("{\"session_id\":\"a\"}").as_deref(), Some("a"));
        assert_eq!(named_session("{\"transcript_path\":\"/a.jsonl\"}").as_deref(), Some("/a.jsonl"));
        for other in ["", "{}", "[]", "{\"session_id\":1}"] {
            assert_eq!(named_session(other), None, "{other}");
        }
    }
}
