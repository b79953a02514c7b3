//! Test support: a hermetic home, a fixed clock, the recorded corpus, the independent judge, the fuzz targets.
//!
//! Every test of the workspace gets its stores from here, so none reads the account's own `.claude`,
//! the environment or the clock. This crate is never linked into the program, and never prints.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "test support: where a fixture cannot be made, stopping the test at once with the cause is the job"
)]
#![allow(
    clippy::disallowed_methods,
    reason = "the one room besides `store` that writes: temporary homes and the unpacked corpus"
)]

pub mod clock;
pub mod corpus;
pub mod fuzz;
pub mod half;
pub mod home;
pub mod judge;
pub mod schema;
pub mod sent;

use std::path::PathBuf;

/// The directory that holds the workspace's `Cargo.toml`.
///
/// Looked for from the working directory upwards, which cargo sets for tests and chores: two clones that share
/// a target directory also share what was compiled, so the path of the build may be the other clone's.
pub fn workspace() -> PathBuf {
    let here = std::env::current_dir().unwrap_or_default();
    let built = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let found = here
        .ancestors()
        .chain(built.ancestors())
        .find(|folder| folder.join("crates/testkit/Cargo.toml").is_file());
    found.expect("tests and chores run inside the workspace that they were built from").to_path_buf()
}

/// The example of the README is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
