//! Rows on their way into a table, many a statement: a statement for each row costs about twice as much.

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, ToSql, params_from_iter};

use crate::error::IndexError;

/// How many rows go into one statement.
const MANY: usize = 32;

/// A value of a row.
#[derive(Debug, Clone, Copy)]
pub(super) enum Value<'t> {
    Number(i64),
    Text(&'t str),
    Nothing,
}

impl From<i64> for Value<'_> {
    fn from(number: i64) -> Self {
        Self::Number(number)
    }
}

impl<'t> From<&'t str> for Value<'t> {
    fn from(text: &'t str) -> Self {
        Self::Text(text)
    }
}

impl<'t> From<Option<&'t str>> for Value<'t> {
    fn from(text: Option<&'t str>) -> Self {
        text.map_or(Self::Nothing, Self::Text)
    }
}

impl From<Option<i64>> for Value<'_> {
    fn from(number: Option<i64>) -> Self {
        number.map_or(Self::Nothing, Self::Number)
    }
}

impl ToSql for Value<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Number(number) => ValueRef::Integer(*number),
            Self::Text(text) => ValueRef::Text(text.as_bytes()),
            Self::Nothing => ValueRef::Null,
        }))
    }
}

/// Rows of `WIDTH` values for one table.
pub(super) struct Rows<'c, 't, const WIDTH: usize> {
    connection: &'c Connection,
    table: &'static str,
    values: Vec<Value<'t>>,
}

impl<'c, 't, const WIDTH: usize> Rows<'c, 't, WIDTH> {
    /// None yet.
    pub(super) fn new(connection: &'c Connection, table: &'static str) -> Self {
        Self { connection, table, values: Vec::new() }
    }

    /// Adds a row.
    pub(super) fn push(&mut self, row: [Value<'t>; WIDTH]) -> Result<(), IndexError> {
        self.values.extend(row);
        if self.values.len() == MANY * WIDTH {
            self.insert(MANY, &self.values)?;
            self.values.clear();
        }
        Ok(())
    }

    /// Puts the last ones in.
    pub(super) fn finish(self) -> Result<(), IndexError> {
        self.values.chunks(WIDTH).try_for_each(|row| self.insert(1, row))
    }

    fn insert(&self, rows: usize, values: &[Value<'_>]) -> Result<(), IndexError> {
        let row = format!("({})", vec!["?"; WIDTH].join(","));
        let sql = format!("INSERT INTO {} VALUES {}", self.table, vec![row.as_str(); rows].join(","));
        self.connection.prepare_cached(&sql)?.execute(params_from_iter(values))?;
        Ok(())
    }
}
