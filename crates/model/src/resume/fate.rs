//! Fates: why each line that is in no message is in none.

use rustc_hash::FxHashSet;
use scrollback_format::kind::Kind;

use super::chain::{Chain, Top};
use super::load::Load;
use super::outcome::{Dropped, Reason, SentMessage};
use super::parallel::Beside;
use super::reading::ClientReading;
use super::tree::{Tree, Up};
use crate::graph::Graph;
use crate::row::{Row, RowIndex};

/// Everything that is not sent, by line.
pub(super) fn dropped(
    reading: &ClientReading,
    graph: &Graph,
    tree: &Tree,
    chain: Option<(&Chain, &Load<'_>, &Beside)>,
    messages: &[SentMessage],
) -> Vec<Dropped> {
    let sent: FxHashSet<RowIndex> =
        messages.iter().flat_map(|message| &message.blocks).filter_map(|block| block.source.row()).collect();
    let mut dropped: Vec<Dropped> = reading
        .unread
        .iter()
        .map(|(line, reason)| Dropped { line: *line, row: None, block: None, reason: *reason })
        .collect();
    let mut judge = Judge::of(reading, graph, tree, chain);
    for (found, row) in reading.transcript.rows.iter().zip(0..) {
        let line = u64::from(found.line);
        if !sent.contains(&row) {
            let reason = judge.reason(found, row);
            dropped.push(Dropped { line, row: Some(row), block: None, reason });
        }
    }
    if let Some((_, load, _)) = chain {
        for (&(row, block), &reason) in load.lost.iter().filter(|((row, _), _)| sent.contains(row)) {
            let line = u64::from(reading.transcript.row(row).line);
            dropped.push(Dropped { line, row: Some(row), block: Some(block), reason });
        }
    }
    dropped.sort_by_key(|dropped| (dropped.line, dropped.row, dropped.block));
    dropped
}

struct Judge<'r> {
    reading: &'r ClientReading,
    tree: &'r Tree,
    chain: Option<(&'r Chain, &'r Load<'r>, &'r Beside)>,
    replaced: FxHashSet<RowIndex>,
    on_chain: Vec<bool>,
    /// Lines that belong to messages of the chain and hang beside it.
    parallel: FxHashSet<RowIndex>,
    /// Whether a line hangs on the chain somewhere, as far as it was asked for.
    hangs: Vec<Option<bool>>,
}

impl<'r> Judge<'r> {
    fn of(
        reading: &'r ClientReading,
        graph: &'r Graph,
        tree: &'r Tree,
        chain: Option<(&'r Chain, &'r Load<'r>, &'r Beside)>,
    ) -> Self {
        let count = reading.transcript.rows.len();
        let mut on_chain = vec![false; count];
        let mut parallel = FxHashSet::default();
        if let Some((chain, _, beside)) = chain {
            for &row in &chain.rows {
                on_chain[row as usize] = true;
                if let Some(message) = reading.transcript.row(row).message {
                    let (lines, results) = beside.of_message(message);
                    parallel.extend(lines.iter().copied().chain(results));
                }
            }
        }
        let replaced = graph.replaced.iter().copied().collect();
        Self { reading, tree, chain, replaced, on_chain, parallel, hangs: vec![None; count] }
    }

    fn reason(&mut self, found: &Row, row: RowIndex) -> Reason {
        if self.replaced.contains(&row) {
            return Reason::Superseded;
        }
        if !found.kind.is_chained() {
            let is_note = matches!(found.kind, Kind::Note(_) | Kind::Queue(_));
            return if is_note { Reason::SideNote } else { Reason::UnknownKind };
        }
        if found.is_sidechain() {
            return Reason::Sidechain;
        }
        if self.tree.is_compacted(row) {
            return Reason::BeforeBoundary;
        }
        let Some((chain, load, _)) = self.chain else { return Reason::NothingSent };
        if let Some(reason) = load.left_out.get(&row) {
            return *reason;
        }
        // A line of the chain that nothing left out and that still is in no message: nothing was sent.
        if self.on_chain[row as usize] {
            return Reason::NothingSent;
        }
        if self.parallel.contains(&row) {
            return Reason::LostParallel;
        }
        if self.hangs_on_chain(row) {
            return Reason::OtherBranch;
        }
        match (chain.top, chain.rows.first()) {
            (_, Some(&top)) if self.is_after(row, top) => Reason::OtherBranch,
            (Top::Boundary, _) => Reason::BeforeBoundary,
            (Top::Broken, _) => Reason::CutOff,
            (Top::Root, _) => Reason::BeforeStart,
        }
    }

    fn is_after(&self, row: RowIndex, top: RowIndex) -> bool {
        let key = |row: RowIndex| (self.reading.transcript.row(row).time(), row);
        key(row) > key(top)
    }

    /// Does a walk up from here meet the chain? Told once for every line that it passes.
    fn hangs_on_chain(&mut self, row: RowIndex) -> bool {
        let mut trail = Vec::new();
        let mut at = row;
        let found = loop {
            if self.on_chain[at as usize] {
                break true;
            }
            if let Some(known) = self.hangs[at as usize] {
                break known;
            }
            // A line that is met again on its own trail is in a cycle off the chain.
            self.hangs[at as usize] = Some(false);
            trail.push(at);
            match self.tree.up(at) {
                Up::Row(up) => at = up,
                Up::Root | Up::Missing => break false,
            }
        };
        for step in trail {
            self.hangs[step as usize] = Some(found);
        }
        found
    }
}
