//! Words that have no place in the project: paths of one machine, and notes to oneself in code.

use super::finding::Finding;
use super::source;
use super::tracked::TextFile;

/// Where machines of ours keep things. Spelled in halves, or this file would report itself.
const MACHINE_PATHS: [&str; 2] = [concat!("/wor", "k/"), concat!("/roo", "t/")];

/// Notes to oneself: a change is finished or it is not made.
const NOTES: [&str; 2] = [concat!("FIX", "ME"), concat!("XX", "X")];

/// Endings of files that hold code. Words in prose may speak of anything.
const CODE: [&str; 5] = [".rs", ".py", ".sh", ".toml", ".yml"];

/// Checks one text file.
pub fn check(file: &TextFile) -> Vec<Finding> {
    let is_code = CODE.iter().any(|ending| file.path.ends_with(ending)) || file.path.starts_with(".ci/");
    let mut findings = Vec::new();
    for (number, line) in (1..).zip(file.text.lines()) {
        for path in MACHINE_PATHS.into_iter().filter(|path| stands_alone(line, path, false)) {
            findings.push(Finding::error(&file.path, number, format!("a path of one machine: {path}")));
        }
        for note in NOTES.into_iter().filter(|note| is_code && stands_alone(line, note, true)) {
            findings.push(Finding::error(&file.path, number, format!("a note to oneself: {note}")));
        }
    }
    if file.path.ends_with(".rs") {
        findings.extend(unfinished(file));
    }
    findings
}

/// Calls of the macro for what is not written yet. Of the code alone: a sample of code in a string may have one.
fn unfinished(file: &TextFile) -> impl Iterator<Item = Finding> {
    let tokens = source::tokens(&file.text);
    let calls = tokens.windows(2).filter(|pair| pair[0].text == "todo" && pair[1].text == "!");
    let lines: Vec<usize> = calls.map(|pair| pair[0].line).collect();
    lines.into_iter().map(|line| Finding::error(&file.path, line, "a part that is not written"))
}

/// Does a word stand in the line, not as the end of a longer one (`/home/dev/…` has many tails)?
fn stands_alone(line: &str, word: &str, ends_too: bool) -> bool {
    let is_part =
        |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.' | '-' | '~' | '}' | '>');
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back().is_some_and(is_part);
        let after = line[at + word.len()..].chars().next().is_some_and(char::is_alphanumeric);
        !(before || ends_too && after)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_line(path: &str, line: &str, findings: usize) {
        let file = TextFile { path: path.to_owned(), text: line.to_owned() };
        assert_eq!(check(&file).len(), findings, "{path}: {line}");
    }

    #[test]
    fn machine_paths_are_found_at_their_beginning_only() {
        check_line("README.md", concat!("see /wor", "k/x"), 1);
        check_line("a.rs", concat!("\"/roo", "t/.claude\""), 1);
        check_line("a.rs", "\"/home/dev/work/base\"", 0);
        check_line("a.rs", "crates/root/x", 0);
    }

    #[test]
    fn notes_are_found_in_code_only() {
        check_line("a.rs", "let x = todo!();", 1);
        check_line("a.rs", "let x = \"todo!()\"; // todo!", 0);
        check_line("a.py", concat!("# FIX", "ME later"), 1);
        check_line("a.md", concat!("FIX", "ME"), 0);
        check_line("a.rs", concat!("let XX", "XX = 1;"), 0);
    }
}
