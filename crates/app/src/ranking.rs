//! Ranking: which candidates fit some words, and how well. A pure function of both.
//!
//! Each word has to be found in the title, the project, a prompt or at the start of the id; letters may be left out
//! between those that are typed. Long texts hold almost any three letters in order, so what is found in them has to
//! lie closer together: each field has its floor, in points a letter.

use crate::fuzzy::{LETTER, Word};
use crate::picking::PickCandidate;

/// A longer word is a paste; its start says enough.
const LONGEST: usize = 64;
/// What all words being found in one text is worth.
const TOGETHER: u32 = 2 * LETTER * 9;

/// What a match in a field is worth, and what it takes to be one.
struct Field {
    /// Least points a letter, and how many fewer are enough in all.
    floor: u32,
    slack: u32,
    /// By how much its points count.
    weight: u32,
}

impl Field {
    fn least(&self, letters: u32) -> u32 {
        self.floor * letters - self.slack
    }
}

const TITLE: Field = Field { floor: 8, slack: 0, weight: 10 };
const PROJECT: Field = Field { floor: 10, slack: 2, weight: 8 };
const PROMPT: Field = Field { floor: 10, slack: 2, weight: 9 };

/// What is looked for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PickQuery {
    words: Vec<String>,
}

/// A candidate that fits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// Its place among the candidates.
    pub candidate: usize,
    /// How well it fits; only good for comparing.
    pub score: u32,
    /// The place of the prompt that fits best, if any does.
    pub prompt: Option<usize>,
    /// Is there a word that only a prompt holds?
    pub only_in_prompt: bool,
}

impl PickQuery {
    /// The words of what was typed.
    pub fn parse(text: &str) -> Self {
        Self { words: text.split_whitespace().map(|word| word.chars().take(LONGEST).collect()).collect() }
    }

    /// Is nothing looked for?
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The words.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// The wanted candidates that fit, best first; in their own order if nothing is looked for.
    pub fn rank(&self, candidates: &[PickCandidate], wanted: impl Fn(usize) -> bool) -> Vec<Hit> {
        let kept: Vec<usize> = (0..candidates.len()).filter(|at| wanted(*at)).collect();
        let mut table = Table::of(candidates, kept);
        for word in &self.words {
            table.add(word);
        }
        let mut hits = table.hits(self.words.len());
        // Stable: what fits equally well stays in its order.
        hits.sort_by_key(|hit| std::cmp::Reverse(hit.score));
        hits
    }

    /// Where in a text that people see the letters of the words are, as offsets of bytes in order.
    pub fn marks(&self, text: &str) -> Vec<usize> {
        let mut marks = Vec::new();
        for word in &self.words {
            let least = TITLE.least(letters(word));
            let found = Word::new(word).letters(text).filter(|(score, _)| *score >= least);
            marks.extend(found.into_iter().flat_map(|(_, letters)| letters));
        }
        marks.sort_unstable();
        marks.dedup();
        marks
    }
}

fn letters(word: &str) -> u32 {
    word.chars().count() as u32
}

/// Points so far, of the kept candidates and of their prompts.
struct Table<'c> {
    kept: Vec<usize>,
    titles: Vec<&'c str>,
    projects: Vec<&'c str>,
    ids: Vec<&'c str>,
    prompts: Vec<&'c str>,
    /// For each prompt: the place of its candidate in `kept`, and its own among the candidate's prompts.
    owners: Vec<(usize, usize)>,
    totals: Vec<Total>,
    /// For each prompt: its points, and how many words it holds.
    prompt_totals: Vec<(u32, usize)>,
}

#[derive(Clone, Default)]
struct Total {
    score: u32,
    in_title: usize,
    only_in_prompt: bool,
    missed: bool,
}

impl<'c> Table<'c> {
    fn of(candidates: &'c [PickCandidate], kept: Vec<usize>) -> Self {
        let of =
            |take: fn(&'c PickCandidate) -> &'c str| kept.iter().map(|at| take(&candidates[*at])).collect();
        let mut prompts = Vec::new();
        let mut owners = Vec::new();
        for (place, at) in kept.iter().enumerate() {
            for (number, prompt) in candidates[*at].prompts.iter().enumerate() {
                prompts.push(prompt.text.as_str());
                owners.push((place, number));
            }
        }
        Self {
            titles: of(|one| one.view.title.as_deref().unwrap_or_default()),
            projects: of(|one| one.view.project.as_deref().unwrap_or_default()),
            ids: of(|one| &one.view.session_id),
            totals: vec![Total::default(); kept.len()],
            prompt_totals: vec![(0, 0); prompts.len()],
            prompts,
            owners,
            kept,
        }
    }

    fn add(&mut self, word: &str) {
        let mut matcher = Word::new(word);
        let letters = letters(word);
        let mut outside = vec![0; self.kept.len()];
        let mut inside = vec![0; self.kept.len()];
        for (place, score) in fits(&mut matcher, &self.titles, &TITLE, letters) {
            outside[place] = score;
            self.totals[place].in_title += 1;
        }
        for (place, score) in fits(&mut matcher, &self.projects, &PROJECT, letters) {
            outside[place] = score.max(outside[place]);
        }
        for (at, score) in fits(&mut matcher, &self.prompts, &PROMPT, letters) {
            let (place, _) = self.owners[at];
            inside[place] = score.max(inside[place]);
            let total = &mut self.prompt_totals[at];
            *total = (total.0 + score, total.1 + 1);
        }
        if letters > 1 {
            let lower = word.to_lowercase();
            let named = self.ids.iter().enumerate().filter(|(_, id)| id.starts_with(&lower));
            named.for_each(|(place, _)| outside[place] = outside[place].max(letters * LETTER * TITLE.weight));
        }
        for (place, total) in self.totals.iter_mut().enumerate() {
            total.score += outside[place].max(inside[place]);
            total.missed |= outside[place].max(inside[place]) == 0;
            total.only_in_prompt |= outside[place] == 0;
        }
    }

    fn hits(self, words: usize) -> Vec<Hit> {
        let mut best: Vec<Option<(u32, usize, usize)>> = vec![None; self.kept.len()];
        for ((place, number), (score, held)) in self.owners.iter().zip(&self.prompt_totals) {
            if *score > best[*place].map_or(0, |(best, _, _)| best) {
                best[*place] = Some((*score, *held, *number));
            }
        }
        let mut hits = Vec::new();
        for (place, total) in self.totals.iter().enumerate().filter(|(_, total)| !total.missed) {
            let held = best[place].map_or(0, |(_, held, _)| held);
            let together = words > 1 && (total.in_title == words || held == words);
            hits.push(Hit {
                candidate: self.kept[place],
                score: total.score + if together { TOGETHER } else { 0 },
                prompt: best[place].map(|(_, _, number)| number),
                only_in_prompt: words > 0 && total.only_in_prompt,
            });
        }
        hits
    }
}

/// The texts that a word is found in well enough, with what each is worth.
fn fits(word: &mut Word, texts: &[&str], field: &Field, letters: u32) -> impl Iterator<Item = (usize, u32)> {
    let (least, weight) = (field.least(letters), field.weight);
    let good = word.scores(texts).into_iter().filter(move |(_, score)| *score >= least);
    good.map(move |(at, score)| (at, score * weight))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::picking::PickPrompt;
    use scrollback_session::view::{SessionPlace, SessionView};

    fn candidate(id: &str, title: &str, project: &str, prompts: &[&str]) -> PickCandidate {
        let place = SessionPlace {
            session_id: id.into(),
            path: format!("/{id}.jsonl").into(),
            root: "/".into(),
            folder: "-p".into(),
        };
        let mut view = SessionView::unreadable(place, 0);
        view.title = Some(title.into());
        view.project = Some(project.into());
        let prompts = prompts.iter().zip(1..).map(|(text, turn)| PickPrompt {
            turn,
            line: u64::from(turn),
            text: (*text).to_owned(),
        });
        PickCandidate { view, prompts: prompts.collect() }
    }

    fn shelf() -> Vec<PickCandidate> {
        vec![
            candidate(
                "85835976",
                "Fix the flaky reconnect test",
                "/home/ada/orbit",
                &["The test fails one time in five.", "Run it two hundred times."],
            ),
            candidate(
                "1fab43cc",
                "postgres migration",
                "/home/ada/lighthouse",
                &["Move the README to docs."],
            ),
            candidate("cedd90b1", "気温の単位を摂氏に修正", "/home/ada/天気", &["単位は摂氏です。"]),
            candidate(
                "645291d9",
                "Gibt es einen Parser",
                "/home/ada/天気",
                &["Die Größe prüfen", "reconnect after a flaky link; one more test"],
            ),
        ]
    }

    fn check(words: &str, expected: &[&str]) {
        let shelf = shelf();
        let hits = PickQuery::parse(words).rank(&shelf, |_| true);
        let ids: Vec<&str> = hits.iter().map(|hit| &shelf[hit.candidate].view.session_id[..2]).collect();
        assert_eq!(ids, expected, "{words}");
    }

    #[test]
    fn words_are_found_in_titles_prompts_projects_and_ids() {
        check("", &["85", "1f", "ce", "64"]);
        check("flaky", &["85", "64"]);
        check("orbit", &["85"]);
        check("readme", &["1f"]);
        check("1fab", &["1f"]);
        check("摂氏", &["ce"]);
        check("größe", &["64"]);
        check("GRÖSSE", &[]);
        check("nothing-of-that-kind", &[]);
    }

    #[test]
    fn letters_may_be_left_out_or_wrong_but_not_scattered() {
        check("recon", &["85", "64"]);
        check("recnnect", &["85", "64"]);
        check("flakey", &["85", "64"]);
        check("pgmig", &["1f"]);
        check("xqz", &[]);
        check("tftw", &[]);
    }

    #[test]
    fn every_word_is_needed_and_together_is_better() {
        check("flaky orbit", &["85"]);
        check("flaky test", &["85", "64"]);
        check("flaky readme", &[]);
    }

    #[test]
    fn the_prompt_that_fits_best_is_named() {
        let shelf = shelf();
        let hits = PickQuery::parse("hundred").rank(&shelf, |_| true);
        let found: Vec<_> = hits.iter().map(|hit| (hit.candidate, hit.prompt, hit.only_in_prompt)).collect();
        assert_eq!(found, [(0, Some(1), true)]);
        let hits = PickQuery::parse("reconnect").rank(&shelf, |at| at == 0);
        assert_eq!(
            hits.iter().map(|hit| (hit.prompt, hit.only_in_prompt)).collect::<Vec<_>>(),
            [(None, false)]
        );
    }

    #[test]
    fn only_what_is_wanted_is_ranked() {
        let hits = PickQuery::parse("flaky").rank(&shelf(), |at| at == 3);
        assert_eq!(hits.len(), 1);
        assert_eq!(hits[0].candidate, 3);
    }

    #[test]
    fn marks_are_the_letters_that_fit() {
        let marked = |words: &str, text: &str| {
            let marks = PickQuery::parse(words).marks(text);
            let at: Vec<char> =
                text.char_indices().filter(|(at, _)| marks.contains(at)).map(|(_, c)| c).collect();
            at.into_iter().collect::<String>()
        };
        assert_eq!(marked("flaky", "Fix the flaky test"), "flaky");
        assert_eq!(marked("fix tst", "Fix the flaky test"), "Fixtst");
        assert_eq!(marked("摂氏", "単位は摂氏です"), "摂氏");
        assert_eq!(marked("単位", "気温の単位を摂氏に修正"), "単位");
        assert_eq!(marked("prufen", "Größe prüfen"), "prfen");
        assert_eq!(marked("prüfen", "Größe prüfen"), "prüfen");
        assert_eq!(marked("", "Fix"), "");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        #[test]
        fn nothing_typed_can_fail(words in "[ a-cäÄé日😀\u{301}'^!$]{0,12}", text in "[ a-cäÄé日😀\u{301}x]{0,40}") {
            let shelf = [candidate("a", &text, &text, &[&text])];
            let query = PickQuery::parse(&words);
            let hits = query.rank(&shelf, |_| true);
            prop_assert!(hits.len() <= 1);
            for mark in query.marks(&text) {
                prop_assert!(mark < text.len());
            }
        }

        #[test]
        fn a_part_of_a_title_finds_it(title in "[a-zé日]{1,6}( [a-zé日]{1,6}){0,4}", at in 0_usize..5) {
            let words: Vec<&str> = title.split(' ').collect();
            let word = words[at % words.len()];
            let shelf = [candidate("-", &title, "", &[])];
            prop_assert_eq!(PickQuery::parse(word).rank(&shelf, |_| true).len(), 1);
        }
    }
}
