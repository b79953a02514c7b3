//! Fuzzy matching: how well a word fits a text when letters may be left out between those that were typed.
//!
//! A letter of the word that is found earns points, more at the start of a word of the text; letters of the text that
//! lie between two found ones cost some. In a long word one letter may be wrong. The best placement is found exactly,
//! by dynamic programming over the places where letters occur: places, not all letters of the text, since few of them
//! are letters of the word. Knows nothing about what the texts are.

/// Points for a letter that fits; all other points are in proportion to it.
pub const LETTER: u32 = 12;
/// Points on top for a letter that begins a word, or is a capital after a small one.
const START: u32 = 4;
/// Points on top where the text is the word and nothing else.
const WHOLE: u32 = 8;
/// What a gap between two letters costs, and each letter of it after the first.
const GAP: u32 = 5;
const GAP_LONGER: u32 = 1;
/// What a letter costs that the text lacks, and one that the text has another instead of.
const MISSING: u32 = 5;
const WRONG: u32 = 6;

/// Words of at least this many letters may have one typo.
const FORGIVEN: usize = 5;

/// The first cell of a placement has no cell before it.
const NONE: usize = usize::MAX;

/// A word that is looked for, with the room that matching needs.
#[derive(Debug)]
pub struct Word {
    letters: Vec<char>,
    /// The text at hand, letter by letter; only where it is not plain ASCII.
    text: Vec<char>,
    places: Vec<usize>,
    cells: Vec<Cell>,
}

/// A letter of the word at a place in the text, and the best that can be had up to there.
#[derive(Debug, Clone, Copy)]
struct Cell {
    /// Its place, in letters of the text.
    place: usize,
    score: u32,
    /// The cell of the letter found before it.
    before: usize,
}

/// The cells of one letter of the word: those with no letter wrong so far, then those with one wrong.
#[derive(Clone, Copy, Default)]
struct Row {
    begin: usize,
    middle: usize,
    end: usize,
}

impl Word {
    /// The word. Its case does not matter.
    pub fn new(word: &str) -> Self {
        let letters = word.chars().map(fold).collect();
        Self { letters, text: Vec::new(), places: Vec::new(), cells: Vec::new() }
    }

    /// The indices of the texts that it fits, in order, with their points.
    pub fn scores(&mut self, texts: &[&str]) -> Vec<(usize, u32)> {
        let scored = texts.iter().enumerate().map(|(index, text)| (index, self.best(text)));
        scored.filter_map(|(index, best)| Some((index, best?.0))).collect()
    }

    /// Its points in one text, and where its letters are there, as offsets of bytes in order.
    pub fn letters(&mut self, text: &str) -> Option<(u32, Vec<usize>)> {
        let (score, mut cell) = self.best(text)?;
        let mut places = Vec::new();
        while let Some(found) = self.cells.get(cell) {
            places.push(found.place);
            cell = found.before;
        }
        places.reverse();
        if !text.is_ascii() {
            let offsets: Vec<usize> = text.char_indices().map(|(offset, _)| offset).collect();
            places.iter_mut().for_each(|place| *place = offsets[*place]);
        }
        Some((score, places))
    }

    /// The points of the best placement in a text, and the cell of its last letter.
    fn best(&mut self, text: &str) -> Option<(u32, usize)> {
        if self.letters.is_empty() {
            return Some((0, NONE));
        }
        self.cells.clear();
        self.text.clear();
        if !text.is_ascii() {
            self.text.extend(text.chars());
        }
        let forgiving = self.letters.len() >= FORGIVEN;
        let (mut before, mut last) = (Row::default(), Row::default());
        for index in 0..self.letters.len() {
            self.find_places(text, self.letters[index]);
            let row = self.fill(text, index, forgiving, before, last);
            (before, last) = (last, row);
            // One letter may be wrong, two in a row may not.
            if before.begin == before.end && last.begin == last.end && index > 0 {
                return None;
            }
        }
        let last_is_missing = if forgiving { before.begin..before.middle } else { 0..0 };
        let ends = (last.begin..last.end).map(|cell| (self.cells[cell].score, cell));
        let shorter = last_is_missing.map(|cell| (self.cells[cell].score.saturating_sub(MISSING), cell));
        // Of equal ones the first, so that marks stand as far in front as they can.
        let best = ends.chain(shorter).reduce(|best, other| if other.0 > best.0 { other } else { best });
        best.map(|(score, cell)| (score + self.whole_bonus(text), cell))
    }

    /// The places of a letter in the text.
    fn find_places(&mut self, text: &str, letter: char) {
        self.places.clear();
        if !text.is_ascii() {
            let found = self.text.iter().enumerate().filter(|(_, other)| fold(**other) == letter);
            self.places.extend(found.map(|(place, _)| place));
        } else if letter.is_ascii() {
            let (small, capital) = (letter as u8, letter.to_ascii_uppercase() as u8);
            self.places.extend(memchr::memchr2_iter(small, capital, text.as_bytes()));
        }
    }

    /// Adds the cells of the letter at `index` of the word; `last` are those of the letter before, `before` those of
    /// the one before that.
    fn fill(&mut self, text: &str, index: usize, forgiving: bool, before: Row, last: Row) -> Row {
        let begin = self.cells.len();
        let mut walk = Walk::over(last.begin, last.middle, false);
        for at in 0..self.places.len() {
            let place = self.places[at];
            let found = walk.next(&self.cells, place);
            self.push(text, place, if index == 0 { Some((0, NONE)) } else { found });
        }
        let middle = self.cells.len();
        if forgiving && index > 0 {
            let mut walk = Walk::over(last.middle, last.end, false);
            let mut skip = Walk::over(before.begin, before.middle, true);
            for at in 0..self.places.len() {
                let place = self.places[at];
                let found = walk.next(&self.cells, place);
                let skipped = skip.next(&self.cells, place);
                let first = (index == 1).then_some((0, NONE));
                self.push(text, place, [found, skipped, first].into_iter().flatten().reduce(better));
            }
        }
        Row { begin, middle, end: self.cells.len() }
    }

    fn push(&mut self, text: &str, place: usize, found: Option<(u32, usize)>) {
        if let Some((score, before)) = found {
            let score = score + LETTER + self.start_bonus(text, place);
            self.cells.push(Cell { place, score, before });
        }
    }

    fn start_bonus(&self, text: &str, place: usize) -> u32 {
        let letter = |place: usize| {
            self.text.get(place).copied().unwrap_or_else(|| char::from(text.as_bytes()[place]))
        };
        let Some(before) = place.checked_sub(1).map(letter) else { return START };
        let is_mark = |letter: char| letter.is_ascii() && !letter.is_ascii_alphanumeric();
        let begins_word = is_mark(before) && !is_mark(letter(place));
        let is_hump = before.is_ascii_lowercase() && letter(place).is_ascii_uppercase();
        if begins_word || is_hump { START } else { 0 }
    }

    fn whole_bonus(&self, text: &str) -> u32 {
        let is_whole = text.chars().map(fold).eq(self.letters.iter().copied());
        if is_whole { WHOLE } else { 0 }
    }
}

/// A letter without its case. What has no single small letter stands for itself, as does what would become ASCII.
fn fold(letter: char) -> char {
    if letter.is_ascii() {
        return letter.to_ascii_lowercase();
    }
    let mut small = letter.to_lowercase();
    match (small.next(), small.next()) {
        (Some(small), None) if !small.is_ascii() => small,
        _ => letter,
    }
}

fn better(one: (u32, usize), other: (u32, usize)) -> (u32, usize) {
    if other.0 > one.0 { other } else { one }
}

/// A walk over the cells of one letter that finds, for rising places, the best one to go on from.
struct Walk {
    ahead: std::ops::Range<usize>,
    /// Is the letter between them skipped?
    skips: bool,
    /// The best cell that is so far away that each further letter costs the same: it stays the best of those.
    far: Option<usize>,
}

impl Walk {
    fn over(begin: usize, end: usize, skips: bool) -> Self {
        Self { ahead: begin..end, skips, far: None }
    }

    /// The points left on arrival at this place, and the cell that they come from.
    fn next(&mut self, cells: &[Cell], place: usize) -> Option<(u32, usize)> {
        let near = if self.skips { 2 } else { 1 };
        while !self.ahead.is_empty() && cells[self.ahead.start].place + near < place {
            let weight = |cell: usize| cells[cell].score as usize + cells[cell].place * GAP_LONGER as usize;
            self.far =
                self.far.filter(|far| weight(*far) > weight(self.ahead.start)).or(Some(self.ahead.start));
            self.ahead.start += 1;
        }
        let nearby = self.ahead.clone().take_while(|cell| cells[*cell].place < place);
        let arrive =
            |cell: usize| (cells[cell].score.saturating_sub(self.cost(place - cells[cell].place)), cell);
        self.far.into_iter().chain(nearby).map(arrive).reduce(better)
    }

    fn cost(&self, distance: usize) -> u32 {
        match (self.skips, distance - 1) {
            (false, between) => gap(between),
            (true, 0) => MISSING,
            (true, between) => WRONG + gap(between - 1),
        }
    }
}

/// What so many letters of the text between two found ones cost.
fn gap(letters: usize) -> u32 {
    match u32::try_from(letters).unwrap_or(u32::MAX) {
        0 => 0,
        letters => GAP.saturating_add((letters - 1).saturating_mul(GAP_LONGER)),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn score(word: &str, text: &str) -> Option<u32> {
        Word::new(word).letters(text).map(|(score, _)| score)
    }

    fn check(word: &str, text: &str, expected: Option<u32>, marked: &str) {
        let found = Word::new(word).letters(text);
        assert_eq!(found.as_ref().map(|(score, _)| *score), expected, "{word} in {text}");
        let marks = found.unwrap_or_default().1;
        let letters = text.char_indices().filter(|(offset, _)| marks.contains(offset));
        assert_eq!(letters.map(|(_, letter)| letter).collect::<String>(), marked, "{word} in {text}");
    }

    #[test]
    fn letters_may_be_left_out_and_case_does_not_matter() {
        check("FLK", "the flaky test", Some(3 * LETTER + START - GAP), "flk");
        check("flk", "nothing", None, "");
        check("flk", "fl", None, "");
        check("", "text", Some(0), "");
        check("Ö", "größe", Some(LETTER), "ö");
        let mut word = Word::new("FLK");
        assert_eq!(word.scores(&["nothing", "FLK", "the flaky test"]), [(1, 48), (2, 35)]);
    }

    #[test]
    fn longer_gaps_cost_more_but_never_what_others_earned() {
        check("ab", "xaxb", Some(2 * LETTER - GAP), "ab");
        check("ab", "xaxxxb", Some(2 * LETTER - GAP - 2 * GAP_LONGER), "ab");
        check("ab", &format!("xa{}b", "x".repeat(99)), Some(LETTER), "ab");
    }

    #[test]
    fn starts_of_words_and_whole_texts_are_better() {
        check("fix", "fix", Some(3 * LETTER + START + WHOLE), "fix");
        check("ft", "fix the", Some(2 * LETTER + 2 * START - GAP - 2 * GAP_LONGER), "ft");
        check("b", "fooBar", Some(LETTER + START), "B");
        check("t", "cat the", Some(LETTER + START), "t");
    }

    #[test]
    fn one_letter_of_a_long_word_may_be_missing_or_wrong() {
        check("flakey", "a flaky one", Some(5 * LETTER + START - MISSING), "flaky");
        check("prufen", "Größe prüfen", Some(5 * LETTER + START - WRONG), "prfen");
        check("xlaky", "a flaky one", Some(4 * LETTER), "laky");
        check("flakx", "a flaky one", Some(4 * LETTER + START - MISSING), "flak");
        check("flxkx", "a flaky one", None, "");
        check("flxk", "a flaky one", None, "");
    }

    /// The points by trying everything: each letter at each later place, or skipped if one may be.
    fn brute(
        word: &[char],
        text: &[char],
        found: Option<(u32, usize)>,
        skipped: bool,
        may_skip: bool,
    ) -> Option<u32> {
        let Some((letter, rest)) = word.split_first() else {
            return Some(
                found.map_or(0, |(score, _)| if skipped { score.saturating_sub(MISSING) } else { score }),
            );
        };
        let mut best = None;
        for place in found.map_or(0, |(_, last)| last + 1)..text.len() {
            if fold(text[place]) == *letter {
                let cost = |last: usize| match (skipped, place - last - 1) {
                    (false, between) => gap(between),
                    (true, 0) => MISSING,
                    (true, between) => WRONG + gap(between - 1),
                };
                let mark = |letter: char| letter.is_ascii() && !letter.is_ascii_alphanumeric();
                let starts = place == 0
                    || mark(text[place - 1]) && !mark(text[place])
                    || text[place - 1].is_ascii_lowercase() && text[place].is_ascii_uppercase();
                let score = found.map_or(0, |(score, last)| score.saturating_sub(cost(last)));
                let score = score + LETTER + if starts { START } else { 0 };
                best = best.max(brute(rest, text, Some((score, place)), false, may_skip));
            }
        }
        if may_skip {
            best = best.max(brute(rest, text, found, true, false));
        }
        best
    }

    fn reference(word: &str, text: &str) -> Option<u32> {
        let letters: Vec<char> = word.chars().map(fold).collect();
        let text: Vec<char> = text.chars().collect();
        let whole = text.iter().copied().map(fold).eq(letters.iter().copied());
        let best = brute(&letters, &text, None, false, letters.len() >= FORGIVEN)?;
        Some(best + if whole { WHOLE } else { 0 })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn points_are_those_of_trying_everything(word in "[abcB]{1,7}", text in "[abcABC x_-]{0,14}") {
            prop_assert_eq!(score(&word, &text), reference(&word, &text));
        }

        #[test]
        fn other_scripts_are_counted_by_letters(word in "[aäÄ日é]{1,6}", text in "[aAäÄ日é -]{0,12}") {
            prop_assert_eq!(score(&word, &text), reference(&word, &text));
        }

        #[test]
        fn marks_are_letters_of_the_word_in_order(word in "[a-dä日]{1,7}", text in "[a-dA-DäÄ日 ]{0,20}") {
            let mut matcher = Word::new(&word);
            let scores = matcher.scores(&[&text]);
            let found = matcher.letters(&text);
            prop_assert_eq!(found.as_ref().map(|(score, _)| (0, *score)), scores.first().copied());
            let Some((_, marks)) = found else { return Ok(()) };
            prop_assert!(marks.is_sorted_by(|one, other| one < other));
            let mut letters = word.chars();
            for mark in &marks {
                let marked = text[*mark..].chars().next().map(fold);
                prop_assert!(letters.any(|letter| Some(letter) == marked), "{marks:?}");
            }
            prop_assert!(word.chars().count() - marks.len() <= 1);
        }
    }
}
