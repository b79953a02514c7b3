//! Sets of row numbers as ranges in a few bytes: which lines are dead, which were compacted away.

use std::ops::Range;

use scrollback_model::pack::{Packer, Unpacker};

/// Rows, as ranges in ascending order that do not touch.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RowRanges(Vec<Range<u32>>);

impl RowRanges {
    /// The ranges of these rows, given in ascending order.
    pub fn of(rows: impl IntoIterator<Item = u32>) -> Self {
        let mut ranges: Vec<Range<u32>> = Vec::new();
        for row in rows {
            match ranges.last_mut() {
                Some(last) if last.end == row => last.end += 1,
                _ => ranges.push(row..row + 1),
            }
        }
        Self(ranges)
    }

    /// Is the row one of them?
    pub fn has(&self, row: u32) -> bool {
        let after = self.0.partition_point(|range| range.end <= row);
        self.0.get(after).is_some_and(|range| range.contains(&row))
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// As bytes: gaps and lengths, seven bits a byte.
    pub fn encode(&self) -> Vec<u8> {
        let mut packer = Packer::default();
        let mut at = 0;
        for range in &self.0 {
            packer.number(u64::from(range.start - at));
            packer.number(u64::from(range.end - range.start));
            at = range.end;
        }
        packer.bytes
    }

    /// The ranges of some bytes; what is damaged ends them.
    pub fn decode(bytes: &[u8]) -> Self {
        let mut unpacker = Unpacker::new(bytes);
        let mut ranges = Vec::new();
        let mut at = 0_u32;
        let mut pair = || Some((unpacker.number()?, unpacker.number()?));
        while let Some((gap, rows)) = pair() {
            let start = at.saturating_add(gap as u32);
            at = start.saturating_add(rows as u32);
            ranges.push(start..at);
        }
        Self(ranges)
    }
}

#[cfg(test)]
mod tests {
    use super::RowRanges;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn ranges_hold_what_went_in(rows in prop::collection::btree_set(0..5000_u32, 0..200)) {
            let ranges = RowRanges::decode(&RowRanges::of(rows.iter().copied()).encode());
            for row in 0..5000 {
                prop_assert_eq!(ranges.has(row), rows.contains(&row));
            }
        }

        #[test]
        fn any_bytes_are_some_ranges(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
            RowRanges::decode(&bytes).has(7);
        }
    }
}
