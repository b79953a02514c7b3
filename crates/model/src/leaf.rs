//! The live leaf: which line a client would go on from. One rule a generation, read off real clients.

use rustc_hash::FxHashSet;
use scrollback_format::generation::Generation;

use crate::graph::Graph;
use crate::role::Role;
use crate::row::RowIndex;
use crate::transcript::{FileKind, LeafPointer, Transcript};

/// Why a row is the live leaf.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum LeafRule {
    /// It has the latest time (clients up to 2.1.80).
    LatestTime,
    /// The last `last-prompt` line names it, or an entry above it.
    LastPrompt,
    /// It is the last line (from 2.1.200 on).
    LastLine,
    /// It has the latest time of the lines below the last one (from 2.1.325 on, where the last line is not the latest).
    BelowLastLine,
}

/// The live leaf of a conversation, as a client of this generation chooses it.
pub fn choose(
    transcript: &Transcript,
    graph: &Graph,
    generation: Generation,
) -> Option<(RowIndex, LeafRule)> {
    if !generation.facts().last_prompt_names_the_leaf {
        return latest_time(transcript, graph).map(|leaf| (leaf, LeafRule::LatestTime));
    }
    let last = known_nodes(transcript, graph).last()?;
    let is_newer = generation > Generation::V2_1_200;
    if let Some((named, pointer)) = last_prompt(transcript, graph) {
        // The pointer is written now and then: what was added below the entry that it names goes on from there.
        let above = ancestry(graph, last, named);
        let is_below = above.contains(&named) && (!pointer.explicit || last > pointer.row);
        let is_beside = is_newer
            && !pointer.explicit
            && parts_in_message(transcript, graph, named, &above).is_some_and(|row| row != last);
        return Some((if is_below || is_beside { last } else { named }, LeafRule::LastPrompt));
    }
    let below = if is_newer { latest_below(transcript, graph, last) } else { None };
    Some(below.map_or((last, LeafRule::LastLine), |row| (row, LeafRule::BelowLastLine)))
}

/// Lines of an unknown type are no messages to the client, whatever ids they have.
fn known_nodes<'g>(transcript: &'g Transcript, graph: &'g Graph) -> impl Iterator<Item = RowIndex> + 'g {
    graph.nodes.iter().copied().filter(|row| transcript.row(*row).kind.is_chained())
}

fn latest_time(transcript: &Transcript, graph: &Graph) -> Option<RowIndex> {
    let mut best: Option<RowIndex> = None;
    for row in known_nodes(transcript, graph) {
        // At a tie the first line wins.
        if best.is_none_or(|best| transcript.row(row).time() > transcript.row(best).time()) {
            best = Some(row);
        }
    }
    best
}

/// Where lines stand out of order: the latest of those that hang below the last one. None if the last one is the latest of
/// all, no other line having its time.
fn latest_below(transcript: &Transcript, graph: &Graph, last: RowIndex) -> Option<RowIndex> {
    let time = |row: RowIndex| transcript.row(row).time();
    if latest_time(transcript, graph) == Some(last) {
        return None;
    }
    let mut best: Option<RowIndex> = None;
    let mut seen = FxHashSet::from_iter([last]);
    let mut open = vec![last];
    while let Some(row) = open.pop() {
        for &child in graph.children(row) {
            let is_agents = transcript.file_kind == FileKind::Session && transcript.row(child).is_sidechain();
            if is_agents || !transcript.row(child).kind.is_chained() || !seen.insert(child) {
                continue;
            }
            open.push(child);
            if best.is_none_or(|best| (time(best), best) < (time(child), child)) {
                best = Some(child);
            }
        }
    }
    best
}

/// The entry that the last pointer names, and the pointer.
fn last_prompt(transcript: &Transcript, graph: &Graph) -> Option<(RowIndex, LeafPointer)> {
    let pointer = transcript.leaf_pointer?;
    let named = graph.find(pointer.leaf?)?;
    if transcript.row(named).is_sidechain() && !graph.nodes.contains(&named) {
        return None;
    }
    Some((named, pointer))
}

/// A row and those above it, up to one that is looked for.
fn ancestry(graph: &Graph, row: RowIndex, until: RowIndex) -> FxHashSet<RowIndex> {
    let mut above = FxHashSet::default();
    let mut at = Some(row);
    while let Some(row) = at.filter(|row| above.insert(*row) && *row != until) {
        at = graph.parent(row);
    }
    above
}

/// Parallel calls and their results go on together: where the way up from a call or a result meets these rows, if that is before
/// it leaves its message.
fn parts_in_message(
    transcript: &Transcript,
    graph: &Graph,
    row: RowIndex,
    above: &FxHashSet<RowIndex>,
) -> Option<RowIndex> {
    let message_of = |row: RowIndex| transcript.row(row).message;
    let is_result = transcript.row(row).role == Role::ToolResult;
    let asked = if is_result { graph.parent(row).and_then(message_of) } else { message_of(row) };
    let mut at = graph.parent(row);
    let mut seen = FxHashSet::default();
    while let Some(row) = at.filter(|row| asked.is_some() && message_of(*row) == asked && seen.insert(*row)) {
        if above.contains(&row) {
            return Some(row);
        }
        at = graph.parent(row);
    }
    None
}
