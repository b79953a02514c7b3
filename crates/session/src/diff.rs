//! Differences between two texts, as hunks of signed lines: the form that the client stores for its own edits.

use similar::DiffOp;
use similar::udiff::UnifiedHunkHeader;

use crate::compare;
use crate::item::PatchHunk;

/// Unchanged lines around a change.
const CONTEXT: usize = 3;

/// The hunks in which `new` differs from `old`.
///
/// Whether the last line is ended by a line break does not count: the client's edits are parts of files, and
/// a line added after their last one would make that line look changed.
pub fn compare(old: &str, new: &str) -> Vec<PatchHunk> {
    let (old, new) = (split_lines(old), split_lines(new));
    let line = |(sign, line): (char, &&str)| format!("{sign}{}", line.trim_end_matches('\r'));
    similar::group_diff_ops(compare::ops(&old, &new), CONTEXT)
        .iter()
        .map(|group| PatchHunk {
            old_start: group.first().map_or(0, |op: &DiffOp| op.old_range().start) as u64 + 1,
            new_start: group.first().map_or(0, |op: &DiffOp| op.new_range().start) as u64 + 1,
            lines: signed(group, &old, &new).map(line).collect(),
        })
        .collect()
}

/// The lines of some steps, with their signs.
fn signed<'l, T>(ops: &'l [DiffOp], old: &'l [T], new: &'l [T]) -> impl Iterator<Item = (char, &'l T)> {
    ops.iter().flat_map(|op| {
        let is_same = matches!(op, DiffOp::Equal { .. });
        let removed = old[op.old_range()].iter().map(move |line| (if is_same { ' ' } else { '-' }, line));
        let added = new[op.new_range()].iter().filter(move |_| !is_same).map(|line| ('+', line));
        removed.chain(added)
    })
}

/// A diff of two texts that `patch` takes.
pub fn unified(old: &str, new: &str, names: (&str, &str)) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) =
        (old.split_inclusive('\n').collect(), new.split_inclusive('\n').collect());
    let mut out = String::new();
    for group in similar::group_diff_ops(compare::ops(&old, &new), CONTEXT) {
        if out.is_empty() {
            out = format!("--- {}\n+++ {}\n", names.0, names.1);
        }
        out.push_str(&format!("{}\n", UnifiedHunkHeader::new(&group)));
        for (sign, line) in signed(&group, &old, &new) {
            out.push(sign);
            out.push_str(line);
            if !line.ends_with('\n') {
                out.push_str("\n\\ No newline at end of file\n");
            }
        }
    }
    out
}

fn split_lines(text: &str) -> Vec<&str> {
    text.split_terminator('\n').collect()
}

/// How many lines were added and removed.
pub fn tally(hunks: &[PatchHunk]) -> (u64, u64) {
    let with = |sign: char| {
        let lines = hunks.iter().flat_map(|hunk| &hunk.lines);
        lines.filter(|line| line.starts_with(sign)).count() as u64
    };
    (with('+'), with('-'))
}
