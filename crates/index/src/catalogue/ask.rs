//! SQL of the user's: read-only, whatever it says.

use std::fmt;
use std::sync::atomic::Ordering;

use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::types::ValueRef;

use super::Catalogue;
use crate::error::IndexError;

/// One value of an answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// Nothing.
    Null,
    /// A whole number.
    Number(i64),
    /// Another number.
    Real(f64),
    /// A text.
    Text(String),
    /// Bytes: their count.
    Bytes(usize),
}

impl fmt::Display for Cell {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => Ok(()),
            Self::Number(number) => write!(out, "{number}"),
            Self::Real(number) => write!(out, "{number}"),
            Self::Text(text) => out.write_str(text),
            Self::Bytes(count) => write!(out, "({count} bytes)"),
        }
    }
}

/// What a question gave.
#[derive(Debug, Clone, PartialEq)]
pub struct QueryResult {
    /// Names of the columns.
    pub columns: Vec<String>,
    /// Rows.
    pub rows: Vec<Vec<Cell>>,
    /// Were there more than were asked for?
    pub more: bool,
}

impl Catalogue {
    /// Asks the catalogue. A statement that would write is refused by SQLite itself, and so is one that would open
    /// another file or change how this one is read.
    pub fn ask(&self, sql: &str, most: usize) -> Result<QueryResult, IndexError> {
        self.connection.pragma_update(None, "query_only", true)?;
        self.guarded.store(true, Ordering::Relaxed);
        let answer = self.run(sql, most);
        self.guarded.store(false, Ordering::Relaxed);
        self.connection.pragma_update(None, "query_only", false)?;
        answer
    }

    /// Is this, by itself, a condition over `sessions s`? One that is only one among others would reach beyond its place.
    pub fn check_condition(&self, condition: &str) -> Result<(), IndexError> {
        self.connection
            .prepare(&format!("SELECT 1 FROM sessions s WHERE {condition}\n LIMIT 0"))
            .map(|_| ())?;
        Ok(())
    }

    fn run(&self, sql: &str, most: usize) -> Result<QueryResult, IndexError> {
        let mut statement = self.connection.prepare(sql)?;
        if !statement.readonly() {
            return Err(IndexError::Damaged("only statements that read are allowed"));
        }
        let columns: Vec<String> = statement.column_names().map(str::to_owned).collect();
        let mut found = statement.query([])?;
        let mut answer = QueryResult { columns, rows: Vec::new(), more: false };
        while let Some(row) = found.next()? {
            if answer.rows.len() == most {
                answer.more = true;
                break;
            }
            let cells = (0..answer.columns.len()).map(|at| row.get_ref(at).map(cell));
            answer.rows.push(cells.collect::<Result<_, _>>()?);
        }
        Ok(answer)
    }
}

/// Reading and computing, and nothing else.
pub(super) fn may(context: &AuthContext<'_>) -> Authorization {
    match context.action {
        AuthAction::Select
        | AuthAction::Read { .. }
        | AuthAction::Function { .. }
        | AuthAction::Recursive
        | AuthAction::Pragma { pragma_value: None, .. } => Authorization::Allow,
        AuthAction::Pragma { pragma_name, .. }
            if pragma_name.contains("_info") || pragma_name.contains("_list") =>
        {
            Authorization::Allow
        }
        _ => Authorization::Deny,
    }
}

fn cell(value: ValueRef<'_>) -> Cell {
    match value {
        ValueRef::Null => Cell::Null,
        ValueRef::Integer(number) => Cell::Number(number),
        ValueRef::Real(number) => Cell::Real(number),
        ValueRef::Text(text) => Cell::Text(String::from_utf8_lossy(text).into_owned()),
        ValueRef::Blob(bytes) => Cell::Bytes(bytes.len()),
    }
}
