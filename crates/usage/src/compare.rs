//! Comparing with another tool: its JSON, day by day or month by month, beside our own.

use std::collections::BTreeMap;

use scrollback_pricing::Money;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::by::By;
use super::view::UsageView;

/// Counts of one side.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Counts {
    /// Tokens sent, beyond what the cache had.
    pub input: u64,
    /// Tokens received.
    pub output: u64,
    /// Tokens written to the cache.
    pub cache_write: u64,
    /// Tokens read from the cache.
    pub cache_read: u64,
    /// Dollars.
    pub cost: Money,
}

/// A day or month on both sides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct CompareRow {
    /// The day or month.
    pub key: String,
    /// What we count.
    pub ours: Counts,
    /// What the other tool counts.
    pub theirs: Counts,
}

/// Both sides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct CompareView {
    /// What the rows are: days or months.
    pub by: By,
    /// Rows whose tokens differ.
    pub rows: Vec<CompareRow>,
    /// Number of rows whose tokens agree.
    pub agree: u64,
    /// The total.
    pub total: CompareRow,
}

/// What another tool's document says, by day or month; none if it holds no such rows.
pub fn read(document: &Value) -> Option<(By, BTreeMap<String, Counts>)> {
    let lists = match document {
        Value::Object(fields) => fields.values().filter_map(Value::as_array).collect(),
        Value::Array(list) => vec![list],
        _ => Vec::new(),
    };
    for list in lists {
        let mut rows: BTreeMap<String, Counts> = BTreeMap::new();
        for row in list {
            let Some(key) = key(row) else { continue };
            let own = rows.entry(key).or_default();
            own.add(&Counts::of(row));
        }
        if let Some(first) = rows.keys().next() {
            let by = if first.len() == "2026-11".len() { By::Month } else { By::Day };
            return Some((by, rows));
        }
    }
    None
}

/// The day or month that a row is of.
fn key(row: &Value) -> Option<String> {
    let names = ["period", "date", "day", "month", "key"];
    let text = names.iter().find_map(|name| row.get(*name)?.as_str())?;
    let form = |text: &str| {
        text.bytes()
            .enumerate()
            .all(|(at, byte)| if at == 4 || at == 7 { byte == b'-' } else { byte.is_ascii_digit() })
    };
    let text =
        text.get(..10).filter(|day| form(day)).or_else(|| text.get(..7).filter(|month| form(month)))?;
    Some(text.to_owned())
}

impl Counts {
    /// What a row of another tool counts, under any of the names that tools give.
    fn of(row: &Value) -> Self {
        let tokens = row.get("tokens").filter(|tokens| tokens.is_object()).unwrap_or(row);
        let count = |names: &[&str]| names.iter().find_map(|name| tokens.get(*name)?.as_u64()).unwrap_or(0);
        let cost = ["totalCost", "cost", "costUSD", "total_cost", "cost_usd"];
        let cost = cost.iter().find_map(|name| {
            let cost = row.get(*name)?;
            cost.as_str().map(str::to_owned).or_else(|| cost.as_f64().map(|cost| format!("{cost:.12}")))
        });
        Self {
            input: count(&["inputTokens", "input_tokens", "input"]),
            output: count(&["outputTokens", "output_tokens", "output"]),
            cache_write: count(&[
                "cacheCreationTokens",
                "cacheCreationInputTokens",
                "cache_creation_tokens",
                "cache_creation_input_tokens",
                "cache_write_tokens",
                "cache_write",
            ]),
            cache_read: count(&[
                "cacheReadTokens",
                "cacheReadInputTokens",
                "cache_read_tokens",
                "cache_read_input_tokens",
                "cache_read",
            ]),
            cost: cost.and_then(|cost| Money::decode(&cost).ok()).unwrap_or_default(),
        }
    }

    fn add(&mut self, other: &Self) {
        self.input = self.input.saturating_add(other.input);
        self.output = self.output.saturating_add(other.output);
        self.cache_write = self.cache_write.saturating_add(other.cache_write);
        self.cache_read = self.cache_read.saturating_add(other.cache_read);
        self.cost += other.cost;
    }

    fn has_tokens_of(&self, other: &Self) -> bool {
        let tokens = |counts: &Self| (counts.input, counts.output, counts.cache_write, counts.cache_read);
        tokens(self) == tokens(other)
    }
}

/// Sets our own sums beside another tool's.
pub fn compare(ours: &UsageView, theirs: &BTreeMap<String, Counts>) -> CompareView {
    let own = |row: &super::view::UsageRow| Counts {
        input: row.tokens.input,
        output: row.tokens.output,
        cache_write: row.tokens.cache_write,
        cache_read: row.tokens.cache_read,
        cost: row.cost.total,
    };
    let mut rows: BTreeMap<String, CompareRow> = BTreeMap::new();
    let empty =
        |key: &str| CompareRow { key: key.to_owned(), ours: Counts::default(), theirs: Counts::default() };
    for row in &ours.rows {
        rows.entry(row.key.clone()).or_insert_with(|| empty(&row.key)).ours = own(row);
    }
    for (key, counts) in theirs {
        rows.entry(key.clone()).or_insert_with(|| empty(key)).theirs = *counts;
    }
    let mut total = empty("total");
    for row in rows.values() {
        total.ours.add(&row.ours);
        total.theirs.add(&row.theirs);
    }
    let all = rows.len() as u64;
    let rows: Vec<CompareRow> =
        rows.into_values().filter(|row| !row.ours.has_tokens_of(&row.theirs)).collect();
    CompareView { by: ours.by, agree: all - rows.len() as u64, rows, total }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{By, Counts, read};

    #[test]
    fn rows_are_found_under_the_names_that_tools_give_them() {
        let counts =
            |input| Counts { input, output: 2, cache_write: 3, cache_read: 4, cost: "0.5".parse_money() };
        let theirs = json!({ "daily": [{ "date": "2026-11-01", "inputTokens": 1, "outputTokens": 2,
            "cacheCreationTokens": 3, "cacheReadTokens": 4, "totalCost": 0.5 }], "totals": {} });
        let (by, rows) = read(&theirs).unwrap();
        assert_eq!((by, rows.get("2026-11-01")), (By::Day, Some(&counts(1))));
        let monthly = json!([{ "period": "2026-11", "input_tokens": 7, "output_tokens": 2,
            "cache_creation_input_tokens": 3, "cache_read_input_tokens": 4, "cost": "0.5" }]);
        let (by, rows) = read(&monthly).unwrap();
        assert_eq!((by, rows.get("2026-11")), (By::Month, Some(&counts(7))));
        for odd in [json!({}), json!([1, "x", null]), json!({ "daily": [{ "date": 7 }] }), json!("x")] {
            assert_eq!(read(&odd), None, "{odd}");
        }
    }

    trait ParseMoney {
        fn parse_money(&self) -> scrollback_pricing::Money;
    }

    impl ParseMoney for str {
        fn parse_money(&self) -> scrollback_pricing::Money {
            scrollback_pricing::Money::decode(self).unwrap()
        }
    }
}
