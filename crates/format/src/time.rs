//! Times as the entries carry them. There is no "now" here: a missing time is `None`.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Milliseconds since 1970, UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Time(pub i64);

impl Time {
    /// Reads an RFC 3339 time; the client's own form, `2026-11-15T22:46:50.966Z`, by the short way.
    pub fn decode(text: &str) -> Option<Self> {
        Self::client_form(text.as_bytes())
            .or_else(|| text.parse::<jiff::Timestamp>().ok().map(|time| Self(time.as_millisecond())))
    }

    fn client_form(text: &[u8]) -> Option<Self> {
        let &[
            y0,
            y1,
            y2,
            y3,
            b'-',
            m0,
            m1,
            b'-',
            d0,
            d1,
            b'T',
            h0,
            h1,
            b':',
            n0,
            n1,
            b':',
            s0,
            s1,
            b'.',
            f0,
            f1,
            f2,
            b'Z',
        ] = text
        else {
            return None;
        };
        let number = |digits: &[u8]| {
            digits.iter().try_fold(0_i64, |sum, digit| {
                digit.is_ascii_digit().then(|| sum * 10 + i64::from(digit - b'0'))
            })
        };
        let (year, month, day) = (number(&[y0, y1, y2, y3])?, number(&[m0, m1])?, number(&[d0, d1])?);
        let (hour, minute, second) = (number(&[h0, h1])?, number(&[n0, n1])?, number(&[s0, s1])?);
        // 29 to 31 need the calendar: the long way knows it.
        if !(1..=12).contains(&month) || !(1..=28).contains(&day) || hour > 23 || minute > 59 || second > 59 {
            return None;
        }
        let seconds = days_from_civil(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second;
        Some(Self(seconds * 1_000 + number(&[f0, f1, f2])?))
    }

    /// The same instant for calendars and formatting, if it lies within them.
    pub fn timestamp(self) -> Option<jiff::Timestamp> {
        jiff::Timestamp::from_millisecond(self.0).ok()
    }
}

impl fmt::Display for Time {
    /// RFC 3339 with milliseconds, as the client writes it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.timestamp() {
            Some(time) => write!(f, "{time:.3}"),
            None => write!(f, "@{}ms", self.0),
        }
    }
}

/// Days from 1970-01-01 to a date of the Gregorian calendar (the well-known era arithmetic).
fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

#[cfg(test)]
mod tests {
    use super::Time;

    #[test]
    fn the_short_way_agrees_with_the_calendar() {
        for text in [
            "2026-11-15T22:46:50.966Z",
            "2024-02-28T23:59:59.999Z",
            "2024-02-29T00:00:00.000Z",
            "1970-01-01T00:00:00.000Z",
            "2000-03-01T12:00:00.001Z",
            "2025-12-31T23:59:59.000Z",
        ] {
            let judge = text.parse::<jiff::Timestamp>().unwrap().as_millisecond();
            assert_eq!(Time::decode(text), Some(Time(judge)), "{text}");
            assert_eq!(Time(judge).to_string(), text);
        }
    }

    #[test]
    fn other_forms_are_read_and_nonsense_is_none() {
        assert_eq!(Time::decode("2026-11-15T23:46:50+01:00"), Time::decode("2026-11-15T22:46:50.000Z"));
        for bad in ["", "yesterday", "2026-02-30T00:00:00.000Z", "2026-13-01T00:00:00.000Z"] {
            assert_eq!(Time::decode(bad), None, "{bad}");
        }
    }
}
