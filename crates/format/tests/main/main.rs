//! One integration-test binary: laws of the scanner, of lines and pieces, and of editing.

mod edit_laws;
mod json_grammar;
mod piece_cases;
mod piece_laws;
