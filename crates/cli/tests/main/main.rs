//! One integration-test binary: the program as a user runs it. A test compares all of stdout, stderr and status.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test that cannot run the program has to fail; it changes only the home that it has made"
)]

mod areas;
mod behaviour;
mod complete;
mod documents;
mod edit;
mod exits;
mod files;
mod found;
mod front;
mod grep;
mod guard;
mod index;
mod interrupted;
mod judged;
mod pick;
mod places;
mod program;
mod resume;
mod sample;
mod search;
mod stock;
mod terminal;
mod usage;
