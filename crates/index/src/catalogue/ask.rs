//! SQL of the user's: read-only, whatever it says.

use std::fmt;

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
pub struct Answer {
    /// Names of the columns.
    pub columns: Vec<String>,
    /// Rows.
    pub rows: Vec<Vec<Cell>>,
    /// Were there more than were asked for?
    pub more: bool,
}

impl Catalogue {
    /// Asks the catalogue. A statement that would write is refused by SQLite itself.
    pub fn ask(&self, sql: &str, most: usize) -> Result<Answer, IndexError> {
        self.connection.pragma_update(None, "query_only", true)?;
        let answer = self.run(sql, most);
        self.connection.pragma_update(None, "query_only", false)?;
        answer
    }

    fn run(&self, sql: &str, most: usize) -> Result<Answer, IndexError> {
        let mut statement = self.connection.prepare(sql)?;
        if !statement.readonly() {
            return Err(IndexError::Damaged("only statements that read are taken"));
        }
        let columns: Vec<String> = statement.column_names().map(str::to_owned).collect();
        let mut found = statement.query([])?;
        let mut answer = Answer { columns, rows: Vec::new(), more: false };
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

fn cell(value: ValueRef<'_>) -> Cell {
    match value {
        ValueRef::Null => Cell::Null,
        ValueRef::Integer(number) => Cell::Number(number),
        ValueRef::Real(number) => Cell::Real(number),
        ValueRef::Text(text) => Cell::Text(String::from_utf8_lossy(text).into_owned()),
        ValueRef::Blob(bytes) => Cell::Bytes(bytes.len()),
    }
}
