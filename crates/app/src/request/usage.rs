//! `usage`: tokens and cost, each message once over all files. The other questions about usage are in the modules.

pub mod audit;
pub mod blocks;
pub mod compare;
pub mod ledger;
pub mod recorded;
pub mod status_line;
pub mod time;

use schemars::JsonSchema;
use scrollback_session::catalogue::Index;
use scrollback_session::error::AppError;
use scrollback_usage::Book;
use scrollback_usage::budget;
use scrollback_usage::by::{self, By};
use scrollback_usage::context::{self, UsageContext};
use scrollback_usage::cost::Pricer;
use scrollback_usage::view::UsageView;
use serde::{Deserialize, Serialize};

use super::{Request, ScopeRequest};
use crate::desk::Desk;
use crate::notice::Notice;

/// Which usage, as typed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct UsageScope {
    /// Which projects, and between which dates.
    #[serde(flatten)]
    pub scope: ScopeRequest,
    /// The time zone of days, such as `Europe/Berlin`; else that of the configuration file, else the user's.
    pub time_zone: Option<String>,
}

/// Which sums to show.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct UsageRequest {
    /// Which projects and dates, and the time zone.
    #[serde(flatten)]
    pub of: UsageScope,
    /// What the rows are sums of.
    pub by: By,
    /// Maximum number of rows, the newest or the most expensive; none or 0 for all.
    pub limit: Option<usize>,
    /// The budget to check, such as `50/day`, for what the scope selects; else those of the configuration file, for
    /// everything.
    pub budget: Option<String>,
    /// Fail if there is no budget at all.
    pub budget_required: bool,
}

impl Request for UsageRequest {
    type Document = UsageView;

    fn answer(&self, desk: &Desk) -> Result<UsageView, AppError> {
        let context = desk.usage(&self.of)?;
        let configured = &desk.config.usage.budgets;
        let budgets = budget::chosen(self.budget.as_deref(), configured, self.budget_required)?;
        let index = desk.index(&desk.library()?)?;
        let mut pricer = context.pricer();
        let mut book = desk.whole_book(&context, &index, &mut pricer)?;
        // A budget has a period of its own. Those of the configuration are for everything; one that is given is for the
        // projects that are selected.
        let mut check = |book: &Book| -> Vec<_> {
            budgets.iter().map(|budget| budget.check(book, &mut pricer, desk.now())).collect()
        };
        let mut checked = if self.budget.is_none() { check(&book) } else { Vec::new() };
        context.retain_projects(&mut book);
        if self.budget.is_some() {
            checked = check(&book);
        }
        context.retain_times(&mut book);
        let mut view = by::usage(&index, &book, &mut pricer, self.by)?;
        view.budgets = checked;
        view.limit(self.limit.unwrap_or(0));
        by::label(&index, &book, self.by, &mut view);
        // A large book takes milliseconds to free, and nobody has to wait for that.
        std::thread::spawn(move || drop(book));
        Ok(view)
    }
}

impl Desk {
    /// What sums are made with, for what was asked.
    pub fn usage(&self, of: &UsageScope) -> Result<UsageContext, AppError> {
        let name = of.time_zone.as_deref().or(self.config.usage.time_zone.as_deref());
        let zone = context::zone(name, &self.zone)?;
        let scope = self.scope_in(&of.scope, &zone)?;
        let ledger = self.data.clone().filter(|_| !self.is_sample);
        UsageContext::new(&self.config.prices, zone, scope, ledger)
    }

    /// The whole book of an index; with deleted sessions, if a ledger is kept.
    pub fn whole_book(
        &self,
        context: &UsageContext,
        index: &Index,
        pricer: &mut Pricer<'_>,
    ) -> Result<Book, AppError> {
        context.whole_book(index, pricer, |error| self.notice(&Notice::LedgerFailed(error.to_string())))
    }
}
