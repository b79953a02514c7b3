//! The stop signal: a flag that a front sets, and that long work looks at between two steps.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How long a waiting request sleeps without looking at the flag.
const PULSE: Duration = Duration::from_millis(50);

/// Set when the user wants work to end.
#[derive(Debug, Clone, Default)]
pub struct StopSignal(Arc<AtomicBool>);

impl StopSignal {
    /// The flag itself, for who sets it from a signal handler.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }

    /// Ends the work.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Is it set?
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Waits, and returns whether to continue.
    pub fn wait(&self, time: Duration) -> bool {
        let mut left = time;
        while !left.is_zero() && !self.is_set() {
            let nap = left.min(PULSE);
            std::thread::sleep(nap);
            left -= nap;
        }
        !self.is_set()
    }
}
