//! The cost of a parse in bytes looked at, for tests of bounds: time differs from run to run, steps do not.
//!
//! Whatever goes over bytes of a line says so here. Outside of tests that is nothing at all.

#[cfg(test)]
use std::cell::Cell;

#[cfg(test)]
thread_local! {
    static STEPS: Cell<u64> = const { Cell::new(0) };
}

/// Records that this many bytes (or values) were looked at.
#[inline(always)]
#[cfg_attr(not(test), allow(unused_variables, reason = "only tests count"))]
pub(crate) fn step(count: usize) {
    #[cfg(test)]
    STEPS.set(STEPS.get() + count as u64);
}

/// How many steps `work` takes on this thread.
#[cfg(test)]
pub(crate) fn steps_of(work: impl FnOnce()) -> u64 {
    let before = STEPS.get();
    work();
    STEPS.get() - before
}
