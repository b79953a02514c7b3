//! A cheap look at raw lines: could a unit that this line tells of match? Only then is it taken apart.
//!
//! A line of plain ASCII without `\u` escapes can hold an ASCII token only as its very letters, in some case. What is
//! folded (accents, full-width letters) or escaped is never ruled out.

use regex_automata::meta::Regex;
use regex_automata::util::syntax;
use scrollback_index::query::Expr;

/// Tells which lines are worth a closer look.
#[derive(Debug)]
pub struct Prefilter {
    needles: Option<Regex>,
    /// Every token that is needed has letters beyond ASCII: plain lines cannot have it.
    beyond_ascii: bool,
}

/// Lines that name a file with more text: what is needed may stand there.
const ELSEWHERE: [&str; 2] = ["full output saved to", "persistedoutputpath"];

impl Prefilter {
    /// The prefilter of a query.
    pub fn of(query: &Expr) -> Self {
        match query.necessary() {
            Some(tokens) => Self::of_tokens(&tokens),
            None => Self { needles: None, beyond_ascii: false },
        }
    }

    /// Of texts in which the words of a query stand at all.
    pub fn of_words(query: &Expr) -> Self {
        let wanted = query.wanted().into_iter();
        let longest = wanted.filter_map(|words| words.tokens.iter().max_by_key(|token| token.len()));
        Self::of_tokens(&longest.map(String::as_str).collect::<Vec<&str>>())
    }

    fn of_tokens(tokens: &[&str]) -> Self {
        let ascii: Vec<&str> = tokens.iter().copied().filter(|token| token.is_ascii()).collect();
        let beyond_ascii = ascii.is_empty();
        let patterns: Vec<String> = ascii.into_iter().chain(ELSEWHERE).map(regex_syntax::escape).collect();
        let config = syntax::Config::new().case_insensitive(true).unicode(false).utf8(false);
        let needles = Regex::builder().syntax(config).build_many(&patterns).ok();
        Self { needles, beyond_ascii }
    }

    /// Is nothing ruled out?
    pub fn passes_all(&self) -> bool {
        self.needles.is_none() && !self.beyond_ascii
    }

    /// Could this line hold what is needed?
    pub fn passes(&self, line: &[u8]) -> bool {
        let plain_hit = self.needles.as_ref().is_none_or(|needles| needles.is_match(line));
        plain_hit || memchr::memmem::find(line, b"\\u").is_some() || has_letters_beyond_ascii(line)
    }
}

/// Has a line characters beyond ASCII that are part of words? Arrows, bullets, dashes and box drawings are not.
fn has_letters_beyond_ascii(line: &[u8]) -> bool {
    let mut at = 0;
    while let Some(step) = line[at..].iter().position(|byte| !byte.is_ascii()) {
        at += step;
        let second = line.get(at + 1).copied().unwrap_or(0);
        let inert = match line[at] {
            // U+2000..U+203F; U+2190..U+23FF; U+2500..U+2BFF: dashes, arrows, frames and signs.
            0xE2 => {
                let third = line.get(at + 2).copied().unwrap_or(0);
                second == 0x80
                    || (second == 0x86 && third >= 0x90)
                    || (0x87..=0x8F).contains(&second)
                    || (0x94..=0xAF).contains(&second)
            }
            // Emoji, but not the letters in squares and circles among them.
            0xF0 => second == 0x9F && !matches!(line.get(at + 2), Some(0x84..=0x87)),
            _ => false,
        };
        if !inert {
            return true;
        }
        at += if line[at] == 0xF0 { 4 } else { 3 };
        if at >= line.len() {
            return false;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::{Prefilter, has_letters_beyond_ascii};
    use scrollback_index::query::parse;

    fn check(query: &str, line: &str, passes: bool) {
        let query = parse(query, &|_| Err(String::new())).unwrap();
        assert_eq!(Prefilter::of(&query).passes(line.as_bytes()), passes, "{line}");
    }

    #[test]
    fn only_lines_that_cannot_match_are_ruled_out() {
        check("flaky", "{\"text\":\"a FLAKY test\"}", true);
        check("flaky", "{\"text\":\"a test\"}", false);
        check("flaky", "{\"text\":\"\\u0066laky\"}", true);
        check("cafe", "{\"text\":\"un café\"}", true);
        check("cafe", "{\"text\":\"1→tea — ok ✓ 👍\"}", false);
        check("天気", "{\"text\":\"plain\"}", false);
        check("天気", "{\"text\":\"天気\"}", true);
        check("a OR flaky", "{\"text\":\"b\"}", false);
        check("tool:Bash", "{}", true);
        check("flaky", "Full output saved to: x", true);
    }

    #[test]
    fn signs_are_told_from_letters() {
        for (text, letters) in
            [("→ – • ─ ✓ 👍", false), ("é", true), ("x²", true), ("Ⓐ", true), ("🄰", true), ("", false)]
        {
            assert_eq!(has_letters_beyond_ascii(text.as_bytes()), letters, "{text}");
        }
    }
}
