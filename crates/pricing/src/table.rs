//! The data file: a line that says where it comes from, then one row a line, sorted.
//!
//! Rates are dollars per million tokens, a search dollars each; all as text, so that no reader makes floats of them.

use std::fmt;

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::row::{PriceRow, RowError};

/// A release of the price list that was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Release {
    /// Its version.
    pub version: String,
    /// The day it was published.
    #[serde(with = "crate::day")]
    pub date: Option<Date>,
}

/// The first line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Head {
    /// The package that has the list.
    pub package: String,
    /// The releases that the rows were made from, in this order; the last one is the newest.
    pub releases: Vec<Release>,
}

/// All of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// Where it comes from.
    pub head: Head,
    /// Sorted by model, then by time.
    pub rows: Vec<PriceRow>,
}

impl Table {
    /// Reads the file.
    pub fn decode(text: &str) -> Result<Self, TableError> {
        let mut lines = (1..).zip(text.lines());
        let malformed =
            |line| move |cause: serde_json::Error| TableError::Line { line, cause: cause.to_string() };
        let (line, first) = lines.next().ok_or(TableError::Empty)?;
        let head = serde_json::from_str(first).map_err(malformed(line))?;
        let mut rows = Vec::new();
        for (line, text) in lines {
            let row: PriceRow = serde_json::from_str(text).map_err(malformed(line))?;
            row.check().map_err(TableError::Row)?;
            rows.push(row);
        }
        Ok(Self { head, rows })
    }

    /// Writes it: the same table always gives the same text.
    pub fn encode(&self) -> Result<String, serde_json::Error> {
        let mut rows: Vec<&PriceRow> = self.rows.iter().collect();
        rows.sort_by_key(|row| (row.model.as_str(), row.from));
        let mut text = serde_json::to_string(&self.head)?;
        for row in rows {
            text.push('\n');
            text.push_str(&serde_json::to_string(row)?);
        }
        text.push('\n');
        Ok(text)
    }
}

/// Why a data file cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum TableError {
    /// It has not even a first line.
    Empty,
    /// A line is not what it should be.
    Line {
        /// Counted from 1.
        line: usize,
        /// What is wrong.
        cause: String,
    },
    /// A row cannot be used.
    Row(RowError),
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("the price table is empty"),
            Self::Line { line, cause } => write!(f, "the price table, line {line}: {cause}"),
            Self::Row(error) => write!(f, "the price table: {error}"),
        }
    }
}

impl std::error::Error for TableError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Row(error) => Some(error),
            _ => None,
        }
    }
}
