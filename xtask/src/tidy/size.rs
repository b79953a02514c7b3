//! Sizes of files and functions, tests not counted: what does not fit a screen is not read.

use super::finding::Finding;
use super::source;
use super::tracked::TextFile;

/// Lines from which a file is looked at, and above which it is refused.
const FILE: (usize, usize) = (500, 800);

/// The same for a function, its signature and braces counted.
const FUNCTION: (usize, usize) = (60, 100);

/// Checks one source file.
pub fn check(file: &TextFile) -> Vec<Finding> {
    let tokens = source::tokens(&file.text);
    let tests = source::tests_begin(&tokens);
    let mut findings = Vec::new();
    let lines = tests.map_or_else(|| file.text.lines().count(), |line| line - 1);
    if !is_table(&file.text) {
        findings.extend(weigh(&file.path, 1, "the file", lines, FILE));
    }
    for function in source::functions(&tokens) {
        if tests.is_none_or(|tests| function.first < tests) {
            let what = format!("function `{}`", function.name);
            findings.extend(weigh(
                &file.path,
                function.first,
                &what,
                function.last - function.first + 1,
                FUNCTION,
            ));
        }
    }
    findings
}

/// A table (of kinds, prices, fields) is as long as what it lists.
fn is_table(text: &str) -> bool {
    let first = text.lines().next().unwrap_or_default().to_lowercase();
    first.split(|letter: char| !letter.is_alphanumeric()).any(|word| word == "table" || word == "tables")
}

fn weigh(
    path: &str,
    line: usize,
    what: &str,
    lines: usize,
    (warning, error): (usize, usize),
) -> Option<Finding> {
    if lines > error {
        Some(Finding::error(path, line, format!("{what} has {lines} lines, more than {error}")))
    } else if lines > warning {
        Some(Finding::warning(path, line, format!("{what} has {lines} lines, more than {warning}")))
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::finding::Weight;

    fn check_text(text: String, expected: &[(Weight, usize)]) {
        let file = TextFile { path: "crates/x/src/y.rs".to_owned(), text };
        let found: Vec<_> = check(&file).iter().map(|finding| (finding.weight, finding.line)).collect();
        assert_eq!(found, expected);
    }

    fn function(lines: usize) -> String {
        format!("fn long() {{\n{}}}\n", "    step();\n".repeat(lines - 2))
    }

    #[test]
    fn functions_are_weighed_by_their_lines() {
        check_text(function(60), &[]);
        check_text(function(61), &[(Weight::Warning, 1)]);
        check_text(format!("//! x\n{}", function(101)), &[(Weight::Error, 2)]);
    }

    #[test]
    fn tests_are_not_counted() {
        check_text(format!("fn a() {{}}\n#[cfg(test)]\nmod tests {{\n{}}}\n", function(900)), &[]);
    }

    #[test]
    fn tables_may_be_long() {
        let rows = "const X: u8 = 1;\n".repeat(900);
        check_text(format!("//! Rows.\n{rows}"), &[(Weight::Error, 1)]);
        check_text(format!("//! The table of kinds.\n{rows}"), &[]);
    }
}
