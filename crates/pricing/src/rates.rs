//! What a token costs, by what it was used for.

use std::fmt;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::decimal::{self, DecimalError};
use crate::factor::Factor;
use crate::money::{Money, decimal_text::DecimalText};

/// A price is written per million tokens; a token costs whole pico-dollars.
const PLACES: u32 = 6;

/// A million dollars a token: times the largest count, it still fits.
const LIMIT: i128 = 1_000_000_000_000_000_000;

/// The price of one token. Written as dollars for a million of them, as price lists do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Rate(Money);

impl Rate {
    /// Reads dollars per million tokens as decimal text.
    pub fn decode(text: &str) -> Result<Self, DecimalError> {
        let pico = decimal::parse(text, PLACES.cast_signed())?;
        let error = if pico < 0 { DecimalError::NotANumber } else { DecimalError::TooLarge };
        Self::from_pico(pico).ok_or_else(|| error(text.to_owned()))
    }

    /// Pico-dollars per token; None for negative or absurd values.
    pub fn from_pico(pico: i128) -> Option<Self> {
        (0..=LIMIT).contains(&pico).then_some(Self(Money::from_pico(pico)))
    }

    /// The price of one token.
    pub const fn per_token(self) -> Money {
        self.0
    }

    /// A multiple of it, in hundredths; None where that is not exact.
    pub fn hundredths(self, hundredths: i128) -> Option<Self> {
        let product = self.0.pico().checked_mul(hundredths)?;
        if product % 100 == 0 { Self::from_pico(product / 100) } else { None }
    }

    fn scaled(self, factor: Factor) -> Option<Self> {
        factor.times(self.0).map(Self)
    }
}

impl fmt::Display for Rate {
    /// Dollars per million tokens, exactly.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&decimal::print(self.0.pico(), PLACES))
    }
}

impl Serialize for Rate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Rate {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = deserializer.deserialize_any(DecimalText)?;
        Self::decode(&text).map_err(D::Error::custom)
    }
}

/// The five prices that every use of a model has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rates {
    /// Tokens sent that no cache held.
    pub input: Rate,
    /// Tokens answered, thinking included.
    pub output: Rate,
    /// Tokens sent that a cache held.
    pub cache_read: Rate,
    /// Tokens written to a cache for five minutes.
    pub cache_write_5m: Rate,
    /// Tokens written to a cache for an hour.
    pub cache_write_1h: Rate,
}

/// What the published rules make of an input price where a list does not say: reading a tenth of it.
const READ: i128 = 10;
/// Writing for five minutes: a quarter more.
const WRITE_5M: i128 = 125;
/// Writing for an hour: twice as much.
const WRITE_1H: i128 = 200;

impl Rates {
    /// Completes what a list says by the published rules. The names tell which prices were derived so. None where
    /// a derived one would not be exact.
    pub fn complete(
        [input, output]: [Rate; 2],
        cache_read: Option<Rate>,
        cache_write_5m: Option<Rate>,
        cache_write_1h: Option<Rate>,
    ) -> Option<(Self, Vec<&'static str>)> {
        let mut derived = Vec::new();
        let mut or_rule = |stated: Option<Rate>, hundredths, name| {
            stated.or_else(|| {
                derived.push(name);
                input.hundredths(hundredths)
            })
        };
        let cache_read = or_rule(cache_read, READ, "cache_read")?;
        let cache_write_5m = or_rule(cache_write_5m, WRITE_5M, "cache_write_5m")?;
        let cache_write_1h = or_rule(cache_write_1h, WRITE_1H, "cache_write_1h")?;
        Some((Self { input, output, cache_read, cache_write_5m, cache_write_1h }, derived))
    }

    /// All of them with a surcharge; None where one would not be exact.
    pub fn scaled(&self, factor: Factor) -> Option<Self> {
        Some(Self {
            input: self.input.scaled(factor)?,
            output: self.output.scaled(factor)?,
            cache_read: self.cache_read.scaled(factor)?,
            cache_write_5m: self.cache_write_5m.scaled(factor)?,
            cache_write_1h: self.cache_write_1h.scaled(factor)?,
        })
    }

    /// Their names and values, in the order in which they are written.
    pub fn named(&self) -> [(&'static str, Rate); 5] {
        [
            ("input", self.input),
            ("output", self.output),
            ("cache_read", self.cache_read),
            ("cache_write_5m", self.cache_write_5m),
            ("cache_write_1h", self.cache_write_1h),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rate(text: &str) -> Rate {
        Rate::decode(text).unwrap()
    }

    #[test]
    fn a_rate_is_told_per_million_and_kept_per_token() {
        assert_eq!(rate("0.2").per_token(), Money::from_pico(200_000));
        assert_eq!(rate("18.75").to_string(), "18.75");
        assert_eq!(rate("0.000001").per_token(), Money::from_pico(1));
        assert!(Rate::decode("0.0000001").is_err());
        assert!(Rate::decode("-3").is_err());
        assert!(Rate::decode("1e13").is_err());
    }

    #[test]
    fn missing_cache_rates_follow_the_published_rules() {
        let (rates, derived) = Rates::complete([rate("3"), rate("15")], None, None, None).unwrap();
        assert_eq!(
            rates.named().map(|(_, rate)| rate.to_string()),
            ["3", "15", "0.3", "3.75", "6"].map(str::to_owned)
        );
        assert_eq!(derived, ["cache_read", "cache_write_5m", "cache_write_1h"]);
        let (rates, derived) =
            Rates::complete([rate("0.25"), rate("1.25")], Some(rate("0.03")), Some(rate("0.3")), None)
                .unwrap();
        assert_eq!((rates.cache_read, rates.cache_write_1h), (rate("0.03"), rate("0.5")));
        assert_eq!(derived, ["cache_write_1h"]);
        assert!(Rates::complete([rate("0.000001"), rate("1")], None, None, None).is_none());
    }
}
