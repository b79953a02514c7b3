//! `du`: disk usage.

use schemars::JsonSchema;
use scrollback_inspect::stock::du::{self, Du, DuBy};
use scrollback_inspect::stock::inside;
use scrollback_session::error::AppError;
use scrollback_session::library::Library;
use serde::{Deserialize, Serialize};

use super::Request;
use crate::desk::Desk;

/// How many lines can be asked for at most: each is looked up by itself.
const MOST_LINES: usize = 1000;

/// Which sums to show.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct DuRequest {
    /// What to add up by. Areas, projects and sessions always are.
    pub by: Vec<DuBy>,
    /// Maximum number of each (0 = no limit).
    pub limit: usize,
}

impl DuRequest {
    /// The maximum number of each unless another is asked for.
    pub const LIMIT: usize = 10;
}

impl Default for DuRequest {
    fn default() -> Self {
        Self { by: DuBy::DEFAULT.to_vec(), limit: Self::LIMIT }
    }
}

impl Request for DuRequest {
    type Document = Du;

    fn answer(&self, desk: &Desk) -> Result<Du, AppError> {
        let limit = if self.limit == 0 { usize::MAX } else { self.limit };
        let (stock, mut index) = desk.stock()?;
        let mut du = du::du(&stock);
        if self.by.iter().any(|by| by.is_inside()) {
            // What is inside of files the catalogue knows, and it has to know all of them.
            let fresh = desk.index(&Library::open(stock.roots.clone())?)?;
            let inside = inside::inside(&fresh, limit.min(MOST_LINES))?;
            (du.kinds, du.tools, du.lines) = (inside.kinds, inside.tools, inside.lines);
            index = Some(fresh);
        }
        du.limit(limit);
        if let Some(index) = &index {
            du.name(&stock, index);
        }
        Ok(du)
    }
}
