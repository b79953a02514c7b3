//! One integration-test binary: the recorded stores, seen through every use case.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot get its data has to fail"
)]

mod areas;
mod authoring;
mod carrying;
mod catalogue;
mod claims;
mod edited;
mod editing;
mod files;
mod golden;
mod grep;
mod halving;
mod names;
mod oracle;
mod places;
mod resolving;
mod resuming;
mod searching;
mod seeking;
mod troubles;
