//! The time machine for files: every state of a file that any session ever saw or made, as far as the store tells.
//!
//! ```text
//! transcripts ──► events (light, in order) ──► trail: versions with certainty ──► listing, log, show, restore
//!                                              └─ replay, notebook, body: pure, on bytes
//! ```
//!
//! What is exact, what is replayed and what is only partly known is told in docs/files.md. Nothing here writes: a restore is
//! a plan, which goes through the journal as every edit does.

pub mod body;
pub mod diff;
pub mod event;
pub mod history;
pub mod listing;
pub mod moment;
mod notebook;
pub mod path;
pub mod replay;
pub mod restore;
pub mod source;
pub mod told;
pub mod trail;
pub mod transcripts;
pub mod version;
pub mod view;

/// The example of the README is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
