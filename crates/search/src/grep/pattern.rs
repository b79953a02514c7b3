//! The pattern: what was typed, made into one expression that decoded texts are searched with.

use std::fmt;

use regex_automata::meta::Regex;
use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Hir, Look};

/// What to look for.
#[derive(Debug, Clone, Default)]
pub struct Pattern {
    /// The pattern as it was typed.
    pub text: String,
    /// Is it a regular expression, and not the text itself?
    pub regex: bool,
    /// Do upper and lower case not matter?
    pub ignore_case: bool,
    /// Must whole words match?
    pub words: bool,
}

/// How much memory the tables of one expression may take.
const SIZE_LIMIT: usize = 10 << 20;

impl Pattern {
    /// Does it match anywhere in a text?
    pub fn is_in(&self, text: &str) -> Result<bool, PatternError> {
        Ok(self.matcher(&self.hir()?)?.is_match(text))
    }

    /// The expression that the pattern means.
    pub(crate) fn hir(&self) -> Result<Hir, PatternError> {
        let escaped;
        let expression = if self.regex {
            &self.text
        } else {
            escaped = regex_syntax::escape(&self.text);
            &escaped
        };
        // `^` and `$` are a line's ends, as people who search lines expect.
        let mut parser = ParserBuilder::new().case_insensitive(self.ignore_case).multi_line(true).build();
        let hir = parser.parse(expression).map_err(|error| PatternError::of(&self.text, &error))?;
        if !self.words {
            return Ok(hir);
        }
        // Half boundaries: `-w` also finds a pattern that itself begins or ends with no letter.
        let (start, end) = (Hir::look(Look::WordStartHalfUnicode), Hir::look(Look::WordEndHalfUnicode));
        Ok(Hir::concat(vec![start, hir, end]))
    }

    /// The matcher of the expression.
    pub(crate) fn matcher(&self, hir: &Hir) -> Result<Regex, PatternError> {
        let config = Regex::config().nfa_size_limit(Some(SIZE_LIMIT)).utf8_empty(true);
        Regex::builder().configure(config).build_from_hir(hir).map_err(|error| PatternError {
            pattern: self.text.clone(),
            place: None,
            message: match error.size_limit() {
                Some(_) => "too large".to_owned(),
                None => error.to_string(),
            },
        })
    }
}

/// Why a pattern cannot be searched for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PatternError {
    /// The pattern.
    pub pattern: String,
    /// The bytes of it that are wrong.
    pub place: Option<(usize, usize)>,
    /// What is wrong.
    pub message: String,
}

impl PatternError {
    fn of(pattern: &str, error: &regex_syntax::Error) -> Self {
        let (place, message) = match error {
            regex_syntax::Error::Parse(error) => (Some(error.span()), error.kind().to_string()),
            regex_syntax::Error::Translate(error) => (Some(error.span()), error.kind().to_string()),
            other => (None, other.to_string()),
        };
        let place = place.map(|span| (span.start.offset, span.end.offset));
        Self { pattern: pattern.to_owned(), place, message }
    }
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "invalid regular expression: {}", self.message)
    }
}

impl std::error::Error for PatternError {}

#[cfg(test)]
mod tests {
    use super::Pattern;

    fn check(pattern: &Pattern, text: &str, expected: &[(usize, usize)]) {
        let hir = pattern.hir().unwrap();
        let found: Vec<_> = pattern
            .matcher(&hir)
            .unwrap()
            .find_iter(text)
            .map(|found| (found.start(), found.end()))
            .collect();
        assert_eq!(found, expected, "{pattern:?} in {text:?}");
    }

    fn of(text: &str, flags: &str) -> Pattern {
        let has = |flag: char| flags.contains(flag);
        Pattern { text: text.to_owned(), regex: has('e'), ignore_case: has('i'), words: has('w') }
    }

    #[test]
    fn flags_mean_what_they_say() {
        check(&of("a.c", ""), "abc a.c", &[(4, 7)]);
        check(&of("a.c", "e"), "abc a.c", &[(0, 3), (4, 7)]);
        check(&of("ÄB", "i"), "äb Äb", &[(0, 3), (4, 7)]);
        check(&of("ab", "w"), "ab abc _ab ab.", &[(0, 2), (11, 13)]);
        check(&of("-x", "w"), "a -x -xy", &[(2, 4)]);
        check(&of("^b$", "e"), "a\nb\nc", &[(2, 3)]);
    }

    #[test]
    fn a_bad_pattern_is_an_error_with_its_place() {
        let check = |text: &str, message: &str, place| {
            let error = of(text, "e").hir().unwrap_err();
            assert_eq!((error.message.as_str(), error.place), (message, Some(place)), "{text}");
        };
        check("fo(o", "unclosed group", (2, 3));
        check("ü[z-a]", "invalid character class range, the start must be <= the end", (3, 6));
        assert!(of("(a{1000}){1000}", "e").hir().and_then(|hir| of("x", "e").matcher(&hir)).is_err());
    }
}
