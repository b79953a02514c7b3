//! One integration-test binary: laws of the graph, the threads and the fold.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot get its data has to fail")]

mod fold_laws;
mod thread_laws;
mod turn_cases;
