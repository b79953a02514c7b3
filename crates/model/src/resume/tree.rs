//! The tree that a client walks: who hangs on whom, after what a compaction kept was spliced in.

use rustc_hash::FxHashSet;
use scrollback_format::id::EntryId;

use super::part::{EntryPart, Kept};
use super::rules::Rules;
use crate::graph::Graph;
use crate::role::Role;
use crate::row::RowIndex;
use crate::transcript::Transcript;

/// Where a line leads, upwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Up {
    /// Nowhere: it begins a conversation.
    Root,
    /// To a line that is not there, or is none of a conversation.
    Missing,
    /// To this one.
    Row(RowIndex),
}

/// The lines that a client knows, and how they hang together for it.
#[derive(Debug)]
pub(super) struct Tree {
    up: Vec<Up>,
    /// Rows that are on the tree.
    known: Vec<bool>,
    /// Rows that a compaction took off it.
    compacted: Vec<bool>,
}

impl Tree {
    /// The tree of a transcript under these rules.
    pub(super) fn of(transcript: &Transcript, graph: &Graph, parts: &[EntryPart], rules: &Rules) -> Self {
        let count = transcript.rows.len();
        let mut known = vec![false; count];
        for &row in &graph.nodes {
            known[row as usize] = transcript.row(row).kind.is_chained();
        }
        let mut tree = Self { up: vec![Up::Root; count], known, compacted: vec![false; count] };
        for &row in &graph.nodes {
            tree.up[row as usize] = match transcript.row(row).parent {
                Some(parent) => tree.to(graph, parent),
                None => Up::Root,
            };
        }
        if rules.splices_kept {
            tree.splice(transcript, graph, parts);
        }
        tree
    }

    fn to(&self, graph: &Graph, id: EntryId) -> Up {
        match graph.find(id) {
            Some(row) if self.known[row as usize] => Up::Row(row),
            _ => Up::Missing,
        }
    }

    /// Where a row leads.
    pub(super) fn up(&self, row: RowIndex) -> Up {
        self.up[row as usize]
    }

    /// Is the row a line of the conversation, on this branch or another?
    pub(super) fn knows(&self, row: RowIndex) -> bool {
        self.known[row as usize]
    }

    /// Did a compaction take it off the tree?
    pub(super) fn is_compacted(&self, row: RowIndex) -> bool {
        self.compacted[row as usize]
    }

    /// Hangs the lines that the last compaction kept on the line that it names, hangs on their end what hung there,
    /// and takes off the tree what else is before the boundary.
    fn splice(&mut self, transcript: &Transcript, graph: &Graph, parts: &[EntryPart]) {
        let is_boundary = |row: &&RowIndex| transcript.row(**row).role == Role::Boundary;
        let Some(&boundary) = graph.nodes.iter().rev().find(is_boundary) else { return };
        let Some(kept) = parts[boundary as usize].kept else { return };
        let Some(segment) = self.segment(graph, kept) else { return };
        let (Some(&tail), Some(&head)) = (segment.first(), segment.last()) else { return };
        let anchor = self.to(graph, kept.anchor);
        let kept_rows: FxHashSet<RowIndex> = segment.iter().copied().collect();
        let is_kept = |row: RowIndex| kept_rows.contains(&row);
        // What names the anchor as its parent may do so though the anchor's own line is gone.
        for &row in &graph.nodes {
            if transcript.row(row).parent == Some(kept.anchor) && !is_kept(row) {
                self.up[row as usize] = Up::Row(tail);
            }
        }
        self.up[head as usize] = anchor;
        for &row in graph.nodes.iter().filter(|row| **row < boundary && !is_kept(**row)) {
            self.compacted[row as usize] = self.known[row as usize];
            self.known[row as usize] = false;
        }
    }

    /// The kept lines from the last to the first, if the one leads to the other.
    fn segment(&self, graph: &Graph, kept: Kept) -> Option<Vec<RowIndex>> {
        let head = graph.find(kept.head)?;
        let mut at = graph.find(kept.tail)?;
        let mut seen = vec![false; self.up.len()];
        let mut segment = vec![at];
        while at != head {
            seen[at as usize] = true;
            at = match self.up(at) {
                Up::Row(up) if !seen[up as usize] => up,
                _ => return None,
            };
            segment.push(at);
        }
        Some(segment)
    }
}
