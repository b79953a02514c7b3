//! `cargo xtask judge [ROOT...]`: asks the independent judge about stores and compares the program with it.
//!
//! Without roots: every tree of the corpus, and a generated store against the totals that its maker wrote down.
//! Never counts anything itself.

mod comparison;
mod known;

use std::path::PathBuf;

use scrollback_testkit::corpus;
use scrollback_testkit::judge::{Verdict, ask};

/// Runs the chore.
pub fn run(arguments: &[String]) -> Result<(), String> {
    if let Some(option) = arguments.iter().find(|word| word.starts_with('-')) {
        return Err(format!("{option} is no option\n\nusage: cargo xtask judge [ROOT...]"));
    }
    let mut disagreements = 0;
    if arguments.is_empty() {
        disagreements += generated()?;
    }
    let roots: Vec<PathBuf> = if arguments.is_empty() {
        corpus::VERSIONS.into_iter().map(corpus::tree).collect()
    } else {
        arguments.iter().map(PathBuf::from).collect()
    };
    for verdict in ask(&roots)? {
        tell(&verdict);
        let found = comparison::disagreements(&verdict)?;
        for line in &found {
            println!("  differs: {line}");
        }
        disagreements += found.len();
    }
    if disagreements == 0 { Ok(()) } else { Err(format!("{disagreements} disagreements with the judge")) }
}

fn generated() -> Result<usize, String> {
    crate::corpus::run(&["--scale".into(), "small".into()])?;
    let found = known::disagreements(&scrollback_testkit::workspace().join("target/corpus/small"))?;
    for line in &found {
        println!("  differs: {line}");
    }
    Ok(found.len())
}

fn tell(verdict: &Verdict) {
    let totals = &verdict.totals;
    println!("{}", verdict.root.display());
    println!(
        "  {} files, {} lines, {} objects of {} kinds, {} broken lines, {} prompts, {} messages, {} tokens out",
        totals.files,
        totals.lines,
        totals.objects,
        totals.entries_by_kind.len(),
        totals.broken_lines,
        totals.prompts,
        totals.unique_messages,
        totals.unique_tokens.output,
    );
}
