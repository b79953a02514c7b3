//! The catalogue's tables, and SQL over them.

use scrollback_index::catalogue::{Cell, QueryResult};
use scrollback_index::error::IndexError;
use scrollback_index::table::{AgentRow, OTHERS, SessionRow};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use scrollback_session::catalogue::Index;

/// A table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct TableView {
    /// Its name.
    pub table: String,
    /// What it holds.
    pub about: String,
    /// Its columns.
    pub columns: Vec<ColumnView>,
}

/// A column.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ColumnView {
    /// Its name.
    pub column: String,
    /// What it holds.
    pub about: String,
}

/// The answer to a SELECT statement.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct SqlAnswer {
    /// Names of the columns.
    pub columns: Vec<String>,
    /// Rows, values by column in the order of `columns`; a name that occurs again gets a number (`n_2`).
    pub rows: Vec<Map<String, Value>>,
    /// Are there more rows than were asked for?
    pub more: bool,
}

/// Every table that SQL can read.
pub fn all() -> Vec<TableView> {
    let table = |table: &str, about: &str, columns: &[(&str, &str)]| {
        let column = |(column, about): &(&str, &str)| ColumnView {
            column: (*column).to_owned(),
            about: about.trim().to_owned(),
        };
        TableView {
            table: table.to_owned(),
            about: about.trim().to_owned(),
            columns: columns.iter().map(column).collect(),
        }
    };
    let mut tables = vec![
        table("sessions", SessionRow::ABOUT, SessionRow::COLUMNS),
        table("agents", AgentRow::ABOUT, AgentRow::COLUMNS),
    ];
    tables.extend(OTHERS.iter().map(|(name, about, columns)| table(name, about, columns)));
    tables
}

/// Asks the catalogue; the error says what is wrong with the statement.
pub fn ask(index: &Index, sql: &str, most: usize) -> Result<SqlAnswer, String> {
    let QueryResult { columns, rows, more } =
        index.catalogue().ask(sql, most, &index.root_names()).map_err(|error| match error {
            IndexError::Damaged(what) => what.to_owned(),
            other => other.plain(),
        })?;
    let rows = rows.iter().map(|row| object(&columns, row)).collect();
    Ok(SqlAnswer { columns, rows, more })
}

fn object(columns: &[String], row: &[Cell]) -> Map<String, Value> {
    let value = |cell: &Cell| match cell {
        Cell::Null => Value::Null,
        Cell::Number(number) => Value::from(*number),
        Cell::Real(number) => Value::from(*number),
        other => Value::from(other.to_string()),
    };
    let mut object = Map::new();
    for (column, cell) in columns.iter().zip(row) {
        // Two columns may have one name; an object has each once.
        let mut name = column.clone();
        let mut number = 2;
        while object.contains_key(&name) {
            name = format!("{column}_{number}");
            number += 1;
        }
        object.insert(name, value(cell));
    }
    object
}
