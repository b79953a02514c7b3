//! The user's own prices, over those of the table. It does not read the configuration.

use std::collections::BTreeMap;
use std::fmt;

use jiff::civil::Date;
use serde::Deserialize;

use crate::factor::Factor;
use crate::money::Money;
use crate::rates::{Rate, Rates};
use crate::row::{LongContext, PriceRow, RowError};

/// Who says so, in the rows that come of this.
const SOURCE: &str = "config";

/// A row of the user's. What it does not name stays as the table has it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
pub struct Override {
    /// Any name of the model.
    pub model: String,
    /// The first day on which it holds.
    #[serde(with = "crate::day")]
    pub from: Option<Date>,
    /// The first day on which it does not hold any more.
    #[serde(with = "crate::day")]
    pub until: Option<Date>,
    /// Dollars per million tokens sent.
    pub input: Option<Rate>,
    /// Dollars per million tokens answered.
    pub output: Option<Rate>,
    /// Dollars per million tokens that a cache held.
    pub cache_read: Option<Rate>,
    /// Dollars per million tokens written for five minutes.
    pub cache_write_5m: Option<Rate>,
    /// Dollars per million tokens written for an hour.
    pub cache_write_1h: Option<Rate>,
    /// Dollars for one web search.
    pub web_search: Option<Money>,
    /// Prices of long requests.
    pub long_context: Option<LongContext>,
    /// Surcharges, by word.
    pub factors: BTreeMap<String, Factor>,
}

/// Why a row of the user's cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum OverrideError {
    /// It names no model.
    NoModel,
    /// The table has no such model in that time, so that both prices are needed.
    Incomplete(String),
    /// Its prices cannot be kept exactly, or it never holds.
    Row(RowError),
}

impl fmt::Display for OverrideError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoModel => f.write_str("a price in the configuration file has no model"),
            Self::Incomplete(model) => {
                write!(f, "{model} is not in the price table: its price needs both input and output")
            }
            Self::Row(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for OverrideError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Row(error) => Some(error),
            _ => None,
        }
    }
}

impl Override {
    /// The rows that it makes of those that are known: one for each that holds in its time, cut to it.
    pub(crate) fn over(&self, key: &str, known: &[PriceRow]) -> Result<Vec<PriceRow>, OverrideError> {
        if key.is_empty() {
            return Err(OverrideError::NoModel);
        }
        if let (Some(from), Some(until)) = (self.from, self.until)
            && from >= until
        {
            return Err(OverrideError::Row(RowError::Never { model: key.to_owned() }));
        }
        let mut rows: Vec<PriceRow> = known.iter().filter_map(|row| self.onto(row)).collect();
        if rows.is_empty() {
            rows.push(self.alone(key)?);
        }
        rows.iter().try_for_each(PriceRow::check).map_err(OverrideError::Row)?;
        Ok(rows)
    }

    fn onto(&self, row: &PriceRow) -> Option<PriceRow> {
        let from = self.from.max(row.from);
        let until = match (self.until, row.until) {
            (Some(ours), Some(theirs)) => Some(ours.min(theirs)),
            (ours, theirs) => ours.or(theirs),
        };
        if from.zip(until).is_some_and(|(from, until)| from >= until) {
            return None;
        }
        let was = row.rates;
        let rates = Rates {
            input: self.input.unwrap_or(was.input),
            output: self.output.unwrap_or(was.output),
            cache_read: self.cache_read.unwrap_or(was.cache_read),
            cache_write_5m: self.cache_write_5m.unwrap_or(was.cache_write_5m),
            cache_write_1h: self.cache_write_1h.unwrap_or(was.cache_write_1h),
        };
        let named = [
            ("cache_read", self.cache_read),
            ("cache_write_5m", self.cache_write_5m),
            ("cache_write_1h", self.cache_write_1h),
        ];
        let is_stated = |name: &str| named.iter().any(|(field, rate)| *field == name && rate.is_some());
        let mut new =
            PriceRow { from, until, rates, source: SOURCE.to_owned(), source_date: None, ..row.clone() };
        new.derived.retain(|name| !is_stated(name));
        new.web_search = self.web_search.or(row.web_search);
        new.long_context = self.long_context.or(row.long_context);
        new.factors.extend(self.factors.iter().map(|(word, factor)| (word.clone(), *factor)));
        Some(new)
    }

    fn alone(&self, key: &str) -> Result<PriceRow, OverrideError> {
        let incomplete = || OverrideError::Incomplete(self.model.clone());
        let base = [self.input.ok_or_else(incomplete)?, self.output.ok_or_else(incomplete)?];
        let completed = Rates::complete(base, self.cache_read, self.cache_write_5m, self.cache_write_1h);
        let inexact = || OverrideError::Row(RowError::Derived { model: key.to_owned() });
        let (rates, derived) = completed.ok_or_else(inexact)?;
        Ok(PriceRow {
            model: key.to_owned(),
            from: self.from,
            until: self.until,
            rates,
            web_search: self.web_search,
            long_context: self.long_context,
            tiers: BTreeMap::new(),
            factors: self.factors.clone(),
            derived: derived.into_iter().map(str::to_owned).collect(),
            names: Vec::new(),
            source: SOURCE.to_owned(),
            source_date: None,
        })
    }
}
