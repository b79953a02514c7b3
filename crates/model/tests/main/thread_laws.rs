//! Laws: any graph terminates and places each entry once; the chain does not depend on the order of lines where the
//! client's does not.

use proptest::prelude::*;
use scrollback_format::generation::Generation;
use scrollback_format::line;
use scrollback_format::piece::Parser;
use scrollback_model::facts::Anatomy;
use scrollback_model::fold::Fold;
use scrollback_model::transcript::{FileKind, Transcript};

fn transcript(lines: &[String]) -> Transcript {
    let text = lines.join("\n");
    let (mut parser, mut fold) = (Parser::new(), Fold::new(FileKind::Session));
    for line in line::split(text.as_bytes()) {
        parser.each(line, |piece| fold.piece(&piece));
    }
    fold.finish(lines.len() as u64, text.len() as u64)
}

fn id(number: usize) -> String {
    format!("00000000-0000-4000-8000-{:012x}", number + 1)
}

#[derive(Debug, Clone)]
struct Node {
    id: usize,
    parent: Option<usize>,
    kind: u8,
    time: u16,
    sidechain: bool,
    message: u8,
}

impl Node {
    fn line(&self) -> String {
        let parent = self.parent.map_or("null".to_owned(), |parent| format!("\"{}\"", id(parent)));
        let common = format!(
            r#""uuid":"{}","parentUuid":{parent},"isSidechain":{},"timestamp":"2026-11-01T10:{:02}:{:02}.000Z""#,
            id(self.id),
            self.sidechain,
            self.time / 60 % 60,
            self.time % 60
        );
        match self.kind {
            0 => format!(r#"{{"type":"user",{common},"message":{{"role":"user","content":"p"}}}}"#),
            1 => format!(
                r#"{{"type":"assistant",{common},"message":{{"id":"m{}","role":"assistant","content":[{{"type":"tool_use","id":"t{}","name":"Bash","input":{{}}}}]}}}}"#,
                self.message, self.id
            ),
            2 => format!(
                r#"{{"type":"user",{common},"message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"t{}","content":"x"}}]}}}}"#,
                self.parent.unwrap_or(0)
            ),
            3 => format!(
                r#"{{"type":"system","subtype":"compact_boundary",{common},"logicalParentUuid":"{}"}}"#,
                id(self.id / 2)
            ),
            4 => format!(r#"{{"type":"attachment",{common},"attachment":{{"type":"date"}}}}"#),
            5 => format!(r#"{{"type":"brand-new",{common}}}"#),
            _ => format!(r#"{{"type":"progress",{common},"data":{{"type":"hook_progress"}}}}"#),
        }
    }
}

/// Any graph at all: cycles, self-parents, doubled ids, dangling and later parents, many roots.
fn wild() -> impl Strategy<Value = Vec<Node>> {
    let node = (
        0..24_usize,
        prop::option::weighted(0.85, 0..30_usize),
        0..7_u8,
        0..600_u16,
        prop::bool::weighted(0.15),
        0..6_u8,
    );
    let node = node.prop_map(|(id, parent, kind, time, sidechain, message)| Node {
        id,
        parent,
        kind,
        time,
        sidechain,
        message,
    });
    prop::collection::vec(node, 0..40)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn any_graph_places_each_entry_once(nodes in wild()) {
        let lines: Vec<String> = nodes.iter().map(Node::line).collect();
        let transcript = transcript(&lines);
        for generation in Generation::ALL {
            let anatomy = Anatomy::of(&transcript, generation);
            let mut placed: Vec<u32> = anatomy.threads.threads.iter().flat_map(|thread| thread.rows.clone()).collect();
            placed.extend(&anatomy.graph.replaced);
            placed.sort_unstable();
            prop_assert_eq!(placed, (0..lines.len() as u32).collect::<Vec<_>>());
            for (number, thread) in anatomy.threads.threads.iter().enumerate() {
                prop_assert!(thread.rows.iter().all(|row| anatomy.threads.thread_of(*row) == Some(number)));
            }
            // Turns cover the live thread without gap or overlap, unless nobody speaks in it.
            let ends: Vec<_> = anatomy.turns.iter().map(|turn| turn.range.clone()).collect();
            for pair in ends.windows(2) {
                prop_assert_eq!(pair[0].end, pair[1].start);
            }
        }
    }

    #[test]
    fn the_live_chain_does_not_depend_on_the_order_of_lines(parents in prop::collection::vec(0..100_usize, 1..25), order in any::<u64>()) {
        // A tree with distinct times, in which each entry is later than its parent; old clients go by time alone.
        let nodes: Vec<Node> = parents
            .iter()
            .enumerate()
            .map(|(at, parent)| Node { id: at, parent: (at > 0).then(|| parent % at), kind: u8::from(at % 2 == 1), time: at as u16, sidechain: false, message: at as u8 })
            .collect();
        let mut shuffled = nodes.clone();
        let mut state = order | 1;
        for at in (1..shuffled.len()).rev() {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            shuffled.swap(at, (state >> 33) as usize % (at + 1));
        }
        let chain = |nodes: &[Node]| {
            let lines: Vec<String> = nodes.iter().map(Node::line).collect();
            let transcript = transcript(&lines);
            let anatomy = Anatomy::of(&transcript, Generation::V2_1_9);
            let live = anatomy.threads.live().unwrap();
            let ids: Vec<_> = live.rows.iter().filter_map(|row| transcript.row(*row).id).collect();
            (ids, transcript.row(live.leaf).id)
        };
        prop_assert_eq!(chain(&nodes), chain(&shuffled));
    }
}

#[test]
fn parallel_results_are_put_back() {
    let node =
        |id, parent, kind, message| Node { id, parent, kind, time: id as u16, sidechain: false, message };
    // A prompt, three calls of one message, their results each on its own call, and the answer on the last result.
    let nodes = [
        node(0, None, 0, 0),
        node(1, Some(0), 1, 1),
        node(2, Some(1), 1, 1),
        node(3, Some(2), 1, 1),
        node(4, Some(1), 2, 0),
        node(5, Some(2), 2, 0),
        node(6, Some(3), 2, 0),
        node(7, Some(6), 1, 2),
    ];
    let lines: Vec<String> = nodes.iter().map(Node::line).collect();
    let transcript = transcript(&lines);
    let anatomy = Anatomy::of(&transcript, Generation::NEWEST);
    assert_eq!(anatomy.threads.live().unwrap().rows, [0, 1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(anatomy.threads.branches().count(), 0);
}

#[test]
fn a_rewind_leaves_a_branch_behind() {
    let node =
        |id, parent, kind| Node { id, parent, kind, time: id as u16, sidechain: false, message: id as u8 };
    let nodes = [
        node(0, None, 0),
        node(1, Some(0), 1),
        node(2, Some(1), 0),
        node(3, Some(2), 1),
        node(4, Some(1), 0),
        node(5, Some(4), 1),
    ];
    let lines: Vec<String> = nodes.iter().map(Node::line).collect();
    let transcript = transcript(&lines);
    let anatomy = Anatomy::of(&transcript, Generation::NEWEST);
    assert_eq!(anatomy.threads.live().unwrap().rows, [0, 1, 4, 5]);
    let branches: Vec<_> =
        anatomy.threads.branches().map(|(_, thread)| (thread.rows.clone(), thread.fork)).collect();
    assert_eq!(branches, [(vec![2, 3], Some(1))]);
}
