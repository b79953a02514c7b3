//! The table as a fold over releases of the list.
//!
//! A release may complete a row (a price that was missing is no change), change it (a number differs, or the prices of
//! long requests, a tier or a surcharge are gone: the row ends on the day of the release and another begins), or have
//! forgotten the model (its last row stays: transcripts do not forget). The list has no days of its own, so a change is dated
//! by the release that first has it.

use std::collections::BTreeMap;
use std::fmt;

use scrollback_pricing::{PriceRow, Rate, Rates, Release};

use super::facts::{self, Facts, in_words};
use super::list::Listed;

/// Something that a release says anew.
#[derive(Debug, PartialEq, Eq)]
pub enum Change {
    /// A model that was not in the table.
    New(String),
    /// A number that differs.
    Changed { model: String, fact: String, was: i128, is: i128 },
    /// A price that is no longer named.
    Dropped { model: String, fact: String, was: i128 },
    /// A price that was not named before.
    Added { model: String, fact: String, is: i128 },
    /// A model that the release before still had.
    Gone(String),
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::New(model) => write!(f, "new: {model}"),
            Self::Changed { model, fact, was, is } => {
                write!(f, "changed: {model} {fact} {} -> {}", in_words(fact, *was), in_words(fact, *is))
            }
            Self::Dropped { model, fact, was } => {
                write!(f, "dropped: {model} {fact} {}", in_words(fact, *was))
            }
            Self::Added { model, fact, is } => write!(f, "added: {model} {fact} {}", in_words(fact, *is)),
            Self::Gone(model) => write!(f, "gone: {model}, its last prices stay"),
        }
    }
}

/// Adds a release to the rows; returns what it says anew.
pub fn apply(
    rows: &mut Vec<PriceRow>,
    models: &BTreeMap<String, Listed>,
    package: &str,
    release: &Release,
) -> Result<Vec<Change>, String> {
    let source = format!("{package} {}", release.version);
    let before = rows.iter().map(|row| (row.source_date, row.source.clone())).max();
    let mut changes = Vec::new();
    for row in rows.iter().filter(|row| row.until.is_none() && !models.contains_key(&row.model)) {
        if before.as_ref().is_some_and(|(_, source)| *source == row.source) {
            changes.push(Change::Gone(row.model.clone()));
        }
    }
    for (model, listed) in models {
        let mut new = PriceRow { source: source.clone(), source_date: release.date, ..blank(model)? };
        new.names.clone_from(&listed.names);
        let Some(open) = rows.iter_mut().find(|row| row.model == *model && row.until.is_none()) else {
            facts::into_row(&listed.facts, &mut new)?;
            changes.push(Change::New(model.clone()));
            rows.push(new);
            continue;
        };
        let known = facts::of_row(open);
        let differences = compare(model, &known, &listed.facts);
        let ends = differences.iter().any(|change| !matches!(change, Change::Added { .. }));
        new.names.extend(open.names.iter().cloned());
        new.names.sort();
        new.names.dedup();
        facts::into_row(&joined(&known, &listed.facts, ends), &mut new)?;
        changes.extend(differences);
        if ends {
            new.from = release.date;
            open.until = release.date;
            rows.push(new);
        } else {
            new.from = open.from;
            *open = new;
        }
    }
    Ok(changes)
}

fn compare(model: &str, known: &Facts, listed: &Facts) -> Vec<Change> {
    let model = || model.to_owned();
    let mut changes = Vec::new();
    for (fact, was) in known {
        match listed.get(fact) {
            Some(is) if is != was => {
                changes.push(Change::Changed { model: model(), fact: fact.clone(), was: *was, is: *is });
            }
            // A single price that is left out was forgotten; a whole kind of prices was given up.
            None if is_of_a_kind(fact) && !has_kind(fact, listed) => {
                changes.push(Change::Dropped { model: model(), fact: fact.clone(), was: *was });
            }
            _ => {}
        }
    }
    let added = listed.iter().filter(|(fact, _)| !known.contains_key(*fact));
    changes.extend(added.map(|(fact, is)| Change::Added { model: model(), fact: fact.clone(), is: *is }));
    changes
}

fn is_of_a_kind(fact: &str) -> bool {
    fact.contains('.')
}

/// Are there other facts of the same kind? Each surcharge is a kind of its own.
fn has_kind(fact: &str, facts: &Facts) -> bool {
    let Some((kind, _)) = fact.rsplit_once('.').filter(|_| !fact.starts_with("factor.")) else {
        return false;
    };
    facts.keys().any(|other| other.rsplit_once('.').is_some_and(|(other, _)| other == kind))
}

/// What holds from now on: the list, and what it left out of what was known and still fits.
fn joined(known: &Facts, listed: &Facts, ends: bool) -> Facts {
    let mut facts = listed.clone();
    for (fact, was) in known {
        let prefix = fact.rsplit_once('.').map_or(String::new(), |(kind, _)| format!("{kind}."));
        let input = format!("{prefix}input");
        let same_input = listed.get(&input) == known.get(&input);
        let stays = if is_of_a_kind(fact) { !ends || has_kind(fact, listed) } else { true };
        if stays && (same_input || fact == "web_search") {
            facts.entry(fact.clone()).or_insert(*was);
        }
    }
    facts
}

/// A row without prices, to be filled.
fn blank(model: &str) -> Result<PriceRow, String> {
    let zero = Rate::default();
    let (rates, _) = Rates::complete([zero, zero], None, None, None).ok_or("zero is not exact")?;
    Ok(PriceRow {
        model: model.to_owned(),
        from: None,
        until: None,
        rates,
        web_search: None,
        long_context: None,
        tiers: BTreeMap::new(),
        factors: BTreeMap::new(),
        derived: Vec::new(),
        names: Vec::new(),
        source: String::new(),
        source_date: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Applies releases of one model, each a list of facts (none: the model is not listed), and tells rows and changes.
    fn told(releases: &[&[(&str, i128)]]) -> (Vec<String>, Vec<String>) {
        let mut rows = Vec::new();
        let mut changes = Vec::new();
        for (number, facts) in (1..).zip(releases) {
            let facts: Facts = facts.iter().map(|(name, number)| ((*name).to_owned(), *number)).collect();
            let listed = (!facts.is_empty()).then(|| {
                ("claude-x-9".to_owned(), Listed { names: vec![format!("claude-x-9-{number}")], facts })
            });
            // Another model that never changes: it tells which release came before.
            let other = Listed {
                names: Vec::new(),
                facts: [("input".to_owned(), 1_000_000), ("output".to_owned(), 0)].into(),
            };
            let models = listed.into_iter().chain([("claude-y-1".to_owned(), other)]).collect();
            let release =
                Release { version: number.to_string(), date: format!("2026-01-0{number}").parse().ok() };
            let new = apply(&mut rows, &models, "list", &release).unwrap();
            changes.extend(new.iter().map(ToString::to_string).filter(|change| !change.contains("claude-y")));
        }
        let day = |day: Option<jiff::civil::Date>| day.map_or("-".to_owned(), |day| day.day().to_string());
        let rows = rows.iter().filter(|row| row.model == "claude-x-9").map(|row| {
            let facts: Vec<String> =
                facts::of_row(row).iter().map(|(name, number)| format!("{name}={number}")).collect();
            format!(
                "{}..{} {} ({}, {} names)",
                day(row.from),
                day(row.until),
                facts.join(" "),
                row.source,
                row.names.len()
            )
        });
        (rows.collect(), changes)
    }

    const BASE: [(&str, i128); 2] = [("input", 1_000_000), ("output", 5_000_000)];

    #[test]
    fn what_was_missing_completes_the_row() {
        let (rows, changes) =
            told(&[&BASE, &[BASE[0], BASE[1], ("cache_write_1h", 2_000_000), ("factor.us", 1_100)]]);
        assert_eq!(
            rows,
            ["-..- cache_write_1h=2000000 factor.us=1100 input=1000000 output=5000000 (list 2, 2 names)"]
        );
        assert_eq!(
            changes,
            ["new: claude-x-9", "added: claude-x-9 cache_write_1h $2/M", "added: claude-x-9 factor.us 1.1"]
        );
    }

    #[test]
    fn a_number_that_differs_begins_another_row() {
        let (rows, changes) = told(&[&BASE, &[BASE[0], ("output", 4_000_000)]]);
        assert_eq!(
            rows,
            [
                "-..2 input=1000000 output=5000000 (list 1, 1 names)",
                "2..- input=1000000 output=4000000 (list 2, 2 names)"
            ]
        );
        assert_eq!(changes[1], "changed: claude-x-9 output $5/M -> $4/M");
    }

    #[test]
    fn prices_of_a_kind_that_are_given_up_end_the_row() {
        let long = [("long.above", 200_000), ("long.input", 2_000_000), ("long.output", 6_000_000)];
        let (rows, changes) = told(&[&[BASE[0], BASE[1], long[0], long[1], long[2]], &BASE, &BASE]);
        assert_eq!(
            rows,
            [
                "-..2 input=1000000 long.above=200000 long.input=2000000 long.output=6000000 output=5000000 (list 1, 1 names)",
                "2..- input=1000000 output=5000000 (list 3, 3 names)"
            ]
        );
        assert_eq!(changes.len(), 4);
        assert_eq!(changes[1], "dropped: claude-x-9 long.above 200000 tokens");
    }

    #[test]
    fn a_single_price_that_is_left_out_stays() {
        let (rows, changes) = told(&[&[BASE[0], BASE[1], ("cache_read", 50_000), ("web_search", 1)], &BASE]);
        assert_eq!(
            rows,
            ["-..- cache_read=50000 input=1000000 output=5000000 web_search=1 (list 2, 2 names)"]
        );
        assert_eq!(changes, ["new: claude-x-9"]);
    }

    #[test]
    fn cache_prices_do_not_outlive_the_input_price_they_belong_to() {
        let (rows, _) = told(&[
            &[BASE[0], BASE[1], ("cache_read", 50_000), ("web_search", 1)],
            &[("input", 2_000_000), BASE[1]],
        ]);
        assert_eq!(rows[1], "2..- input=2000000 output=5000000 web_search=1 (list 2, 2 names)");
    }

    #[test]
    fn a_model_that_is_forgotten_keeps_its_last_row() {
        let (rows, changes) = told(&[&BASE, &[], &[]]);
        assert_eq!(rows, ["-..- input=1000000 output=5000000 (list 1, 1 names)"]);
        assert_eq!(changes, ["new: claude-x-9", "gone: claude-x-9, its last prices stay"]);
    }
}
