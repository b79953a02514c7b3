//! Replaying edits: what a file holds after a tool replaced something in it, by the rules of the client. Pure.
//!
//! The client reads a text, takes every `\r\n` for `\n`, replaces, and writes the line ends back as they were. So does this,
//! on bytes, since a file need not be UTF-8.

use memchr::memmem;

/// One replacement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replacement {
    /// What is replaced.
    pub old: String,
    /// By what.
    pub new: String,
    /// Wherever it stands, not only where it stands first.
    pub all: bool,
}

/// A hunk of the client's `structuredPatch`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hunk {
    /// The first line in the new text, counted from 1.
    pub new_start: u64,
    /// Lines after their sign.
    pub lines: Vec<String>,
}

/// Why a step does not lead on from a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failed {
    /// What it replaces is not there.
    NotThere,
    /// It replaces one place, but there are so many.
    Several(usize),
    /// It makes a file, but there is one with something in it.
    NotEmpty,
}

/// What the file holds after some steps. `sure` says that the state before is what the tool itself saw: then the first of
/// several places is the one it meant.
pub fn steps(before: &[u8], steps: &[Replacement], sure: bool) -> Result<Vec<u8>, (usize, Failed)> {
    let returns = has_returns(before);
    let mut text = if returns { without_returns(before) } else { before.to_vec() };
    for (place, step) in steps.iter().enumerate() {
        let step = if returns {
            Replacement { old: flat(&step.old), new: flat(&step.new), ..*step }
        } else {
            step.clone()
        };
        text = one(&text, &step, sure).map_err(|failed| (place, failed))?;
    }
    Ok(if returns { with_returns(&text) } else { text })
}

fn flat(text: &str) -> String {
    text.replace("\r\n", "\n")
}

fn one(text: &[u8], step: &Replacement, sure: bool) -> Result<Vec<u8>, Failed> {
    if step.old.is_empty() {
        return if text.is_empty() { Ok(step.new.clone().into_bytes()) } else { Err(Failed::NotEmpty) };
    }
    let mut old = step.old.clone().into_bytes();
    // Whoever takes out the whole of some lines means the line break too.
    if step.new.is_empty() && !step.old.ends_with('\n') {
        old.push(b'\n');
        if memmem::find(text, &old).is_none() {
            old.pop();
        }
    }
    let places: Vec<usize> = memmem::find_iter(text, &old).collect();
    match places.len() {
        0 => return Err(Failed::NotThere),
        1 => {}
        count if !step.all && !sure => return Err(Failed::Several(count)),
        _ => {}
    }
    let taken = if step.all { places.len() } else { 1 };
    let mut result = Vec::with_capacity(text.len() + step.new.len());
    let mut from = 0;
    for at in places.into_iter().take(taken) {
        result.extend(&text[from..at]);
        result.extend(step.new.as_bytes());
        from = at + old.len();
    }
    result.extend(&text[from..]);
    Ok(result)
}

/// Does a text have the lines that a patch says it has afterwards? Patches are made for the eye: the client shows leading
/// tabs as spaces, so white space at the beginning of a line does not count.
pub fn fits(patch: &[Hunk], after: &[u8]) -> bool {
    let text = String::from_utf8_lossy(after);
    let lines: Vec<&str> = text.split('\n').map(|line| line.trim_end_matches('\r')).collect();
    patch.iter().all(|hunk| {
        let kept = hunk.lines.iter().filter(|line| line.starts_with([' ', '+'])).map(|line| &line[1..]);
        let from = usize::try_from(hunk.new_start.saturating_sub(1)).unwrap_or(usize::MAX);
        let bare = |line: &str| line.trim_start().trim_end_matches('\r').to_owned();
        kept.enumerate().all(|(at, line)| {
            let there = from.checked_add(at).and_then(|at| lines.get(at)).copied().unwrap_or_default();
            bare(line) == bare(there)
        })
    })
}

/// Are the line ends of this text `\r\n`, by its first one?
pub fn has_returns(text: &[u8]) -> bool {
    memchr::memchr(b'\n', text).is_some_and(|at| at > 0 && text[at - 1] == b'\r')
}

/// The text with `\n` for every `\r\n`.
pub fn without_returns(text: &[u8]) -> Vec<u8> {
    let mut flat = Vec::with_capacity(text.len());
    let mut from = 0;
    for at in memmem::find_iter(text, b"\r\n") {
        flat.extend(&text[from..at]);
        from = at + 1;
    }
    flat.extend(&text[from..]);
    flat
}

fn with_returns(text: &[u8]) -> Vec<u8> {
    let mut whole = Vec::with_capacity(text.len() + text.len() / 32);
    for &byte in text {
        if byte == b'\n' {
            whole.push(b'\r');
        }
        whole.push(byte);
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::{Failed, Hunk, Replacement, fits, steps};

    fn step(old: &str, new: &str, all: bool) -> Replacement {
        Replacement { old: old.into(), new: new.into(), all }
    }

    fn check(before: &str, old: &str, new: &str, all: bool, after: Result<&str, Failed>) {
        let found = steps(before.as_bytes(), &[step(old, new, all)], false);
        assert_eq!(
            found,
            after.map(|text| text.as_bytes().to_vec()).map_err(|failed| (0, failed)),
            "{before:?}"
        );
    }

    #[test]
    fn an_edit_replaces_as_the_client_does() {
        check("a b c", "b", "B", false, Ok("a B c"));
        check("b b", "b", "x", true, Ok("x x"));
        check("b b", "b", "x", false, Err(Failed::Several(2)));
        check("a", "b", "x", false, Err(Failed::NotThere));
        check("a\nb\nc\n", "b", "", false, Ok("a\nc\n"));
        check("a\nb", "b", "", false, Ok("a\n"));
        check("", "", "new", false, Ok("new"));
        check("old", "", "new", false, Err(Failed::NotEmpty));
        check("$& and \\1", "and", "$1", false, Ok("$& $1 \\1"));
    }

    #[test]
    fn line_ends_stay_as_they_were() {
        check("a\r\nb\r\nc\r\n", "a\nb", "x\ny\nz", false, Ok("x\r\ny\r\nz\r\nc\r\n"));
        check("a\r\nb\r\n", "a\r\nb", "x\r\ny", false, Ok("x\r\ny\r\n"));
    }

    #[test]
    fn bytes_that_are_no_text_stay() {
        let found = steps(b"\xff a \xfe", &[step("a", "b", false)], false).unwrap();
        assert_eq!(found, b"\xff b \xfe");
    }

    #[test]
    fn what_the_tool_saw_itself_is_replaced_at_its_first_place() {
        assert_eq!(steps(b"b b", &[step("b", "x", false)], true).unwrap(), b"x b");
    }

    #[test]
    fn the_step_that_fails_is_named() {
        let edits = [step("a", "b", false), step("a", "c", false)];
        assert_eq!(steps(b"a", &edits, true), Err((1, Failed::NotThere)));
    }

    #[test]
    fn a_patch_is_compared_by_words_not_by_tabs() {
        let hunk = |start: u64, lines: &[&str]| Hunk {
            new_start: start,
            lines: lines.iter().map(|line| (*line).to_owned()).collect(),
        };
        assert!(fits(&[hunk(1, &[" a", "-b", "+  c"])], b"a\n\tc\n"));
        assert!(!fits(&[hunk(1, &[" a", "-b", "+c"])], b"a\nb\n"));
        assert!(!fits(&[hunk(90, &["+c"])], b"a\nb\n"));
        assert!(fits(&[hunk(u64::MAX, &["-c"])], b""));
    }
}
