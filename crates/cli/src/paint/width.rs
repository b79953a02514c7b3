//! How many columns text takes, and where it may be cut.
//!
//! A cluster is what a reader sees as one character: a letter with its accents, a flag, a family joined
//! from several people. Text is only ever cut between clusters. This is a short approximation of
//! Unicode's rules, enough to keep emoji and accents whole; it never looks at the terminal.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The mark of text that was cut.
pub const ELLIPSIS: &str = "…";

const JOINER: char = '\u{200d}';

/// The columns that `text` takes on a terminal.
pub fn columns(text: &str) -> usize {
    if is_simple(text) { text.len() } else { text.width() }
}

/// Whether every byte is one column, which spares most text the Unicode tables.
fn is_simple(text: &str) -> bool {
    text.bytes().all(|byte| (0x20..0x7f).contains(&byte))
}

/// The clusters of `text`, each with its columns.
pub fn clusters(text: &str) -> impl Iterator<Item = (&str, usize)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let end = cluster_end(rest)?;
        let (cluster, after) = rest.split_at(end);
        rest = after;
        Some((cluster, columns(cluster)))
    })
}

/// The length in bytes of the first cluster; `None` for empty text.
fn cluster_end(text: &str) -> Option<usize> {
    let mut chars = text.char_indices();
    let (_, mut last) = chars.next()?;
    let mut flag_is_open = is_flag_half(last);
    for (at, next) in chars {
        let pairs = flag_is_open && is_flag_half(next);
        let joined = last == JOINER && !next.is_ascii();
        if !(pairs || joined || extends(next)) {
            return Some(at);
        }
        flag_is_open = false;
        last = next;
    }
    Some(text.len())
}

fn is_flag_half(c: char) -> bool {
    ('\u{1f1e6}'..='\u{1f1ff}').contains(&c)
}

/// Whether the character belongs to the one before: accents, variation selectors, skin tones.
fn extends(c: char) -> bool {
    !c.is_ascii() && (('\u{1f3fb}'..='\u{1f3ff}').contains(&c) || c.width() == Some(0))
}

/// The longest start of `text` that fits `width` columns, and what follows it.
pub fn split(text: &str, width: usize) -> (&str, &str) {
    if let Some(split) = split_simple(text, width) {
        return split;
    }
    let (mut used, mut end) = (0, 0);
    for (cluster, columns) in clusters(text) {
        if used + columns > width {
            break;
        }
        used += columns;
        end += cluster.len();
    }
    text.split_at(end)
}

/// [`split`] where the start is simple and nothing after belongs to it. Looks at no more than it returns:
/// a line of megabytes is split thousands of times.
fn split_simple(text: &str, width: usize) -> Option<(&str, &str)> {
    let (start, after) = text.split_at_checked(width.min(text.len()))?;
    (is_simple(start) && !after.chars().next().is_some_and(extends)).then_some((start, after))
}

/// What is left of `text` behind the shortest start that takes `width` columns.
pub fn skip(text: &str, width: usize) -> &str {
    let (mut used, mut end) = (0, 0);
    for (cluster, columns) in clusters(text) {
        if used >= width {
            break;
        }
        used += columns;
        end += cluster.len();
    }
    &text[end..]
}

/// `text` if it fits, else its start with an ellipsis, in at most `width` columns.
pub fn cut(text: &str, width: usize) -> String {
    if columns(text) <= width {
        return text.to_owned();
    }
    let Some(room) = width.checked_sub(1) else { return String::new() };
    let (start, _) = split(text, room);
    format!("{}{ELLIPSIS}", start.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clusters_stay_whole() {
        for (text, expected) in [
            ("ab", vec![("a", 1), ("b", 1)]),
            ("日本", vec![("日", 2), ("本", 2)]),
            ("e\u{301}x", vec![("e\u{301}", 1), ("x", 1)]),
            ("👩\u{200d}👧!", vec![("👩\u{200d}👧", 2), ("!", 1)]),
            ("🇫🇷🇩🇪", vec![("🇫🇷", 2), ("🇩🇪", 2)]),
            ("👍🏽", vec![("👍🏽", 2)]),
        ] {
            assert_eq!(clusters(text).collect::<Vec<_>>(), expected, "{text:?}");
        }
    }

    #[test]
    fn cut_text_ends_in_an_ellipsis_and_fits() {
        for (text, width, expected) in [
            ("hello", 5, "hello"),
            ("hello", 4, "hel…"),
            ("hi there", 4, "hi…"),
            ("日本語", 4, "日…"),
            ("hello", 1, "…"),
            ("hello", 0, ""),
        ] {
            assert_eq!(cut(text, width), expected, "{text:?} at {width}");
        }
    }
}
