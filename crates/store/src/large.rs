//! The permit for long lines: only one thread at a time holds lines above 4 MB, so that the ceiling of memory does
//! not grow with the threads.
//!
//! Two rules keep waiting for it from never ending:
//!
//! - It belongs to a thread, not to a reader. A thread that has it may read other files, or the same one again, without
//!   asking for it once more.
//! - A thread that has it waits for no other thread. A reader says when it has let go ([`crate::ReadPart::Pause`]), and that
//!   is where to wait.

use std::cell::{Cell, RefCell};
use std::marker::PhantomData;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A line longer than this needs the permit.
pub(crate) const LARGE: usize = 4 << 20;

static LINES: Mutex<()> = Mutex::new(());

thread_local! {
    /// How many readers of this thread hold a long line.
    static HOLDERS: Cell<usize> = const { Cell::new(0) };
    /// The lock, kept as long as there is one of them, in whatever order they end.
    static LOCK: RefCell<Option<MutexGuard<'static, ()>>> = const { RefCell::new(None) };
}

/// Leave to hold a long line, until it is dropped. It stays on its thread.
#[derive(Debug)]
pub(crate) struct Permit(PhantomData<*const ()>);

impl Permit {
    /// Waits until no other thread has it.
    pub(crate) fn wait() -> Self {
        if !is_held() {
            let lock = LINES.lock().unwrap_or_else(PoisonError::into_inner);
            LOCK.with(|own| *own.borrow_mut() = Some(lock));
        }
        HOLDERS.with(|holders| holders.set(holders.get() + 1));
        Self(PhantomData)
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        // A thread that is ending has no locals any more; the lock went with them.
        let left = HOLDERS.try_with(|holders| {
            holders.set(holders.get() - 1);
            holders.get()
        });
        if left == Ok(0) {
            let lock = LOCK.try_with(|own| own.borrow_mut().take());
            drop(lock);
        }
    }
}

/// Does this thread hold a long line? Then it must not wait for another thread.
pub fn is_held() -> bool {
    HOLDERS.with(Cell::get) > 0
}
