//! Days in files: `2026-10-21`. The library for dates is built without its own way to do this.

use jiff::civil::Date;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serializer};

/// Writes a day, or nothing.
#[allow(clippy::ref_option, reason = "the shape that serde calls")]
pub(crate) fn serialize<S: Serializer>(day: &Option<Date>, serializer: S) -> Result<S::Ok, S::Error> {
    match day {
        Some(day) => serializer.collect_str(day),
        None => serializer.serialize_none(),
    }
}

/// Reads a day, or nothing.
pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Date>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    text.map(|text| text.parse().map_err(|_| D::Error::custom(format!("{text:?} is no day")))).transpose()
}
