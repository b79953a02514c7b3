//! Points in time as the client writes them: `YYYY-MM-DDTHH:MM:SS.mmmZ`. No clock is read here.

use std::fmt;

/// Milliseconds since the epoch, UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Moment(i64);

impl Moment {
    /// From epoch milliseconds.
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    /// Epoch milliseconds, as `history.jsonl` has them.
    pub const fn millis(self) -> i64 {
        self.0
    }

    /// From RFC 3339 text, if it is such.
    pub fn parse(text: &str) -> Option<Self> {
        text.parse::<jiff::Timestamp>().ok().map(|at| Self(at.as_millisecond()))
    }

    /// This many milliseconds later.
    pub const fn plus(self, millis: i64) -> Self {
        Self(self.0 + millis)
    }

    /// The day, `YYYY-MM-DD`.
    pub fn date(self) -> String {
        self.to_string().chars().take(10).collect()
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Every time within jiff's nine thousand years is fine; the epoch stands in for the rest.
        let at = jiff::Timestamp::from_millisecond(self.0).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
        write!(formatter, "{at:.3}")
    }
}

#[cfg(test)]
mod tests {
    use super::Moment;

    #[test]
    fn times_are_written_with_three_digits_and_a_z() {
        let text = "2026-11-15T22:49:13.040Z";
        assert_eq!(Moment::parse(text).map(|at| at.to_string()).as_deref(), Some(text));
        assert_eq!(Moment::from_millis(0).to_string(), "1970-01-01T00:00:00.000Z");
        assert_eq!(Moment::from_millis(1).date(), "1970-01-01");
    }
}
