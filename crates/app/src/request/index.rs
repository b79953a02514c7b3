//! `index`: the cache behind `ls` and `search`: its status, refreshing it, SQL over it, clearing it.

use std::path::PathBuf;

use schemars::JsonSchema;
use scrollback_search::search;
use scrollback_session::catalogue::{self, CachePlace, Cleared, IndexStatus};
use scrollback_session::error::{AppError, Hint, OwnDirectory};
use serde::{Deserialize, Serialize};

use super::Request;
use crate::desk::Desk;
use crate::tables::{self, SqlAnswer, TableView};

/// Asks how the index stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct IndexStatusRequest {}

impl Request for IndexStatusRequest {
    type Document = IndexStatus;

    fn answer(&self, desk: &Desk) -> Result<IndexStatus, AppError> {
        let library = desk.library()?;
        Ok(desk.index(&library)?.status()?)
    }
}

/// Brings catalogue and text index up to date: what [`Found::pending_bytes`](search::SearchResults::pending_bytes) asks for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct IndexRefresh {}

impl Request for IndexRefresh {
    type Document = IndexStatus;

    fn answer(&self, desk: &Desk) -> Result<IndexStatus, AppError> {
        let library = desk.library()?;
        let mut index = desk.index(&library)?;
        if !index.is_kept() {
            // If a directory was named, why it cannot be used was a notice.
            return Err(AppError::NoDirectory(OwnDirectory::Index));
        }
        let bytes = search::readiness(&index)?.behind_bytes;
        desk.refresh_text(&mut index, bytes);
        Ok(index.status()?)
    }
}

/// Asks the catalogue in SQL.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct SqlRequest {
    /// One SELECT statement.
    pub sql: String,
    /// Maximum number of rows (0 = no limit).
    pub limit: usize,
}

impl Default for SqlRequest {
    fn default() -> Self {
        Self { sql: String::new(), limit: 1000 }
    }
}

impl Request for SqlRequest {
    type Document = SqlAnswer;

    fn answer(&self, desk: &Desk) -> Result<SqlAnswer, AppError> {
        let library = desk.library()?;
        let index = desk.index(&library)?;
        let most = if self.limit == 0 { usize::MAX } else { self.limit };
        tables::ask(&index, &self.sql, most).map_err(|why| AppError::Unsuitable {
            why,
            hints: vec![Hint::command(&["index", "tables"], "lists tables and columns")],
        })
    }
}

/// Asks for the tables of the catalogue.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TablesRequest {}

impl Request for TablesRequest {
    type Document = Vec<TableView>;

    fn answer(&self, _: &Desk) -> Result<Vec<TableView>, AppError> {
        Ok(tables::all())
    }
}

/// Deletes the index. The next request builds what it needs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct IndexClear {}

/// What was deleted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct IndexCleared {
    /// Where the index was; none if there was none.
    #[serde(with = "scrollback_session::view::maybe_path")]
    #[schemars(with = "Option<String>")]
    pub path: Option<PathBuf>,
}

impl Request for IndexClear {
    type Document = IndexCleared;

    fn answer(&self, desk: &Desk) -> Result<IndexCleared, AppError> {
        let CachePlace::Cache(place) = desk.place() else {
            return Err(AppError::NoDirectory(OwnDirectory::Index));
        };
        match catalogue::clear(&place)? {
            Cleared::Gone(path) => Ok(IndexCleared { path: Some(path) }),
            Cleared::None => Ok(IndexCleared { path: None }),
            Cleared::Busy => Err(AppError::IndexBusy),
        }
    }
}
