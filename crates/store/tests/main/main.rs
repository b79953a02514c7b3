//! One integration-test binary: reading and walking; writing, the journal, and all that can go wrong with it.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a test that cannot get its data has to fail; it changes only what it has made"
)]

mod crashes;
mod faults;
mod guarding;
mod interrupting;
mod inventory;
mod journal;
mod living;
mod machine;
mod owning;
mod reading;
mod stamps;
mod walking;
mod worktrees;
mod writing;
