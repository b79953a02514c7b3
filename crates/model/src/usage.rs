//! Usage: how charges that many files repeat come to one bill each.
//!
//! | rule | what it says |
//! |---|---|
//! | `line` | lines of one message in one file are one charge, with the largest output count (the fold does this) |
//! | `copy` | charges of one `message.id` and one `requestId` are one, however many files have them |
//! | `no_request` | one without a `requestId` is a copy of another of its `message.id` (forks of 2.0.29 drop it) |
//! | `sidechain` | one that an agent or a progress line repeats is a copy whatever its `requestId` says (side questions) |
//! | `uuid` | without a `message.id` the line's `uuid` stands for it |
//!
//! A bill has the counts of the copy with the most output, the time of the earliest, and belongs to the file that had it
//! first: not to a progress line, and not to a fork, as far as that can be told.

use rustc_hash::FxHashMap;
use scrollback_format::time::Time;

use crate::charge::{ChargeMarks, Grade};
use crate::tokens::Tokens;

/// A charge as one file records it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChargeCopy {
    /// A number for the message: see [`message_number`].
    pub message: u64,
    /// A number for the request; 0 if unknown.
    pub request: u32,
    /// The file, by any number. Of otherwise equal copies, the one with the lowest number is kept.
    pub file: u32,
    /// Its time.
    pub time: Option<Time>,
    /// The model, by any number.
    pub model: u32,
    /// Its tokens.
    pub tokens: Tokens,
    /// Web searches.
    pub searches: u32,
    /// How it was served.
    pub grade: Grade,
    /// What is special about it.
    pub marks: ChargeMarks,
}

impl AsRef<Self> for ChargeCopy {
    fn as_ref(&self) -> &Self {
        self
    }
}

/// What is paid once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PaidMessage {
    /// The copy whose counts are paid.
    pub counts: u32,
    /// The copy whose file it belongs to.
    pub owner: u32,
    /// The earliest time of any copy.
    pub time: Option<Time>,
    /// How many copies there are.
    pub copies: u32,
    /// Is every copy on a branch that was left behind?
    pub is_left: bool,
}

/// Why a copy is not paid by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Rule {
    /// Another line of the same message in the same file.
    Line,
    /// The same message and request stand elsewhere.
    Copy,
    /// It has no request, and the same message stands elsewhere.
    NoRequest,
    /// An agent or a progress line repeats it.
    Sidechain,
}

impl Rule {
    /// All of them, in the order in which they are applied.
    pub const ALL: [Self; 4] = [Self::Line, Self::Copy, Self::NoRequest, Self::Sidechain];

    /// Its name in output that programs read.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Line => "line",
            Self::Copy => "copy",
            Self::NoRequest => "no_request",
            Self::Sidechain => "sidechain",
        }
    }
}

/// A number for a message id. Two ids that differ have numbers that differ, as good as always.
pub fn message_number(id: &[u8]) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
    let hash = id.iter().fold(0xcbf2_9ce4_8422_2325, step);
    // Mixed, because ids share their beginnings.
    (hash ^ (hash >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Makes bills of copies, in the order of each bill's first copy; `dropped` is told every copy that is not paid by itself,
/// with the bill that it went into and why.
pub fn settle<C: AsRef<ChargeCopy>>(
    copies: &[C],
    mut dropped: impl FnMut(u32, usize, Rule),
) -> Vec<PaidMessage> {
    // The copies of a message, as a chain through this list: most have one.
    let mut next = vec![u32::MAX; copies.len()];
    let mut last: FxHashMap<u64, u32> = FxHashMap::default();
    last.reserve(copies.len());
    let mut order = Vec::with_capacity(copies.len());
    for (at, copy) in copies.iter().enumerate() {
        match last.insert(copy.as_ref().message, at as u32) {
            Some(before) => next[before as usize] = at as u32,
            None => order.push(at as u32),
        }
    }
    let mut bills = Vec::with_capacity(order.len());
    let mut group = Vec::new();
    for start in order {
        if next[start as usize] == u32::MAX {
            let copy = copies[start as usize].as_ref();
            let is_left = copy.marks.has(ChargeMarks::LEFT);
            bills.push(PaidMessage { counts: start, owner: start, time: copy.time, copies: 1, is_left });
            continue;
        }
        group.clear();
        let mut at = start;
        while at != u32::MAX {
            group.push(at);
            at = next[at as usize];
        }
        settle_message(copies, &group, &mut bills, &mut dropped);
    }
    bills
}

/// Makes bills of all copies of one message.
fn settle_message<C: AsRef<ChargeCopy>>(
    copies: &[C],
    group: &[u32],
    bills: &mut Vec<PaidMessage>,
    dropped: &mut impl FnMut(u32, usize, Rule),
) {
    let of = |at: u32| copies[at as usize].as_ref();
    let repeats = |at: u32| of(at).marks.has(ChargeMarks::SIDECHAIN);
    let is_mixed = group.iter().any(|at| repeats(*at)) && group.iter().any(|at| !repeats(*at))
        || group.iter().any(|at| of(*at).marks.has(ChargeMarks::PROGRESS));
    // In an order that does not depend on how the copies come: the earliest first.
    let late = |at: u32| of(at).time.map_or(i64::MAX, |time| time.0);
    for own in parts(group, is_mixed, |at| of(at).request, late) {
        let owner = own.iter().copied().min_by_key(|at| {
            let marks = of(*at).marks;
            (
                marks.has(ChargeMarks::PROGRESS),
                is_mixed && marks.has(ChargeMarks::SIDECHAIN),
                late(*at),
                marks.has(ChargeMarks::FORKED),
                of(*at).file,
                *at,
            )
        });
        let counts = own.iter().copied().max_by_key(|at| {
            let tokens = &of(*at).tokens;
            (tokens.output, tokens.total(), Some(*at) == owner, std::cmp::Reverse(*at))
        });
        let (Some(owner), Some(counts)) = (owner, counts) else { continue };
        let time = own.iter().filter_map(|at| of(*at).time).min();
        let bill = bills.len();
        let is_left = own.iter().all(|at| of(*at).marks.has(ChargeMarks::LEFT));
        bills.push(PaidMessage { counts, owner, time, copies: own.len() as u32, is_left });
        for at in own.into_iter().filter(|at| *at != owner) {
            let rule = match of(at) {
                copy if copy.marks.has(ChargeMarks::PROGRESS) => Rule::Sidechain,
                copy if copy.request == of(owner).request => Rule::Copy,
                copy if copy.request == 0 || of(owner).request == 0 => Rule::NoRequest,
                _ => Rule::Sidechain,
            };
            dropped(at, bill, rule);
        }
    }
}

/// The copies of one message by their requests, the earliest first; what tells none is of the first, and everything is if it
/// is mixed.
fn parts(
    group: &[u32],
    is_mixed: bool,
    request: impl Fn(u32) -> u32,
    late: impl Fn(u32) -> i64,
) -> Vec<Vec<u32>> {
    let told = group.iter().copied().filter(|at| request(*at) != 0);
    let mut told: Vec<(i64, u32)> = told.map(|at| (late(at), request(at))).collect();
    told.sort_unstable();
    let main = told.first().map_or(0, |(_, request)| *request);
    let mut parts = vec![Vec::new()];
    let mut places = FxHashMap::from_iter([(main, 0)]);
    for (_, request) in told.into_iter().filter(|_| !is_mixed) {
        places.entry(request).or_insert_with(|| {
            parts.push(Vec::new());
            parts.len() - 1
        });
    }
    for at in group {
        parts[places.get(&request(*at)).copied().unwrap_or(0)].push(*at);
    }
    parts
}

#[cfg(test)]
mod tests;
