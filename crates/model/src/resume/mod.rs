//! The resume simulator: what a client would send if it went on with a session, and why.
//!
//! ```text
//! lines ──► reading ──► tree ──► leaf, chain ──► parallel ──► load ──► ending ──► wire ──► messages
//!            rules ─────────────────┴───────────────┴──────────┴─────────┴─────────┘
//! ```
//!
//! One walk for all clients: what differs between them is a column of [`rules::Rules`]. It is judged by what real
//! clients sent (`corpus/oracle.tar.gz`). Left out is what a client puts in by itself: reminders, listings, the
//! environment, its system prompt. Texts stay in the file; each block knows the line that it comes from.

mod chain;
mod ending;
mod fate;
mod load;
pub mod outcome;
mod parallel;
pub mod part;
pub mod reading;
pub mod rules;
mod tree;
mod wire;

use crate::graph::Graph;
use crate::leaf::{self, LeafRule};
use crate::row::RowIndex;
use crate::symbol::Symbol;

use chain::Chain;
use load::Load;
use outcome::{ClientOutcome, ResumeRefusal, Resumed, Snag};
use parallel::Beside;
use reading::ClientReading;
use rules::Rules;
use tree::Tree;

/// What the client is started with.
#[derive(Debug, Clone, Copy, Default)]
pub struct ResumeInput<'a> {
    /// The model that goes on; else the one that made the last answer.
    pub model: Option<&'a str>,
    /// The new prompt. Only its length matters here.
    pub prompt: &'a str,
}

/// What a client makes of a session. Total: any file has an outcome.
pub fn resume(reading: &ClientReading, asked: &ResumeInput<'_>) -> Resumed {
    let rules = Rules::of(reading.generation);
    let graph = Graph::of(&reading.transcript);
    let tree = Tree::of(&reading.transcript, &graph, &reading.parts, rules);
    let nothing = |outcome: ClientOutcome, leaf: Option<(RowIndex, LeafRule)>| Resumed {
        outcome,
        leaf: leaf.map(|(row, _)| row),
        leaf_rule: leaf.map(|(_, rule)| rule),
        bridged: Vec::new(),
        messages: Vec::new(),
        dropped: fate::dropped(reading, &graph, &tree, None, &[]),
    };
    let (leaf, leaf_rule) = match find_leaf(reading, &graph, rules) {
        Ok(found) => found,
        Err(refusal) => return nothing(ClientOutcome::Refused(refusal), None),
    };
    let hang = |snag: Snag| nothing(ClientOutcome::Hang(snag), Some((leaf, leaf_rule)));
    let chain = match Chain::from(&reading.transcript, &graph, &tree, leaf, rules) {
        Ok(chain) => chain,
        Err(snag) => return hang(snag),
    };
    let beside = Beside::of(reading, &graph, &tree);
    let rows = parallel::put_back(reading, &beside, &chain.rows, rules.parallel);
    let mut load = Load::of(reading, rules, rows);
    if let Err(snag) = load.sift(model(reading, &chain, asked)) {
        return hang(snag);
    }
    let made = ending::made_up(&load);
    ending::leave_out_errors(&mut load);
    let messages = wire::messages(&load, &made, asked.prompt.chars().count());
    let only_prompt = messages.iter().map(|message| message.blocks.len()).sum::<usize>() <= 1;
    let dropped = fate::dropped(reading, &graph, &tree, Some((&chain, &load, &beside)), &messages);
    Resumed {
        outcome: if only_prompt { ClientOutcome::Fresh } else { ClientOutcome::Loaded },
        leaf: Some(leaf),
        leaf_rule: Some(leaf_rule),
        bridged: chain.bridged,
        messages,
        dropped,
    }
}

fn find_leaf(
    reading: &ClientReading,
    graph: &Graph,
    rules: &Rules,
) -> Result<(RowIndex, LeafRule), ResumeRefusal> {
    let transcript = &reading.transcript;
    let mut nodes = graph.nodes.iter().filter(|row| transcript.row(**row).kind.is_chained()).peekable();
    if nodes.peek().is_none() {
        return Err(ResumeRefusal::NoMessages);
    }
    if rules.needs_times && nodes.all(|row| transcript.row(*row).time().is_none()) {
        return Err(ResumeRefusal::NoTimes);
    }
    let named = transcript.leaf_pointer.and_then(|pointer| pointer.leaf).and_then(|leaf| graph.find(leaf));
    if rules.refuses_sidechain_leaf && named.is_some_and(|row| graph.sidechain.contains(&row)) {
        return Err(ResumeRefusal::SidechainLeaf);
    }
    leaf::choose(transcript, graph, reading.generation).ok_or(ResumeRefusal::NoMessages)
}

/// The model that goes on: the one that is asked for, else the one that made the last answer.
fn model(reading: &ClientReading, chain: &Chain, asked: &ResumeInput<'_>) -> Option<Symbol> {
    if let Some(model) = asked.model {
        return reading.symbols.find(model);
    }
    let made_up = reading.symbols.find("<synthetic>");
    let mut named = chain.rows.iter().rev().filter_map(|row| reading.parts[*row as usize].model);
    named.find(|model| Some(*model) != made_up)
}
