//! The prices of all models: the table that is built in, and the user's own rows before it.

use std::collections::BTreeMap;

use jiff::civil::Date;

use crate::name::{ModelName, SYNTHETIC};
use crate::overrides::{Override, OverrideError};
use crate::row::PriceRow;
use crate::table::{Head, Table, TableError};

/// The data file, as `cargo xtask prices` wrote it.
const BUILT_IN: &str = include_str!("../data/prices.jsonl");

/// What is known about the price of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PriceLookup<'p> {
    /// Its row.
    Row(&'p PriceRow),
    /// No model at all: the client made the answer up. It costs nothing.
    Free,
    /// Nothing. It is to be listed, not guessed.
    Unknown,
}

/// A table to look prices up in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prices {
    head: Head,
    /// By key; those that come first go before the others.
    rows: BTreeMap<String, Vec<PriceRow>>,
}

impl Prices {
    /// The table that is built in.
    pub fn built_in() -> Result<Self, TableError> {
        Table::decode(BUILT_IN).map(Self::new)
    }

    /// The text of the file that is built in.
    pub fn built_in_text() -> &'static str {
        BUILT_IN
    }

    /// Any table.
    pub fn new(table: Table) -> Self {
        let mut rows: BTreeMap<String, Vec<PriceRow>> = BTreeMap::new();
        for row in table.rows {
            rows.entry(row.model.clone()).or_default().push(row);
        }
        Self { head: table.head, rows }
    }

    /// The same with the user's rows before it; of two of them for one day, the later one in the list counts.
    pub fn with_overrides(mut self, overrides: &[Override]) -> Result<Self, OverrideError> {
        for one in overrides {
            let key = ModelName::parse(&one.model).key;
            let known = self.rows.entry(key.clone()).or_default();
            let new = one.over(&key, known)?;
            known.splice(0..0, new);
        }
        Ok(self)
    }

    /// The row of a model on a day, by any of its names; None where it has no price, which is never a guess.
    ///
    /// The day of a model's making plays no part: snapshots of one model have always had one price. Whether the
    /// source lists the very name, `PriceRow::names` tells.
    pub fn lookup(&self, model: &str, day: Date) -> Option<&PriceRow> {
        let rows = self.rows.get(&ModelName::parse(model).key)?;
        rows.iter().find(|row| row.holds(day))
    }

    /// The same, with what made no model apart from what is not known.
    pub fn find(&self, model: &str, day: Date) -> PriceLookup<'_> {
        if model == SYNTHETIC {
            return PriceLookup::Free;
        }
        self.lookup(model, day).map_or(PriceLookup::Unknown, PriceLookup::Row)
    }

    /// Where the table comes from.
    pub fn head(&self) -> &Head {
        &self.head
    }

    /// Every row by model; of two that hold on one day, the first counts.
    pub fn rows(&self) -> impl Iterator<Item = &PriceRow> {
        self.rows.values().flatten()
    }
}
