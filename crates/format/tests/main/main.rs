//! One integration-test binary: laws of the scanner, of lines and pieces, and of editing.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test that cannot get its data has to fail; it changes only what it has made"
)]

mod edit_laws;
mod json_grammar;
mod piece_cases;
mod piece_laws;
