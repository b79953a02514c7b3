//! Nothing is built twice: chores and docs ask for the same features of every library as the tests do.
//!
//! Tests depend on more than programs do, and what those dependencies ask for changes the features of libraries that both
//! use. A library with two sets of features is compiled twice, with all that depends on it, which took minutes once.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use super::finding::Finding;

/// What ci builds besides the tests.
const BUILT: [&[&str]; 2] =
    [&["--workspace", "--edges", "no-dev"], &["--package", "chores", "--edges", "no-dev"]];

/// Compares the features of all libraries. Where cargo cannot say, other steps fail by themselves.
pub fn check(workspace: &Path) -> Vec<Finding> {
    let Some(tested) = features(workspace, &["--workspace"]) else { return Vec::new() };
    let built: BTreeSet<String> =
        BUILT.iter().filter_map(|words| features(workspace, words)).flatten().collect();
    differing(&tested, &built)
}

fn differing(tested: &BTreeSet<String>, built: &BTreeSet<String>) -> Vec<Finding> {
    let twice = built.difference(tested);
    let finding = |library: &String| {
        let message = format!(
            "'{library}' has other features in tests, and is built twice: name them in chores/Cargo.toml"
        );
        Finding::error("chores/Cargo.toml", 1, message)
    };
    twice.map(finding).collect()
}

/// Each library with its version and features: `smallvec v1.16.4 const_new`.
fn features(workspace: &Path, words: &[&str]) -> Option<BTreeSet<String>> {
    let output = Command::new(crate::cargo())
        .args(["tree", "--quiet", "--prefix", "none", "--no-dedupe", "--format", "{p} {f}"])
        .args(words)
        .current_dir(workspace)
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let lines = text.lines().map(|line| line.replace(" (*)", "").replace(" (proc-macro)", ""));
    output.status.success().then(|| lines.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_features_are_found() {
        let set = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect::<BTreeSet<_>>();
        let tested = set(&["a v1 std", "b v2 std", "c v1 "]);
        assert_eq!(differing(&tested, &set(&["a v1 std"])), []);
        let found = differing(&tested, &set(&["a v1 std", "b v2 "]));
        assert_eq!(found.len(), 1);
        assert!(found[0].message.contains("'b v2 '"), "{}", found[0].message);
    }
}
