//! Which prompts match some words.

use super::PromptEntry;
use crate::fuzzy::Word;

/// Least points a letter, and how many fewer are enough in all: as for prompts in a picker.
const FLOOR: u32 = 10;
const SLACK: u32 = 2;

/// The prompts that have all words, in their order; where none has, those near them, nearest first, and `true`.
pub(super) fn fitting<'r>(
    entries: Vec<PromptEntry<'r>>,
    words: &[String],
    exact: bool,
) -> (Vec<PromptEntry<'r>>, bool) {
    if words.is_empty() {
        return (entries, false);
    }
    if exact {
        let phrase = words.join(" ");
        let has = |entry: &PromptEntry<'_>| texts(entry).any(|text| text.contains(&phrase));
        return (entries.into_iter().filter(has).collect(), false);
    }
    let lower: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    let has = |entry: &PromptEntry<'_>| {
        let text: Vec<String> = texts(entry).map(str::to_lowercase).collect();
        lower.iter().all(|word| text.iter().any(|text| text.contains(word.as_str())))
    };
    if entries.iter().any(has) {
        return (entries.into_iter().filter(has).collect(), false);
    }
    near(entries, words)
}

/// What was typed, and what an entry itself says was pasted.
fn texts<'e>(entry: &'e PromptEntry<'_>) -> impl Iterator<Item = &'e str> {
    let pasted = entry.prompt.pastes.iter().filter_map(|paste| paste.content.as_deref());
    std::iter::once(entry.prompt.display.as_str()).chain(pasted)
}

fn near<'r>(entries: Vec<PromptEntry<'r>>, words: &[String]) -> (Vec<PromptEntry<'r>>, bool) {
    let texts: Vec<&str> = entries.iter().map(|entry| entry.prompt.display.as_str()).collect();
    let mut points: Vec<Option<u32>> = vec![Some(0); entries.len()];
    for word in words {
        let least = (FLOOR * word.chars().count() as u32).saturating_sub(SLACK);
        let mut own = vec![None; entries.len()];
        for (at, score) in Word::new(word).scores(&texts) {
            own[at] = (score >= least).then_some(score);
        }
        for (sum, own) in points.iter_mut().zip(own) {
            *sum = sum.zip(own).map(|(sum, own)| sum + own);
        }
    }
    let mut found: Vec<(u32, PromptEntry<'r>)> =
        entries.into_iter().zip(points).filter_map(|(entry, points)| Some((points?, entry))).collect();
    // Stable: what fits equally well stays newest first.
    found.sort_by_key(|(points, _)| std::cmp::Reverse(*points));
    let any = !found.is_empty();
    (found.into_iter().map(|(_, entry)| entry).collect(), any)
}
