//! Matching without an index: the words of a query against the texts of one unit.

use scrollback_model::text::{TextClass, UnitText};

use crate::filter::{self, FileFacts};
use crate::phrase::{MatchSpan, Matcher, match_words};
use crate::query::{AdjacentWords, Expr};
use crate::token::Tokenizer;

/// Matches units against a query, one after the other.
#[derive(Debug)]
pub struct UnitMatcher<'q> {
    query: &'q Expr,
    wanted: Vec<&'q AdjacentWords>,
    tokenizer: Tokenizer,
}

impl<'q> UnitMatcher<'q> {
    /// A matcher of this query.
    pub fn new(query: &'q Expr) -> Self {
        Self { query, wanted: all_words(query), tokenizer: Tokenizer::default() }
    }

    /// Does the unit match? If so: how well, without any statistics of a whole store.
    pub fn matches(&mut self, unit: &UnitText, facts: &FileFacts) -> Option<f32> {
        let mut counts: Vec<[u32; TextClass::ALL.len()]> = vec![[0; TextClass::ALL.len()]; self.wanted.len()];
        let mut matchers: Vec<Matcher<'_>> =
            self.wanted.iter().map(|words| match_words(&words.tokens, words.prefix)).collect();
        for (class, text) in &unit.texts {
            self.tokenizer.each(text, |token| matchers.iter_mut().for_each(|matcher| matcher.token(&token)));
            for (at, matcher) in matchers.iter_mut().enumerate() {
                counts[at][*class as usize] += matcher.spans.len() as u32;
                matcher.spans.clear();
                matcher.end();
            }
        }
        let wanted = &self.wanted;
        let mut has = |words: &AdjacentWords| {
            let at = wanted.iter().position(|known| *known == words);
            at.is_some_and(|at| {
                TextClass::ALL
                    .iter()
                    .any(|class| words.classes.has(*class) && counts[at][*class as usize] > 0)
            })
        };
        self.query.holds(&mut has, &|filter| filter::holds(filter, unit, facts)).then(|| {
            let mut score = 0.1;
            for (words, counts) in wanted.iter().zip(&counts) {
                for class in TextClass::ALL.into_iter().filter(|class| words.classes.has(*class)) {
                    let count = counts[class as usize] as f32;
                    score += filter::weight(class) * words.tokens.len() as f32 * count / (count + 1.2);
                }
            }
            score
        })
    }

    /// Where the words that are looked for stand in one text of a class.
    pub fn spans(&mut self, class: TextClass, text: &str) -> Vec<MatchSpan> {
        let wanted: Vec<&AdjacentWords> =
            self.query.wanted().into_iter().filter(|words| words.classes.has(class)).collect();
        let mut matchers: Vec<Matcher<'_>> =
            wanted.iter().map(|words| match_words(&words.tokens, words.prefix)).collect();
        self.tokenizer.each(text, |token| matchers.iter_mut().for_each(|matcher| matcher.token(&token)));
        let mut spans: Vec<MatchSpan> =
            matchers.iter().flat_map(|matcher| matcher.spans().iter().copied()).collect();
        spans.sort_unstable();
        spans.dedup();
        spans
    }
}

/// Every group of words in a query, exclusions included, each once.
fn all_words(query: &Expr) -> Vec<&AdjacentWords> {
    let mut found: Vec<&AdjacentWords> = match query {
        Expr::And(list) | Expr::Or(list) => list.iter().flat_map(all_words).collect(),
        Expr::Not(inner) => all_words(inner),
        Expr::Words(words) => vec![words],
        Expr::Filter(_) => Vec::new(),
    };
    let mut once: Vec<&AdjacentWords> = Vec::new();
    found.retain(|words| {
        let new = !once.contains(words);
        if new {
            once.push(words);
        }
        new
    });
    found
}

#[cfg(test)]
mod tests {
    use super::match_words;
    use crate::token::{Tokenizer, words};

    fn check(text: &str, query: &str, prefix: bool, expected: &[&str]) {
        let tokens = words(query);
        let mut matcher = match_words(&tokens, prefix);
        Tokenizer::default().each(text, |token| matcher.token(&token));
        let found: Vec<&str> = matcher.spans().iter().map(|span| &text[span.from..span.to]).collect();
        assert_eq!(found, expected, "{query} in {text}");
    }

    #[test]
    fn words_and_phrases_are_found_where_they_stand() {
        check("Fix the flaky test, the FLAKY one", "flaky", false, &["flaky", "FLAKY"]);
        check("a the flaky test", "the flaky test", false, &["the flaky test"]);
        check("use the useEffect hook", "use effect hook", false, &["useEffect hook"]);
        check("useEffect", "effect", false, &["Effect"]);
        check("useEffect", "useEffect", false, &["useEffect"]);
        check("reconnects_after_drop", "recon", true, &["reconnects"]);
        check("a b a b c", "a b c", false, &["a b c"]);
        check("天気予報", "気予", false, &["気予"]);
        check("nothing", "here", false, &[]);
    }
}
