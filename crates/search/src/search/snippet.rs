//! Snippets: the part of a unit's text where most of what was looked for stands, from the file itself.

use scrollback_index::filter;
use scrollback_index::query::Expr;
use scrollback_index::text::{MatchSpan, UnitMatcher};
use scrollback_model::text::{TextClass, UnitText};

use super::prefilter::Prefilter;

/// About how many bytes a snippet has.
const LENGTH: usize = 200;
/// How much of it stands before the first match.
const BEFORE: usize = 60;

/// A part of a text with the matches in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snippet {
    /// The class of the text that it is from.
    pub class: TextClass,
    /// The words, on one line.
    pub text: String,
    /// Where matches stand in it, in bytes.
    pub matches: Vec<(usize, usize)>,
}

/// A longer text is looked through in stretches of this length, until there are enough matches for a snippet.
const STRETCH: usize = 64 << 10;
/// So much of a stretch is looked at again with the next one: a phrase may stand on both sides.
const OVERLAP: usize = 1 << 10;
/// Maximum number of matches in a snippet.
const ENOUGH: usize = 8;

/// Finds where the words of a query stand in texts.
#[derive(Debug)]
pub struct Finder<'q> {
    matcher: UnitMatcher<'q>,
    prefilter: Prefilter,
}

impl<'q> Finder<'q> {
    /// Of this query.
    pub fn new(query: &'q Expr) -> Self {
        Self { matcher: UnitMatcher::new(query), prefilter: Prefilter::of_words(query) }
    }

    /// Where matches stand in a text: all of them, or enough of them if the text is long.
    fn spans(&mut self, class: TextClass, text: &str) -> Vec<MatchSpan> {
        let (mut from, mut spans) = (0, Vec::new());
        while from < text.len() && spans.len() < ENOUGH {
            let end = if text.len() - from <= STRETCH { text.len() } else { word_end(text, from + STRETCH) };
            let stretch = &text[from..end];
            // Most stretches of a long text hold none of the words, which is told much faster than what they hold.
            if end - from < OVERLAP || self.prefilter.passes(stretch.as_bytes()) {
                let found = self.matcher.spans(class, stretch).into_iter();
                spans.extend(found.map(|span| MatchSpan { from: span.from + from, to: span.to + from }));
            }
            from = if end == text.len() { end } else { word_end(text, end - OVERLAP) };
        }
        spans.sort_unstable();
        spans.dedup();
        spans
    }
}

/// The end of a word near `at`.
fn word_end(text: &str, at: usize) -> usize {
    let at = boundary(text, at);
    let near = boundary(text, at + OVERLAP / 2);
    text[at..near].find(|c: char| !c.is_alphanumeric()).map_or(at, |end| at + end)
}

/// The best snippet of a unit.
pub fn of(unit: &UnitText, finder: &mut Finder<'_>) -> Option<Snippet> {
    let mut best: Option<(f32, usize, Vec<MatchSpan>)> = None;
    for (at, (class, text)) in unit.texts.iter().enumerate() {
        let spans = finder.spans(*class, text);
        // A call's first text is its tool's name, which says little beside what it was given.
        let plain = if at == 0 && unit.tool.is_some() { 0.05 } else { 0.1 };
        let value = filter::weight(*class) * (plain + (spans.len() as f32).min(8.0));
        if best.as_ref().is_none_or(|(known, _, _)| value > *known) {
            best = Some((value, at, spans));
        }
    }
    let (_, at, spans) = best?;
    let (class, text) = unit.texts.get(at)?;
    Some(cut(*class, text, &spans))
}

fn cut(class: TextClass, text: &str, spans: &[MatchSpan]) -> Snippet {
    // The window that begins a little before the match with the most others near it.
    let near = |first: &MatchSpan| {
        let reach = first.from + LENGTH - BEFORE;
        spans.iter().filter(|span| span.from >= first.from && span.to <= reach).count()
    };
    let first = spans.iter().take(1000).max_by_key(|first| (near(first), std::cmp::Reverse(first.from)));
    let start = first.map_or(0, |span| span.from.saturating_sub(BEFORE));
    let start = word_start(text, start);
    let end = boundary(text, start.saturating_add(LENGTH).max(first.map_or(0, |span| span.to)));
    let mut snippet = Snippet { class, text: String::new(), matches: Vec::new() };
    if start > 0 {
        snippet.text.push('…');
    }
    let mut space = false;
    let inside: Vec<&MatchSpan> = spans.iter().filter(|span| span.from >= start && span.to <= end).collect();
    let mut open: Vec<(usize, usize)> = Vec::new();
    for (at, c) in text[start..end].char_indices().map(|(at, c)| (at + start, c)) {
        open.retain(|(from, to)| {
            if *to <= at {
                snippet.matches.push((*from, snippet.text.len()));
            }
            *to > at
        });
        if c.is_whitespace() {
            space = true;
            continue;
        }
        if std::mem::take(&mut space) && !snippet.text.is_empty() && !snippet.text.ends_with(' ') {
            snippet.text.push(' ');
        }
        for span in inside.iter().filter(|span| span.from == at) {
            open.push((snippet.text.len(), span.to));
        }
        snippet.text.push(c);
    }
    let len = snippet.text.len();
    snippet.matches.extend(open.into_iter().map(|(from, _)| (from, len)));
    if end < text.len() && !text[end..].trim().is_empty() {
        snippet.text.push('…');
    }
    merge(&mut snippet.matches);
    snippet
}

/// Matches that overlap are one.
fn merge(matches: &mut Vec<(usize, usize)>) {
    matches.sort_unstable();
    let mut merged: Vec<(usize, usize)> = Vec::new();
    for &(from, to) in matches.iter() {
        match merged.last_mut() {
            Some(last) if from <= last.1 => last.1 = last.1.max(to),
            _ => merged.push((from, to)),
        }
    }
    *matches = merged;
}

fn boundary(text: &str, at: usize) -> usize {
    let at = at.min(text.len());
    (at..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len())
}

/// The start of a word at or after `at`, if one is near.
fn word_start(text: &str, at: usize) -> usize {
    let at = boundary(text, at);
    if at == 0 {
        return 0;
    }
    let near = boundary(text, at + 20);
    match text[at..near].find(char::is_whitespace) {
        Some(space) => boundary(text, at + space + 1),
        None => at,
    }
}

#[cfg(test)]
mod tests {
    use super::{Finder, OVERLAP, STRETCH, cut};
    use scrollback_index::query::parse;
    use scrollback_index::text::MatchSpan;
    use scrollback_model::text::TextClass;

    fn check(text: &str, word: &str, expected: &str) {
        let spans: Vec<MatchSpan> =
            text.match_indices(word).map(|(from, word)| MatchSpan { from, to: from + word.len() }).collect();
        let snippet = cut(TextClass::Answers, text, &spans);
        let mut shown = String::new();
        let mut at = 0;
        for (from, to) in &snippet.matches {
            shown += &format!("{}[{}]", &snippet.text[at..*from], &snippet.text[*from..*to]);
            at = *to;
        }
        shown += &snippet.text[at..];
        assert_eq!(shown, expected);
    }

    #[test]
    fn words_are_found_wherever_they_stand_in_a_long_text() {
        let query = parse("\"flaky test\" OR café", &|_| Err(String::new())).unwrap();
        let mut finder = Finder::new(&query);
        // Every place at which a stretch may end, a little before it and a little after it.
        for at in
            (STRETCH - 2 * OVERLAP..STRETCH + OVERLAP).step_by(7).chain([5, 3 * STRETCH, 3 * STRETCH + 300])
        {
            for found in ["Flaky Test", "cafés Café"] {
                let mut text = "words and other_words ".repeat(at / 22 + 1);
                text.truncate(at);
                text += &format!(" {found} {}", "later ".repeat(20_000));
                let spans = finder.spans(TextClass::Output, &text);
                let found: Vec<&str> = spans.iter().map(|span| &text[span.from..span.to]).collect();
                assert!(found == ["Flaky Test"] || found == ["Café"], "{at}: {found:?}");
            }
        }
    }

    #[test]
    fn matches_are_marked_in_a_window_on_one_line() {
        check("a flaky\n   test", "flaky", "a [flaky] test");
        check("nothing here", "flaky", "nothing here");
        check("éé flaky", "flaky", "éé [flaky]");
        check("aaaa", "aa", "[aaaa]");
        let long = format!("{} flaky {}", "before ".repeat(50), "after ".repeat(50));
        let snippet = cut(TextClass::Answers, &long, &[MatchSpan { from: 351, to: 356 }]);
        assert!(snippet.text.starts_with('…') && snippet.text.ends_with('…'), "{}", snippet.text);
        assert_eq!(&snippet.text[snippet.matches[0].0..snippet.matches[0].1], "flaky");
    }
}
