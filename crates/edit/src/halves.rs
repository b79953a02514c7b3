//! Halves: which lines of a session are before a turn, and which belong to what begins with it.
//!
//! The live conversation is cut at the first line of the turn. Everything else goes with what it hangs on, but a branch that a
//! client would take for the first half's end begins the second half beside it, as it did in the whole.

use std::collections::{BTreeMap, BTreeSet};

use scrollback_model::row::RowIndex;
use scrollback_model::thread::{Thread, ThreadKind};

use super::select::{self, Selection};
use scrollback_session::error::{AppError, Noun};
use scrollback_session::loaded::Loaded;

/// The lines that go for each half: what is left of the first selection is before the turn, of the second from it on.
pub(super) fn halves(loaded: &Loaded, turn: u32) -> Result<[Selection; 2], AppError> {
    let live = select::thread(loaded, 0)?;
    let cut = beginning(loaded, live, turn)?;
    let rows = &loaded.anatomy.threads.threads[live].rows;
    let mut sides: BTreeMap<RowIndex, Side> = BTreeMap::new();
    sides.extend(rows[..cut].iter().map(|row| (*row, Side::First)));
    sides.extend(rows[cut..].iter().map(|row| (*row, Side::Second)));
    let first: BTreeSet<RowIndex> = rows[..cut].iter().copied().collect();
    let leaf = loaded.anatomy.threads.threads[live].leaf;
    let end = select::climb(loaded, leaf, &first).or_else(|| rows[..cut].last().copied());
    let lost = place_branches(loaded, end, rows[cut], &mut sides);
    let half = |side: Side, leaf: Option<RowIndex>| {
        let kept = sides.iter().filter(|(_, of)| **of == side).map(|(row, _)| *row).collect();
        let mut selection = select::selection(loaded, &kept, leaf, live);
        selection.gone.extend(agents(loaded, rows[cut], side));
        selection.branches = lost;
        selection
    };
    Ok([half(Side::First, end), half(Side::Second, None)])
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    First,
    Second,
    Neither,
}

/// The place of a turn's first line in the conversation.
fn beginning(loaded: &Loaded, live: usize, turn: u32) -> Result<usize, AppError> {
    let turns = select::turns(loaded, live);
    let count = turns.iter().filter(|turn| turn.number > 0).count() as u64;
    let found = turns.iter().find(|found| found.number == turn && turn > 0);
    let cut =
        found.ok_or(AppError::OutOfRange { what: Noun::Turn, wanted: u64::from(turn), count })?.range.start;
    if cut == 0 {
        return Err(AppError::NoEdit {
            why: format!("no messages before turn {turn}"),
            hint: "use the number of the turn that the second session starts with".into(),
        });
    }
    Ok(cut)
}

/// Gives every branch its side; tells how many have none.
fn place_branches(
    loaded: &Loaded,
    end: Option<RowIndex>,
    cut: RowIndex,
    sides: &mut BTreeMap<RowIndex, Side>,
) -> u64 {
    let threads = &loaded.anatomy.threads.threads;
    let mut lost = 0;
    // What a thread hangs on is placed before it, in however many rounds that takes.
    let mut waiting: Vec<&Thread> =
        threads.iter().skip(1).filter(|thread| thread.kind != ThreadKind::Sidechain).collect();
    loop {
        let before = waiting.len();
        waiting.retain(|thread| {
            let side = match thread.fork.map(|fork| sides.get(&fork).copied()) {
                Some(None) => return true,
                Some(Some(Side::Neither)) => Side::Neither,
                Some(Some(Side::Second)) => Side::Second,
                _ if is_before(loaded, thread, end) => Side::First,
                Some(Some(Side::First)) if thread.fork != end => Side::Neither,
                Some(Some(Side::First)) => Side::Second,
                None if thread.rows.iter().all(|row| *row > cut) => Side::Second,
                None => Side::Neither,
            };
            lost += u64::from(side == Side::Neither && thread.speaks);
            sides.extend(thread.rows.iter().map(|row| (*row, side)));
            false
        });
        if waiting.len() == before {
            return lost;
        }
    }
}

/// Would no client take this branch for the end of the first half? By place or by time, all of it comes before.
fn is_before(loaded: &Loaded, thread: &Thread, end: Option<RowIndex>) -> bool {
    let Some(end) = end else { return false };
    let time = |row: RowIndex| loaded.transcript.row(row).time();
    thread.rows.iter().all(|row| *row < end && time(*row) < time(end))
}

/// Lines of agents within the file that are not of this side. They were written while their call ran.
fn agents(loaded: &Loaded, cut: RowIndex, side: Side) -> Vec<u64> {
    let threads = loaded.anatomy.threads.threads.iter();
    let of = threads.filter(|thread| thread.kind == ThreadKind::Sidechain).filter(|thread| {
        let is_first = thread.rows.first().is_some_and(|row| *row < cut);
        is_first != (side == Side::First)
    });
    of.flat_map(|thread| &thread.rows).map(|row| u64::from(loaded.transcript.row(*row).line)).collect()
}
