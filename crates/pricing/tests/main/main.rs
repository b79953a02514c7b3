//! One integration-test binary: the table that is built in, bills by hand, and laws that hold for any of them.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot get its data has to fail")]

mod bills;
mod laws;
mod overriding;
mod table;

use scrollback_pricing::{PriceRow, Prices};

/// The built-in table.
fn prices() -> Prices {
    Prices::built_in().unwrap()
}

/// A model's row on a day.
fn row(prices: &Prices, model: &str, day: &str) -> PriceRow {
    prices.lookup(model, day.parse().unwrap()).unwrap_or_else(|| panic!("no price for {model}")).clone()
}
