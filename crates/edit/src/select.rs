//! Which lines an edit keeps: up to a point, by turns, along a branch.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use scrollback_format::kind::Kind;
use scrollback_model::role::Role;
use scrollback_model::row::RowIndex;
use scrollback_model::thread::ThreadKind;
use scrollback_model::turn::{self, Turn};

use scrollback_session::error::{AppError, Input, Noun, invalid};
use scrollback_session::loaded::Loaded;
use scrollback_session::story;

/// A point in a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Point {
    /// The end of a turn.
    Turn(u32),
    /// A line: by its entry's id, or by that of a message or a tool call.
    Entry(String),
    /// Before a compaction: the n-th, or the last.
    BeforeCompaction(Option<u32>),
}

impl Point {
    /// Reads a point: `3` (the end of a turn), the id of an entry, `before-compaction` (the last one) or
    /// `before-compaction:2`.
    pub fn decode(text: &str) -> Result<Self, AppError> {
        let expected = "a turn (3), the id of an entry, before-compaction or before-compaction:2";
        let bad = || invalid(Input::Point, text, expected);
        if let Some(number) = text.strip_prefix("before-compaction") {
            return match number.strip_prefix(':') {
                Some(number) => {
                    number.parse().map(|number| Self::BeforeCompaction(Some(number))).map_err(|_| bad())
                }
                None if number.is_empty() => Ok(Self::BeforeCompaction(None)),
                None => Err(bad()),
            };
        }
        match text.parse() {
            Ok(turn) => Ok(Self::Turn(turn)),
            Err(_) if text.chars().count() >= 4 => Ok(Self::Entry(text.to_owned())),
            Err(_) => Err(bad()),
        }
    }
}

/// Lines that go, and where the conversation goes on then.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selection {
    /// The numbers of the lines that go.
    pub gone: BTreeSet<u64>,
    /// The line that it goes on from, if it is another one than before.
    pub leaf: Option<u64>,
    /// Branches that go because what they hang on does, or because they would be taken for the conversation.
    pub branches: u64,
}

/// The number of a thread among all: 0 is the live one, `n` the n-th branch.
pub fn thread(loaded: &Loaded, branch: u64) -> Result<usize, AppError> {
    let branches: Vec<usize> = loaded.anatomy.threads.branches().map(|(at, _)| at).collect();
    let count = branches.len() as u64;
    match branch {
        0 if loaded.anatomy.threads.live().is_some() => Ok(0),
        0 => Err(AppError::NothingToEdit("the session has no messages".into())),
        _ => {
            let at = usize::try_from(branch - 1).ok().and_then(|at| branches.get(at).copied());
            at.ok_or(AppError::OutOfRange { what: Noun::Branch, wanted: branch, count })
        }
    }
}

/// The turns of a thread.
pub fn turns(loaded: &Loaded, thread: usize) -> Vec<Turn> {
    turn::turns(&loaded.transcript, &loaded.anatomy.threads.threads[thread].rows)
}

/// Keeps one conversation up to a point, or to its end: what leads there stays, all other threads go.
pub fn up_to(loaded: &Loaded, branch: u64, point: Option<&Point>) -> Result<Selection, AppError> {
    let threads = &loaded.anatomy.threads.threads;
    let (mut at, mut end) = match point {
        Some(Point::Entry(wanted)) => entry(loaded, wanted)?,
        other => {
            let at = thread(loaded, branch)?;
            let end = match other {
                None => threads[at].rows.len(),
                Some(Point::Turn(number)) => turn_end(loaded, at, *number)?,
                Some(Point::BeforeCompaction(number)) => boundary(loaded, at, *number)?,
                Some(Point::Entry(_)) => 0,
            };
            (at, end)
        }
    };
    if threads[at].kind == ThreadKind::Sidechain {
        return Err(AppError::NoEdit {
            why: "that line belongs to an agent, which a client cannot resume".into(),
            hint: "use a line of the session's own conversation".into(),
        });
    }
    let target = at;
    let mut kept: BTreeSet<RowIndex> = BTreeSet::new();
    loop {
        kept.extend(&threads[at].rows[..end]);
        let (Some(fork), Some(parent)) = (threads[at].fork, threads[at].parent_thread) else { break };
        let Some(place) = threads[parent].rows.iter().position(|row| *row == fork) else { break };
        (at, end) = (parent, place + 1);
    }
    let is_message =
        |row: &RowIndex| matches!(loaded.transcript.row(*row).kind, Kind::User | Kind::Assistant);
    if point.is_some() && !kept.iter().any(is_message) {
        return Err(AppError::NothingToEdit("no message of this session comes before that point".into()));
    }
    let leaf = climb(loaded, threads[target].leaf, &kept).or_else(|| kept.last().copied());
    Ok(selection(loaded, &kept, leaf, target))
}

/// Keeps the turns of the live conversation that `wanted` picks. Compactions within it stay.
pub fn by_turn(loaded: &Loaded, wanted: &dyn Fn(u32) -> KeptOfTurn) -> Result<Selection, AppError> {
    let at = thread(loaded, 0)?;
    let live = &loaded.anatomy.threads.threads[at];
    let mut kept = BTreeSet::new();
    for turn in turns(loaded, at) {
        let keep = wanted(turn.number);
        kept.extend(live.rows[turn.range.clone()].iter().copied().filter(|row| match keep {
            KeptOfTurn::All => true,
            KeptOfTurn::Compaction => {
                matches!(loaded.transcript.row(*row).role, Role::Boundary | Role::CompactSummary)
            }
            KeptOfTurn::None => false,
        }));
    }
    let leaf_stays = kept.contains(&live.leaf);
    if leaf_stays {
        keep_branches(loaded, &mut kept);
    }
    let leaf = climb(loaded, live.leaf, &kept).filter(|_| !leaf_stays);
    Ok(selection(loaded, &kept, leaf, at))
}

/// What of a turn stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeptOfTurn {
    /// Everything.
    All,
    /// Only the marks of a compaction, without which the client would load again what it had summarised.
    Compaction,
    /// Nothing.
    None,
}

/// Are these turns there?
pub fn check_turns(loaded: &Loaded, wanted: &[RangeInclusive<u32>]) -> Result<(), AppError> {
    let turns = turns(loaded, thread(loaded, 0)?);
    let count = turns.iter().filter(|turn| turn.number > 0).count() as u64;
    let has = |range: &RangeInclusive<u32>| turns.iter().any(|turn| range.contains(&turn.number));
    match wanted.iter().find(|range| !has(range)) {
        Some(range) => {
            Err(AppError::OutOfRange { what: Noun::Turn, wanted: u64::from(*range.start()), count })
        }
        None => Ok(()),
    }
}

/// Branches that hang on what stays, and what hangs on them.
fn keep_branches(loaded: &Loaded, kept: &mut BTreeSet<RowIndex>) {
    let threads = &loaded.anatomy.threads.threads;
    loop {
        let before = kept.len();
        for thread in threads.iter().skip(1) {
            if thread.fork.is_none_or(|fork| kept.contains(&fork)) {
                kept.extend(&thread.rows);
            }
        }
        if kept.len() == before {
            return;
        }
    }
}

pub(super) fn selection(
    loaded: &Loaded,
    kept: &BTreeSet<RowIndex>,
    leaf: Option<RowIndex>,
    target: usize,
) -> Selection {
    let line = |row: RowIndex| u64::from(loaded.transcript.row(row).line);
    let threads = &loaded.anatomy.threads.threads;
    let mut selection = Selection { leaf: leaf.map(line), ..Selection::default() };
    for (at, thread) in threads.iter().enumerate() {
        // An agent in the session's own file is nothing that a client goes on with.
        if thread.kind == ThreadKind::Sidechain {
            continue;
        }
        let gone = thread.rows.iter().filter(|row| !kept.contains(row));
        selection.gone.extend(gone.map(|row| line(*row)));
        let goes = !thread.rows.iter().any(|row| kept.contains(row));
        selection.branches += u64::from(goes && thread.speaks && at != target);
    }
    // An earlier copy of a line would come back to life if the last one went alone.
    for &row in &loaded.anatomy.graph.replaced {
        let last = loaded.transcript.row(row).id.and_then(|id| loaded.anatomy.graph.find(id));
        if last.is_some_and(|last| selection.gone.contains(&line(last))) {
            selection.gone.insert(line(row));
        }
    }
    selection
}

/// The nearest of a line and those above it, across compactions, that is kept.
pub(super) fn climb(loaded: &Loaded, leaf: RowIndex, kept: &BTreeSet<RowIndex>) -> Option<RowIndex> {
    let mut at = leaf;
    let mut seen = BTreeSet::new();
    while !kept.contains(&at) {
        if !seen.insert(at) {
            return None;
        }
        let joint = loaded.anatomy.threads.joints.iter().find(|joint| joint.row == at);
        at = joint.and_then(|joint| joint.before).or_else(|| loaded.anatomy.graph.parent(at))?;
    }
    Some(at)
}

fn turn_end(loaded: &Loaded, thread: usize, number: u32) -> Result<usize, AppError> {
    let turns = turns(loaded, thread);
    let count = turns.iter().filter(|turn| turn.number > 0).count() as u64;
    let found = turns.iter().find(|turn| turn.number == number).map(|turn| turn.range.end);
    found.ok_or(AppError::OutOfRange { what: Noun::Turn, wanted: u64::from(number), count })
}

/// Did the client compact by itself there?
pub fn was_automatic(loaded: &Loaded, branch: u64, number: Option<u32>) -> Result<bool, AppError> {
    let at = thread(loaded, branch)?;
    let row = loaded.anatomy.threads.threads[at].rows[boundary(loaded, at, number)?];
    let found = loaded.transcript.compactions.iter().find(|compaction| compaction.row == row);
    let trigger = found.and_then(|compaction| compaction.trigger);
    Ok(trigger.is_some_and(|trigger| loaded.transcript.text(trigger) == "auto"))
}

/// The place of a compaction's first line in a thread.
fn boundary(loaded: &Loaded, thread: usize, number: Option<u32>) -> Result<usize, AppError> {
    let rows = &loaded.anatomy.threads.threads[thread].rows;
    let is_boundary = |row: &RowIndex| loaded.transcript.row(*row).role == Role::Boundary;
    let found: Vec<usize> =
        rows.iter().enumerate().filter(|(_, row)| is_boundary(row)).map(|(at, _)| at).collect();
    let count = found.len() as u64;
    let at = match number {
        None => found.last().copied(),
        Some(number) => (number as usize).checked_sub(1).and_then(|at| found.get(at).copied()),
    };
    let wanted = number.map_or(1, u64::from);
    at.ok_or(AppError::OutOfRange { what: Noun::Compaction, wanted, count })
}

/// The thread of an entry and the place behind it.
fn entry(loaded: &Loaded, wanted: &str) -> Result<(usize, usize), AppError> {
    let none = || AppError::NoSuchHit { wanted: wanted.to_owned(), lines: loaded.transcript.lines };
    let place = story::locate(loaded, wanted).ok_or_else(none)?;
    let thread = &loaded.anatomy.threads.threads[place.thread];
    let is_it = |row: &RowIndex| u64::from(loaded.transcript.row(*row).line) == place.line;
    let at = thread.rows.iter().position(is_it).ok_or_else(none)?;
    Ok((place.thread, at + 1))
}

#[cfg(test)]
mod tests {
    use super::Point;

    #[test]
    fn points_are_turns_compactions_or_ids() {
        let point = |text: &str| Point::decode(text).ok();
        assert_eq!(point("3"), Some(Point::Turn(3)));
        assert_eq!(point("before-compaction"), Some(Point::BeforeCompaction(None)));
        assert_eq!(point("before-compaction:2"), Some(Point::BeforeCompaction(Some(2))));
        assert_eq!(point("85835976"), Some(Point::Turn(85_835_976)));
        assert_eq!(point("a5835976-1"), Some(Point::Entry("a5835976-1".into())));
        for bad in ["before-compaction:x", "before-compactions", "", "x"] {
            assert_eq!(point(bad), None, "{bad}");
        }
    }
}
