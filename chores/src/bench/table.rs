//! The table of results, in Markdown, as BENCHMARKS.md holds it.

use std::fmt::Write as _;

use super::index::Finding;
use super::{FileList, Row};

/// Renders the rows. The first one is the floor that the others are compared with.
pub fn render(scale: &str, list: &FileList, rows: &[Row]) -> String {
    let mut text = format!(
        "{scale}: {} files of JSON lines, {:.2} GB; the one session has {:.1} MB\n\n",
        list.files,
        list.bytes as f64 / 1e9,
        list.session_bytes as f64 / 1e6
    );
    text.push_str("| what | CPU | of `wc -l` | to reach | wall | peak memory |\n|---|---|---|---|---|---|\n");
    let floor = rows.first().map_or(1.0, |row| row.measured.cpu);
    for row in rows {
        let goal = row.goal.map_or("–".to_owned(), |goal| format!("{goal}x"));
        let _ = writeln!(
            text,
            "| {} | {:.2} s | {:.2}x | {goal} | {:.2} s | {:.0} MB |",
            row.what,
            row.measured.cpu,
            row.measured.cpu / floor,
            row.measured.wall,
            row.measured.peak_mb
        );
    }
    text
}

/// Renders what was found about the catalogue, search and grep.
pub fn findings(findings: &[Finding]) -> String {
    let mut text = String::from("\n| what | measured | to reach | reached |\n|---|---|---|---|\n");
    for finding in findings {
        let reached = match finding.reached {
            Some(true) => "yes",
            Some(false) => "**no**",
            None => "–",
        };
        let _ = writeln!(text, "| {} | {} | {} | {reached} |", finding.what, finding.measured, finding.goal);
    }
    text
}
