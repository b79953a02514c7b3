//! The user's own prices over the table.

use scrollback_pricing::{Override, Prices};

use crate::{prices, row};

const NOW: &str = "2026-11-15";

fn with(overrides: &str) -> Result<Prices, String> {
    let overrides: Vec<Override> = serde_json::from_str(overrides).map_err(|cause| cause.to_string())?;
    prices().with_overrides(&overrides).map_err(|cause| cause.to_string())
}

fn refused(overrides: &str, words: &str) {
    let error = with(overrides).unwrap_err();
    assert!(error.contains(words), "{error}");
}

#[test]
fn what_an_override_does_not_name_stays() {
    let prices =
        with(r#"[{"model": "claude-opus-5-5-20260930", "input": 3.5, "cache_write_1h": "7"}]"#).unwrap();
    let new = row(&prices, "claude-opus-5-5", NOW);
    let old = row(&crate::prices(), "claude-opus-5-5", NOW);
    assert_eq!(
        (new.rates.input.to_string(), new.rates.cache_write_1h.to_string()),
        ("3.5".into(), "7".into())
    );
    assert_eq!((new.rates.output, &new.tiers, &new.factors), (old.rates.output, &old.tiers, &old.factors));
    assert_eq!((new.source.as_str(), new.source_date), ("config", None));
    assert_eq!(row(&prices, "claude-opus-5", NOW), row(&crate::prices(), "claude-opus-5", NOW));
}

#[test]
fn an_override_holds_in_its_time_alone() {
    let prices =
        with(r#"[{"model": "claude-sonnet-5-5", "output": 9, "from": "2026-10-16", "until": "2026-10-20"}]"#)
            .unwrap();
    let told = |day| {
        let row = row(&prices, "claude-sonnet-5-5", day);
        format!("{} {} {}", row.rates.output, row.rates.cache_read, row.source)
    };
    assert_eq!(told("2026-10-15"), "10 0.2 litellm 1.105.1");
    assert_eq!(told("2026-10-16"), "9 0.2 config");
    assert_eq!(told("2026-10-18"), "9 0.1 config");
    assert_eq!(told("2026-10-20"), "10 0.1 litellm 1.109.1");
}

#[test]
fn the_later_of_two_overrides_counts() {
    let prices = with(
        r#"[{"model": "claude-opus-5", "input": 4, "output": 20}, {"model": "claude-opus-5", "input": 3, "from": "2026-11-01"}]"#,
    )
    .unwrap();
    let told = |day| {
        let rates = row(&prices, "claude-opus-5", day).rates;
        format!("{} {}", rates.input, rates.output)
    };
    assert_eq!((told("2026-10-31"), told("2026-11-01")), ("4 20".into(), "3 20".into()));
}

#[test]
fn an_unknown_model_gets_a_price_of_its_own() {
    let prices = with(
        r#"[{"model": "vendor/house-model-1", "input": 2, "output": 8, "web_search": 0.005,
             "long_context": {"above": 1000, "rates": {"input": 4, "output": 16, "cache_read": 1, "cache_write_5m": 1, "cache_write_1h": 1}},
             "factors": {"fast": 1.5}}]"#,
    )
    .unwrap();
    let new = row(&prices, "house-model-1", NOW);
    assert_eq!(new.rates.cache_write_5m.to_string(), "2.5");
    assert_eq!(new.derived, ["cache_read", "cache_write_5m", "cache_write_1h"]);
    assert_eq!(new.long_context.map(|long| long.above), Some(1_000));
    assert_eq!(new.web_search.map(|price| price.to_string()), Some("0.005".into()));
}

#[test]
fn overrides_that_cannot_be_right_are_refused() {
    refused(r#"[{"input": 1, "output": 2}]"#, "has no model");
    refused(r#"[{"model": "house-model-1", "input": 2}]"#, "needs both input and output");
    refused(
        r#"[{"model": "claude-opus-5", "from": "2026-02-01", "until": "2026-01-01"}]"#,
        "end before they begin",
    );
    refused(r#"[{"model": "claude-opus-5", "input": -1}]"#, "invalid decimal number");
    refused(r#"[{"model": "claude-opus-5", "input": "0.0000001"}]"#, "more digits");
    refused(r#"[{"model": "claude-opus-5", "input": 0.000001}]"#, "too many digits to be exact");
    refused(r#"[{"model": "house-model-1", "input": 0.000001, "output": 1}]"#, "name them");
    refused(r#"[{"model": "claude-opus-5", "inptu": 1}]"#, "unknown field `inptu`");
    refused(r#"[{"model": "claude-opus-5", "from": "soon"}]"#, "is no day");
}
