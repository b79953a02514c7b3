//! `ls`: sessions that match, from the catalogue.

use schemars::JsonSchema;
use scrollback_session::error::{AppError, Hint, Input};
use serde::{Deserialize, Serialize};

use super::{Request, ScopeRequest};
use crate::desk::Desk;
use crate::listing::{self, ListFilter, Listing, Order};

/// Which sessions to list.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct LsRequest {
    /// Only sessions whose title, id, project or branch contains all of these words, or nearly does.
    pub words: Vec<String>,
    /// Which projects, and between which dates.
    #[serde(flatten)]
    pub scope: ScopeRequest,
    /// Only sessions on a git branch whose name contains this.
    pub branch: Option<String>,
    /// Only sessions with a model whose name contains this.
    pub model: Option<String>,
    /// Only sessions that called this tool.
    pub tool: Option<String>,
    /// Only sessions that read or wrote a file whose path contains this.
    pub file: Option<String>,
    /// Only sessions of clients whose version begins with this.
    pub client: Option<String>,
    /// Only sessions with this tag.
    pub tag: Option<String>,
    /// Only sessions that meet this SQL condition over the columns of `sessions`.
    pub condition: Option<String>,
    /// Include empty sessions, agents and sessions that the user has hidden.
    pub all: bool,
    /// The maximum number; none for all.
    pub limit: Option<usize>,
    /// The order, by name; the newest first if none is given.
    pub sort: Option<String>,
}

impl LsRequest {
    /// Does it ask for less than all sessions?
    pub fn is_narrowed(&self) -> bool {
        let open = Self { all: self.all, limit: self.limit, sort: self.sort.clone(), ..Self::default() };
        *self != open
    }
}

impl Request for LsRequest {
    type Document = Listing;

    fn answer(&self, desk: &Desk) -> Result<Listing, AppError> {
        let scope = desk.scope(&self.scope)?;
        let filter = ListFilter {
            project: scope.project,
            since: scope.since,
            until: scope.until,
            words: self.words.clone(),
            branch: self.branch.clone(),
            model: self.model.clone(),
            tool: self.tool.clone(),
            file: self.file.clone(),
            client: self.client.clone(),
            tag: self.tag.clone(),
            marks: desk.marks(),
            condition: self.condition.clone(),
            all: self.all,
            limit: self.limit.filter(|limit| *limit > 0),
        };
        let order = self.sort.as_deref().map(order).transpose()?.unwrap_or_default();
        let library = desk.library()?;
        let index = desk.index(&library)?;
        let here = desk.cwd.as_ref().map(|cwd| cwd.display().to_string());
        let listing = listing::list(&library, &index, &filter, order, here.as_deref());
        listing.map_err(|error| match &self.condition {
            Some(condition) => AppError::Unsuitable {
                why: format!("invalid {} condition '{condition}': {}", Input::Sql.name(), error.plain()),
                hints: vec![Hint::command(&["index", "tables"], "lists the columns of `sessions`")],
            },
            None => error.into(),
        })
    }
}

fn order(name: &str) -> Result<Order, AppError> {
    Order::find(name).ok_or_else(|| AppError::Invalid {
        what: Input::Argument,
        value: name.to_owned(),
        why: None,
        expected: listing::ORDERS.map(|order| order.name).join(", "),
    })
}
