//! Snippets: the part of a unit's text where most of what was looked for stands, from the file itself.

use scrollback_index::filter;
use scrollback_index::text::{Span, UnitMatcher};
use scrollback_model::text::{Class, UnitText};

/// About how many bytes a snippet has.
const LENGTH: usize = 200;
/// How much of it stands before the first match.
const BEFORE: usize = 60;

/// A part of a text with the matches in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snippet {
    /// The class of the text that it is from.
    pub class: Class,
    /// The words, on one line.
    pub text: String,
    /// Where matches stand in it, in bytes.
    pub matches: Vec<(usize, usize)>,
}

/// The best snippet of a unit.
pub fn of(unit: &UnitText, matcher: &mut UnitMatcher<'_>) -> Option<Snippet> {
    let mut best: Option<(f32, usize, Vec<Span>)> = None;
    for (at, (class, text)) in unit.texts.iter().enumerate() {
        let spans = matcher.spans(*class, text);
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

fn cut(class: Class, text: &str, spans: &[Span]) -> Snippet {
    // The window that begins a little before the match with the most others near it.
    let near = |first: &Span| {
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
    let inside: Vec<&Span> = spans.iter().filter(|span| span.from >= start && span.to <= end).collect();
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
    use super::cut;
    use scrollback_index::text::Span;
    use scrollback_model::text::Class;

    fn check(text: &str, word: &str, expected: &str) {
        let spans: Vec<Span> =
            text.match_indices(word).map(|(from, word)| Span { from, to: from + word.len() }).collect();
        let snippet = cut(Class::Answers, text, &spans);
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
    fn matches_are_marked_in_a_window_on_one_line() {
        check("a flaky\n   test", "flaky", "a [flaky] test");
        check("nothing here", "flaky", "nothing here");
        check("éé flaky", "flaky", "éé [flaky]");
        check("aaaa", "aa", "[aaaa]");
        let long = format!("{} flaky {}", "before ".repeat(50), "after ".repeat(50));
        let snippet = cut(Class::Answers, &long, &[Span { from: 351, to: 356 }]);
        assert!(snippet.text.starts_with('…') && snippet.text.ends_with('…'), "{}", snippet.text);
        assert_eq!(&snippet.text[snippet.matches[0].0..snippet.matches[0].1], "flaky");
    }
}
