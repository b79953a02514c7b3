//! The tape: one node per value of a scanned text, in document order.

/// Values nested deeper than this are kept as one opaque span. The client nests below 20.
pub const MAX_DEPTH: usize = 128;

/// A text with more containers open at once than this is no value. Below [`MAX_DEPTH`] a container costs four bytes until it
/// is closed, so that memory stays bounded here too.
pub const MAX_NESTING: usize = 1 << 20;

/// A text with more values than this is scanned again in shallow mode, so that memory stays bounded.
pub const MAX_NODES: usize = 1 << 20;

/// How deep shallow mode goes: entry, message, content list, block.
pub(super) const SHALLOW_DEPTH: usize = 4;

/// What a node is. Keys are strings too: an object's children alternate key and value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum NodeKind {
    Null,
    True,
    False,
    Number,
    String,
    Array,
    Object,
}

/// The string holds at least one backslash escape.
pub(super) const ESCAPED: u8 = 1;
/// The string holds a `\uD800`-like escape without its partner.
pub(super) const LONE_SURROGATE: u8 = 2;
/// The container's children are not on the tape (too deep, or shallow mode); its span is.
pub(super) const OPAQUE: u8 = 4;

/// One value: its span in the text, and the index of the node after its whole subtree.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    pub start: u32,
    pub end: u32,
    pub next: u32,
    pub kind: NodeKind,
    pub flags: u8,
}

/// The reusable buffer of a scan: nodes of one text, and the stack of open containers.
///
/// 16 bytes a value; a tape is reused from line to line, so scanning allocates only when a line has more
/// values than any line before it.
#[derive(Debug, Default)]
pub struct Tape {
    pub(super) nodes: Vec<Node>,
    pub(super) open: Vec<u32>,
    pub(super) any_lone_surrogate: bool,
    pub(super) any_opaque: bool,
    /// How many bytes the last scan looked at, whether it found a value or not.
    pub(crate) read: usize,
}

impl Tape {
    /// An empty tape.
    pub fn new() -> Self {
        Self::default()
    }

    /// Does any string of the last scan hold half a surrogate pair?
    pub fn has_lone_surrogate(&self) -> bool {
        self.any_lone_surrogate
    }

    /// Was any value of the last scan nested too deep, or the text too wide, to be taken apart wholly?
    pub fn has_opaque(&self) -> bool {
        self.any_opaque
    }

    /// How many bytes its buffers take.
    #[cfg(test)]
    pub(crate) fn held(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>() + self.open.capacity() * size_of::<u32>()
    }

    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.open.clear();
        self.any_lone_surrogate = false;
        self.any_opaque = false;
        self.read = 0;
    }
}
