//! The lines composed so far, and how many there are of each kind.

use std::collections::BTreeMap;

use crate::json::Object;

/// Whole lines, each `\n` ended, with a count by kind (`user`, `system/turn_duration`, …).
///
/// The count is kept while writing, so that a test or a corpus knows its totals without reading them back.
#[derive(Debug, Clone, Default)]
pub struct Sheet {
    bytes: Vec<u8>,
    kinds: BTreeMap<&'static str, u64>,
}

impl Sheet {
    /// Adds a finished object as a line.
    pub fn line(&mut self, kind: &'static str, object: Object) {
        self.bytes.extend_from_slice(object.done().as_bytes());
        self.bytes.push(b'\n');
        *self.kinds.entry(kind).or_default() += 1;
    }

    /// Puts another sheet's lines after these.
    pub fn append(&mut self, other: Self) {
        self.bytes.extend_from_slice(&other.bytes);
        for (kind, count) in other.kinds {
            *self.kinds.entry(kind).or_default() += count;
        }
    }

    /// The lines.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The lines, given away.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// How many lines of each kind.
    pub fn kinds(&self) -> &BTreeMap<&'static str, u64> {
        &self.kinds
    }

    /// How many lines.
    pub fn lines(&self) -> u64 {
        self.kinds.values().sum()
    }

    /// Size in bytes.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Is nothing written yet?
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }
}
