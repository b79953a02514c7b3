//! A row: what is kept of one entry. 64 bytes, whatever the entry's size; its text stays in the file.

use scrollback_format::id::EntryId;
use scrollback_format::kind::Kind;
use scrollback_format::time::Time;

use crate::role::Role;

/// The number of a row in its transcript.
pub type RowIndex = u32;

/// The skeleton of an entry.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// Its id. Side notes have none.
    pub id: Option<EntryId>,
    /// The id that it names as its parent.
    pub parent: Option<EntryId>,
    /// Offset of its first byte in the file.
    pub offset: u64,
    time_ms: i64,
    /// Its line, counted from 1.
    pub line: u32,
    /// Its length in bytes.
    pub len: u32,
    /// `message.id`.
    pub message: Option<MessageRef>,
    /// What it is.
    pub kind: Kind,
    /// What part it plays.
    pub role: Role,
    flags: u8,
}

/// The symbol of a `message.id`, in a form that leaves room for "none".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MessageRef(std::num::NonZeroU32);

impl MessageRef {
    /// The reference to the message at this place in the transcript's list.
    pub fn new(index: usize) -> Option<Self> {
        u32::try_from(index).ok()?.checked_add(1).and_then(std::num::NonZeroU32::new).map(Self)
    }

    /// The place in the transcript's list of messages.
    pub fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

const SIDECHAIN: u8 = 1;
const NULL_PARENT: u8 = 2;
const CALLS_TOOL: u8 = 4;

/// No time: entries without a timestamp sort before all others.
const NO_TIME: i64 = i64::MIN;

impl Row {
    /// A row with neither id nor parent.
    pub fn new(kind: Kind, role: Role, line: u64, offset: u64, len: usize) -> Self {
        Self {
            id: None,
            parent: None,
            offset,
            time_ms: NO_TIME,
            line: u32::try_from(line).unwrap_or(u32::MAX),
            len: u32::try_from(len).unwrap_or(u32::MAX),
            message: None,
            kind,
            role,
            flags: 0,
        }
    }

    /// When the entry was written.
    pub fn time(&self) -> Option<Time> {
        (self.time_ms != NO_TIME).then_some(Time(self.time_ms))
    }

    /// Sets when it was written.
    pub fn set_time(&mut self, time: Option<Time>) {
        self.time_ms = time.map_or(NO_TIME, |time| time.0);
    }

    /// Is it part of an agent's transcript?
    pub fn is_sidechain(&self) -> bool {
        self.flags & SIDECHAIN != 0
    }

    /// Does it say `parentUuid: null`, that is, begin a chain on purpose?
    pub fn begins_chain(&self) -> bool {
        self.flags & NULL_PARENT != 0
    }

    /// Does it call a tool?
    pub fn calls_tool(&self) -> bool {
        self.flags & CALLS_TOOL != 0
    }

    /// Marks it as calling a tool.
    pub fn mark_call(&mut self) {
        self.flags |= CALLS_TOOL;
    }

    /// Its marks in one byte, as [`crate::skeleton`] stores them.
    pub(crate) fn marks(&self) -> u8 {
        self.flags
    }

    /// Sets all marks at once.
    pub(crate) fn set_marks(&mut self, marks: u8) {
        self.flags = marks;
    }

    /// Marks it as part of an agent's transcript, or as the beginning of a chain.
    pub fn mark(&mut self, sidechain: bool, null_parent: bool) {
        self.flags = if sidechain { SIDECHAIN } else { 0 } | if null_parent { NULL_PARENT } else { 0 };
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_row_has_the_size_that_is_stated() {
        assert_eq!(size_of::<super::Row>(), 64);
    }
}
