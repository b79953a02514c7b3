//! Two texts compared line by line, with a bound on the work, whatever they hold.
//!
//! The least difference of two texts takes steps in proportion to the square of what differs: two files of 20,000 lines that
//! share none would take a billion. Where so much differs, the lines that stand exactly once in both are set against each
//! other first, and what lies between them is compared as long as there is work left; the rest is told as replaced. The
//! answer depends on the texts alone, never on the time that it took.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::ops::Range;

use similar::{Algorithm, DiffOp, TextDiff};

/// How many steps the search for the least difference may take: some tenths of a second.
const WORK: usize = 1 << 26;

/// One step from a text to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The lines of the old text.
    pub old: Range<usize>,
    /// The lines of the new text that stand in their place.
    pub new: Range<usize>,
    /// Are they the same?
    pub is_same: bool,
}

/// The steps from `old` to `new` where they differ, with so many lines around them that do not, group by group.
pub fn groups(old: &[&str], new: &[&str], context: usize) -> Vec<Vec<Step>> {
    let step = |op: &DiffOp| Step {
        old: op.old_range(),
        new: op.new_range(),
        is_same: matches!(op, DiffOp::Equal { .. }),
    };
    let groups = similar::group_diff_ops(ops(old, new), context);
    groups.iter().map(|group| group.iter().map(step).collect()).collect()
}

/// The steps from `old` to `new`.
pub(crate) fn ops(old: &[&str], new: &[&str]) -> Vec<DiffOp> {
    let (before, after) = shared(old, new);
    let same = before + after;
    if cost(old.len() - same, new.len() - same) <= WORK {
        return TextDiff::from_slices(old, new).ops().to_vec();
    }
    let (old, new) = numbered(old, new);
    let mut coarse = Coarse { old: &old, new: &new, work: WORK, ops: Vec::new() };
    let (mut old_at, mut new_at) = (0, 0);
    for (old_line, new_line) in anchors(&old, &new).into_iter().chain([(old.len(), new.len())]) {
        coarse.gap(old_at..old_line, new_at..new_line);
        coarse.equal(old_line, new_line, usize::from(old_line < old.len()));
        (old_at, new_at) = (old_line + 1, new_line + 1);
    }
    coarse.ops
}

/// Maximum number of steps to find the smallest difference.
fn cost(old: usize, new: usize) -> usize {
    old.saturating_add(new).saturating_pow(2)
}

/// How many lines at the start, and of the rest at the end, are the same.
fn shared<T: PartialEq>(old: &[T], new: &[T]) -> (usize, usize) {
    let before = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let (old, new) = (&old[before..], &new[before..]);
    (before, old.iter().rev().zip(new.iter().rev()).take_while(|(old, new)| old == new).count())
}

/// A line by its number: equal lines have the same.
#[derive(Clone, Copy, Eq)]
struct Token(u32);

impl Hash for Token {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl PartialEq for Token {
    fn eq(&self, other: &Self) -> bool {
        #[cfg(test)]
        tests::COMPARED.set(tests::COMPARED.get() + 1);
        self.0 == other.0
    }
}

fn numbered(old: &[&str], new: &[&str]) -> (Vec<Token>, Vec<Token>) {
    let mut numbers: HashMap<&str, u32> = HashMap::new();
    let mut all = old.iter().chain(new).map(|line| {
        let next = numbers.len() as u32;
        Token(*numbers.entry(line).or_insert(next))
    });
    let old = all.by_ref().take(old.len()).collect();
    (old, all.collect())
}

/// Lines that stand once in each, as many as possible without crossing each other.
fn anchors(old: &[Token], new: &[Token]) -> Vec<(usize, usize)> {
    let mut places: Vec<[Occurrence; 2]> = vec![[Occurrence::None; 2]; old.len() + new.len()];
    for (side, lines) in [old, new].into_iter().enumerate() {
        for (at, line) in lines.iter().enumerate() {
            let place = &mut places[line.0 as usize][side];
            *place = if matches!(place, Occurrence::None) { Occurrence::At(at) } else { Occurrence::Many };
        }
    }
    let mut pairs: Vec<(usize, usize)> = places
        .iter()
        .filter_map(|place| match place {
            [Occurrence::At(old), Occurrence::At(new)] => Some((*old, *new)),
            _ => None,
        })
        .collect();
    pairs.sort_unstable();
    rising(&pairs)
}

#[derive(Clone, Copy)]
enum Occurrence {
    None,
    At(usize),
    Many,
}

/// The longest run of pairs whose second places rise as their first ones do.
fn rising(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // For each length the pair with the least second place that such a run can end in; and before each pair, another.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (at, (_, new)) in pairs.iter().enumerate() {
        let length = ends.partition_point(|end| pairs[*end].1 < *new);
        before.push(length.checked_sub(1).map(|shorter| ends[shorter]));
        if length == ends.len() { ends.push(at) } else { ends[length] = at }
    }
    let mut run: Vec<(usize, usize)> =
        std::iter::successors(ends.last().copied(), |at| before[*at]).map(|at| pairs[at]).collect();
    run.reverse();
    run
}

/// A comparison that need not find the least difference.
struct Coarse<'t> {
    old: &'t [Token],
    new: &'t [Token],
    work: usize,
    ops: Vec<DiffOp>,
}

impl Coarse<'_> {
    /// Compares what lies between two anchors.
    fn gap(&mut self, old: Range<usize>, new: Range<usize>) {
        let (before, after) = shared(&self.old[old.clone()], &self.new[new.clone()]);
        self.equal(old.start, new.start, before);
        let (old_index, new_index) = (old.start + before, new.start + before);
        let (old_len, new_len) = (old.len() - before - after, new.len() - before - after);
        match (old_len, new_len) {
            (0, 0) => {}
            (_, 0) => self.ops.push(DiffOp::Delete { old_index, old_len, new_index }),
            (0, _) => self.ops.push(DiffOp::Insert { old_index, new_index, new_len }),
            _ if cost(old_len, new_len) <= self.work => {
                self.work -= cost(old_len, new_len);
                self.exact(old_index..old_index + old_len, new_index..new_index + new_len);
            }
            _ => self.ops.push(DiffOp::Replace { old_index, old_len, new_index, new_len }),
        }
        self.equal(old.end - after, new.end - after, after);
    }

    fn exact(&mut self, old: Range<usize>, new: Range<usize>) {
        for op in similar::capture_diff(Algorithm::Myers, self.old, old, self.new, new) {
            match op {
                DiffOp::Equal { old_index, new_index, len } => self.equal(old_index, new_index, len),
                other => self.ops.push(other),
            }
        }
    }

    /// Adds lines that are the same, to those before if nothing is between.
    fn equal(&mut self, old_index: usize, new_index: usize, more: usize) {
        match self.ops.last_mut() {
            _ if more == 0 => {}
            Some(DiffOp::Equal { len, .. }) => *len += more,
            _ => self.ops.push(DiffOp::Equal { old_index, new_index, len: more }),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use similar::{Algorithm, DiffOp};

    use super::{WORK, ops};

    thread_local! {
        pub(super) static COMPARED: Cell<usize> = const { Cell::new(0) };
    }

    /// Compares two texts, checks that the steps lead from one to the other, and counts them by what they do.
    fn check(old: &[String], new: &[String]) -> (usize, usize, usize) {
        let (old, new): (Vec<&str>, Vec<&str>) =
            (old.iter().map(String::as_str).collect(), new.iter().map(String::as_str).collect());
        COMPARED.set(0);
        let found = ops(&old, &new);
        let bound = WORK + 8 * (old.len() + new.len());
        assert!(COMPARED.get() <= bound, "{} comparisons", COMPARED.get());
        let (mut old_at, mut new_at, mut kept) = (0, 0, 0);
        let mut made: Vec<&str> = Vec::new();
        for op in &found {
            assert_eq!((op.old_range().start, op.new_range().start), (old_at, new_at), "{op:?}");
            if let DiffOp::Equal { len, .. } = op {
                assert_eq!(old[op.old_range()], new[op.new_range()]);
                kept += len;
            }
            made.extend(&new[op.new_range()]);
            (old_at, new_at) = (op.old_range().end, op.new_range().end);
        }
        assert_eq!((old_at, made), (old.len(), new.clone()));
        let equal_twice = found.windows(2).any(|two| two.iter().all(|op| matches!(op, DiffOp::Equal { .. })));
        assert!(!equal_twice, "equal lines are told in one piece");
        (kept, old.len() - kept, new.len() - kept)
    }

    fn lines(count: usize, name: impl Fn(usize) -> String) -> Vec<String> {
        (0..count).map(name).collect()
    }

    #[test]
    fn files_that_share_nothing_are_told_as_replaced() {
        let (old, new) = (lines(20_000, |at| format!("a{at}")), lines(20_000, |at| format!("b{at}")));
        assert_eq!(check(&old, &new), (0, 20_000, 20_000));
    }

    #[test]
    fn much_that_differs_is_compared_between_lines_that_do_not() {
        let old = lines(40_000, |at| format!("a{at}"));
        let new = lines(40_000, |at| if at % 4 == 0 { format!("b{at}") } else { format!("a{at}") });
        assert_eq!(check(&old, &new), (30_000, 10_000, 10_000));
    }

    #[test]
    fn hostile_pairs_take_bounded_work() {
        let few = |by: usize| move |at: usize| format!("{}", at * by % 7);
        let turned: Vec<String> = lines(20_000, |at| format!("a{at}")).into_iter().rev().collect();
        for (old, new) in [
            (lines(20_000, few(3)), lines(20_000, few(5))),
            (lines(20_000, |_| "x".to_owned()), lines(9_000, few(2))),
            (lines(20_000, |at| format!("a{at}")), turned),
            (lines(30_000, |at| format!("a{}", at / 2)), lines(30_000, |at| format!("a{}", at / 3))),
            (lines(9_000, |at| format!("a{at}")), Vec::new()),
        ] {
            check(&old, &new);
        }
    }

    #[test]
    fn what_differs_little_is_told_in_the_least_steps() {
        let old = lines(30_000, |at| format!("{}", at % 100));
        let mut new = old.clone();
        new[15_000] = "other".to_owned();
        new.remove(15_100);
        let found = ops(
            &old.iter().map(String::as_str).collect::<Vec<_>>(),
            &new.iter().map(String::as_str).collect::<Vec<_>>(),
        );
        assert_eq!(found, similar::capture_diff_slices(Algorithm::Myers, &old, &new));
        assert_eq!(check(&old, &new), (29_998, 2, 1));
    }
}
