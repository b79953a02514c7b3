//! Dates as people type them: `2026-11-01`, `yesterday`, `2w`.

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use jiff::{Span, Zoned};
use scrollback_format::time::Time;

use crate::error::{AppError, Input, invalid};

/// What a date may look like.
const EXPECTED: &str = "2026-11-01, 2026-11-01T18:00, yesterday, 3d, 2w or 1m";

/// The instant that a typed date means: the start of a day, or so long before now.
pub fn decode(text: &str, now: Time, zone: &TimeZone) -> Result<Time, AppError> {
    let present = now
        .timestamp()
        .ok_or_else(|| AppError::Bug("the clock is out of range".to_owned()))?
        .to_zoned(zone.clone());
    let day = |date: Zoned| date.start_of_day().map(|start| Time(start.timestamp().as_millisecond()));
    let found = match text {
        "now" => Ok(now),
        "today" => day(present),
        "yesterday" => present.yesterday().and_then(day),
        _ => {
            if let Some(time) = Time::decode(text) {
                return Ok(time);
            }
            if text.len() == "2026-11-01".len()
                && let Ok(date) = text.parse::<jiff::civil::Date>()
            {
                date.to_zoned(zone.clone()).map(|start| Time(start.timestamp().as_millisecond()))
            } else if let Ok(moment) = text.parse::<DateTime>() {
                moment.to_zoned(zone.clone()).map(|moment| Time(moment.timestamp().as_millisecond()))
            } else {
                return ago(text, &present).ok_or_else(|| invalid(Input::Date, text, EXPECTED));
            }
        }
    };
    // What the library says of such a date names its own inner workings.
    found.map_err(|_| AppError::Invalid {
        what: Input::Date,
        value: text.to_owned(),
        why: Some("out of range".to_owned()),
        expected: EXPECTED.to_owned(),
    })
}

/// `30min`, `12h`, `3d`, `2w`, `6m`, `1y` before now.
fn ago(text: &str, present: &Zoned) -> Option<Time> {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let count: i64 = text[..digits].parse().ok()?;
    let span = match text[digits..].trim() {
        "min" => Span::new().try_minutes(count),
        "h" => Span::new().try_hours(count),
        "d" => Span::new().try_days(count),
        "w" => Span::new().try_weeks(count),
        "m" | "mo" => Span::new().try_months(count),
        "y" => Span::new().try_years(count),
        _ => return None,
    };
    let then = present.checked_sub(span.ok()?).ok()?;
    Some(Time(then.timestamp().as_millisecond()))
}

#[cfg(test)]
mod tests {
    use super::{Time, TimeZone, decode};

    fn check(text: &str, expected: &str) {
        let now = Time::decode("2026-11-15T18:30:00.000Z").unwrap();
        let found = decode(text, now, &TimeZone::UTC).map(|time| time.to_string());
        assert_eq!(found.as_deref().ok(), Some(expected), "{text}");
    }

    #[test]
    fn what_is_too_far_away_is_no_date_and_no_panic() {
        let now = Time::decode("2026-11-15T18:30:00.000Z").unwrap();
        for text in
            ["99999999999d", "19999y", "7304485d", "240000m", "1043498w", "175307617h", "99999999999min"]
        {
            assert!(decode(text, now, &TimeZone::UTC).is_err(), "{text}");
        }
    }

    #[test]
    fn dates_are_read_as_people_type_them() {
        check("2026-11-01", "2026-11-01T00:00:00.000Z");
        check("2026-11-01T10:30", "2026-11-01T10:30:00.000Z");
        check("2026-11-01T10:30:00+02:00", "2026-11-01T08:30:00.000Z");
        check("today", "2026-11-15T00:00:00.000Z");
        check("yesterday", "2026-11-14T00:00:00.000Z");
        check("3d", "2026-11-12T18:30:00.000Z");
        check("2w", "2026-11-01T18:30:00.000Z");
        check("12h", "2026-11-15T06:30:00.000Z");
    }

    #[test]
    fn nonsense_is_refused_with_examples() {
        let now = Time(0);
        for text in ["", "soon", "w", "3", "3x", "2026-13-01"] {
            assert!(decode(text, now, &TimeZone::UTC).is_err(), "{text}");
        }
    }
}
