//! Sets of row numbers as ranges in a few bytes: which lines are dead, which were compacted away.

use std::ops::Range;

use scrollback_model::pack::{self, Packer, Unpacker};

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

    /// As bytes: gaps and lengths, seven bits a byte; sealed.
    pub fn encode(&self) -> Vec<u8> {
        let mut packer = Packer::default();
        let mut at = 0;
        for range in &self.0 {
            packer.number(u64::from(range.start - at));
            packer.number(u64::from(range.end - range.start));
            at = range.end;
        }
        pack::seal(packer.bytes)
    }

    /// The ranges of some bytes; none if they are damaged.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        Self::unpack(pack::unseal(bytes)?)
    }

    fn unpack(bytes: &[u8]) -> Option<Self> {
        let mut unpacker = Unpacker::new(bytes);
        let mut ranges = Vec::new();
        let mut at = 0_u32;
        while !unpacker.is_done() {
            let start = at.checked_add(unpacker.small()?)?;
            at = start.checked_add(unpacker.small()?)?;
            ranges.push(start..at);
        }
        Some(Self(ranges))
    }
}

#[cfg(test)]
mod tests {
    use super::RowRanges;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn ranges_hold_what_went_in(rows in prop::collection::btree_set(0..5000_u32, 0..200)) {
            let ranges = RowRanges::decode(&RowRanges::of(rows.iter().copied()).encode()).unwrap();
            for row in 0..5000 {
                prop_assert_eq!(ranges.has(row), rows.contains(&row));
            }
        }

        #[test]
        fn any_bytes_end(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
            prop_assert_eq!(RowRanges::decode(&bytes), None);
            RowRanges::unpack(&bytes).unwrap_or_default().has(7);
        }
    }
}
