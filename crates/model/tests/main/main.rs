//! One integration-test binary: laws of the graph, the threads, the fold and the resume simulator.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot get its data has to fail")]

mod fold_laws;
mod resume_laws;
mod resume_upgrades;
mod thread_laws;
mod turn_cases;
