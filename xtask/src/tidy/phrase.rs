//! Phrases that no user should meet: they sound translated, and docs/words.md has a plainer one. Looked for in what is
//! printed (strings of the programs) and in what is read (docs), not in comments.

use super::finding::Finding;
use super::source;
use super::tracked::TextFile;

/// What is refused, with what to say instead. In lower case.
const PHRASES: [(&str, &str); 35] = [
    ("taken back", "undone"),
    ("take it back", "undo it"),
    ("takes it back", "undoes it"),
    ("take back", "undo"),
    ("takes back", "undoes"),
    ("at most so many", "maximum number of …"),
    ("so many turns", "a number of turns"),
    ("nothing fits", "no matches"),
    ("no session fits", "no matching sessions"),
    ("is no date", "invalid date '…'"),
    ("names no ", "invalid …"),
    ("is no budget", "invalid budget '…'"),
    ("is no time zone", "invalid time zone '…'"),
    ("is no client version", "invalid client version '…'"),
    ("came to rest", "finished"),
    ("bites its tail", "contains a cycle"),
    ("sudden end", "crashed"),
    ("a beginning of its own", "separate conversation"),
    ("the dearest", "the most expensive"),
    ("set aside", "saved to file, or archived"),
    ("went round for ever", "loops forever"),
    ("an id, the start of one", "session ID or prefix, title, path, or `last`"),
    ("starts of ids", "session IDs or prefixes"),
    ("say less", "do not print …"),
    ("say more", "print more details"),
    ("that wants it", "when stdout is a terminal"),
    ("another scrollback is", "another scrollback process is"),
    ("may be given several times", "can be repeated"),
    ("whose name begins so", "with that prefix"),
    ("nobody", "no one, a passive, or empty"),
    ("is none of", "is not one of"),
    ("no session tells of", "no session touched"),
    ("stays behind", "is not copied"),
    ("came to a ", "ended in a …"),
    ("makes no sense", "is invalid"),
];

/// Files that speak of the phrases themselves, or of old versions.
const EXEMPT: [&str; 3] = ["docs/words.md", "CHANGELOG.md", "xtask/src/tidy/phrase.rs"];

/// Checks one text file.
pub fn check(file: &TextFile) -> Vec<Finding> {
    if EXEMPT.contains(&file.path.as_str()) || file.path.ends_with("/tests.rs") {
        return Vec::new();
    }
    let is_prose = file.path.ends_with(".md")
        && (file.path.starts_with("docs/") && !file.path.starts_with("docs/internals/")
            || file.path == "README.md");
    let lines: Vec<(usize, String)> = if is_prose {
        (1..).zip(file.text.lines().map(str::to_lowercase)).collect()
    } else if file.is_source() && file.path.starts_with("crates/") {
        printed(file)
    } else {
        Vec::new()
    };
    let mut findings = Vec::new();
    for (line, text) in &lines {
        for (phrase, better) in PHRASES.iter().filter(|(phrase, _)| text.contains(phrase)) {
            let message = format!("\"{phrase}\" sounds translated; say: {better} (docs/words.md)");
            findings.push(Finding::error(&file.path, *line, message));
        }
    }
    findings
}

/// What a program may print: its strings and, of the command line, the doc comments, which are its help.
fn printed(file: &TextFile) -> Vec<(usize, String)> {
    let strings = source::strings(&file.text).into_iter().map(|(line, text)| (line, text.to_lowercase()));
    let help = (1..)
        .zip(file.text.lines())
        .filter(|(_, line)| file.path.starts_with("crates/cli/") && line.trim_start().starts_with("///"));
    strings.chain(help.map(|(number, line)| (number, line.to_lowercase()))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> usize {
        check(&TextFile { path: path.to_owned(), text: text.to_owned() }).len()
    }

    #[test]
    fn phrases_are_refused_in_strings_and_docs() {
        assert_eq!(found("crates/cli/src/a.rs", "let x = \"Nobody spoke here\";"), 1);
        assert_eq!(found("crates/cli/src/a.rs", "/// At most so many.\npub limit: u8,"), 1);
        assert_eq!(found("docs/edit.md", "It can be taken back."), 1);
        assert_eq!(
            found(
                "crates/cli/src/a.rs",
                "/// An id, the start of one, a path or a title.\npub session: String,"
            ),
            1
        );
        assert_eq!(
            found("crates/app/src/a.rs", "write!(f, \"another scrollback is updating the index\")"),
            1
        );
    }

    #[test]
    fn comments_and_internals_may_say_anything() {
        assert_eq!(found("crates/cli/src/a.rs", "// nobody spoke\nlet x = 1;"), 0);
        assert_eq!(found("docs/internals/journal.md", "taken back"), 0);
        assert_eq!(found("CHANGELOG.md", "nobody spoke"), 0);
    }
}
