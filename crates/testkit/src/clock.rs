//! The fixed present of the tests, a little before the corpus was recorded. Never the machine's own clock.

use jiff::Timestamp;

/// The present, as text.
pub const NOW_TEXT: &str = "2026-11-15T18:00:00Z";

/// The present, as a time.
pub const NOW: Timestamp = Timestamp::constant(1_794_765_600, 0);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_time_are_the_same() {
        assert_eq!(NOW.to_string(), NOW_TEXT);
    }
}
