//! A row of the table: what a model costs, for how long, and who says so.

use std::collections::BTreeMap;
use std::fmt;

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::factor::Factor;
use crate::money::Money;
use crate::rates::Rates;

/// Other prices for requests with a long input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LongContext {
    /// They hold for a whole request whose input, read and written caches included, is more tokens than this.
    pub above: u64,
    /// What its tokens cost then.
    pub rates: Rates,
}

/// The prices of a service tier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TierRates {
    /// What its tokens cost.
    pub rates: Rates,
    /// What they cost above the row's threshold, if the tier knows one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub long_context: Option<Rates>,
}

/// The prices of one model over one stretch of time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PriceRow {
    /// The model without a date and without whose service it was had from: `claude-sonnet-4-5`.
    pub model: String,
    /// The first day on which it holds; None: since ever.
    #[serde(default, with = "crate::day", skip_serializing_if = "Option::is_none")]
    pub from: Option<Date>,
    /// The first day on which it does not hold any more; None: it still does.
    #[serde(default, with = "crate::day", skip_serializing_if = "Option::is_none")]
    pub until: Option<Date>,
    /// The ordinary prices.
    pub rates: Rates,
    /// One web search; None where the source names no price.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub web_search: Option<Money>,
    /// Prices of long requests, where they differ.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub long_context: Option<LongContext>,
    /// Prices by service tier, by its word in a transcript: `batch`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub tiers: BTreeMap<String, TierRates>,
    /// Surcharges on all tokens, by the word of a transcript's speed or place: `fast`, `us`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub factors: BTreeMap<String, Factor>,
    /// Which prices the source does not have and a published rule gave: `cache_write_1h`, `batch.cache_write_1h`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub derived: Vec<String>,
    /// Other names that the source has for it, mostly with dates.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
    /// Who says so: a package and its version, or the user's own config.
    pub source: String,
    /// When that was published; the user's own rows have none.
    #[serde(default, with = "crate::day", skip_serializing_if = "Option::is_none")]
    pub source_date: Option<Date>,
}

impl PriceRow {
    /// Does it hold on a day?
    pub fn holds(&self, day: Date) -> bool {
        self.from.is_none_or(|from| from <= day) && self.until.is_none_or(|until| day < until)
    }

    /// Was any of its prices derived by a rule?
    pub fn is_derived(&self) -> bool {
        !self.derived.is_empty()
    }

    /// A row whose bills are exact: every surcharge, and every two of them, gives whole pico-dollars.
    pub fn check(&self) -> Result<(), RowError> {
        let tiers = self.tiers.values();
        let of_tiers = tiers.flat_map(|tier| std::iter::once(tier.rates).chain(tier.long_context));
        let all = std::iter::once(self.rates).chain(self.long_context.map(|long| long.rates)).chain(of_tiers);
        for rates in all {
            for (name, factor) in &self.factors {
                let inexact = || RowError::Inexact { model: self.model.clone(), factor: name.clone() };
                let scaled = rates.scaled(*factor).ok_or_else(inexact)?;
                if self.factors.values().any(|second| scaled.scaled(*second).is_none()) {
                    return Err(inexact());
                }
            }
        }
        if let (Some(from), Some(until)) = (self.from, self.until)
            && from >= until
        {
            return Err(RowError::Never { model: self.model.clone() });
        }
        Ok(())
    }
}

/// Why a row cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum RowError {
    /// A surcharge would give fractions of a pico-dollar.
    Inexact {
        /// The row's model.
        model: String,
        /// The surcharge.
        factor: String,
    },
    /// A cache price that follows from the input price would be a fraction of a pico-dollar.
    Derived {
        /// The row's model.
        model: String,
    },
    /// It ends before it begins.
    Never {
        /// The row's model.
        model: String,
    },
}

impl fmt::Display for RowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Inexact { model, factor } => {
                write!(
                    f,
                    "the prices of {model} with the surcharge {factor} have too many digits to be exact"
                )
            }
            Self::Derived { model } => {
                write!(f, "the cache prices of {model} do not follow exactly from its input price: name them")
            }
            Self::Never { model } => write!(f, "the prices of {model} end before they begin"),
        }
    }
}

impl std::error::Error for RowError {}
