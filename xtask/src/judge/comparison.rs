//! Where our answers are held against the judge's. The one place to plug in a further command.
//!
//! So far: the `format` crate's lines and entries of each file, and that the judge's own sums add up.
//! `verify --json`, `ls --all --json` and `info --json` of the program join here as they come, each as a function from
//! a verdict to the sentences in which the two differ.

use std::fs;

use scrollback_format::line;
use scrollback_format::piece::Parser;
use scrollback_testkit::judge::{Counts, FileVerdict, Verdict};

/// Every difference, as a sentence.
///
/// # Errors
/// Where a side of the comparison could not be had at all.
pub fn disagreements(verdict: &Verdict) -> Result<Vec<String>, String> {
    let mut found = sums(verdict);
    for file in &verdict.files {
        let path = verdict.root.join(&file.path);
        let bytes = fs::read(&path).map_err(|cause| format!("{}: {cause}", path.display()))?;
        found.extend(
            parsed(file, &bytes).into_iter().map(|difference| format!("{}: {difference}", file.path)),
        );
    }
    Ok(found)
}

/// The judge against itself: kinds sum to objects, files sum to totals.
fn sums(verdict: &Verdict) -> Vec<String> {
    let totals = &verdict.totals;
    let sum = |of: fn(&FileVerdict) -> u64| verdict.files.iter().map(of).sum::<u64>();
    let rows = [
        ("kinds and objects", totals.entries_by_kind.values().sum(), totals.objects),
        ("objects of files and root", sum(|file| file.objects), totals.objects),
        ("lines of files and root", sum(|file| file.lines), totals.lines),
        ("bytes of files and root", sum(|file| file.bytes), totals.bytes),
    ];
    let differing = rows.iter().filter(|(_, left, right)| left != right);
    differing.map(|(what, left, right)| format!("{what}: {left} and {right}")).collect()
}

/// The `format` crate against the judge: bytes, lines, entries by kind of one file.
fn parsed(file: &FileVerdict, bytes: &[u8]) -> Vec<String> {
    let (mut parser, mut kinds, mut lines) = (Parser::new(), Counts::new(), 0);
    for line in line::split(bytes) {
        lines += 1;
        parser.each(line, |piece| {
            if let Some(entry) = piece.entry() {
                *kinds.entry(entry.kind_name()).or_default() += 1;
            }
        });
    }
    let mut found = Vec::new();
    for (what, ours, theirs) in [("bytes", bytes.len() as u64, file.bytes), ("lines", lines, file.lines)] {
        if ours != theirs {
            found.push(format!("{what}: {ours} here, {theirs} by the judge"));
        }
    }
    let names: std::collections::BTreeSet<&String> =
        kinds.keys().chain(file.entries_by_kind.keys()).collect();
    for name in names {
        let count = |counts: &Counts| counts.get(name).copied().unwrap_or_default();
        let (ours, theirs) = (count(&kinds), count(&file.entries_by_kind));
        if ours != theirs {
            found.push(format!("entries of kind {name}: {ours} here, {theirs} by the judge"));
        }
    }
    found
}
