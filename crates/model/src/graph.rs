//! The graph: rows joined by `parentUuid`. Total on any input: cycles, self-parents, duplicates and dangling
//! parents are facts about the file, not errors.

use rustc_hash::FxHashMap;
use scrollback_format::id::EntryId;

use crate::row::RowIndex;
use crate::transcript::{FileKind, Transcript};

/// No row.
pub(crate) const NONE: RowIndex = RowIndex::MAX;

/// Rows and how they hang together.
#[derive(Debug)]
pub struct Graph {
    /// The row of each id: the last line that has it.
    index: FxHashMap<EntryId, RowIndex>,
    /// Each row's parent row, by its own `parentUuid`; [`NONE`] if it has none here.
    parent: Vec<RowIndex>,
    /// Children in file order: `child_list[child_start[i]..child_start[i + 1]]`.
    child_start: Vec<u32>,
    child_list: Vec<RowIndex>,
    /// Rows of the conversation tree, in file order; earlier copies of a doubled id left out.
    pub nodes: Vec<RowIndex>,
    /// Rows of agents that stand in a session's own file.
    pub sidechain: Vec<RowIndex>,
    /// Earlier lines of an id that stands twice.
    pub replaced: Vec<RowIndex>,
    /// Rows whose parent is in no line.
    pub dangling: Vec<RowIndex>,
}

impl Graph {
    /// The graph of a transcript.
    pub fn of(transcript: &Transcript) -> Self {
        let rows = &transcript.rows;
        let mut index = FxHashMap::default();
        index.reserve(rows.len());
        for (at, row) in rows.iter().enumerate() {
            if let Some(id) = row.id {
                index.insert(id, at as RowIndex);
            }
        }
        let mut graph = Self {
            index,
            parent: vec![NONE; rows.len()],
            child_start: Vec::new(),
            child_list: Vec::new(),
            nodes: Vec::new(),
            sidechain: Vec::new(),
            replaced: Vec::new(),
            dangling: Vec::new(),
        };
        graph.place(transcript);
        graph.link_children();
        graph
    }

    fn place(&mut self, transcript: &Transcript) {
        let in_session = transcript.file_kind == FileKind::Session;
        for (at, row) in transcript.rows.iter().enumerate() {
            let at = at as RowIndex;
            let Some(id) = row.id else { continue };
            if self.index.get(&id) != Some(&at) {
                self.replaced.push(at);
                continue;
            }
            match row.parent.map(|parent| self.index.get(&parent)) {
                Some(Some(&parent)) => self.parent[at as usize] = parent,
                Some(None) => self.dangling.push(at),
                None => {}
            }
            if in_session && row.is_sidechain() {
                self.sidechain.push(at);
            } else {
                self.nodes.push(at);
            }
        }
    }

    fn link_children(&mut self) {
        let mut start = vec![0_u32; self.parent.len() + 1];
        for &parent in self.parent.iter().filter(|parent| **parent != NONE) {
            start[parent as usize + 1] += 1;
        }
        for at in 1..start.len() {
            start[at] += start[at - 1];
        }
        let mut next = start.clone();
        self.child_list = vec![NONE; start.last().map_or(0, |last| *last as usize)];
        for (at, &parent) in self.parent.iter().enumerate() {
            if parent != NONE {
                self.child_list[next[parent as usize] as usize] = at as RowIndex;
                next[parent as usize] += 1;
            }
        }
        self.child_start = start;
    }

    /// The row with this id.
    pub fn find(&self, id: EntryId) -> Option<RowIndex> {
        self.index.get(&id).copied()
    }

    /// The parent row, by the row's own word.
    pub fn parent(&self, row: RowIndex) -> Option<RowIndex> {
        let parent = self.parent[row as usize];
        (parent != NONE).then_some(parent)
    }

    /// The rows that name this one as their parent, in file order.
    pub fn children(&self, row: RowIndex) -> &[RowIndex] {
        let at = row as usize;
        &self.child_list[self.child_start[at] as usize..self.child_start[at + 1] as usize]
    }
}
