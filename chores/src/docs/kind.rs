//! FORMAT.md lists exactly the kinds that the `format` crate knows: headings of the form "### `kind`".

use std::path::Path;

/// Where FORMAT.md and the code disagree, as `file:line: what`.
pub fn differences(workspace: &Path) -> Vec<String> {
    match std::fs::read_to_string(workspace.join("FORMAT.md")) {
        Ok(text) => compare(&text, &scrollback_format::kind::all_names()),
        Err(cause) => vec![format!("FORMAT.md: {cause}")],
    }
}

fn compare(text: &str, known: &[String]) -> Vec<String> {
    let headings: Vec<(usize, &str)> =
        (1..).zip(text.lines()).filter_map(|(number, line)| Some((number, heading(line)?))).collect();
    let mut found = Vec::new();
    for (index, (number, kind)) in headings.iter().enumerate() {
        if headings[..index].iter().any(|(_, earlier)| earlier == kind) {
            found.push(format!("FORMAT.md:{number}: `{kind}` has two headings"));
        } else if !known.iter().any(|name| name == kind) {
            found.push(format!("FORMAT.md:{number}: the code knows no kind `{kind}`"));
        }
    }
    for kind in known.iter().filter(|name| !headings.iter().any(|(_, kind)| kind == name)) {
        found.push(format!("FORMAT.md:1: no heading for `{kind}`, which the code knows"));
    }
    found
}

/// The kind that a heading is about.
fn heading(line: &str) -> Option<&str> {
    line.strip_prefix("### `")?.split('`').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn differences(text: &str, known: &[&str]) -> Vec<String> {
        compare(text, &known.iter().map(ToString::to_string).collect::<Vec<_>>())
    }

    #[test]
    fn same_kinds_agree() {
        let text = "# x\n### `user`\n### `system/api_error` (2.0.29)\n";
        assert!(differences(text, &["user", "system/api_error"]).is_empty());
    }

    #[test]
    fn missing_unknown_and_doubled_kinds_are_found() {
        assert_eq!(
            differences("### `user`\n### `user`\n### `new`\n", &["user", "mode"]),
            [
                "FORMAT.md:2: `user` has two headings",
                "FORMAT.md:3: the code knows no kind `new`",
                "FORMAT.md:1: no heading for `mode`, which the code knows",
            ]
        );
    }
}
