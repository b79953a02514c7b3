//! What the stream waits with. In tests of this crate it comes from `shuttle`, which runs the threads one at a time, in
//! an order of its choice, and reports when all of them wait. Such tests run inside `shuttle::check_random` or the like.

#[cfg(test)]
pub use shuttle::{
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    sync::{Condvar, Mutex, MutexGuard},
    thread,
};
#[cfg(not(test))]
pub use std::{
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    sync::{Condvar, Mutex, MutexGuard},
    thread,
};
