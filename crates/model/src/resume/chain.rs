//! The chain: from the leaf up to where the conversation begins for a client.

use scrollback_format::kind::Kind;

use super::outcome::Snag;
use super::rules::{Detour, Rules};
use super::tree::{Tree, Up};
use crate::graph::Graph;
use crate::role::Role;
use crate::row::RowIndex;
use crate::timeline::Timeline;
use crate::transcript::Transcript;

/// Why a chain begins where it begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Top {
    /// At a line that has no parent.
    Root,
    /// At a compaction.
    Boundary,
    /// The parent is not there, or is on the chain already, and nothing bridges that.
    Broken,
}

/// The lines of a conversation, first to last.
#[derive(Debug)]
pub(super) struct Chain {
    pub(super) rows: Vec<RowIndex>,
    pub(super) top: Top,
    /// Rows whose parent was not there, where the chain went on all the same.
    pub(super) bridged: Vec<RowIndex>,
}

impl Chain {
    /// Walks up from a leaf. Ends on any input, because each row is taken once.
    pub(super) fn from(
        transcript: &Transcript,
        graph: &Graph,
        tree: &Tree,
        leaf: RowIndex,
        rules: &Rules,
    ) -> Result<Self, Snag> {
        let nodes = graph.nodes.iter().copied().filter(|row| tree.knows(*row));
        let mut timeline = Timeline::of(transcript, nodes);
        let mut chain = Self { rows: Vec::new(), top: Top::Root, bridged: Vec::new() };
        let mut next = Some(leaf);
        while let Some(row) = next {
            timeline.take(row);
            chain.rows.push(row);
            let detour = match tree.up(row) {
                Up::Root => break,
                Up::Row(up) if timeline.is_free(up) => {
                    next = Some(up);
                    continue;
                }
                Up::Row(up) if timeline.holds(up) => rules.cycle,
                // Off the tree: an agent's line, or one that a compaction took away.
                Up::Row(_) | Up::Missing => rules.gap,
            };
            next = match detour {
                Detour::Hangs => return Err(Snag::Cycle(row)),
                Detour::Ends => None,
                Detour::ByTime => timeline.latest_before(transcript, row),
            };
            match next {
                Some(_) => chain.bridged.push(row),
                None => chain.top = Top::Broken,
            }
        }
        chain.rows.reverse();
        if rules.takes_notes_below_leaf {
            chain.take_notes(transcript, graph, &mut timeline, leaf);
        }
        chain.cut(transcript);
        Ok(chain)
    }

    /// Goes down from the leaf as long as nobody speaks.
    fn take_notes(
        &mut self,
        transcript: &Transcript,
        graph: &Graph,
        timeline: &mut Timeline,
        leaf: RowIndex,
    ) {
        let is_note =
            |row: RowIndex| matches!(transcript.row(row).kind, Kind::Attachment(_) | Kind::System(_));
        let mut at = leaf;
        while let Some(&below) =
            graph.children(at).iter().find(|child| timeline.is_free(**child) && is_note(**child))
        {
            timeline.take(below);
            self.rows.push(below);
            at = below;
        }
    }

    /// Only what follows the last compaction counts.
    fn cut(&mut self, transcript: &Transcript) {
        let boundary = self.rows.iter().rposition(|row| transcript.row(*row).role == Role::Boundary);
        if let Some(at) = boundary {
            self.rows.drain(..at);
            self.top = Top::Boundary;
        }
    }
}
