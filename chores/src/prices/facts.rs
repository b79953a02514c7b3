//! The prices of a row as a flat list of names and integers, which is what releases are compared by.
//!
//! `input`, `long.above`, `long.output`, `batch.input`, `batch.long.input`, `factor.fast`, `web_search`. Rates are
//! pico-dollars a token, factors thousandths. What a rule derived is no fact.

use std::collections::{BTreeMap, BTreeSet};

use scrollback_pricing::{Factor, LongContext, Money, PriceRow, Rate, Rates, TierRates};

/// Facts by name.
pub type Facts = BTreeMap<String, i128>;

/// What a row states.
pub fn of_row(row: &PriceRow) -> Facts {
    let mut facts = Facts::new();
    let mut add = |prefix: &str, rates: &Rates| {
        for (name, rate) in rates.named() {
            let name = format!("{prefix}{name}");
            if !row.derived.contains(&name) {
                facts.insert(name, rate.per_token().pico());
            }
        }
    };
    add("", &row.rates);
    if let Some(long) = &row.long_context {
        add("long.", &long.rates);
    }
    for (word, tier) in &row.tiers {
        add(&format!("{word}."), &tier.rates);
        if let Some(long) = &tier.long_context {
            add(&format!("{word}.long."), long);
        }
    }
    facts.extend(row.long_context.map(|long| ("long.above".to_owned(), i128::from(long.above))));
    facts.extend(row.web_search.map(|price| ("web_search".to_owned(), price.pico())));
    let factors = row.factors.iter();
    facts.extend(factors.map(|(word, factor)| (format!("factor.{word}"), factor.thousandths())));
    facts
}

/// The prices that facts give a row, with what the rules derive. Everything else of the row is left as it is.
pub fn into_row(facts: &Facts, row: &mut PriceRow) -> Result<(), String> {
    let mut derived = Vec::new();
    let mut rates =
        |prefix: &str| rates(facts, prefix, &mut derived).map_err(|cause| format!("{}: {cause}", row.model));
    row.rates = rates("")?.ok_or_else(|| format!("{} has no input or output price", row.model))?;
    let above = facts.get("long.above").and_then(|above| u64::try_from(*above).ok());
    row.long_context = match above {
        Some(above) => rates("long.")?.map(|rates| LongContext { above, rates }),
        None => None,
    };
    row.tiers.clear();
    for word in tiers(facts) {
        let Some(of_tier) = rates(&format!("{word}."))? else { continue };
        let long_context = rates(&format!("{word}.long."))?;
        row.tiers.insert(word, TierRates { rates: of_tier, long_context });
    }
    row.derived = derived;
    row.web_search = facts.get("web_search").map(|pico| Money::from_pico(*pico));
    row.factors = facts
        .iter()
        .filter_map(|(name, number)| {
            Some((name.strip_prefix("factor.")?.to_owned(), Factor::from_thousandths(*number)?))
        })
        .collect();
    row.check().map_err(|cause| cause.to_string())
}

/// The words of service tiers: whatever stands before the first point and is nothing else.
fn tiers(facts: &Facts) -> BTreeSet<String> {
    let words = facts.keys().filter_map(|name| name.split_once('.')).map(|(word, _)| word);
    words.filter(|word| !matches!(*word, "long" | "factor")).map(str::to_owned).collect()
}

/// The five rates behind a prefix; None where the list names no input or no output.
fn rates(facts: &Facts, prefix: &str, derived: &mut Vec<String>) -> Result<Option<Rates>, String> {
    let rate = |name: &str| facts.get(&format!("{prefix}{name}")).and_then(|pico| Rate::from_pico(*pico));
    let (Some(input), Some(output)) = (rate("input"), rate("output")) else { return Ok(None) };
    let (rates, names) =
        Rates::complete([input, output], rate("cache_read"), rate("cache_write_5m"), rate("cache_write_1h"))
            .ok_or_else(|| format!("a derived price of {prefix}input is not exact"))?;
    derived.extend(names.into_iter().map(|name| format!("{prefix}{name}")));
    Ok(Some(rates))
}

/// A fact for people: dollars per million tokens where it is a rate.
pub fn in_words(name: &str, number: i128) -> String {
    let last = name.rsplit('.').next().unwrap_or_default();
    match last {
        "above" => format!("{number} tokens"),
        "web_search" => format!("${} each", Money::from_pico(number)),
        _ if name.starts_with("factor.") => scrollback_pricing::print_decimal(number, 3),
        _ => format!("${}/M", scrollback_pricing::print_decimal(number, 6)),
    }
}
