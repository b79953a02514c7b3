//! One name for one type: no two `pub` types of the library's crates are called the same, wherever they are declared. A reader
//! who meets `Place` should not have to ask which. Types that a macro declares, and those of programs (`xtask`, `chores`), are not
//! looked at.

use std::collections::BTreeMap;

use super::finding::Finding;
use super::source::{self, Token};
use super::tracked::TextFile;

/// Names that several types may have, with the reason.
const SHARED: [(&str, &str); 2] = [
    ("Args", "the arguments of a command; never used outside of the command's own file"),
    ("Error", "the error of a module that is always written with its path, as `io::Error` is"),
];

/// Where a type is declared.
struct Declaration<'f> {
    path: &'f str,
    line: usize,
}

/// Checks all source files together.
pub fn check(files: &[TextFile]) -> Vec<Finding> {
    let mut declared: BTreeMap<&str, Vec<Declaration<'_>>> = BTreeMap::new();
    let ours = files.iter().filter(|file| file.is_source() && file.path.starts_with("crates/"));
    for file in ours {
        for (line, name) in public_types(&source::tokens(&file.text)) {
            declared.entry(name).or_default().push(Declaration { path: &file.path, line });
        }
    }
    let mut findings = Vec::new();
    for (name, declarations) in declared {
        if SHARED.iter().any(|(shared, _)| *shared == name) {
            continue;
        }
        let Some((first, others)) = declarations.split_first() else { continue };
        for other in others {
            let message = format!(
                "a second public type `{name}` (the first is at {}:{}); name it after what it is",
                first.path, first.line
            );
            findings.push(Finding::error(other.path, other.line, message));
        }
    }
    findings
}

/// Lines and names of what is declared `pub struct`, `pub enum`, `pub trait` or `pub type`.
fn public_types<'t>(tokens: &[Token<'t>]) -> Vec<(usize, &'t str)> {
    let declares = |words: &&[Token<'_>]| {
        words[0].text == "pub"
            && matches!(words[1].text, "struct" | "enum" | "union" | "trait" | "type")
            // `$name` of a macro is no name yet.
            && words[2].text.starts_with(char::is_alphabetic)
    };
    tokens.windows(3).filter(declares).map(|words| (words[2].line, words[2].text)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(files: &[(&str, &str)]) -> Vec<String> {
        let files: Vec<_> = files
            .iter()
            .map(|(path, text)| TextFile { path: (*path).to_owned(), text: (*text).to_owned() })
            .collect();
        check(&files).iter().map(|finding| format!("{}:{}", finding.path, finding.line)).collect()
    }

    #[test]
    fn a_second_public_type_of_a_name_is_refused() {
        let first = ("crates/a/src/lib.rs", "/// One.\npub struct Place;\n");
        assert_eq!(
            found(&[first, ("crates/b/src/x.rs", "\npub enum Place<'a> { A(&'a str) }")]),
            ["crates/b/src/x.rs:2"]
        );
        assert_eq!(found(&[first, ("crates/a/src/x.rs", "pub trait Place {}")]), ["crates/a/src/x.rs:1"]);
    }

    #[test]
    fn other_names_private_types_and_programs_are_free() {
        let first = ("crates/a/src/lib.rs", "pub struct Place;");
        assert_eq!(found(&[first, ("crates/b/src/x.rs", "pub struct Places;")]), [""; 0]);
        assert_eq!(
            found(&[first, ("crates/b/src/x.rs", "struct Place;\npub(crate) enum Place {}")]),
            [""; 0]
        );
        assert_eq!(
            found(&[first, ("crates/b/src/x.rs", "// pub struct Place;\npub use a::Place;")]),
            [""; 0]
        );
        assert_eq!(found(&[first, ("chores/src/x.rs", "pub struct Place;")]), [""; 0]);
        assert_eq!(found(&[first, ("crates/b/tests/x.rs", "pub struct Place;")]), [""; 0]);
        let by_macro = ("crates/b/src/x.rs", "pub struct $name;\npub enum $name {}");
        assert_eq!(found(&[first, by_macro]), [""; 0]);
    }

    #[test]
    fn shared_names_are_free() {
        let args = "pub struct Args;";
        assert_eq!(found(&[("crates/a/src/x.rs", args), ("crates/a/src/y.rs", args)]), [""; 0]);
    }
}
