//! Work on many files at once whose results come out in the files' order, as they are found.
//!
//! Workers take the largest files first, so that none is left alone with one at the end. What they find ahead of its
//! turn is kept, up to a bound; beyond it they wait for their turn. Whoever takes the results works too: a file whose
//! turn has come and that nobody has begun is done on the spot, so that waiting always ends.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// How much may be kept ahead of its turn, in the results' own measure.
const AHEAD: usize = 32 << 20;

/// Takes one result; stops the job when it says so.
pub type Emit<'e, R> = &'e mut dyn FnMut(R, usize) -> ControlFlow<()>;

/// Does `job` for items `0..order.len()`, beginning in the given order, and gives their results to `take` in the
/// items' own order. An error of `take` ends everything and is given back; a job that finds nothing for long looks at
/// the flag that says so.
pub fn ordered<S, R: Send, E>(
    order: &[usize],
    threads: usize,
    state: impl Fn() -> S + Sync,
    job: impl Fn(&mut S, usize, &AtomicBool, Emit<'_, R>) + Sync,
    mut take: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    let board = Board::new(order.len());
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, order.len().max(1)) {
            scope.spawn(|| {
                let mut own = state();
                while let Some(&item) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if board.is_stopped() {
                        break;
                    }
                    let Some(_done) = board.begin(item) else { continue };
                    job(&mut own, item, &board.stopped, &mut |result, size| board.put(item, result, size));
                }
            });
        }
        // However this ends, by a panic too, nobody may wait for it any longer.
        let _stop = Stop(&board);
        let mut own = None;
        for item in 0..order.len() {
            match board.turn(item) {
                Some(done) => {
                    let own = own.get_or_insert_with(&state);
                    let mut failed = None;
                    job(own, item, &board.stopped, &mut |result, _| match take(result) {
                        Ok(()) => ControlFlow::Continue(()),
                        Err(error) => {
                            failed = Some(error);
                            ControlFlow::Break(())
                        }
                    });
                    drop(done);
                    if let Some(error) = failed {
                        return Err(error);
                    }
                }
                None => {
                    while let Some(result) = board.get(item) {
                        take(result)?;
                    }
                }
            }
        }
        Ok(())
    })
}

struct Board<R> {
    state: Mutex<State<R>>,
    /// Something was put for whose turn it is.
    ready: Condvar,
    /// Something was taken, or the turn went on.
    room: Condvar,
    stopped: AtomicBool,
}

struct State<R> {
    slots: Vec<Slot<R>>,
    turn: usize,
    ahead: usize,
}

struct Slot<R> {
    begun: bool,
    done: bool,
    results: VecDeque<(R, usize)>,
}

impl<R> Board<R> {
    fn new(items: usize) -> Self {
        let slot = || Slot { begun: false, done: false, results: VecDeque::new() };
        let slots = (0..items).map(|_| slot()).collect();
        Self {
            state: Mutex::new(State { slots, turn: 0, ahead: 0 }),
            ready: Condvar::new(),
            room: Condvar::new(),
            stopped: AtomicBool::new(false),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State<R>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Begins an item, unless somebody has. It is done when what is given back is dropped.
    fn begin(&self, item: usize) -> Option<Done<'_, R>> {
        let mut state = self.lock();
        let slot = &mut state.slots[item];
        let was_begun = std::mem::replace(&mut slot.begun, true);
        drop(state);
        (!was_begun).then(|| Done { board: self, item })
    }

    /// It is this item's turn. It is begun here if nobody has.
    fn turn(&self, item: usize) -> Option<Done<'_, R>> {
        self.lock().turn = item;
        self.room.notify_all();
        self.begin(item)
    }

    /// Puts a result where it waits for its turn; waits itself where too much does already.
    fn put(&self, item: usize, result: R, size: usize) -> ControlFlow<()> {
        let mut state = self.lock();
        while !self.is_stopped()
            && state.ahead > AHEAD
            && !(state.turn == item && state.slots[item].results.is_empty())
        {
            state = self.room.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if self.is_stopped() {
            return ControlFlow::Break(());
        }
        state.ahead += size;
        state.slots[item].results.push_back((result, size));
        if state.turn == item {
            self.ready.notify_one();
        }
        ControlFlow::Continue(())
    }

    /// The next result of the item whose turn it is; none when it is done.
    fn get(&self, item: usize) -> Option<R> {
        let mut state = self.lock();
        loop {
            if let Some((result, size)) = state.slots[item].results.pop_front() {
                state.ahead -= size;
                self.room.notify_all();
                return Some(result);
            }
            if state.slots[item].done {
                return None;
            }
            state = self.ready.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// An item that is being done.
struct Done<'b, R> {
    board: &'b Board<R>,
    item: usize,
}

impl<R> Drop for Done<'_, R> {
    fn drop(&mut self) {
        let mut state = self.board.lock();
        state.slots[self.item].done = true;
        if state.turn == self.item {
            self.board.ready.notify_one();
        }
    }
}

/// Stops all work when it is dropped.
struct Stop<'b, R>(&'b Board<R>);

impl<R> Drop for Stop<'_, R> {
    fn drop(&mut self) {
        self.0.stopped.store(true, Ordering::Relaxed);
        // Taken and given back, so that nobody goes to wait between looking and being woken.
        drop(self.0.lock());
        self.0.room.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(items: usize, threads: usize, size: usize, stop_after: usize) -> Vec<(usize, usize)> {
        let order: Vec<usize> = (0..items).rev().collect();
        let mut got = Vec::new();
        let ended = ordered(
            &order,
            threads,
            || (),
            |(), item, _, emit| {
                for part in 0..item % 5 {
                    if emit((item, part), size).is_break() {
                        break;
                    }
                }
            },
            |result| {
                got.push(result);
                if got.len() == stop_after { Err(()) } else { Ok(()) }
            },
        );
        assert_eq!(ended.is_err(), got.len() == stop_after);
        got
    }

    #[test]
    fn results_come_in_order_however_much_is_ahead() {
        let expected: Vec<_> = (0..97).flat_map(|item| (0..item % 5).map(move |part| (item, part))).collect();
        for threads in [1, 2, 7] {
            for size in [0, 1, AHEAD / 2, AHEAD * 2] {
                assert_eq!(run(97, threads, size, usize::MAX), expected, "{threads} threads, {size}");
            }
        }
        assert_eq!(run(0, 3, 1, usize::MAX), []);
    }

    #[test]
    fn who_has_enough_stops_everybody() {
        for size in [1, AHEAD * 2] {
            assert_eq!(run(97, 3, size, 5).len(), 5);
        }
    }
}
