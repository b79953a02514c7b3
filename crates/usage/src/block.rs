//! Blocks: periods of five hours, as subscriptions count them. A block starts at the full hour of the first message that is
//! not in an earlier block, and ends five hours later.

use scrollback_format::time::Time;
use scrollback_pricing::Money;
use serde::{Deserialize, Serialize};

use super::Book;
use super::cost::{HOUR_MS, Pricer, Sum};
use super::view::UsageRow;

/// How long after its first message a block says nothing about its end.
const EARLY_MS: u64 = 10 * 60_000;
/// How long a block is.
pub const BLOCK_MS: i64 = 5 * HOUR_MS;

/// A block.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct UsageBlock {
    /// Its start.
    #[serde(with = "scrollback_session::view::time")]
    #[schemars(with = "Option<String>")]
    pub start: Option<Time>,
    /// Its end.
    #[serde(with = "scrollback_session::view::time")]
    #[schemars(with = "Option<String>")]
    pub end: Option<Time>,
    /// The last message in it.
    #[serde(with = "scrollback_session::view::time")]
    #[schemars(with = "Option<String>")]
    pub last_time: Option<Time>,
    /// Is it the current block?
    pub is_current: bool,
    /// What was used.
    #[serde(flatten)]
    pub usage: UsageRow,
    /// Of the current block, from ten minutes after its first message on: tokens per minute since then.
    pub tokens_per_minute: Option<u64>,
    /// Of the current block: dollars per hour since its first message.
    pub cost_per_hour: Option<Money>,
    /// Of the current block: its cost if that rate continues to its end.
    pub projected_cost: Option<Money>,
    /// Of the current block: its tokens if that rate continues to its end.
    pub projected_tokens: Option<u64>,
}

/// The blocks of a book, oldest first.
pub fn blocks(book: &Book, pricer: &mut Pricer<'_>, now: Time) -> Vec<UsageBlock> {
    // Of sessions that are gone the day is known, and not the hour.
    let known = book.entries().enumerate().filter(|(_, entry)| !book.file(entry).is_gone());
    let mut timed: Vec<(Time, usize)> =
        known.filter_map(|(place, entry)| Some((entry.time?, place))).collect();
    timed.sort_unstable();
    let mut blocks = Vec::new();
    let mut from = 0;
    while from < timed.len() {
        let (first, _) = timed[from];
        let start = Time(first.0.div_euclid(HOUR_MS) * HOUR_MS);
        let end = Time(start.0 + BLOCK_MS);
        let to = from + timed[from..].partition_point(|(time, _)| *time < end);
        let mut sum = Sum::default();
        for (_, place) in &timed[from..to] {
            pricer.add(&mut sum, book, &book.entry_at(*place));
        }
        let priced = pricer.price(&sum, book);
        let usage = UsageRow::of(start.to_string(), None, &sum, &priced);
        let (last, _) = timed[to - 1];
        let is_current = start <= now && now < end;
        let mut block = UsageBlock {
            start: Some(start),
            end: Some(end),
            last_time: Some(last),
            is_current,
            usage,
            tokens_per_minute: None,
            cost_per_hour: None,
            projected_cost: None,
            projected_tokens: None,
        };
        if is_current {
            block.project(first, now, end, sum.tokens.total());
        }
        blocks.push(block);
        from = to;
    }
    blocks
}

impl UsageBlock {
    /// Projects the usage since the first message to the end; not while there is too little of it.
    fn project(&mut self, first: Time, now: Time, end: Time, tokens: u64) {
        let past = u64::try_from(now.0 - first.0).unwrap_or(0);
        if past < EARLY_MS {
            return;
        }
        let left = u64::try_from(end.0 - now.0).unwrap_or(0);
        let cost = self.usage.cost.total;
        let scaled = |by: u64| Money::from_pico(cost.pico() * i128::from(by) / i128::from(past));
        self.tokens_per_minute = Some(tokens.saturating_mul(60_000) / past);
        self.cost_per_hour = Some(scaled(HOUR_MS as u64));
        self.projected_cost = Some(cost + scaled(left));
        let more = u128::from(tokens) * u128::from(left) / u128::from(past);
        self.projected_tokens = Some(tokens.saturating_add(u64::try_from(more).unwrap_or(u64::MAX)));
    }
}
