//! Work shared out over threads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Does `job` for every item on as many threads as `threads` says, and gives the results in the items' order.
pub fn each<T: Sync, S: Send, R: Send>(
    items: &[T],
    threads: usize,
    state: impl Fn() -> S + Sync,
    job: impl Fn(&mut S, &T) -> R + Sync,
) -> Vec<R> {
    let own = || (state(), Vec::new());
    let done = fold(items, threads, own, |(own, results), at, item| results.push((at, job(own, item))));
    let mut results: Vec<(usize, R)> = done.into_iter().flat_map(|(_, results)| results).collect();
    results.sort_by_key(|(at, _)| *at);
    results.into_iter().map(|(_, result)| result).collect()
}

/// Takes every item, with its place, into the state of some thread, and gives the states: what is kept then grows
/// with what a state keeps, not with the items.
pub fn fold<T: Sync, S: Send>(
    items: &[T],
    threads: usize,
    state: impl Fn() -> S + Sync,
    job: impl Fn(&mut S, usize, &T) + Sync,
) -> Vec<S> {
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<S>> = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, items.len().max(1)) {
            scope.spawn(|| {
                let mut own = state();
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(at) else { break };
                    job(&mut own, at, item);
                }
                done.lock().unwrap_or_else(PoisonError::into_inner).push(own);
            });
        }
    });
    done.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// How many threads the machine has use for.
pub fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
