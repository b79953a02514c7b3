//! What the data file says, against the numbers of the list that it was made from.

use scrollback_pricing::{ModelName, PriceLookup, Prices, Table};

use crate::{prices, row};

const NOW: &str = "2026-11-15";

/// The list's own numbers, dollars a token: input, output, cache read, write for five minutes, write for an hour.
fn check(model: &str, day: &str, numbers: [&str; 5]) {
    let rates = row(&prices(), model, day).rates;
    let pico = numbers.map(|number| scrollback_pricing::parse_decimal(number, 12).unwrap());
    assert_eq!(rates.named().map(|(_, rate)| rate.per_token().pico()), pico, "{model} on {day}");
}

#[test]
fn rates_are_those_of_the_list() {
    check("claude-opus-5-5", NOW, ["4e-06", "2e-05", "2e-07", "5e-06", "8e-06"]);
    check("claude-sonnet-4-5-20250929", NOW, ["3e-06", "1.5e-05", "3e-07", "3.75e-06", "6e-06"]);
    check("claude-haiku-4-5-20251001", NOW, ["1e-06", "5e-06", "1e-07", "1.25e-06", "2e-06"]);
    check("claude-haiku-5-5", NOW, ["1e-07", "5e-07", "1e-08", "1.25e-07", "2e-07"]);
    check("claude-opus-4-1-20250805", "2025-09-01", ["1.5e-05", "7.5e-05", "1.5e-06", "1.875e-05", "3e-05"]);
    check("claude-fable-5-1", NOW, ["1e-05", "5e-05", "2.5e-07", "1.25e-05", "2e-05"]);
    check("claude-sonnet-4-20250514", "2025-06-01", ["3e-06", "1.5e-05", "3e-07", "3.75e-06", "6e-06"]);
    check("claude-3-haiku-20240307", "2025-03-01", ["2.5e-07", "1.25e-06", "3e-08", "3e-07", "5e-07"]);
}

#[test]
fn numbers_known_to_be_wrong_give_way_to_the_rule() {
    let haiku = row(&prices(), "claude-3-5-haiku-20241022", "2025-03-01");
    assert_eq!(haiku.rates.cache_write_1h.to_string(), "1.6");
    assert_eq!(haiku.derived, ["cache_write_1h"]);
    assert!(haiku.is_derived());
    assert_eq!(row(&prices(), "claude-3-opus-latest", "2025-03-01").rates.cache_write_1h.to_string(), "30");
}

#[test]
fn a_change_begins_on_its_day() {
    let read = |day| row(&prices(), "claude-sonnet-5-5", day).rates.cache_read.to_string();
    assert_eq!((read("2026-10-17"), read("2026-10-18")), ("0.2".into(), "0.1".into()));
    let is_long = |day| row(&prices(), "claude-opus-4-6", day).long_context.is_some();
    assert_eq!((is_long("2026-03-30"), is_long("2026-03-31")), (true, false));
}

#[test]
fn every_row_says_where_it_is_from_and_the_rows_of_a_model_do_not_overlap() {
    let prices = prices();
    let releases = &prices.head().releases;
    assert_eq!(prices.head().package, "litellm");
    for row in prices.rows() {
        let release = releases.iter().find(|release| row.source == format!("litellm {}", release.version));
        assert_eq!(release.unwrap().date, row.source_date, "{}", row.model);
        assert_eq!(ModelName::parse(&row.model).key, row.model);
        for name in &row.names {
            assert_eq!(ModelName::parse(name).key, row.model, "{name}");
        }
    }
    let rows: Vec<_> = prices.rows().collect();
    for pair in rows.windows(2).filter(|pair| pair[0].model == pair[1].model) {
        assert!(pair[0].until.is_some() && pair[0].until == pair[1].from, "{}", pair[0].model);
    }
    for (first, last) in rows.windows(2).map(|pair| (pair[1], pair[0])).filter(|(a, b)| a.model != b.model) {
        assert!(first.from.is_none() && last.until.is_none(), "{} {}", first.model, last.model);
    }
}

#[test]
fn any_name_of_a_model_finds_it() {
    let prices = prices();
    let day = NOW.parse().unwrap();
    for name in [
        "claude-opus-4-8[1m]",
        "claude-sonnet-4-20250514",
        "us.anthropic.claude-sonnet-4-20250514-v1:0",
        "anthropic/claude-sonnet-4.5",
        "claude-opus-4-5@20251101",
        "claude-3-5-sonnet-20241022",
        "claude-opus-4-0",
        "claude-2.1",
    ] {
        assert!(prices.lookup(name, day).is_some(), "{name}");
    }
}

#[test]
fn what_is_not_known_has_no_price() {
    let prices = prices();
    let day = NOW.parse().unwrap();
    for name in
        ["", "haiku", "claude", "claude-opus-99", "claude-opus-4-8-fast", "gpt-5", "anthropic.claude-v2:1"]
    {
        assert_eq!(prices.lookup(name, day), None, "{name}");
        assert_eq!(prices.find(name, day), PriceLookup::Unknown, "{name}");
    }
    assert_eq!(prices.lookup("<synthetic>", day), None);
    assert_eq!(prices.find("<synthetic>", day), PriceLookup::Free);
}

#[test]
fn the_file_is_written_as_it_was_read() {
    let text = Prices::built_in_text();
    assert_eq!(Table::decode(text).unwrap().encode().unwrap(), text);
}

#[test]
fn a_broken_file_is_told_by_its_line() {
    let head = Prices::built_in_text().lines().next().unwrap();
    let error = |text: &str| Table::decode(text).unwrap_err().to_string();
    assert_eq!(error(""), "the price table is empty");
    assert!(error("{}").starts_with("the price table, line 1: "));
    assert!(error(&format!("{head}\n{{\"model\":\"x\"}}\n")).starts_with("the price table, line 2: "));
    let row = Prices::built_in_text().lines().nth(1).unwrap();
    assert!(
        error(&format!("{head}\n{}\n", row.replace("\"input\":\"", "\"input\":\"0.0000001")))
            .contains("more digits")
    );
    assert!(
        error(&format!("{head}\n{}\n", row.replace("\"model\"", "\"speed\":1,\"model\""))).contains("speed")
    );
}
