//! `usage blocks`: periods of five hours.

use schemars::JsonSchema;
use scrollback_session::error::AppError;
use scrollback_usage::block::{self, UsageBlock};
use serde::{Deserialize, Serialize};

use super::UsageScope;
use crate::desk::Desk;
use crate::request::Request;

/// Which blocks to show.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct BlocksRequest {
    /// Which projects and dates, and the time zone.
    #[serde(flatten)]
    pub of: UsageScope,
    /// Only the current block.
    pub current: bool,
    /// Maximum number of blocks, the newest (0 = no limit).
    pub limit: usize,
}

impl BlocksRequest {
    /// The maximum number unless another is asked for.
    pub const LIMIT: usize = 20;
}

impl Default for BlocksRequest {
    fn default() -> Self {
        Self { of: UsageScope::default(), current: false, limit: Self::LIMIT }
    }
}

impl Request for BlocksRequest {
    type Document = Vec<UsageBlock>;

    fn answer(&self, desk: &Desk) -> Result<Vec<UsageBlock>, AppError> {
        let context = desk.usage(&self.of)?;
        let index = desk.index(&desk.library()?)?;
        let mut pricer = context.pricer();
        let mut book = desk.whole_book(&context, &index, &mut pricer)?;
        context.retain_projects(&mut book);
        let mut blocks = block::blocks(&book, &mut pricer, desk.now());
        // Where a block begins depends on those before it: they are made of everything, and left out as a whole.
        let (since, until) = (context.scope.since, context.scope.until);
        blocks.retain(|block| {
            since.is_none_or(|since| block.end > Some(since))
                && until.is_none_or(|until| block.start < Some(until))
                && (block.is_current || !self.current)
        });
        let limit = if self.limit == 0 { usize::MAX } else { self.limit };
        blocks.drain(..blocks.len().saturating_sub(limit));
        Ok(blocks)
    }
}
