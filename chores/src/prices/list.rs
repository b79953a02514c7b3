//! The price list of a release: the maker's own models, as facts. Numbers are read as text, never as floats.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use scrollback_pricing::{ModelName, parse_decimal};
use serde_json::value::RawValue;

use super::facts::Facts;
use super::wrong;

/// A model in the list.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Listed {
    /// Every name that it has there.
    pub names: Vec<String>,
    /// Its prices.
    pub facts: Facts,
}

/// The fields of one entry of the list.
type Fields = BTreeMap<String, Box<RawValue>>;

/// Fields that are rates, the longer names first, and what we call them.
const RATES: [(&str, &str); 5] = [
    ("cache_creation_input_token_cost_above_1hr", "cache_write_1h"),
    ("cache_creation_input_token_cost", "cache_write_5m"),
    ("cache_read_input_token_cost", "cache_read"),
    ("input_cost_per_token", "input"),
    ("output_cost_per_token", "output"),
];

/// Their endings for service tiers, and the word of a transcript.
const TIERS: [(&str, &str); 4] =
    [("", ""), ("_batches", "batch."), ("_priority", "priority."), ("_flex", "flex.")];

/// Pico-dollars in a dollar, as digits.
const PICO: i32 = 12;

/// Reads the list: models by key, and what in it is odd.
pub fn read(text: &str) -> Result<(BTreeMap<String, Listed>, Vec<String>), String> {
    let all: BTreeMap<String, Box<RawValue>> =
        serde_json::from_str(text).map_err(|cause| cause.to_string())?;
    let mut notes = Vec::new();
    let mut by_key: BTreeMap<String, Vec<(ModelName, String, Facts)>> = BTreeMap::new();
    for (name, entry) in all {
        // Names with a folder are another seller's, or a surcharge written out.
        if !name.starts_with("claude-") || name.contains('/') {
            continue;
        }
        let fields: Fields = serde_json::from_str(entry.get()).map_err(|cause| format!("{name}: {cause}"))?;
        if fields.get("litellm_provider").is_none_or(|provider| provider.get() != "\"anthropic\"") {
            continue;
        }
        let parsed = ModelName::parse(&name);
        // Never used with the client, and their prices contradict each other by a factor of ten.
        if parsed.key.starts_with("claude-instant") {
            continue;
        }
        let facts = facts(&name, &parsed.key, &fields, &mut notes)?;
        by_key.entry(parsed.key.clone()).or_default().push((parsed, name, facts));
    }
    let models = by_key.into_iter().map(|(key, entries)| {
        let listed = agreed(&key, entries, &mut notes);
        (key, listed)
    });
    let models = models.collect();
    Ok((models, notes))
}

/// One model of several names. A name with a day speaks first, for the others may have been forgotten.
fn agreed(key: &str, mut entries: Vec<(ModelName, String, Facts)>, notes: &mut Vec<String>) -> Listed {
    entries.sort_by_key(|(parsed, name, _)| {
        (
            parsed.date.is_none(),
            name.ends_with("-latest"),
            !name.starts_with(key),
            Reverse(parsed.date.clone()),
        )
    });
    let mut listed = Listed::default();
    for (_, name, facts) in entries {
        let mut common =
            facts.iter().filter_map(|(field, number)| Some((field, number, listed.facts.get(field)?)));
        match common.find(|(_, number, known)| number != known) {
            Some((field, ..)) => {
                notes.push(format!("{name} differs from {} in {field}: left aside", listed.names[0]));
            }
            None => {
                for (field, number) in facts {
                    listed.facts.entry(field).or_insert(number);
                }
            }
        }
        listed.names.push(name);
    }
    listed.names.sort();
    listed.names.retain(|name| name != key);
    listed
}

fn facts(name: &str, key: &str, fields: &Fields, notes: &mut Vec<String>) -> Result<Facts, String> {
    let mut facts = Facts::new();
    let thresholds: BTreeSet<i128> = fields.keys().filter_map(|field| path(field)?.1).collect();
    if thresholds.len() > 1 {
        return Err(format!("{name} has more than one threshold for long requests"));
    }
    facts.extend(thresholds.into_iter().map(|above| ("long.above".to_owned(), above)));
    for (field, value) in fields {
        let number = value.get();
        let failed = |cause: &dyn std::fmt::Display| format!("{name}, {field}: {cause}");
        if number == "null" || wrong::is_wrong(key, field, number) {
            continue;
        }
        match field.as_str() {
            "search_context_cost_per_query" => {
                facts.extend(web_search(number).map_err(|cause| failed(&cause))?);
            }
            "provider_specific_entry" => facts.extend(factors(number).map_err(|cause| failed(&cause))?),
            _ => match path(field) {
                Some((path, _)) => {
                    facts.insert(path, parse_decimal(number, PICO).map_err(|cause| failed(&cause))?);
                }
                None if field.contains("cost") => notes.push(format!("{name}: {field} is not understood")),
                None => {}
            },
        }
    }
    Ok(facts)
}

/// The name of a fact, and its threshold in tokens, from the name of a field; None where it is no rate.
fn path(field: &str) -> Option<(String, Option<i128>)> {
    let (rest, rate) = RATES.iter().find_map(|(begin, rate)| Some((field.strip_prefix(begin)?, rate)))?;
    let (above, rest) = match rest.strip_prefix("_above_").and_then(|rest| rest.split_once("k_tokens")) {
        Some((thousands, rest)) => (Some(thousands.parse::<i128>().ok()? * 1_000), rest),
        None => (None, rest),
    };
    let (_, tier) = TIERS.iter().find(|(end, _)| *end == rest)?;
    let long = if above.is_some() { "long." } else { "" };
    Some((format!("{tier}{long}{rate}"), above))
}

/// The price of a search does not depend on how much it brings; where it did, we could not tell which.
fn web_search(value: &str) -> Result<Option<(String, i128)>, String> {
    let sizes: Fields = serde_json::from_str(value).map_err(|cause| cause.to_string())?;
    let mut prices = Vec::new();
    for price in sizes.values() {
        prices.push(parse_decimal(price.get(), PICO).map_err(|cause| cause.to_string())?);
    }
    prices.dedup();
    match prices[..] {
        [] => Ok(None),
        [one] => Ok(Some(("web_search".to_owned(), one))),
        _ => Err("searches of several prices".to_owned()),
    }
}

/// Surcharges by word.
fn factors(value: &str) -> Result<Vec<(String, i128)>, String> {
    let words: Fields = serde_json::from_str(value).map_err(|cause| cause.to_string())?;
    let mut factors = Vec::new();
    for (word, number) in &words {
        let number = parse_decimal(number.get(), 3).map_err(|cause| cause.to_string())?;
        factors.push((format!("factor.{word}"), number));
    }
    Ok(factors)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(fields: &str, facts: &[(&str, i128)], note: Option<&str>) {
        let text = format!(r#"{{"claude-x-9": {{"litellm_provider": "anthropic", {fields}}}}}"#);
        let (models, notes) = read(&text).unwrap();
        let expected = facts.iter().map(|(name, number)| ((*name).to_owned(), *number)).collect();
        assert_eq!(models["claude-x-9"].facts, expected, "{fields}");
        assert_eq!(notes.first().map(String::as_str), note);
    }

    #[test]
    fn fields_become_facts_without_loss() {
        check(r#""input_cost_per_token": 1e-07"#, &[("input", 100_000)], None);
        check(r#""cache_creation_input_token_cost_above_1hr": 2e-07"#, &[("cache_write_1h", 200_000)], None);
        check(
            r#""cache_creation_input_token_cost_above_1hr_above_100k_tokens": 1e-06"#,
            &[("long.above", 100_000), ("long.cache_write_1h", 1_000_000)],
            None,
        );
        check(
            r#""input_cost_per_token_above_200k_tokens_batches": 3e-06"#,
            &[("batch.long.input", 3_000_000), ("long.above", 200_000)],
            None,
        );
        check(
            r#""output_cost_per_token_priority": 0.5, "mode": "chat""#,
            &[("priority.output", 500_000_000_000)],
            None,
        );
        check(
            r#""provider_specific_entry": {"us": 1.1, "fast": 2.0}"#,
            &[("factor.fast", 2_000), ("factor.us", 1_100)],
            None,
        );
        check(
            r#""search_context_cost_per_query": {"low": 0.01, "high": 0.010}"#,
            &[("web_search", 10_000_000_000)],
            None,
        );
        check(r#""input_cost_per_token": null"#, &[], None);
        check(
            r#""input_cost_per_second": 1"#,
            &[],
            Some("claude-x-9: input_cost_per_second is not understood"),
        );
    }

    #[test]
    fn numbers_that_are_not_exact_are_errors() {
        for fields in [
            r#""input_cost_per_token": 1.0000000000000001e-07"#,
            r#""provider_specific_entry": {"us": "dear"}"#,
            r#""input_cost_per_token_above_100k_tokens": 1, "input_cost_per_token_above_200k_tokens": 1"#,
            r#""search_context_cost_per_query": {"low": 0.01, "high": 0.02}"#,
        ] {
            let text = format!(r#"{{"claude-x-9": {{"litellm_provider": "anthropic", {fields}}}}}"#);
            assert!(read(&text).unwrap_err().starts_with("claude-x-9"), "{fields}");
        }
    }

    #[test]
    fn the_makers_own_models_are_taken_and_names_with_a_day_speak_first() {
        let text = r#"{
            "claude-3-5-haiku-latest": {"litellm_provider": "anthropic", "input_cost_per_token": 1e-06},
            "claude-3-5-haiku-20241022": {"litellm_provider": "anthropic", "input_cost_per_token": 8e-07,
                "cache_creation_input_token_cost_above_1hr": 6e-06},
            "claude-sonnet-4": {"litellm_provider": "other", "input_cost_per_token": 1},
            "fast/claude-opus-4-6": {"litellm_provider": "anthropic", "input_cost_per_token": 1},
            "sample_spec": {"input_cost_per_token": 0}
        }"#;
        let (models, notes) = read(text).unwrap();
        assert_eq!(models.len(), 1);
        let haiku = &models["claude-3-5-haiku"];
        assert_eq!(haiku.facts, Facts::from([("input".to_owned(), 800_000)]));
        assert_eq!(haiku.names, ["claude-3-5-haiku-20241022", "claude-3-5-haiku-latest"]);
        assert_eq!(
            notes,
            ["claude-3-5-haiku-latest differs from claude-3-5-haiku-20241022 in input: left aside"]
        );
    }
}
