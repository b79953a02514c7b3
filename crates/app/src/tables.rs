//! The catalogue's tables, for those who ask it in SQL.

use scrollback_index::error::IndexError;
use scrollback_index::table::{AgentRow, OTHERS, SessionRow};
use serde::Serialize;

use crate::catalogue::Index;

pub use scrollback_index::catalogue::{Answer, Cell};

/// A table.
#[derive(Debug, Clone, Serialize)]
pub struct TableView {
    /// Its name.
    pub table: &'static str,
    /// What it holds.
    pub about: &'static str,
    /// Its columns.
    pub columns: Vec<ColumnView>,
}

/// A column.
#[derive(Debug, Clone, Serialize)]
pub struct ColumnView {
    /// Its name.
    pub column: &'static str,
    /// What it holds.
    pub about: &'static str,
}

/// Every table that people may ask.
pub fn all() -> Vec<TableView> {
    let table = |table, about: &'static str, columns: &'static [(&'static str, &'static str)]| TableView {
        table,
        about: about.trim(),
        columns: columns.iter().map(|(column, about)| ColumnView { column, about: about.trim() }).collect(),
    };
    let mut tables = vec![
        table("sessions", SessionRow::ABOUT, SessionRow::COLUMNS),
        table("agents", AgentRow::ABOUT, AgentRow::COLUMNS),
    ];
    tables.extend(OTHERS.iter().map(|(name, about, columns)| table(name, about, columns)));
    tables
}

/// Asks the catalogue; what is wrong with the question, in words.
pub fn ask(index: &Index, sql: &str, most: usize) -> Result<Answer, String> {
    index.catalogue().ask(sql, most).map_err(|error| match error {
        IndexError::Damaged(what) => what.to_owned(),
        other => other.plain(),
    })
}
