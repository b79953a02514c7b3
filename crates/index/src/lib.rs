//! The catalogue and the text index: schema, refresh plan, queries.
//!
//! ```text
//! stamps seen, stamps now ──► plan          what has to be read
//! digests of files ──► catalogue (SQLite)   sessions, agents, messages, calls, files touched, prompts
//! units of files ──► text (tantivy)         what search ranks
//! query text ──► query ──► both
//! ```
//!
//! Reads no session file itself and knows no clock. Everything here is a cache: deleting it loses nothing.

pub mod catalogue;
pub mod charge;
pub mod error;
pub mod filter;
pub mod phrase;
pub mod plan;
pub mod query;
pub mod ranges;
mod row;
pub mod schema;
pub mod table;
pub mod tally;
pub mod text;
pub mod token;

/// The example of the README is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
