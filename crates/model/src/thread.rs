//! Threads: the live conversation from its first line to its leaf, and everything that is not on it.
//!
//! Each line of the tree is in exactly one thread. Nothing is dropped: what hangs beside the chain (progress, hook
//! notes) stands after the line that it hangs on, parallel tool results are put back where they were asked for,
//! and what the live chain does not reach is a branch with the place where it left.

use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use crate::cost;
use crate::graph::{Graph, NONE};
use crate::leaf::{self, LeafRule};
use crate::role::Role;
use crate::row::RowIndex;
use crate::timeline::Timeline;
use crate::transcript::Transcript;
use scrollback_format::generation::Generation;

/// How a thread comes to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum ThreadKind {
    /// What a client would go on with.
    Live,
    /// Left behind by a rewind, a retry or an edit.
    Branch,
    /// Taken out of the conversation and summarised ("summarize from here").
    Summarized,
    /// A separate conversation that nothing joins to the rest.
    Root,
    /// An agent in the session's own file.
    Sidechain,
}

/// How a line follows the one before it where `parentUuid` does not say so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum JointKind {
    /// A compaction: `logicalParentUuid` names the line before.
    Compaction,
    /// A compaction whose logical parent is in no line: joined by time.
    CompactionByTime,
    /// The parent is in no line: joined to the line before it in time, as newer clients do.
    Gap,
    /// The chain contains a cycle: cut, and joined by time.
    Cycle,
}

/// A place where a thread goes on without a parent's word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Joint {
    /// The line after the joint.
    pub row: RowIndex,
    /// The line before it.
    pub before: Option<RowIndex>,
    /// Why.
    pub kind: JointKind,
}

/// Lines in the order of the conversation.
#[derive(Debug, Clone)]
pub struct Thread {
    /// How it comes to be.
    pub kind: ThreadKind,
    /// Its lines, first to last.
    pub rows: Vec<RowIndex>,
    /// The line of another thread that it hangs on.
    pub fork: Option<RowIndex>,
    /// The thread that line is in.
    pub parent_thread: Option<usize>,
    /// Its last line on the chain.
    pub leaf: RowIndex,
    /// Does anybody speak in it? A lost tool result alone is no conversation.
    pub speaks: bool,
}

/// All threads of a transcript.
#[derive(Debug)]
pub struct Threads {
    /// The live one first, if there is any; then the others by their first line.
    pub threads: Vec<Thread>,
    /// Why the live leaf is the leaf.
    pub rule: Option<LeafRule>,
    /// Joints of all threads.
    pub joints: Vec<Joint>,
    /// The thread of each row; rows that are no part of the tree have none.
    placed: Vec<u32>,
}

impl Threads {
    /// Arranges the rows of a transcript, with the leaf that a client of this generation would choose.
    pub fn of(transcript: &Transcript, graph: &Graph, generation: Generation) -> Self {
        let chosen = leaf::choose(transcript, graph, generation);
        let mut weaver = Weaver::new(transcript, graph);
        if let Some((leaf, _)) = chosen {
            weaver.live(leaf);
        }
        weaver.offshoots();
        weaver.mark_summarized();
        weaver.sidechains();
        Self {
            threads: weaver.threads,
            rule: chosen.map(|(_, rule)| rule),
            joints: weaver.joints,
            placed: weaver.placed,
        }
    }

    /// The live thread.
    pub fn live(&self) -> Option<&Thread> {
        self.threads.first().filter(|thread| thread.kind == ThreadKind::Live)
    }

    /// The thread that a row is in.
    pub fn thread_of(&self, row: RowIndex) -> Option<usize> {
        let at = *self.placed.get(row as usize)?;
        (at != NONE).then_some(at as usize)
    }

    /// The conversations that were left behind: branches, and roots that nothing joins to the rest.
    pub fn branches(&self) -> impl Iterator<Item = (usize, &Thread)> {
        self.threads.iter().enumerate().filter(|(_, thread)| {
            thread.speaks
                && matches!(thread.kind, ThreadKind::Branch | ThreadKind::Summarized | ThreadKind::Root)
        })
    }
}

struct Weaver<'t> {
    transcript: &'t Transcript,
    graph: &'t Graph,
    threads: Vec<Thread>,
    joints: Vec<Joint>,
    placed: Vec<u32>,
    /// Rows of each message, in file order.
    message_rows: Vec<Vec<RowIndex>>,
    /// Nodes by time, those that are on no chain yet.
    timeline: Timeline,
    /// How many rows hang on each that are in no thread yet.
    unplaced_children: Vec<u32>,
    /// Rows that came to be tips by the placing of others: nothing that is left hangs on them any more.
    new_tips: Vec<RowIndex>,
    /// Which walk met a row last, so that each walk meets it once.
    met: Vec<u32>,
    walks: u32,
}

impl<'t> Weaver<'t> {
    fn new(transcript: &'t Transcript, graph: &'t Graph) -> Self {
        let count = transcript.rows.len();
        let mut message_rows = vec![Vec::new(); transcript.messages.len()];
        for &row in &graph.nodes {
            if let Some(message) = transcript.row(row).message {
                message_rows[message.index()].push(row);
            }
        }
        let timeline = Timeline::of(transcript, graph.nodes.iter().copied());
        Self {
            transcript,
            graph,
            threads: Vec::new(),
            joints: Vec::new(),
            placed: vec![NONE; count],
            message_rows,
            timeline,
            unplaced_children: (0..count as RowIndex)
                .map(|row| graph.children(row).iter().filter(|child| **child != row).count() as u32)
                .collect(),
            new_tips: Vec::new(),
            met: vec![0; count],
            walks: 0,
        }
    }

    /// Puts a row into a thread.
    fn place(&mut self, row: RowIndex, number: u32) {
        cost::step(1);
        if std::mem::replace(&mut self.placed[row as usize], number) != NONE {
            return;
        }
        if let Some(parent) = self.graph.parent(row).filter(|parent| *parent != row) {
            let left = &mut self.unplaced_children[parent as usize];
            *left = left.saturating_sub(1);
            if *left == 0 && self.is_left(parent) {
                self.new_tips.push(parent);
            }
        }
    }

    /// Is it a line of the tree that is in no thread yet?
    fn is_left(&self, row: RowIndex) -> bool {
        self.placed[row as usize] == NONE && self.timeline.holds(row)
    }

    /// Begins a walk, in which [`Self::meets`] tells each row once.
    fn walk(&mut self) -> u32 {
        self.walks += 1;
        self.walks
    }

    fn meets(&mut self, walk: u32, row: RowIndex) -> bool {
        cost::step(1);
        std::mem::replace(&mut self.met[row as usize], walk) != walk
    }

    fn live(&mut self, leaf: RowIndex) {
        let mut path = Vec::new();
        let mut next = Some(leaf);
        while let Some(row) = next {
            self.timeline.take(row);
            path.push(row);
            next = self.before(row);
        }
        path.reverse();
        self.push(ThreadKind::Live, &path, None, leaf);
    }

    /// The line that a chain goes on to, upwards; joints are noted.
    fn before(&mut self, row: RowIndex) -> Option<RowIndex> {
        let this = self.transcript.row(row);
        let (kind, found) = match (self.graph.parent(row), this.parent) {
            (Some(parent), _) if self.timeline.is_free(parent) => return Some(parent),
            // A parent that an agent's line is, or that is on the chain already, cannot be gone on to.
            (Some(parent), _) if !self.timeline.holds(parent) => (JointKind::Gap, None),
            (Some(_), _) => (JointKind::Cycle, None),
            (None, Some(_)) => (JointKind::Gap, None),
            (None, None) if this.role == Role::Boundary => self.across_compaction(row),
            (None, None) => return None,
        };
        let before = found.or_else(|| self.timeline.latest_before(self.transcript, row));
        self.joints.push(Joint { row, before, kind });
        before
    }

    fn across_compaction(&self, row: RowIndex) -> (JointKind, Option<RowIndex>) {
        let compactions = &self.transcript.compactions;
        // They are in file order.
        let at = compactions.partition_point(|compaction| compaction.row < row);
        cost::step(1);
        let logical = compactions
            .get(at)
            .filter(|compaction| compaction.row == row)
            .and_then(|compaction| compaction.logical_parent)
            .and_then(|id| self.graph.find(id))
            .filter(|found| self.timeline.is_free(*found));
        match logical {
            Some(found) => (JointKind::Compaction, Some(found)),
            None => (JointKind::CompactionByTime, None),
        }
    }

    /// Makes a thread of a chain: parallel lines put back, what hangs beside put after what it hangs on.
    fn push(&mut self, kind: ThreadKind, path: &[RowIndex], fork: Option<RowIndex>, leaf: RowIndex) {
        let number = self.threads.len() as u32;
        for &row in path {
            self.place(row, number);
        }
        let mut rows = Vec::with_capacity(path.len());
        for (at, &row) in path.iter().enumerate() {
            rows.push(row);
            self.put_back_parallel(row, &path[at + 1..], number, &mut rows);
            self.put_beside(row, number, &mut rows);
        }
        let parent_thread = fork.map(|fork| self.placed[fork as usize] as usize);
        let speaks = rows.iter().any(|row| self.transcript.row(*row).role.is_conversation());
        self.threads.push(Thread { kind, rows, fork, parent_thread, leaf, speaks });
    }

    /// After the last line of a message that is on the chain: its other lines, and the results of its calls.
    fn put_back_parallel(&mut self, row: RowIndex, rest: &[RowIndex], number: u32, rows: &mut Vec<RowIndex>) {
        let Some(message) = self.transcript.row(row).message else { return };
        if self.message_rows[message.index()].len() < 2 {
            return;
        }
        let is_last = !rest.iter().take(64).any(|next| self.transcript.row(*next).message == Some(message));
        if !is_last {
            return;
        }
        // Once is enough: all that could be put back then was, and no line is let go again.
        let group = std::mem::take(&mut self.message_rows[message.index()]);
        for &line in &group {
            self.adopt(line, number, rows);
        }
        for &line in &group {
            for &child in self.graph.children(line) {
                cost::step(1);
                if self.transcript.row(child).role == Role::ToolResult {
                    self.adopt(child, number, rows);
                }
            }
        }
    }

    fn adopt(&mut self, row: RowIndex, number: u32, rows: &mut Vec<RowIndex>) {
        if self.placed[row as usize] == NONE && self.timeline.is_free(row) {
            self.timeline.take(row);
            self.place(row, number);
            rows.push(row);
            self.put_beside(row, number, rows);
        }
    }

    /// Puts what hangs on a row and holds no conversation (progress, hook notes, late remarks) after it.
    fn put_beside(&mut self, row: RowIndex, number: u32, rows: &mut Vec<RowIndex>) {
        let graph = self.graph;
        for &child in graph.children(row) {
            cost::step(1);
            if self.placed[child as usize] == NONE
                && self.timeline.is_free(child)
                && let Some(subtree) = self.quiet_subtree(child)
            {
                for &quiet in &subtree {
                    self.timeline.take(quiet);
                    self.place(quiet, number);
                }
                rows.extend(subtree);
            }
        }
    }

    /// The rows from here down, if nobody speaks in them and they are not too many.
    fn quiet_subtree(&mut self, top: RowIndex) -> Option<Vec<RowIndex>> {
        const ENOUGH: usize = 256;
        let (graph, walk) = (self.graph, self.walk());
        let mut found = vec![top];
        self.meets(walk, top);
        let mut at = 0;
        while let Some(&row) = found.get(at) {
            at += 1;
            let role = self.transcript.row(row).role;
            let alone =
                matches!(role, Role::ToolResult | Role::Command | Role::Interruption | Role::ApiError);
            if role.is_conversation() || alone {
                return None;
            }
            for &child in graph.children(row) {
                if self.timeline.is_free(child)
                    && self.placed[child as usize] == NONE
                    && self.meets(walk, child)
                {
                    found.push(child);
                    if found.len() > ENOUGH {
                        return None;
                    }
                }
            }
        }
        Some(found)
    }

    /// Makes branches of all that is left, in rounds from the end of the file to its start, until nothing is.
    fn offshoots(&mut self) {
        let graph = self.graph;
        let tips =
            graph.nodes.iter().copied().filter(|row| {
                self.placed[*row as usize] == NONE && self.unplaced_children[*row as usize] == 0
            });
        let mut round: BinaryHeap<RowIndex> = tips.collect();
        let mut left = graph.nodes.as_slice();
        self.new_tips.clear();
        loop {
            while left.last().is_some_and(|row| self.placed[*row as usize] != NONE) {
                cost::step(1);
                left = &left[..left.len() - 1];
            }
            let Some(&last) = left.last() else { return };
            let mut next = BinaryHeap::new();
            while let Some(tip) = round.pop() {
                if self.is_left(tip) {
                    self.branch(tip);
                }
                // What has become a tip further up the file has its turn in this round, what is further down in the next.
                for tip_now in std::mem::take(&mut self.new_tips) {
                    if tip_now < tip { round.push(tip_now) } else { next.push(tip_now) }
                }
            }
            // The last line that was left at the start of a round is the end of a chain, or in a cycle; either way one
            // more thread takes it in, so this ends.
            if self.placed[last as usize] == NONE {
                self.branch(last);
            }
            next.extend(std::mem::take(&mut self.new_tips));
            round = next;
        }
    }

    /// A branch that hangs on the very line that a later compaction goes on from is what was summarised there.
    fn mark_summarized(&mut self) {
        let mut compacted: FxHashMap<RowIndex, RowIndex> = FxHashMap::default();
        for joint in self.joints.iter().filter(|joint| joint.kind == JointKind::Compaction) {
            if let Some(before) = joint.before {
                let row = compacted.entry(before).or_insert(joint.row);
                *row = joint.row.max(*row);
            }
        }
        if compacted.is_empty() {
            return;
        }
        for thread in self.threads.iter_mut().filter(|thread| thread.kind == ThreadKind::Branch) {
            cost::step(thread.rows.len());
            let boundary = thread.fork.and_then(|fork| compacted.get(&fork));
            if boundary.is_some_and(|boundary| thread.rows.iter().all(|row| row < boundary)) {
                thread.kind = ThreadKind::Summarized;
            }
        }
    }

    /// One thread from this tip up to where it leaves another thread, or to its root.
    fn branch(&mut self, tip: RowIndex) {
        let mut path = Vec::new();
        let mut at = Some(tip);
        let mut fork = None;
        while let Some(row) = at {
            if self.placed[row as usize] != NONE {
                fork = Some(row);
                break;
            }
            if !self.timeline.is_free(row) {
                break;
            }
            cost::step(1);
            self.timeline.take(row);
            path.push(row);
            at = self.graph.parent(row).filter(|parent| self.timeline.holds(*parent));
        }
        path.reverse();
        let kind = if fork.is_some() { ThreadKind::Branch } else { ThreadKind::Root };
        self.push(kind, &path, fork, tip);
    }

    /// Agents of old clients that stand in the session's file: one thread for each beginning.
    fn sidechains(&mut self) {
        let graph = self.graph;
        let roots = self.sidechain_roots();
        let mut numbers: FxHashMap<RowIndex, usize> = FxHashMap::default();
        for &row in &graph.sidechain {
            cost::step(1);
            let root = roots[row as usize];
            let number = *numbers.entry(root).or_insert_with(|| {
                let fork = graph.parent(root).filter(|parent| self.timeline.holds(*parent));
                let parent_thread = fork.map(|fork| self.placed[fork as usize] as usize);
                let kind = ThreadKind::Sidechain;
                let rows = Vec::new();
                self.threads.push(Thread { kind, rows, fork, parent_thread, leaf: row, speaks: true });
                self.threads.len() - 1
            });
            self.placed[row as usize] = number as u32;
            self.threads[number].rows.push(row);
            self.threads[number].leaf = row;
        }
    }

    /// The beginning that each line of an agent leads up to.
    fn sidechain_roots(&mut self) -> Vec<RowIndex> {
        let graph = self.graph;
        let mut root_of = vec![NONE; self.transcript.rows.len()];
        for &row in &graph.sidechain {
            let walk = self.walk();
            let mut trail = Vec::new();
            let mut at = row;
            // Up to a known root, a line outside, or a repetition.
            let root = loop {
                if root_of[at as usize] != NONE {
                    break root_of[at as usize];
                }
                self.meets(walk, at);
                trail.push(at);
                match graph.parent(at) {
                    Some(parent) if !self.timeline.holds(parent) && self.met[parent as usize] != walk => {
                        at = parent;
                    }
                    _ => break at,
                }
            };
            for step in trail {
                root_of[step as usize] = root;
            }
        }
        root_of
    }
}

#[cfg(test)]
mod tests;
