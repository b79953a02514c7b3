//! Words that were nearly typed: sessions whose title or project has something near each of them.

use scrollback_index::catalogue::Brief;

/// The paths of sessions near all of these words.
pub fn near(sessions: &[Brief], words: &[String]) -> Vec<String> {
    let words: Vec<Vec<char>> = words.iter().map(|word| word.to_lowercase().chars().collect()).collect();
    let is_near = |brief: &&Brief| {
        let texts = [brief.title.as_deref(), brief.project.as_deref()];
        let text = texts.into_iter().flatten().collect::<Vec<_>>().join(" ").to_lowercase();
        words.iter().all(|word| has_near(&text, word))
    };
    sessions.iter().filter(is_near).map(|brief| brief.path.clone()).collect()
}

/// Has the text a word that is a slip or two away from this, or begins so?
fn has_near(text: &str, wanted: &[char]) -> bool {
    let slips = match wanted.len() {
        0..=3 => 0,
        4..=7 => 1,
        _ => 2,
    };
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let wanted: String = wanted.iter().collect();
    words.into_iter().any(|word| {
        let start: String = word.chars().take(wanted.chars().count()).collect();
        strsim::damerau_levenshtein(word, &wanted) <= slips
            || strsim::damerau_levenshtein(&start, &wanted) <= slips
    })
}

#[cfg(test)]
mod tests {
    use super::has_near;

    #[test]
    fn slips_are_forgiven_in_proportion() {
        let check = |text: &str, word: &str, expected: bool| {
            assert_eq!(has_near(text, &word.chars().collect::<Vec<_>>()), expected, "{word} in {text}");
        };
        check("fix the flaky reconnect test", "flakey", true);
        check("fix the flaky reconnect test", "reconect", true);
        check("fix the flaky reconnect test", "recno", true);
        check("fix the flaky reconnect test", "fxi", false);
        check("fix the flaky reconnect test", "postgres", false);
    }
}
