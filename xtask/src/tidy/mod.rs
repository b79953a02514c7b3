//! `cargo xtask tidy`: the rules of the house that no compiler checks, each with `file:line`.
//!
//! Arrows between crates, cycles between modules, `.workspace = true`, module docs, sizes of files and functions, names that two public
//! types have, words that have no place here, the length of README.md, libraries that would be built twice. Reads only; mends nothing,
//! and runs nothing but git and cargo.

mod arrow;
mod cycle;
mod feature;
mod finding;
mod manifest;
mod name;
mod opening;
mod phrase;
mod size;
mod source;
mod tracked;
mod word;

use std::path::Path;

use finding::{Finding, Weight};
use tracked::TextFile;

/// A README longer than this is a manual.
const README_LINES: usize = 200;

/// Runs the chore.
pub fn run(arguments: &[String]) -> Result<(), String> {
    if let Some(word) = arguments.first() {
        return Err(format!("tidy takes no {word}\n\nusage: cargo xtask tidy"));
    }
    let findings = findings(&crate::workspace())?;
    for finding in &findings {
        println!("{finding}");
    }
    let errors = findings.iter().filter(|finding| finding.weight == Weight::Error).count();
    println!("tidy: {errors} errors, {} warnings", findings.len() - errors);
    if errors == 0 { Ok(()) } else { Err("not tidy".to_owned()) }
}

/// Everything that is to be said about the workspace.
fn findings(workspace: &Path) -> Result<Vec<Finding>, String> {
    let files = tracked::text_files(workspace)?;
    let packages: Vec<_> =
        files.iter().filter(|file| file.is_manifest_of_member()).map(manifest::package).collect();
    let mut findings = arrow::check(&packages);
    findings.extend(cycle::check(&files));
    findings.extend(feature::check(workspace));
    findings.extend(name::check(&files));
    for file in &files {
        if file.is_manifest_of_member() {
            findings.extend(manifest::check(file));
        }
        if file.is_source() {
            findings.extend(opening::check(file));
            findings.extend(size::check(file));
        }
        findings.extend(word::check(file));
        findings.extend(phrase::check(file));
    }
    findings.extend(files.iter().filter(|file| file.path == "README.md").flat_map(readme));
    findings.sort();
    Ok(findings)
}

fn readme(file: &TextFile) -> Option<Finding> {
    let lines = file.text.lines().count();
    (lines >= README_LINES).then(|| {
        Finding::error(
            &file.path,
            README_LINES,
            format!("{lines} lines; a README stays below {README_LINES}"),
        )
    })
}
