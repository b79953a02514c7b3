//! Exact amounts of money. Rounding happens where an amount is shown, and nowhere else.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Mul, Sub};

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::decimal::{self, DecimalError};

/// Digits behind the point of a dollar that are kept.
const PLACES: u32 = 12;

/// Pico-dollars: a millionth of a millionth of a dollar. A cached token can cost a hundredth of a millionth.
///
/// Sums saturate at 10^26 dollars, which no store of transcripts reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Money(i128);

impl Money {
    /// Nothing.
    pub const ZERO: Self = Self(0);

    /// An amount in pico-dollars.
    pub const fn from_pico(pico: i128) -> Self {
        Self(pico)
    }

    /// In pico-dollars.
    pub const fn pico(self) -> i128 {
        self.0
    }

    /// Reads dollars as decimal text; an error if that is finer than a pico-dollar.
    pub fn decode(dollars: &str) -> Result<Self, DecimalError> {
        decimal::parse(dollars, PLACES.cast_signed()).map(Self)
    }

    /// Dollars with a number of decimals (at most twelve), half to even.
    pub fn rounded(self, places: u32) -> String {
        let places = places.min(PLACES);
        let unit = 10_i128.pow(PLACES - places);
        let (quotient, rest) = (self.0.div_euclid(unit), self.0.rem_euclid(unit));
        let up = match (rest * 2).cmp(&unit) {
            std::cmp::Ordering::Less => false,
            std::cmp::Ordering::Equal => quotient % 2 != 0,
            std::cmp::Ordering::Greater => true,
        };
        decimal::fixed(quotient + i128::from(up), places)
    }

    /// Dollars and cents.
    pub fn cents(self) -> String {
        self.rounded(2)
    }

    /// Dollars to the hundredth of a cent.
    pub fn fine(self) -> String {
        self.rounded(4)
    }
}

impl fmt::Display for Money {
    /// Dollars exactly, with no more digits than it takes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&decimal::print(self.0, PLACES))
    }
}

impl Add for Money {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Money {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Money {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl Mul<u64> for Money {
    type Output = Self;
    fn mul(self, count: u64) -> Self {
        Self(self.0.saturating_mul(i128::from(count)))
    }
}

impl Sum for Money {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        amounts.fold(Self::ZERO, Add::add)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Money {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Money".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "US dollars, exact, as text.",
            "type": "string",
            "pattern": "^-?[0-9]+(\\.[0-9]+)?$",
        })
    }
}

impl Serialize for Money {
    /// Exact text: a number of JSON would be read as a float.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Money {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = deserializer.deserialize_any(decimal_text::DecimalText)?;
        Self::decode(&text).map_err(D::Error::custom)
    }
}

pub(crate) mod decimal_text {
    //! A decimal in a file: text, or a number as people write it in a config.

    use std::fmt;

    use serde::de::{Error, Visitor};

    pub(crate) struct DecimalText;

    impl Visitor<'_> for DecimalText {
        type Value = String;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a decimal number")
        }

        fn visit_str<E: Error>(self, text: &str) -> Result<String, E> {
            Ok(text.to_owned())
        }

        fn visit_u64<E: Error>(self, number: u64) -> Result<String, E> {
            Ok(number.to_string())
        }

        fn visit_i64<E: Error>(self, number: i64) -> Result<String, E> {
            Ok(number.to_string())
        }

        fn visit_f64<E: Error>(self, number: f64) -> Result<String, E> {
            // The shortest text that means this float is what was typed, for anything up to fifteen digits.
            Ok(number.to_string())
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(exact: &str, cents: &str, fine: &str) {
        let money = Money::decode(exact).unwrap();
        assert_eq!(
            (money.to_string(), money.cents(), money.fine()),
            (exact.into(), cents.into(), fine.into())
        );
    }

    #[test]
    fn amounts_are_rounded_half_to_even_and_only_when_shown() {
        check("0", "0.00", "0.0000");
        check("0.0000002", "0.00", "0.0000");
        check("0.005", "0.00", "0.0050");
        check("0.015", "0.02", "0.0150");
        check("0.025", "0.02", "0.0250");
        check("0.025000000001", "0.03", "0.0250");
        check("1.00005", "1.00", "1.0000");
        check("1.00015", "1.00", "1.0002");
        check("0.995", "1.00", "0.9950");
        check("1234.5", "1234.50", "1234.5000");
        check("-0.015", "-0.02", "-0.0150");
        check("-0.025", "-0.02", "-0.0250");
        check("-2.346", "-2.35", "-2.3460");
    }

    #[test]
    fn numbers_of_a_config_mean_what_was_typed() {
        let read = |text: &str| serde_json::from_str::<Money>(text).map(Money::pico).ok();
        assert_eq!(read("0.1"), Some(100_000_000_000));
        assert_eq!(read("\"0.1\""), read("0.1"));
        assert_eq!(read("3"), read("\"3\""));
        assert_eq!(read("0.0000001"), Some(100_000));
        assert_eq!(read("true"), None);
        assert_eq!(read("\"three\""), None);
    }

    #[test]
    fn absurd_sums_do_not_wrap() {
        let most = Money::from_pico(i128::MAX);
        assert_eq!(most + most, most);
        assert_eq!(most * u64::MAX, most);
    }

    proptest! {
        #[test]
        fn text_is_exact(pico in any::<i64>()) {
            let money = Money::from_pico(i128::from(pico));
            prop_assert_eq!(Money::decode(&money.to_string()), Ok(money));
        }

        #[test]
        fn rounding_is_off_by_half_a_unit_at_most(pico in any::<i64>(), places in 0_u32..=12) {
            let money = Money::from_pico(i128::from(pico));
            let shown = Money::decode(&money.rounded(places)).unwrap();
            prop_assert!((shown - money).pico().abs() * 2 <= 10_i128.pow(12 - places));
        }

        #[test]
        fn parts_add_up_to_the_whole(parts in prop::collection::vec((0_i128..1_000_000_000, 0_u64..10_000_000), 0..20), rate in 0_i128..1_000_000_000) {
            let rate = Money::from_pico(rate);
            let whole = rate * parts.iter().map(|(_, count)| count).sum::<u64>();
            prop_assert_eq!(parts.iter().map(|(_, count)| rate * *count).sum::<Money>(), whole);
        }
    }
}
