//! The manifests of the members: their dependencies, and that each is pinned in the workspace's own manifest.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

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

/// The members, as cargo sees them.
pub fn packages(workspace: &Path) -> Result<Vec<Package>, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--no-deps", "--format-version", "1"])
        .current_dir(workspace)
        .output()
        .map_err(|cause| format!("cargo metadata: {cause}"))?;
    if !output.status.success() {
        return Err(format!("cargo metadata: {}", String::from_utf8_lossy(&output.stderr)));
    }
    let metadata: Value =
        serde_json::from_slice(&output.stdout).map_err(|cause| format!("cargo metadata: {cause}"))?;
    let packages = metadata["packages"].as_array().ok_or("cargo metadata: no packages")?;
    packages.iter().map(|package| read_package(workspace, package)).collect()
}

fn read_package(workspace: &Path, package: &Value) -> Result<Package, String> {
    let field =
        |name: &str| package[name].as_str().ok_or(format!("cargo metadata: a package without {name}"));
    let manifest = Path::new(field("manifest_path")?);
    let text =
        std::fs::read_to_string(manifest).map_err(|cause| format!("{}: {cause}", manifest.display()))?;
    let path = manifest.strip_prefix(workspace).unwrap_or(manifest).to_string_lossy().replace('\\', "/");
    let dependencies = package["dependencies"].as_array().map(Vec::as_slice).unwrap_or_default();
    // A dependency with a path is one of ours: sources outside the workspace are banned by deny.toml.
    let arrows = dependencies
        .iter()
        .filter(|dependency| dependency["path"].is_string())
        .filter_map(|dependency| Some((short(dependency["name"].as_str()?), dependency["kind"] == "dev")))
        .collect();
    Ok(Package { name: short(field("name")?), path, text, arrows })
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
    fn names_are_those_of_the_folders() {
        assert_eq!(
            [short("scrollback"), short("scrollback-model"), short("xtask")],
            ["cli", "model", "xtask"]
        );
    }
}
