//! Stopping: commands that go on until the user has seen enough end between two looks, with everything written.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How long the program sleeps without looking whether it is to stop.
const PULSE: Duration = Duration::from_millis(50);

/// Set when the user presses Ctrl-C or someone asks the process to end.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Listens from now on. A second Ctrl-C ends the program as it always does.
    pub fn listen() -> Self {
        let stop = Self::default();
        for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
            #[cfg(unix)]
            let _ = signal_hook::flag::register_conditional_default(signal, Arc::clone(&stop.0));
            let _ = signal_hook::flag::register(signal, Arc::clone(&stop.0));
        }
        stop
    }

    /// Waits, and tells whether to go on.
    pub fn wait(&self, time: Duration) -> bool {
        let mut left = time;
        while !left.is_zero() && !self.0.load(Ordering::Relaxed) {
            let nap = left.min(PULSE);
            std::thread::sleep(nap);
            left -= nap;
        }
        !self.0.load(Ordering::Relaxed)
    }
}
