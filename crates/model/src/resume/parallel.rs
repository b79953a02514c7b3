//! Parallel tool calls: what the chain of parents cannot hold, put back where it was asked for.
//!
//! Each result hangs on its own call, and the next answer on one of the results only. The other results, and calls
//! written after the one that the chain goes through, hang beside it.

use rustc_hash::{FxHashMap, FxHashSet};
use scrollback_format::kind::Kind;

use super::reading::ClientReading;
use super::rules::Parallel;
use super::tree::{Tree, Up};
use crate::graph::Graph;
use crate::row::{MessageRef, RowIndex};

/// The lines beside the chain that belong to its messages.
pub(super) struct Beside {
    /// All lines of each message.
    lines: FxHashMap<MessageRef, Vec<RowIndex>>,
    /// The results that hang on each line.
    results: FxHashMap<RowIndex, Vec<RowIndex>>,
}

impl Beside {
    pub(super) fn of(reading: &ClientReading, graph: &Graph, tree: &Tree) -> Self {
        let mut beside = Self { lines: FxHashMap::default(), results: FxHashMap::default() };
        for &row in graph.nodes.iter().filter(|row| tree.knows(**row)) {
            let found = reading.transcript.row(row);
            if let Some(message) = found.message {
                beside.lines.entry(message).or_default().push(row);
            }
            if found.kind == Kind::User
                && reading.parts[row as usize].has_result()
                && let Up::Row(call) = tree.up(row)
            {
                beside.results.entry(call).or_default().push(row);
            }
        }
        beside
    }

    /// The lines of a message, and the results that hang on them.
    pub(super) fn of_message(&self, message: MessageRef) -> (&[RowIndex], Vec<RowIndex>) {
        let lines = self.lines.get(&message).map_or(&[][..], Vec::as_slice);
        let results = lines.iter().filter_map(|line| self.results.get(line)).flatten().copied().collect();
        (lines, results)
    }
}

/// The chain with what belongs to its messages put back after their last line on it.
pub(super) fn put_back(
    reading: &ClientReading,
    beside: &Beside,
    chain: &[RowIndex],
    order: Parallel,
) -> Vec<RowIndex> {
    if order == Parallel::AsChained {
        return chain.to_vec();
    }
    let mut taken: FxHashSet<RowIndex> = chain.iter().copied().collect();
    let message_of = |row: RowIndex| reading.transcript.row(row).message;
    let last_line: FxHashMap<MessageRef, RowIndex> =
        chain.iter().filter_map(|row| Some((message_of(*row)?, *row))).collect();
    let first_line: FxHashMap<MessageRef, RowIndex> =
        chain.iter().rev().filter_map(|row| Some((message_of(*row)?, *row))).collect();
    let mut rows: Vec<RowIndex> = Vec::with_capacity(chain.len());
    // After the first line of the message that lines are to be put into by their place.
    let mut begun = 0;
    let mut waiting: Vec<RowIndex> = Vec::new();
    for &row in chain {
        let message = message_of(row);
        if message.is_some_and(|message| first_line.get(&message) == Some(&row)) {
            insert_by_place(&mut rows, begun, &mut waiting);
            begun = rows.len() + 1;
        }
        rows.push(row);
        let Some(message) = message.filter(|message| last_line.get(message) == Some(&row)) else { continue };
        let (lines, mut results) = beside.of_message(message);
        let mut lines = lines.to_vec();
        match order {
            Parallel::ByPlace => {
                waiting.extend(lines.into_iter().chain(results).filter(|row| taken.insert(*row)));
            }
            _ => {
                for group in [&mut lines, &mut results] {
                    group.sort_by_key(|row| reading.transcript.row(*row).time());
                    rows.extend(group.iter().copied().filter(|row| taken.insert(*row)));
                }
            }
        }
    }
    insert_by_place(&mut rows, begun, &mut waiting);
    rows
}

/// Puts lines before the first line from `begun` on that stands later in the file, and else at the end of them.
fn insert_by_place(rows: &mut Vec<RowIndex>, begun: usize, waiting: &mut Vec<RowIndex>) {
    waiting.sort_unstable();
    for row in waiting.drain(..) {
        let at = rows.iter().skip(begun).position(|later| *later > row).map_or(rows.len(), |at| begun + at);
        rows.insert(at, row);
    }
}
