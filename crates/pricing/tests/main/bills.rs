//! Bills worked out by hand.

use scrollback_pricing::{ContextLength, Gap, Money, Quantities, RequestTerms};

use crate::{prices, row};

const NOW: &str = "2026-11-15";

fn used(input: u64, output: u64, cache_read: u64, cache_write_5m: u64, cache_write_1h: u64) -> Quantities {
    Quantities { input, output, cache_read, cache_write_5m, cache_write_1h, ..Quantities::default() }
}

fn with_terms(used: &Quantities, tier: &str, speed: &str, geo: &str) -> Quantities {
    Quantities { terms: RequestTerms::decode(Some(tier), Some(speed), Some(geo)), ..used.clone() }
}

fn check(model: &str, day: &str, used: &Quantities, dollars: &str, gaps: &[Gap]) {
    let bill = row(&prices(), model, day).bill(used);
    assert_eq!(bill.total().to_string(), dollars, "{model} {used:?}");
    assert_eq!(bill.gaps.into_iter().collect::<Vec<_>>(), gaps, "{model}");
    assert_eq!(row(&prices(), model, day).cost(used), Money::decode(dollars).unwrap());
}

#[test]
fn tokens_are_billed_by_kind() {
    // 4·4 + 106·20 + 15,030·0.2 + 1,200·5 + 10·8 millionths.
    check("claude-opus-5-5", NOW, &used(4, 106, 15_030, 1_200, 10), "0.011222", &[]);
    // One cached token of the cheapest model: a hundredth of a millionth.
    check("claude-haiku-5-5", NOW, &used(0, 0, 1, 0, 0), "0.00000001", &[]);
    // 1,000·3 + 500·15 + 20,000·0.3 + 2,000·3.75 + 3,000·6 millionths.
    check("claude-sonnet-4-5-20250929", NOW, &used(1_000, 500, 20_000, 2_000, 3_000), "0.042", &[]);
    // 1·0.25 + 1·1.25 + 1·0.03 + 1·0.3 + 1·0.5 millionths.
    check("claude-3-haiku-20240307", "2025-04-01", &used(1, 1, 1, 1, 1), "0.00000233", &[]);
    check("claude-opus-4-20250514", "2025-06-01", &used(1_000_000, 0, 0, 0, 0), "15", &[]);
    check("claude-fable-5-1", NOW, &used(0, 0, 1_000_000, 0, 0), "0.25", &[]);
    check("claude-opus-5-5", NOW, &Quantities::default(), "0", &[]);
}

#[test]
fn a_request_is_long_above_the_threshold_and_then_wholly() {
    let then = "2025-11-01";
    check("claude-sonnet-4-5", then, &used(200_000, 0, 0, 0, 0), "0.6", &[]);
    check("claude-sonnet-4-5", then, &used(200_001, 0, 0, 0, 0), "1.200006", &[]);
    // What a cache held or was given counts too: 1·3 + 199,998·0.3 + 1·3.75, then 1·6 + 199,999·0.6 + 1·7.5 millionths.
    check("claude-sonnet-4-5", then, &used(1, 0, 199_998, 1, 0), "0.06000615", &[]);
    check("claude-sonnet-4-5", then, &used(1, 0, 199_999, 1, 0), "0.1200129", &[]);
    check("claude-sonnet-4-5", then, &used(1, 0, 199_999, 0, 1), "0.1200174", &[]);
    // The answer is dearer as well, and does not count.
    check("claude-sonnet-4-5", then, &used(1, 1_000, 199_999, 1, 0), "0.1425129", &[]);
    check("claude-sonnet-4-5", then, &used(0, 300_000, 0, 0, 0), "4.5", &[]);
}

#[test]
fn a_threshold_is_the_models_own() {
    check("claude-haiku-5-5", NOW, &used(100_000, 0, 0, 0, 0), "0.01", &[]);
    check("claude-haiku-5-5", NOW, &used(100_001, 0, 0, 0, 0), "0.0500005", &[]);
    check("claude-opus-5-5", NOW, &used(900_000, 0, 0, 0, 0), "3.6", &[]);
}

#[test]
fn a_sum_over_requests_says_itself_whether_they_were_long() {
    let then = "2025-11-01";
    let sum = |input, context| Quantities { context, ..used(input, 0, 0, 0, 0) };
    check("claude-sonnet-4-5", then, &sum(300_000, ContextLength::Short), "0.9", &[]);
    check("claude-sonnet-4-5", then, &sum(10, ContextLength::Long), "0.00006", &[]);
    check("claude-opus-5-5", then, &sum(10, ContextLength::Long), "0.00004", &[]);
}

#[test]
fn tiers_and_surcharges_have_their_prices() {
    let tokens = used(1_000, 1_000, 0, 0, 0);
    check("claude-sonnet-4-5", NOW, &with_terms(&tokens, "standard", "standard", ""), "0.018", &[]);
    check("claude-sonnet-4-5", NOW, &with_terms(&tokens, "batch", "", "global"), "0.009", &[]);
    check("claude-opus-5-5", NOW, &with_terms(&tokens, "", "fast", ""), "0.048", &[]);
    check("claude-opus-5-5", NOW, &with_terms(&tokens, "", "", "us"), "0.0264", &[]);
    check("claude-opus-5-5", NOW, &with_terms(&tokens, "", "fast", "us"), "0.0528", &[]);
    check(
        "claude-opus-5-5",
        NOW,
        &with_terms(&used(0, 0, 1, 0, 0), "batch", "fast", "us"),
        "0.00000022",
        &[],
    );
    check("claude-opus-4-6", "2026-03-01", &with_terms(&tokens, "", "fast", ""), "0.18", &[]);
    let long = with_terms(&used(200_001, 0, 0, 0, 0), "batch", "", "");
    check("claude-sonnet-4-5", "2025-11-01", &long, "0.600003", &[]);
}

#[test]
fn what_has_no_price_is_listed_and_billed_as_ordinary() {
    let tokens = used(1_000, 0, 0, 0, 0);
    let gap = |word: &str, gap: fn(String) -> Gap| [gap(word.to_owned())];
    check(
        "claude-opus-5-5",
        NOW,
        &with_terms(&tokens, "priority", "", ""),
        "0.004",
        &gap("priority", Gap::Tier),
    );
    check("claude-sonnet-5", NOW, &with_terms(&tokens, "", "fast", ""), "0.002", &gap("fast", Gap::Speed));
    check("claude-opus-4-6", NOW, &with_terms(&tokens, "", "fast", ""), "0.005", &gap("fast", Gap::Speed));
    check("claude-opus-5-5", NOW, &with_terms(&tokens, "", "", "eu"), "0.004", &gap("eu", Gap::Geo));
    // Long requests of a tier that names no prices for them.
    let long = with_terms(&used(200_001, 0, 0, 0, 0), "batch", "", "");
    check("claude-sonnet-4-6", "2026-03-01", &long, "1.200006", &gap("batch", Gap::Tier));
}

#[test]
fn searches_are_billed_each_and_without_surcharge() {
    let searches = Quantities { web_searches: 3, ..Quantities::default() };
    check("claude-opus-5-5", NOW, &searches, "0.03", &[]);
    check("claude-opus-5-5", NOW, &with_terms(&searches, "", "fast", "us"), "0.03", &[]);
    check("claude-haiku-4-5", NOW, &searches, "0", &[Gap::WebSearch]);
}

#[test]
fn terms_are_read_as_transcripts_write_them() {
    assert_eq!(RequestTerms::decode(Some("standard"), Some("standard"), Some("")), RequestTerms::default());
    assert_eq!(RequestTerms::decode(None, None, Some("not_available")), RequestTerms::default());
    assert_eq!(RequestTerms::decode(Some("Priority"), None, None).tier.as_deref(), Some("priority"));
}
