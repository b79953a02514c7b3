//! The timeline: rows by their time, and which of them no chain has taken yet.
//!
//! A chain that loses its way (a parent that is in no line, a cycle) is gone on with at the row before it in time.
//! Each row is taken once, so that every walk over a file ends, and many gaps cost no more than one.

use std::cmp::Reverse;

use crate::graph::NONE;
use crate::row::RowIndex;
use crate::transcript::Transcript;

/// Rows in order of time. Of equal times the first line of the file counts as the latest.
#[derive(Debug)]
pub(crate) struct Timeline {
    by_time: Vec<RowIndex>,
    /// For each place, counted from 1, the nearest place at or below it that is not taken; 0 is "none below".
    free: Vec<u32>,
    place: Vec<u32>,
}

impl Timeline {
    /// The timeline of these rows of a transcript.
    pub(crate) fn of(transcript: &Transcript, rows: impl Iterator<Item = RowIndex>) -> Self {
        let mut by_time: Vec<RowIndex> = rows.collect();
        by_time.sort_by_key(|row| (transcript.row(*row).time(), Reverse(*row)));
        let mut place = vec![NONE; transcript.rows.len()];
        for (at, row) in by_time.iter().enumerate() {
            place[*row as usize] = at as u32;
        }
        let free = (0..=by_time.len() as u32).collect();
        Self { by_time, free, place }
    }

    /// Is the row on this timeline at all?
    pub(crate) fn holds(&self, row: RowIndex) -> bool {
        self.place[row as usize] != NONE
    }

    /// Is it on the timeline, and not taken?
    pub(crate) fn is_free(&self, row: RowIndex) -> bool {
        let place = self.place[row as usize];
        place != NONE && self.free[place as usize + 1] == place + 1
    }

    /// Takes a row, so that no chain meets it again.
    pub(crate) fn take(&mut self, row: RowIndex) {
        if self.is_free(row) {
            let place = self.place[row as usize];
            self.free[place as usize + 1] = place;
        }
    }

    /// The latest row that is no later than this one and not taken.
    pub(crate) fn latest_before(&mut self, transcript: &Transcript, row: RowIndex) -> Option<RowIndex> {
        if self.place[row as usize] == NONE {
            return None;
        }
        let time = transcript.row(row).time();
        let mut at = self.by_time.partition_point(|other| transcript.row(*other).time() <= time) as u32;
        let mut path = Vec::new();
        while self.free[at as usize] != at {
            path.push(at);
            at = self.free[at as usize];
        }
        for step in path {
            self.free[step as usize] = at;
        }
        let found = (at > 0).then(|| self.by_time[at as usize - 1])?;
        // Lines without a time tell nothing about what came before.
        time.and(Some(found))
    }
}
