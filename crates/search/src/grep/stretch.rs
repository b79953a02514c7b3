//! Stretches: the lines of a text in which the pattern was found.

use memchr::{memchr, memrchr};
use regex_automata::meta::Regex;

use super::view::GrepText;

/// Finds the pattern in a text and adds the lines that it touches, with at most `room` matches.
///
/// False: it was not found. `room` is what is left of it, `more` is set where it was not enough.
pub fn find(
    regex: &Regex,
    text: &str,
    field: impl Fn() -> String,
    found: &mut Vec<GrepText>,
    (room, more): (&mut usize, &mut bool),
) -> bool {
    let first = found.len();
    let mut empty = false;
    for matched in regex.find_iter(text) {
        if matched.is_empty() {
            // A pattern that may be empty is so everywhere: it finds the text, but no place in it.
            empty = true;
            continue;
        }
        if *room == 0 {
            *more = true;
            break;
        }
        *room -= 1;
        let (start, end) = (matched.start(), matched.end());
        match found[first..].last_mut() {
            Some(last) if start < last.at as usize + last.text.len() => {
                let until = line_end(text, end);
                let have = last.at as usize + last.text.len();
                if until > have {
                    last.text.push_str(&text[have..until]);
                }
                last.matches.push((start as u64 - last.at, end as u64 - last.at));
            }
            _ => {
                let at = memrchr(b'\n', &text.as_bytes()[..start]).map_or(0, |newline| newline + 1);
                let lines = text[at..line_end(text, end)].to_owned();
                let matches = vec![((start - at) as u64, (end - at) as u64)];
                found.push(GrepText { field: field(), at: at as u64, text: lines, matches });
            }
        }
    }
    if empty && found.len() == first {
        let line = text[..line_end(text, 0)].to_owned();
        found.push(GrepText { field: field(), at: 0, text: line, matches: Vec::new() });
    }
    found.len() > first
}

/// The end of the line that a match ends on. A match that ends with a line break ends there.
fn line_end(text: &str, end: usize) -> usize {
    let bytes = text.as_bytes();
    if end > 0 && bytes[end - 1] == b'\n' {
        return end;
    }
    memchr(b'\n', &bytes[end..]).map_or(text.len(), |newline| end + newline)
}

#[cfg(test)]
mod tests {
    use super::*;

    type Told<'t> = (u64, &'t str, &'t [(u64, u64)]);

    fn check(pattern: &str, text: &str, room: usize, expected: &[Told<'_>], cut: bool) {
        let (mut found, mut room, mut more) = (Vec::new(), room, false);
        let regex = Regex::new(pattern).unwrap();
        assert_eq!(
            find(&regex, text, || "f".into(), &mut found, (&mut room, &mut more)),
            !expected.is_empty()
        );
        let told: Vec<_> = found.iter().map(|one| (one.at, one.text.as_str(), &one.matches[..])).collect();
        assert_eq!((told.as_slice(), more), (expected, cut), "{pattern} in {text:?}");
    }

    #[test]
    fn the_lines_of_a_match_are_whole() {
        check(
            "b",
            "abc\nxx\nbb b",
            9,
            &[(0, "abc", &[(1, 2)]), (7, "bb b", &[(0, 1), (1, 2), (3, 4)])],
            false,
        );
        check("b\nx", "ab\nxb\ny", 9, &[(0, "ab\nxb", &[(1, 4)])], false);
        check("b\n", "ab\nxb\ny", 9, &[(0, "ab\n", &[(1, 3)]), (3, "xb\n", &[(1, 3)])], false);
        check("c|b\nb", "cb\nb\nc", 9, &[(0, "cb\nb", &[(0, 1), (1, 4)]), (5, "c", &[(0, 1)])], false);
        check("zz", "ab", 9, &[], false);
    }

    #[test]
    fn empty_matches_and_too_many_are_bounded() {
        check("x*", "ab\ncd", 9, &[(0, "ab", &[])], false);
        check("", "", 9, &[(0, "", &[])], false);
        check("a", "aaaa", 2, &[(0, "aaaa", &[(0, 1), (1, 2)])], true);
    }
}
