//! Dates as people read them.

use jiff::tz::TimeZone;
use scrollback_format::time::Time;

/// A time for people: `2026-11-15 18:00`.
pub fn minute(time: Option<Time>, zone: &TimeZone) -> String {
    format(time, zone, "%Y-%m-%d %H:%M")
}

/// A day for people: `2026-11-15`.
pub fn day(time: Option<Time>, zone: &TimeZone) -> String {
    format(time, zone, "%Y-%m-%d")
}

/// A time of day for people: `18:00`.
pub fn clock(time: Option<Time>, zone: &TimeZone) -> String {
    format(time, zone, "%H:%M")
}

/// A time of day to the second: `18:00:07`.
pub fn second(time: Option<Time>, zone: &TimeZone) -> String {
    format(time, zone, "%H:%M:%S")
}

/// A time of day as finely as clients note it: `18:00:07.250`.
pub fn millisecond(time: Option<Time>, zone: &TimeZone) -> String {
    format(time, zone, "%H:%M:%S%.3f")
}

fn format(time: Option<Time>, zone: &TimeZone, pattern: &str) -> String {
    match time.and_then(Time::timestamp) {
        Some(timestamp) => timestamp.to_zoned(zone.clone()).strftime(pattern).to_string(),
        None => "-".to_owned(),
    }
}
