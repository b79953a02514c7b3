//! Progress on standard error, for work that takes a while on a terminal. Silent everywhere else.

use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::paint::fold;

/// Counts bytes done against bytes in all.
pub struct ByteProgress {
    total: u64,
    done: AtomicU64,
    files: AtomicU64,
    begun: Instant,
    shown: Mutex<Option<Instant>>,
    enabled: bool,
}

/// Nothing is shown before this: most work is done by then.
const PATIENCE: Duration = Duration::from_millis(400);
const PACE: Duration = Duration::from_millis(100);

impl ByteProgress {
    /// Progress over `total` bytes; `quiet` shows nothing.
    pub fn new(total: u64, quiet: bool) -> Self {
        let enabled = !quiet && std::io::stderr().is_terminal();
        Self {
            total,
            done: AtomicU64::new(0),
            files: AtomicU64::new(0),
            begun: Instant::now(),
            shown: Mutex::new(None),
            enabled,
        }
    }

    /// One more file is done; `bytes` is its length.
    pub fn add(&self, bytes: u64) {
        let files = self.files.fetch_add(1, Ordering::Relaxed) + 1;
        let done = self.done.fetch_add(bytes, Ordering::Relaxed) + bytes;
        if !self.enabled || self.begun.elapsed() < PATIENCE {
            return;
        }
        // Whoever holds the lock is showing it already.
        let Ok(mut shown) = self.shown.try_lock() else { return };
        if shown.is_some_and(|last| last.elapsed() < PACE) {
            return;
        }
        *shown = Some(Instant::now());
        let elapsed = self.begun.elapsed().as_secs_f64();
        let left = (self.total.saturating_sub(done)) as f64 / (done as f64 / elapsed).max(1.0);
        let line = format!(
            "\r\x1b[K{}, {} of {}, about {} left",
            fold::plural(files, "file"),
            fold::bytes(done),
            fold::bytes(self.total),
            fold::duration((left * 1000.0) as u64)
        );
        let _ = std::io::stderr().write_all(line.as_bytes());
    }
}

impl Drop for ByteProgress {
    fn drop(&mut self) {
        let shown = self.shown.get_mut().is_ok_and(|shown| shown.is_some());
        if shown {
            let _ = std::io::stderr().write_all(b"\r\x1b[K");
        }
    }
}
