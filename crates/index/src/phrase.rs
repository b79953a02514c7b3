//! Tokens that stand side by side, found in a text token by token.

use crate::token::Token;

/// Where a match stands in a text, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct MatchSpan {
    /// Its first byte.
    pub from: usize,
    /// After its last.
    pub to: usize,
}

/// Finds tokens that stand side by side, fed one after the other.
#[derive(Debug, Clone)]
pub struct Matcher<'w> {
    tokens: &'w [String],
    prefix: bool,
    /// Matches under way: how many tokens are matched, the position of the last one, where it began.
    open: Vec<(usize, usize, usize)>,
    pub(crate) spans: Vec<MatchSpan>,
}

/// A matcher of these tokens; `prefix`: the last one may go on.
pub fn match_words(tokens: &[String], prefix: bool) -> Matcher<'_> {
    Matcher { tokens, prefix, open: Vec::new(), spans: Vec::new() }
}

impl Matcher<'_> {
    /// Takes the next token of a text.
    pub fn token(&mut self, token: &Token<'_>) {
        let (tokens, prefix) = (self.tokens, self.prefix);
        let fits = |at: usize| {
            tokens.get(at).is_some_and(|wanted| {
                let last = at + 1 == tokens.len();
                if last && prefix { token.text.starts_with(wanted.as_str()) } else { token.text == wanted }
            })
        };
        let mut went_on = Vec::new();
        for &(matched, position, from) in &self.open {
            if position + 1 == token.position && fits(matched) {
                went_on.push((matched + 1, token.position, from));
            }
        }
        // A whole and its first part have the same position: what waits for the next one waits on.
        self.open.retain(|(_, position, _)| *position + 1 >= token.position);
        if fits(0) {
            went_on.push((1, token.position, token.from));
        }
        for (matched, position, from) in went_on {
            if matched == tokens.len() {
                self.spans.push(MatchSpan { from, to: token.to });
            } else if !self.open.contains(&(matched, position, from)) {
                self.open.push((matched, position, from));
            }
        }
    }

    /// Ends a text: what comes next stands elsewhere.
    pub fn end(&mut self) {
        self.open.clear();
    }

    /// Was it found?
    pub fn found(&self) -> bool {
        !self.spans.is_empty()
    }

    /// Where it was found.
    pub fn spans(&self) -> &[MatchSpan] {
        &self.spans
    }
}
