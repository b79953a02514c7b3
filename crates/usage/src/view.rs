//! Documents of `usage`.

use std::collections::BTreeMap;

use scrollback_format::time::Time;
use scrollback_pricing::Money;
use serde::{Deserialize, Serialize};

use super::cost::{Priced, Sum};
use super::grouping::By;
use scrollback_session::view::TokensView;

/// What something costs, part by part, in dollars. Exact, as text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
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
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
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
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
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
    /// The cost in twelve equal periods from `first_time` to `last_time`; none where rows are periods.
    pub trend: Option<Vec<Money>>,
}

/// Usage by something.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct UsageView {
    /// What the rows are sums of.
    pub by: By,
    /// The time zone of days.
    pub time_zone: String,
    /// The rows: times in their order, everything else by cost, most expensive first.
    pub rows: Vec<UsageRow>,
    /// Number of rows before the limit.
    pub row_count: u64,
    /// All of it.
    pub total: UsageRow,
    /// Models without a price, with their number of messages. Their cost is not in any sum.
    pub unknown_models: BTreeMap<String, u64>,
    /// What had no price of its own, and how it was counted.
    pub gaps: Vec<String>,
    /// Copies of messages in other files, which are not counted again.
    pub copies_dropped: u64,
    /// Messages without a time. In rows by time they are under `(none)`.
    pub without_time: u64,
    /// Sessions and agents that the client deleted, counted from the ledger.
    pub from_ledger: u64,
    /// The first message.
    #[serde(with = "scrollback_session::view::time")]
    #[schemars(with = "Option<String>")]
    pub first_time: Option<Time>,
    /// The last message.
    #[serde(with = "scrollback_session::view::time")]
    #[schemars(with = "Option<String>")]
    pub last_time: Option<Time>,
    /// The given budget, or those of the configuration file.
    pub budgets: Vec<BudgetView>,
    /// The price list used.
    pub prices: String,
    /// When the index was last updated.
    #[serde(with = "scrollback_session::view::time")]
    #[schemars(with = "Option<String>")]
    pub as_of: Option<Time>,
}

impl UsageView {
    /// Keeps the newest rows of times, and the most expensive of everything else. 0 keeps all.
    pub fn limit(&mut self, limit: usize) {
        let all = self.rows.len();
        if limit == 0 || all <= limit {
            return;
        }
        if self.by.is_period() {
            self.rows.drain(..all - limit);
        }
        self.rows.truncate(limit);
    }
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

/// A budget and what was spent of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct BudgetView {
    /// The period it applies to.
    pub span: Span,
    /// Maximum to spend in a period, in dollars.
    pub most: Money,
    /// Spent in the current period, in dollars.
    pub spent: Money,
    /// Is the budget exceeded?
    pub is_over: bool,
}

/// A period that a budget applies to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Span {
    /// A day of the calendar.
    Day,
    /// A week, from its Monday.
    Week,
    /// A month of the calendar.
    Month,
    /// A block of five hours.
    Block,
}

impl Span {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Day, Self::Week, Self::Month, Self::Block];

    /// Its name in output that programs read, and in budgets.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Day => "day",
            Self::Week => "week",
            Self::Month => "month",
            Self::Block => "block",
        }
    }
}
