//! How well a word fits a text when letters may be left out between those that were typed.
//!
//! A wall around the library that does it: its code is generic over texts and made anew, vectorised for every kind of
//! processor, in each crate that calls it, which takes minutes. Here that happens once. Nothing here is generic, and
//! nothing knows what the texts are.

use frizbee::{CaseMatching, Config, Matcher, SortStrategy};

/// Points for a letter that fits; all other points are in proportion to it.
pub const LETTER: u32 = 12;

/// From so many letters on, one may be wrong.
const FORGIVEN: usize = 5;

/// A word that is looked for.
pub struct Word {
    matcher: Matcher,
}

impl std::fmt::Debug for Word {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Word").finish_non_exhaustive()
    }
}

impl Word {
    /// The word. Its case does not matter.
    pub fn new(word: &str) -> Self {
        let mut config = Config::default().casing(CaseMatching::Ignore).sort(SortStrategy::IndexAsc);
        // Case says nothing here, and the first word of a text is no better than its third.
        config.scoring.matching_case_bonus = 0;
        config.scoring.prefix_bonus = config.scoring.delimiter_bonus;
        config.max_typos = Some(u16::from(word.chars().count() >= FORGIVEN));
        Self { matcher: Matcher::new(word, &config) }
    }

    /// The places of the texts that it fits, in order, with their points.
    pub fn scores(&mut self, texts: &[&str]) -> Vec<(usize, u32)> {
        let found = self.matcher.match_list(texts);
        found.into_iter().map(|found| (found.index as usize, u32::from(found.score))).collect()
    }

    /// Its points in one text, and where its letters are there, as offsets of bytes.
    pub fn letters(&mut self, text: &str) -> Option<(u32, Vec<usize>)> {
        let found = self.matcher.match_one_indices(text, 0)?;
        Some((u32::from(found.score), found.indices.into_iter().map(|at| at as usize).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::{LETTER, Word};

    #[test]
    fn letters_may_be_left_out_and_case_does_not_matter() {
        let mut word = Word::new("FLK");
        assert_eq!(word.scores(&["the flaky test", "nothing", "FLK"]).len(), 2);
        let (score, letters) = word.letters("the flaky test").unwrap_or_default();
        assert_eq!(letters.len(), 3);
        assert!(score >= 2 * LETTER, "{score}");
    }
}
