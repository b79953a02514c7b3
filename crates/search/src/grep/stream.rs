//! Work on many files at once whose results come out in the files' order, as they are found.
//!
//! Workers take the largest files first, so that none is left alone with one at the end. What they find ahead of its
//! turn is kept, up to a bound; beyond it they wait for their turn. Whoever takes the results works too: a file whose
//! turn has come and that nobody has begun is done on the spot, so that waiting always ends.
//!
//! That it ends also needs a worker to hold nothing while it waits that the file whose turn it is could need, such as
//! the permit for long lines. So putting a result never waits; a job waits where it says that it holds nothing
//! ([`Outlet::pause`]). What is kept may exceed the bound by what each worker finds between two such places.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::PoisonError;

use super::sync::{AtomicBool, AtomicUsize, Condvar, Mutex, MutexGuard, Ordering, thread};

/// How much may be kept ahead of its turn, in the results' own measure.
const AHEAD: usize = 32 << 20;

/// Where a job puts its results.
pub trait Outlet<R> {
    /// Puts a result of this size. Never waits; a break ends the job.
    fn put(&mut self, result: R, size: usize) -> ControlFlow<()>;

    /// Waits while too much is kept; a break ends the job. To be called now and then, also where nothing is found, and
    /// only while the thread holds nothing that another one could wait for.
    fn pause(&mut self) -> ControlFlow<()>;
}

/// Does `job` for items `0..order.len()`, beginning in the given order, and gives their results to `take` in the
/// items' own order. An error of `take` ends everything and is given back.
pub fn ordered<S, R: Send, E>(
    order: &[usize],
    threads: usize,
    state: impl Fn() -> S + Sync,
    job: impl Fn(&mut S, usize, &mut dyn Outlet<R>) + Sync,
    mut take: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    let board = Board::new(order.len());
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..threads.clamp(1, order.len().max(1)) {
            scope.spawn(|| {
                let mut own = state();
                while let Some(&item) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if board.is_stopped() {
                        break;
                    }
                    let Some(_done) = board.begin(item) else { continue };
                    job(&mut own, item, &mut Ahead { board: &board, item });
                }
            });
        }
        // However this ends, by a panic too, nobody may wait for it any longer.
        let _stop = Stop(&board);
        let mut own = None;
        for item in 0..order.len() {
            match board.turn(item) {
                Some(done) => {
                    let mut direct = Direct { take: &mut take, failed: None };
                    job(own.get_or_insert_with(&state), item, &mut direct);
                    drop(done);
                    if let Some(error) = direct.failed {
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

/// The outlet of a worker: results wait for their turn.
struct Ahead<'b, R> {
    board: &'b Board<R>,
    item: usize,
}

impl<R> Outlet<R> for Ahead<'_, R> {
    fn put(&mut self, result: R, size: usize) -> ControlFlow<()> {
        self.board.put(self.item, result, size)
    }

    fn pause(&mut self) -> ControlFlow<()> {
        self.board.pause(self.item)
    }
}

/// The outlet of whoever takes the results: there is nothing to wait for.
struct Direct<'t, T, E> {
    take: &'t mut T,
    failed: Option<E>,
}

impl<R, E, T: FnMut(R) -> Result<(), E>> Outlet<R> for Direct<'_, T, E> {
    fn put(&mut self, result: R, _size: usize) -> ControlFlow<()> {
        // A job may have something to say at its end, though it was told to stop.
        Outlet::<R>::pause(self)?;
        match (self.take)(result) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.failed = Some(error);
                ControlFlow::Break(())
            }
        }
    }

    fn pause(&mut self) -> ControlFlow<()> {
        if self.failed.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
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

    /// Puts a result where it waits for its turn.
    fn put(&self, item: usize, result: R, size: usize) -> ControlFlow<()> {
        if self.is_stopped() {
            return ControlFlow::Break(());
        }
        let mut state = self.lock();
        state.ahead += size;
        state.slots[item].results.push_back((result, size));
        if state.turn == item {
            self.ready.notify_one();
        }
        ControlFlow::Continue(())
    }

    /// Waits while too much is kept, unless it is this item's turn and nothing of it is left to take.
    fn pause(&self, item: usize) -> ControlFlow<()> {
        debug_assert!(!scrollback_store::large::is_held(), "a thread that holds a long line must not wait");
        let mut state = self.lock();
        while !self.is_stopped()
            && state.ahead > AHEAD
            && !(state.turn == item && state.slots[item].results.is_empty())
        {
            state = self.room.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if self.is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
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
    use std::sync::Arc;

    use super::*;

    /// Runs a job of some parts an item, the items from the last to the first, and gives what was taken.
    ///
    /// Where a part is long, the job holds the permit for long lines while it puts it: `permit` stands for that of the
    /// store, which the schedule must be in charge of.
    fn run(
        items: usize,
        threads: usize,
        size: usize,
        stop_after: usize,
        is_long: fn(usize) -> bool,
    ) -> Vec<(usize, usize)> {
        let order: Vec<usize> = (0..items).rev().collect();
        let permit = Mutex::new(());
        let mut got = Vec::new();
        let ended = ordered(
            &order,
            threads,
            || (),
            |(), item, outlet| {
                for part in 0..item % 5 {
                    let held = is_long(item).then(|| permit.lock());
                    let flow = outlet.put((item, part), size);
                    drop(held);
                    if flow.is_break() || outlet.pause().is_break() {
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

    fn all(items: usize) -> Vec<(usize, usize)> {
        (0..items).flat_map(|item| (0..item % 5).map(move |part| (item, part))).collect()
    }

    #[test]
    fn results_come_in_order_however_much_is_ahead() {
        for threads in [1, 2, 7] {
            for size in [0, 1, AHEAD / 2, AHEAD * 2] {
                let check = move || assert_eq!(run(19, threads, size, usize::MAX, |_| false), all(19));
                shuttle::check_random(check, 20);
            }
        }
        shuttle::check_random(|| assert_eq!(run(0, 3, 1, usize::MAX, |_| false), []), 10);
    }

    #[test]
    fn who_has_enough_stops_everybody() {
        for size in [1, AHEAD * 2] {
            shuttle::check_random(move || assert_eq!(run(19, 3, size, 5, |_| true).len(), 5), 100);
        }
    }

    #[test]
    fn nobody_waits_with_a_long_line_in_hand() {
        for threads in [1, 2, 3] {
            for size in [1, AHEAD / 2, AHEAD * 2] {
                let check = move || assert_eq!(run(8, threads, size, usize::MAX, |_| true), all(8));
                shuttle::check_random(check, 100);
                let check =
                    move || assert_eq!(run(8, threads, size, usize::MAX, |item| item % 3 < 2), all(8));
                shuttle::check_pct(check, 100, 3);
            }
        }
    }

    #[test]
    fn no_more_is_kept_than_the_bound_and_a_part_of_each_worker() {
        shuttle::check_random(
            || {
                // Counts what was put and not yet taken.
                let kept = Arc::new(AtomicUsize::new(0));
                let size = AHEAD / 4;
                let order: Vec<usize> = (0..6).rev().collect();
                let done = ordered(
                    &order,
                    2,
                    || (),
                    |(), _, outlet| {
                        for _ in 0..6 {
                            kept.fetch_add(1, Ordering::SeqCst);
                            let flow = outlet.put((), size);
                            if flow.is_break() || outlet.pause().is_break() {
                                return;
                            }
                        }
                    },
                    |()| {
                        let most = kept.fetch_sub(1, Ordering::SeqCst);
                        // Up to the bound and one more part each of two workers, and the one that is taken.
                        assert!(most <= 4 + 1 + 2 + 1, "{most}");
                        Ok::<(), ()>(())
                    },
                );
                assert_eq!(done, Ok(()));
            },
            100,
        );
    }
}
