//! The manifests of the members: their dependencies, and that each is pinned in the workspace's own manifest.

use super::finding::Finding;
use super::tracked::TextFile;

/// A member of the workspace.
pub struct Package {
    /// Our short name: `format`, `cli`, `xtask`.
    pub name: String,
    /// Its manifest, relative to the workspace.
    pub path: String,
    /// The manifest's text, to find lines in.
    pub text: String,
    /// What it depends on among ours, by short name, and whether for development alone.
    pub arrows: Vec<(String, bool)>,
}

/// A member, read from its manifest. Line by line is enough: [`check`] refuses what is not one line a dependency.
pub fn package(file: &TextFile) -> Package {
    let mut package =
        Package { name: String::new(), path: file.path.clone(), text: file.text.clone(), arrows: Vec::new() };
    let mut section = "";
    for line in file.text.lines().map(str::trim) {
        if let Some(opened) = line.strip_prefix('[') {
            section = opened.trim_end_matches(']');
        } else if section == "package" {
            let name = line.strip_prefix("name = \"").and_then(|rest| rest.split('"').next());
            package.name = name.map_or(package.name, short);
        } else if section.ends_with("dependencies") {
            let name = line.split(['.', ' ', '=']).next().unwrap_or_default();
            if name == "scrollback" || name.starts_with("scrollback-") {
                package.arrows.push((short(name), section.ends_with("dev-dependencies")));
            }
        }
    }
    package
}

/// The name of the crate's folder: the front's package is called as the program is.
fn short(package: &str) -> String {
    match package {
        "scrollback" => "cli".to_owned(),
        other => other.strip_prefix("scrollback-").unwrap_or(other).to_owned(),
    }
}

/// Every dependency reads `name.workspace = true`, so that versions are chosen in one place.
pub fn check(file: &TextFile) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut in_dependencies = false;
    for (number, line) in (1..).zip(file.text.lines()) {
        let line = line.split(" #").next().unwrap_or_default().trim();
        if let Some(section) = line.strip_prefix('[') {
            let section = section.trim_end_matches(']');
            in_dependencies = section.ends_with("dependencies");
            if section.contains("dependencies.") {
                findings.push(Finding::error(
                    &file.path,
                    number,
                    "write it as one line: `name.workspace = true`",
                ));
            }
        } else if in_dependencies && !line.is_empty() && !line.starts_with('#') && !is_of_workspace(line) {
            findings.push(Finding::error(&file.path, number, format!("not pinned in the workspace: {line}")));
        }
    }
    findings
}

fn is_of_workspace(line: &str) -> bool {
    let dense: String = line.chars().filter(|letter| !letter.is_whitespace()).collect();
    let Some((name, value)) = dense.split_once('=') else { return false };
    (name.ends_with(".workspace") && value == "true")
        || ["{workspace=true}", "{workspace=true,"].iter().any(|opening| value.starts_with(opening))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_lines(text: &str, wrong: &[usize]) {
        let file = TextFile { path: "crates/x/Cargo.toml".to_owned(), text: text.to_owned() };
        let lines: Vec<usize> = check(&file).iter().map(|finding| finding.line).collect();
        assert_eq!(lines, wrong, "{text}");
    }

    #[test]
    fn only_workspace_dependencies_pass() {
        check_lines("[package]\nversion = \"1\"\n[dependencies]\nserde.workspace = true\n", &[]);
        check_lines("[dev-dependencies]\n# why\ninsta = { workspace = true, features = [\"x\"] }\n", &[]);
        check_lines(
            "[dependencies]\nserde = \"1\"\n\n[target.'cfg(unix)'.dependencies]\nx = { path = \"x\" }\n",
            &[2, 5],
        );
        check_lines("[dependencies.serde]\nversion = \"1\"\n", &[1]);
    }

    #[test]
    fn arrows_are_read_from_every_section() {
        let text = "[package]\nname = \"scrollback-x\"\n[dependencies]\nserde.workspace = true\n\
                    scrollback-format.workspace = true\n[target.'cfg(unix)'.dependencies]\nscrollback.workspace = true\n\
                    [dev-dependencies]\nscrollback-testkit = { workspace = true }\n";
        let found = package(&TextFile { path: "crates/x/Cargo.toml".to_owned(), text: text.to_owned() });
        assert_eq!(found.name, "x");
        let arrows = [("format", false), ("cli", false), ("testkit", true)];
        assert_eq!(found.arrows, arrows.map(|(name, dev)| (name.to_owned(), dev)));
    }

    #[test]
    fn names_are_those_of_the_folders() {
        assert_eq!(
            [short("scrollback"), short("scrollback-model"), short("xtask")],
            ["cli", "model", "xtask"]
        );
    }
}
