//! The dated price table and exact money; no tokens of its own.
//!
//! Prices are integers, a millionth of a millionth of a dollar, from the table to the sum; only what is shown is rounded. The
//! table is a data file that `cargo xtask prices` makes from a published price list. A model that is not in it has no
//! price: nothing here guesses one, and what a bill could not price it lists. No I/O, clock, environment or async.

mod bill;
mod day;
mod decimal;
mod factor;
mod money;
mod name;
mod overrides;
mod prices;
mod rates;
mod row;
mod table;

pub use bill::{Bill, ContextLength, Gap, Quantities, RequestTerms};
pub use decimal::{DecimalError, parse as parse_decimal, print as print_decimal};
pub use factor::Factor;
pub use money::Money;
pub use name::{ModelName, SYNTHETIC};
pub use overrides::{Override, OverrideError};
pub use prices::{PriceLookup, Prices};
pub use rates::{Rate, Rates};
pub use row::{LongContext, PriceRow, RowError, TierRates};
pub use table::{Head, Release, Table, TableError};

/// The example of the README is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
