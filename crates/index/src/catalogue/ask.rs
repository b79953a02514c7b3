//! SQL of the user's: read-only, whatever it says.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rusqlite::Connection;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::types::ValueRef;

use super::Catalogue;
use crate::error::IndexError;
use crate::table::OTHERS;

/// After so many steps of SQLite's machine it is asked whether to go on.
const STEPS: i32 = 100_000;
/// So many steps a question of the user's may take: ten seconds or so.
const MOST_STEPS: u64 = 1_000_000_000;
/// So much memory SQLite may take for it.
const MOST_MEMORY: u64 = 512 << 20;

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
    /// Asks what the catalogue has of these roots. A statement that would write is refused by SQLite itself, and so is one
    /// that would open another file or change how this one is read; one that runs without an end, or takes all memory, is ended.
    pub fn ask(&self, sql: &str, most: usize, roots: &[String]) -> Result<QueryResult, IndexError> {
        self.confine(roots)?;
        self.bound()?;
        self.connection.pragma_update(None, "query_only", true)?;
        self.guarded.store(true, Ordering::Relaxed);
        let answer = self.run(sql, most);
        self.guarded.store(false, Ordering::Relaxed);
        self.connection.pragma_update(None, "query_only", false)?;
        answer
    }

    /// Puts views before all tables that show the rows of these roots alone, if there are rows of others.
    fn confine(&self, roots: &[String]) -> Result<(), IndexError> {
        if self.are_all_roots(roots)? {
            return Ok(());
        }
        let roots: Vec<String> = roots.iter().map(|root| format!("'{}'", root.replace('\'', "''"))).collect();
        let roots = roots.join(", ");
        let own = format!("file IN (SELECT file FROM main.files WHERE root IN ({roots}))");
        let tables = ["sessions", "agents"].into_iter().chain(OTHERS.iter().map(|(name, ..)| *name));
        for table in tables {
            self.connection.execute_batch(&format!(
                "CREATE TEMP VIEW IF NOT EXISTS {table} AS SELECT * FROM main.{table} WHERE {own}"
            ))?;
        }
        Ok(())
    }

    /// From now on statements have bounds, since the user wrote them.
    fn bound(&self) -> Result<(), IndexError> {
        self.patience.store(MOST_STEPS / STEPS as u64, Ordering::Relaxed);
        self.connection.execute_batch(&format!("PRAGMA hard_heap_limit = {MOST_MEMORY}"))?;
        Ok(())
    }

    /// Is this, by itself, a condition over `sessions s`? One that is only one among others would reach beyond its place.
    pub fn check_condition(&self, condition: &str) -> Result<(), IndexError> {
        self.bound()?;
        self.connection
            .prepare(&format!("SELECT 1 FROM sessions s WHERE {condition}\n LIMIT 0"))
            .map(|_| ())?;
        Ok(())
    }

    pub(super) fn run(&self, sql: &str, most: usize) -> Result<QueryResult, IndexError> {
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

/// Has a connection end a statement that runs out of patience, which is without end for those that are ours.
pub(super) fn patience(connection: &mut Connection) -> Result<Arc<AtomicU64>, IndexError> {
    let patience = Arc::new(AtomicU64::new(u64::MAX));
    let left = Arc::clone(&patience);
    let is_over =
        move || left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_err();
    connection.progress_handler(STEPS, Some(is_over))?;
    Ok(patience)
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
