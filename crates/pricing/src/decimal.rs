//! Decimal text to integers and back, exactly. No number here is ever a float.

use std::fmt;

/// Why a text is no amount of whole units.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum DecimalError {
    /// It is not written as a decimal number, with or without an exponent.
    NotANumber(String),
    /// It has more digits behind the point than the unit can hold.
    TooFine(String),
    /// It is larger than any price, or any sum of them, can be.
    TooLarge(String),
}

impl fmt::Display for DecimalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotANumber(text) => write!(f, "invalid decimal number {text:?}"),
            Self::TooFine(text) => write!(f, "{text} has more digits than can be kept exactly"),
            Self::TooLarge(text) => write!(f, "{text} is too large"),
        }
    }
}

impl std::error::Error for DecimalError {}

/// The number times ten to the `places`, if that is whole: `3e-06` at 12 places is 3,000,000.
pub fn parse(text: &str, places: i32) -> Result<i128, DecimalError> {
    let not_a_number = || DecimalError::NotANumber(text.to_owned());
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().map_err(|_| not_a_number())?),
        None => (text, 0),
    };
    let (negative, mantissa) = match mantissa.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, mantissa),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let is_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || mantissa.ends_with('.') || !is_digits(whole) || !is_digits(fraction) {
        return Err(not_a_number());
    }
    let digits = format!("{whole}{fraction}");
    let significant = digits.trim_end_matches('0');
    if significant.trim_start_matches('0').is_empty() {
        return Ok(0);
    }
    // Zeros at the end belong to the exponent, so that 1.50 is no finer than 1.5.
    let zeros = i64::try_from(digits.len() - significant.len()).unwrap_or(i64::MAX);
    let behind = i64::try_from(fraction.len()).unwrap_or(i64::MAX);
    let shift = i64::from(exponent) + i64::from(places) + zeros - behind;
    let power = u32::try_from(shift).map_err(|_| DecimalError::TooFine(text.to_owned()))?;
    let too_large = || DecimalError::TooLarge(text.to_owned());
    let number = significant.parse::<i128>().map_err(|_| too_large())?;
    let scaled = 10_i128.checked_pow(power).and_then(|factor| number.checked_mul(factor));
    let scaled = scaled.ok_or_else(too_large)?;
    Ok(if negative { -scaled } else { scaled })
}

/// The shortest decimal text of so many units of ten to the minus `places`; the inverse of `parse`.
pub fn print(units: i128, places: u32) -> String {
    let text = fixed(units, places);
    if !text.contains('.') {
        return text;
    }
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// The same with all digits behind the point.
pub(crate) fn fixed(units: i128, places: u32) -> String {
    let sign = if units < 0 { "-" } else { "" };
    let width = places as usize;
    let digits = format!("{:0>1$}", units.unsigned_abs(), width + 1);
    let (whole, fraction) = digits.split_at(digits.len() - width);
    if fraction.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{fraction}") }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(text: &str, places: i32, expected: Result<i128, fn(String) -> DecimalError>) {
        assert_eq!(parse(text, places), expected.map_err(|make| make(text.to_owned())), "{text}");
    }

    #[test]
    fn decimal_text_is_read_without_loss() {
        check("3e-06", 12, Ok(3_000_000));
        check("1.875e-05", 12, Ok(18_750_000));
        check("2e-07", 12, Ok(200_000));
        check("1E-12", 12, Ok(1));
        check("0.00015", 12, Ok(150_000_000));
        check("0.0100", 12, Ok(10_000_000_000));
        check("2.0", 3, Ok(2_000));
        check("1.1", 3, Ok(1_100));
        check("15", 6, Ok(15_000_000));
        check("0", 12, Ok(0));
        check("0.0e-40", 12, Ok(0));
        check("-1.5", 2, Ok(-150));
        check("1e2", 0, Ok(100));
        check("1500e-2", 0, Ok(15));
    }

    #[test]
    fn what_does_not_fit_is_an_error() {
        check("1.0000000000000001e-07", 12, Err(DecimalError::TooFine));
        check("1e-13", 12, Err(DecimalError::TooFine));
        check("0.5", 0, Err(DecimalError::TooFine));
        check("1e27", 12, Err(DecimalError::TooLarge));
        check("1e2000000000", 12, Err(DecimalError::TooLarge));
        check(&"9".repeat(80), 0, Err(DecimalError::TooLarge));
        check("1e-2000000000", 12, Err(DecimalError::TooFine));
        for bad in [
            "",
            ".",
            "-",
            ".5",
            "1.",
            "1e",
            "e5",
            "1e9999999999",
            "1,5",
            "$3",
            "NaN",
            "1.5.2",
            "--1",
            "0x1",
            "٣",
        ] {
            check(bad, 12, Err(DecimalError::NotANumber));
        }
    }

    proptest! {
        #[test]
        fn printed_numbers_are_read_back(units in any::<i128>().prop_filter("has no opposite", |units| *units != i128::MIN), places in 0_u32..15) {
            let text = print(units, places);
            prop_assert_eq!(parse(&text, places.cast_signed()), Ok(units));
            prop_assert!(!text.contains('.') || !text.ends_with('0'));
        }

        #[test]
        fn an_exponent_is_a_shift_of_the_point(units in 0_i128..1_000_000_000, shift in 0_u32..8) {
            let plain = print(units, shift);
            prop_assert_eq!(parse(&format!("{units}e-{shift}"), 8), parse(&plain, 8));
        }

        #[test]
        fn any_text_is_answered(text in ".{0,12}", places in -20_i32..20) {
            let _ = parse(&text, places);
        }
    }
}
