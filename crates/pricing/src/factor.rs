//! Surcharges that multiply every rate of a row: a faster mode, a place where the model runs.

use std::fmt;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::decimal::{self, DecimalError};
use crate::money::{Money, decimal_text::DecimalText};

/// Digits behind the point.
const PLACES: u32 = 3;
const ONE: i128 = 1_000;

/// A multiplier in thousandths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Factor(i128);

impl Factor {
    /// Reads it from decimal text, `1.1`.
    pub fn decode(text: &str) -> Result<Self, DecimalError> {
        Self::from_thousandths(decimal::parse(text, PLACES.cast_signed())?)
            .ok_or_else(|| DecimalError::TooLarge(text.to_owned()))
    }

    /// A factor in thousandths; None below zero, or from a thousand times up.
    pub fn from_thousandths(thousandths: i128) -> Option<Self> {
        (0..ONE * ONE).contains(&thousandths).then_some(Self(thousandths))
    }

    /// In thousandths.
    pub const fn thousandths(self) -> i128 {
        self.0
    }

    /// The amount so many times; None if that is no whole number of pico-dollars.
    pub fn times(self, amount: Money) -> Option<Money> {
        let product = amount.pico().checked_mul(self.0)?;
        (product % ONE == 0).then(|| Money::from_pico(product / ONE))
    }
}

impl fmt::Display for Factor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&decimal::print(self.0, PLACES))
    }
}

impl Serialize for Factor {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Factor {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = deserializer.deserialize_any(DecimalText)?;
        Self::decode(&text).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_are_exact_or_nothing() {
        let factor = Factor::decode("1.1").unwrap();
        assert_eq!(factor.times(Money::from_pico(5_000)), Some(Money::from_pico(5_500)));
        assert_eq!(factor.times(Money::from_pico(1)), None);
        assert_eq!(Factor::decode("2.0").map(|factor| factor.to_string()), Ok("2".into()));
        for bad in ["-1", "1.0001", "1000", "x"] {
            assert!(Factor::decode(bad).is_err(), "{bad}");
        }
    }
}
