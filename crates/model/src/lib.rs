//! What the entries of a session mean: thread graph, turns, agents, lineage, facts.
//!
//! ```text
//! pieces ──► fold ──► transcript ──► graph ──► threads ──► turns ──► facts
//!                                                 agents, lineage: over several transcripts
//! ```
//!
//! Pure functions: no I/O, no clock. What is kept of an entry is a row of 64 bytes and its span in the file; text is
//! read again when a view asks for it.

pub mod agent;
pub mod charge;
mod cost;
pub mod facts;
pub mod fold;
pub mod graph;
pub mod leaf;
pub mod lineage;
pub mod lookup;
pub mod pack;
pub mod placing;
pub mod resume;
pub mod role;
pub mod row;
pub mod skeleton;
mod sound;
pub mod symbol;
pub mod text;
pub mod thread;
mod timeline;
pub mod title;
pub mod tokens;
pub mod transcript;
pub mod turn;
pub mod unit;
pub mod usage;

/// The example of the README is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
