//! One integration-test binary: reading and walking.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test that cannot get its data has to fail; it changes only what it has made"
)]

mod reading;
mod stamps;
mod walking;
mod worktrees;
