//! The live leaf: which line a client would go on from. One rule a generation, read off real clients.

use scrollback_format::generation::Generation;

use crate::graph::Graph;
use crate::row::RowIndex;
use crate::transcript::Transcript;

/// Why a row is the live leaf.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
    if let Some(leaf) = last_prompt(transcript, graph) {
        return Some((leaf, LeafRule::LastPrompt));
    }
    let nodes = known_nodes(transcript, graph);
    match generation {
        Generation::V2_1_200 => nodes.last().map(|leaf| (leaf, LeafRule::LastLine)),
        _ => {
            let nodes: Vec<RowIndex> = nodes.collect();
            let childless = nodes.iter().rev().find(|row| graph.children(**row).is_empty());
            // In a cycle nobody is childless.
            childless.or(nodes.last()).map(|leaf| (*leaf, LeafRule::LastWithoutChild))
        }
    }
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

/// The entry that the last pointer names, carried on to its last descendant that stands later in the file.
fn last_prompt(transcript: &Transcript, graph: &Graph) -> Option<RowIndex> {
    let pointer = transcript.leaf_pointer?;
    let named = graph.find(pointer.leaf?)?;
    if transcript.row(named).is_sidechain() && !graph.nodes.contains(&named) {
        return None;
    }
    if pointer.explicit {
        return Some(named);
    }
    let mut leaf = named;
    let mut reached = vec![named];
    let mut seen = vec![false; transcript.rows.len()];
    seen[named as usize] = true;
    while let Some(row) = reached.pop() {
        for &child in graph.children(row) {
            if child > row && !seen[child as usize] {
                seen[child as usize] = true;
                leaf = leaf.max(child);
                reached.push(child);
            }
        }
    }
    Some(leaf)
}
