//! The text files that belong to the project: what git tracks, or would track if it were added.

use std::fs;
use std::path::Path;
use std::process::Command;

/// A text file of the project.
pub struct TextFile {
    /// Relative to the workspace, with `/`.
    pub path: String,
    /// All of it.
    pub text: String,
}

impl TextFile {
    /// Rust that is built into something: `crates/*/src`, `xtask/src` and `chores/src`.
    pub fn is_source(&self) -> bool {
        let below_crate = self.path.strip_prefix("crates/").and_then(|rest| rest.split_once('/'));
        let is_ours = ["xtask/src/", "chores/src/"].iter().any(|folder| self.path.starts_with(folder))
            || below_crate.is_some_and(|(_, rest)| rest.starts_with("src/"));
        is_ours && self.path.ends_with(".rs")
    }

    /// The manifest of a member of the workspace, not of the workspace itself.
    pub fn is_manifest_of_member(&self) -> bool {
        let folder = self.path.strip_suffix("/Cargo.toml");
        folder.is_some_and(|folder| matches!(folder, "xtask" | "chores") || folder.starts_with("crates/"))
    }
}

/// Every text file, sorted by path. What is not UTF-8 (archives, images) is none.
pub fn text_files(workspace: &Path) -> Result<Vec<TextFile>, String> {
    let mut paths = listed_by_git(workspace).unwrap_or_else(|| walked(workspace));
    paths.sort();
    paths.dedup();
    let texts = paths.into_iter().filter_map(|path| {
        // A tracked file that is gone, or a link to a folder, has nothing to check.
        let text = String::from_utf8(fs::read(workspace.join(&path)).ok()?).ok()?;
        Some(TextFile { path, text })
    });
    let files: Vec<TextFile> = texts.collect();
    if files.is_empty() { Err(format!("{}: no files", workspace.display())) } else { Ok(files) }
}

fn listed_by_git(workspace: &Path) -> Option<Vec<String>> {
    let words = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    let output = Command::new("git").args(words).current_dir(workspace).output().ok()?;
    let names = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| names.split_terminator('\0').map(str::to_owned).collect())
}

/// Without git (an unpacked source archive): everything but what is built or generated.
fn walked(workspace: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![String::new()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(workspace.join(&folder)).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
            if entry.path().is_file() {
                found.push(path);
            } else if name != "target" && name != ".git" && path != "corpus/generated" {
                folders.push(path);
            }
        }
    }
    found
}
