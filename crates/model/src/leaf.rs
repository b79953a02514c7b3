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

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;
    use crate::resume::reading::ClientReading;

    /// The leaf of a file, by the names of its lines: `name<parent@second`, `!name` for a pointer, `!!name` for an explicit one.
    fn leaf(file: &str, generation: Generation) -> String {
        let id = |name: &str| format!("{:08x}-0000-4000-8000-000000000000", name.as_bytes()[0]);
        let mut bytes = String::new();
        for line in file.split(' ') {
            let written = if let Some(name) = line.strip_prefix('!') {
                let (name, explicit) = name.strip_prefix('!').map_or((name, false), |name| (name, true));
                writeln!(bytes, r#"{{"type":"last-prompt","leafUuid":"{}","explicit":{explicit}}}"#, id(name))
            } else {
                let (name, rest) = line.split_once('<').unwrap();
                let (parent, second) = rest.split_once('@').unwrap();
                let parent =
                    if parent.is_empty() { "null".to_owned() } else { format!("\"{}\"", id(parent)) };
                writeln!(
                    bytes,
                    r#"{{"parentUuid":{parent},"type":"user","message":{{"role":"user","content":"{name}"}},"uuid":"{}","timestamp":"2026-01-01T00:00:0{second}.000Z"}}"#,
                    id(name)
                )
            };
            written.unwrap();
        }
        let transcript = ClientReading::of(bytes.as_bytes(), generation).transcript;
        let (row, _) = choose(&transcript, &Graph::of(&transcript), generation).unwrap();
        let leaf = transcript.row(row).id.unwrap().to_string();
        char::from(u8::from_str_radix(&leaf[..8], 16).unwrap()).to_string()
    }

    #[track_caller]
    fn check(file: &str, newest: &str, v2_1_200: &str, v2_1_80: &str) {
        let generations = [Generation::V2_1_325, Generation::V2_1_200, Generation::V2_1_80];
        assert_eq!(
            generations.map(|generation| leaf(file, generation)),
            [newest, v2_1_200, v2_1_80],
            "{file}"
        );
    }

    #[test]
    fn without_a_pointer_place_and_time_decide() {
        check("a<@1 b<a@2 c<b@3", "c", "c", "c");
        check("c<b@3 b<a@2 a<@1", "c", "a", "c");
        check("b<a@1 a<@2", "a", "a", "a");
        check("b<a@2 a<@2", "b", "a", "b");
        check("a<@1 b<a@2 c<a@3 d<b@1", "d", "d", "c");
        check("d<b@4 c<b@5 b<a@2 e<a@9 a<@1 b<a@2", "c", "b", "e");
    }

    #[test]
    fn a_pointer_is_carried_down_to_the_last_line() {
        check("a<@1 b<a@2 c<b@3 !b", "c", "c", "c");
        check("a<@1 b<a@2 !!a", "a", "a", "b");
        check("a<@1 !!a b<a@2", "b", "b", "b");
        check("a<@1 b<a@2 c<a@3 !b", "b", "b", "c");
        check("b<a@2 a<@1 !b", "b", "b", "b");
    }
}
