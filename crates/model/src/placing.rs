//! Where each row stands: its thread and its turn there, in a few bytes, so that threads need not be rebuilt to
//! tell them.

use crate::facts::Anatomy;
use crate::pack::{self, Packer, Unpacker};
use crate::row::RowIndex;
use crate::transcript::Transcript;
use crate::turn;

/// Rows as runs that stand on one branch and in one turn.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Placing {
    runs: Vec<Run>,
}

/// What holds from this row up to the next run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Run {
    first: RowIndex,
    branch: u32,
    /// 0 before the first turn, and beside all threads.
    turn: u32,
}

impl Placing {
    /// Where the rows of a transcript stand.
    pub fn of(transcript: &Transcript, anatomy: &Anatomy) -> Self {
        let threads = &anatomy.threads;
        let mut branches = vec![0; threads.threads.len()];
        for (number, (thread, _)) in threads.branches().enumerate() {
            branches[thread] = number as u32 + 1;
        }
        let mut places = vec![(0, 0); transcript.rows.len()];
        for (thread, branch) in threads.threads.iter().zip(branches) {
            thread.rows.iter().for_each(|row| places[*row as usize].0 = branch);
            for turn in turn::turns(transcript, &thread.rows) {
                thread.rows[turn.range].iter().for_each(|row| places[*row as usize].1 = turn.number);
            }
        }
        let mut runs: Vec<Run> = Vec::new();
        for (first, (branch, turn)) in (0..).zip(places) {
            if runs.last().is_none_or(|run| (run.branch, run.turn) != (branch, turn)) {
                runs.push(Run { first, branch, turn });
            }
        }
        Self { runs }
    }

    /// The turn of a row on its thread, and the thread: 0 is the live one, else the branch's number.
    pub fn at(&self, row: RowIndex) -> (Option<u32>, u64) {
        let after = self.runs.partition_point(|run| run.first <= row);
        let Some(run) = after.checked_sub(1).map(|at| self.runs[at]) else { return (None, 0) };
        ((run.turn > 0).then_some(run.turn), u64::from(run.branch))
    }

    /// As bytes: lengths, branches, and how far each turn is from the one before, seven bits a byte; sealed.
    pub fn encode(&self) -> Vec<u8> {
        let mut packer = Packer::default();
        let (mut first, mut turn) = (0, 0);
        for run in &self.runs {
            packer.number(u64::from(run.first - first));
            packer.number(u64::from(run.branch));
            packer.signed(i64::from(run.turn) - i64::from(turn));
            (first, turn) = (run.first, run.turn);
        }
        pack::seal(packer.bytes)
    }

    /// Decodes bytes; None if they are damaged.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        Self::unpack(pack::unseal(bytes)?)
    }

    fn unpack(bytes: &[u8]) -> Option<Self> {
        let mut unpacker = Unpacker::new(bytes);
        let mut runs = Vec::new();
        let (mut first, mut turn) = (0_u32, 0_u32);
        while !unpacker.is_done() {
            first = first.checked_add(unpacker.small()?)?;
            let branch = unpacker.small()?;
            turn = u32::try_from(i64::from(turn).checked_add(unpacker.signed()?)?).ok()?;
            runs.push(Run { first, branch, turn });
        }
        Some(Self { runs })
    }
}

#[cfg(test)]
mod tests {
    use super::{Placing, Run};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn bytes_and_back_is_the_identity(steps in prop::collection::vec((1_u32..500, 0_u32..9, 0_u32..3000), 0..60)) {
            let mut first = 0;
            let runs = steps.iter().map(|&(step, branch, turn)| {
                let run = Run { first, branch, turn };
                first += step;
                run
            });
            let placing = Placing { runs: runs.collect() };
            prop_assert_eq!(Placing::decode(&placing.encode()), Some(placing));
        }

        #[test]
        fn any_bytes_end(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            prop_assert_eq!(Placing::decode(&bytes), None);
            let placing = Placing::unpack(&bytes).unwrap_or_default();
            let _ = placing.at(7);
        }
    }
}
