//! The live leaf: which line a client would go on from. One rule a generation, read off real clients.

use rustc_hash::FxHashSet;
use scrollback_format::generation::Generation;

use crate::graph::Graph;
use crate::role::Role;
use crate::row::{MessageRef, RowIndex};
use crate::transcript::{FileKind, Transcript};

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
    /// It is the last line without a child.
    LastWithoutChild,
    /// It is the last line (2.1.200).
    LastLine,
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
    let last = match generation {
        Generation::V2_1_200 => known_nodes(transcript, graph).last().map(|leaf| (leaf, LeafRule::LastLine)),
        _ => last_without_child(transcript, graph).map(|leaf| (leaf, LeafRule::LastWithoutChild)),
    };
    let Some((named, explicit)) = last_prompt(transcript, graph) else { return last };
    // The pointer is written now and then: what was added below the entry that it names goes on from there.
    let carried =
        last.map(|(row, _)| row).filter(|row| !explicit && *row > named && descends(graph, *row, named));
    Some((carried.unwrap_or(named), LeafRule::LastPrompt))
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

/// The last line that nothing of the conversation hangs on. In a cycle that is nobody, and the last line will do.
fn last_without_child(transcript: &Transcript, graph: &Graph) -> Option<RowIndex> {
    let in_session = transcript.file_kind == FileKind::Session;
    let is_agents = |row: RowIndex| in_session && transcript.row(row).is_sidechain();
    let has_child = |row: RowIndex| graph.children(row).iter().any(|child| !is_agents(*child));
    let asked_by = |row: RowIndex| graph.parent(row).and_then(|call| transcript.row(call).message);
    let is_result = |row: RowIndex| transcript.row(row).role == Role::ToolResult;
    let nodes: Vec<RowIndex> = known_nodes(transcript, graph).collect();
    // Of parallel results one alone is gone on from: the others, and calls beside it, end nothing.
    let gone_on: FxHashSet<MessageRef> = nodes
        .iter()
        .filter(|row| is_result(**row) && has_child(**row))
        .filter_map(|row| asked_by(*row))
        .collect();
    let ends = |row: &&RowIndex| {
        let of = if is_result(**row) { asked_by(**row) } else { transcript.row(**row).message };
        !has_child(**row) && of.is_none_or(|message| !gone_on.contains(&message))
    };
    nodes.iter().rev().find(ends).or(nodes.last()).copied()
}

/// The entry that the last pointer names, and whether it is to be taken as it is.
fn last_prompt(transcript: &Transcript, graph: &Graph) -> Option<(RowIndex, bool)> {
    let pointer = transcript.leaf_pointer?;
    let named = graph.find(pointer.leaf?)?;
    if transcript.row(named).is_sidechain() && !graph.nodes.contains(&named) {
        return None;
    }
    Some((named, pointer.explicit))
}

fn descends(graph: &Graph, row: RowIndex, from: RowIndex) -> bool {
    let mut seen = FxHashSet::default();
    let mut at = Some(row);
    while let Some(row) = at.filter(|row| seen.insert(*row)) {
        if row == from {
            return true;
        }
        at = graph.parent(row);
    }
    false
}
