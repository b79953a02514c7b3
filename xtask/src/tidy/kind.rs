//! FORMAT.md lists exactly the kinds that the `format` crate knows: headings of the form "### `kind`".

use super::finding::Finding;
use super::tracked::TextFile;

/// The kinds that the code knows. The one place where this check meets the `format` crate.
pub fn known() -> Vec<String> {
    scrollback_format::kind::all_names()
}

/// Compares the specification with the code.
pub fn check(document: Option<&TextFile>, known: &[String]) -> Vec<Finding> {
    match document {
        Some(file) => compare(file, known),
        None => vec![Finding::error("FORMAT.md", 1, "is missing")],
    }
}

fn compare(file: &TextFile, known: &[String]) -> Vec<Finding> {
    let told: Vec<(usize, &str)> =
        (1..).zip(file.text.lines()).filter_map(|(n, line)| Some((n, heading(line)?))).collect();
    let mut findings = Vec::new();
    for (index, (number, kind)) in told.iter().enumerate() {
        if told[..index].iter().any(|(_, earlier)| earlier == kind) {
            findings.push(Finding::error(&file.path, *number, format!("`{kind}` has two headings")));
        } else if !known.iter().any(|name| name == kind) {
            findings.push(Finding::error(
                &file.path,
                *number,
                format!("`{kind}` is no kind that the code knows"),
            ));
        }
    }
    for kind in known.iter().filter(|name| !told.iter().any(|(_, kind)| kind == name)) {
        findings.push(Finding::error(
            &file.path,
            1,
            format!("has no heading for `{kind}`, which the code knows"),
        ));
    }
    findings
}

/// The kind that a heading is about.
fn heading(line: &str) -> Option<&str> {
    line.strip_prefix("### `")?.split('`').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(text: &str, known: &[&str]) -> Vec<String> {
        let file = TextFile { path: "FORMAT.md".to_owned(), text: text.to_owned() };
        let known: Vec<String> = known.iter().map(ToString::to_string).collect();
        check(Some(&file), &known).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn same_kinds_agree() {
        assert!(
            messages("# x\n### `user`\n### `system/api_error` (2.0.29)\n", &["user", "system/api_error"])
                .is_empty()
        );
    }

    #[test]
    fn missing_unknown_and_doubled_kinds_are_found() {
        assert_eq!(
            messages("### `user`\n### `user`\n### `new`\n", &["user", "mode"]),
            [
                "FORMAT.md:2: error: `user` has two headings",
                "FORMAT.md:3: error: `new` is no kind that the code knows",
                "FORMAT.md:1: error: has no heading for `mode`, which the code knows",
            ]
        );
    }
}
