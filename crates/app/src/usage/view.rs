//! What is shown of usage.

use std::collections::BTreeMap;

use scrollback_format::time::Time;
use scrollback_pricing::Money;
use serde::Serialize;

use super::budget::BudgetView;
use super::cost::{Priced, Sum};
use crate::view::{TokensView, time};

/// What something costs, part by part, in dollars. Exact, as text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CostView {
    /// All of it.
    pub total: Money,
    /// Tokens sent that no cache held.
    pub input: Money,
    /// Tokens received.
    pub output: Money,
    /// Tokens read from the cache.
    pub cache_read: Money,
    /// Tokens written to the cache.
    pub cache_write: Money,
    /// Web searches.
    pub web_search: Money,
}

/// Tokens and cost of one model.
#[derive(Debug, Clone, Serialize)]
pub struct ModelUse {
    /// The model.
    pub model: String,
    /// Messages.
    pub messages: u64,
    /// Tokens.
    pub tokens: TokensView,
    /// What they cost, in dollars; none if the model has no price.
    pub cost: Option<Money>,
}

/// Tokens and cost of something.
#[derive(Debug, Clone, Serialize)]
pub struct UsageRow {
    /// What: a day, a model, a project, ….
    pub key: String,
    /// More about it: a session's title, what an agent is for.
    pub label: Option<String>,
    /// API messages, each once.
    pub messages: u64,
    /// Tokens.
    pub tokens: TokensView,
    /// Web searches.
    pub web_searches: u64,
    /// What it costs.
    pub cost: CostView,
    /// By model.
    pub models: Vec<ModelUse>,
    /// What it cost in twelve equal stretches from `first_time` to `last_time`; none where rows are stretches of time.
    pub trend: Option<Vec<Money>>,
}

/// Usage by something.
#[derive(Debug, Clone, Serialize)]
pub struct UsageView {
    /// By what: `day`, `week`, `month`, `hour`, `model`, `project`, `session`, `agent`, `tool`, `branch`, `purpose`.
    pub by: &'static str,
    /// The time zone that days are of.
    pub time_zone: String,
    /// The rows, in their order.
    pub rows: Vec<UsageRow>,
    /// All of it.
    pub total: UsageRow,
    /// Models without a price, and how many messages they made. What they cost is in no sum.
    pub unknown_models: BTreeMap<String, u64>,
    /// What had no price of its own, and how it was taken.
    pub gaps: Vec<String>,
    /// Copies of messages that are in other files too, and are not counted again.
    pub copies_dropped: u64,
    /// Messages without a time: in rows that are times they are under `(none)`.
    pub without_time: u64,
    /// Sessions and agents that the client has deleted and that are told from the ledger.
    pub from_ledger: u64,
    /// The first message.
    #[serde(serialize_with = "time")]
    pub first_time: Option<Time>,
    /// The last message.
    #[serde(serialize_with = "time")]
    pub last_time: Option<Time>,
    /// Budgets that were asked for, or are in the config.
    pub budgets: Vec<BudgetView>,
    /// The price list that was used.
    pub prices: String,
    /// The catalogue is as of then.
    #[serde(serialize_with = "time")]
    pub as_of: Option<Time>,
}

impl CostView {
    /// Of a priced sum.
    pub fn of(priced: &Priced) -> Self {
        let bill = &priced.bill;
        Self {
            total: bill.total(),
            input: bill.input,
            output: bill.output,
            cache_read: bill.cache_read,
            cache_write: bill.cache_write_5m + bill.cache_write_1h,
            web_search: bill.web_search,
        }
    }
}

impl UsageRow {
    /// A row of a sum.
    pub fn of(key: String, label: Option<String>, sum: &Sum, priced: &Priced) -> Self {
        let mut models: Vec<ModelUse> = priced
            .models
            .iter()
            .map(|(model, (tokens, messages, cost))| ModelUse {
                model: model.clone(),
                messages: *messages,
                tokens: TokensView::of(*tokens, sum.is_lower_bound),
                cost: *cost,
            })
            .collect();
        models.sort_by(|a, b| b.cost.cmp(&a.cost).then_with(|| a.model.cmp(&b.model)));
        Self {
            key,
            label,
            messages: sum.messages,
            tokens: TokensView::of(sum.tokens, sum.is_lower_bound),
            web_searches: sum.searches,
            cost: CostView::of(priced),
            models,
            trend: None,
        }
    }
}
