//! Bytes to lines to entries and back: the storage format of Claude Code, total and lossless.
//!
//! ```text
//! bytes ──► line ──► piece ──► entry ──► body, content, tool
//!           line.rs  piece.rs  entry.rs  body/, content.rs, tool.rs
//! ```
//!
//! - Parsing never fails. What is odd becomes a [`problem::Problem`] with line and offset.
//! - What is not understood is kept, byte for byte: entries borrow from the line and never own a changed copy.
//! - There is no I/O, clock, environment or async here, and no dependency on another crate of ours.
//!
//! ```
//! use scrollback_format::{kind::Kind, line, piece::Parser};
//! let file = b"{\"type\":\"user\",\"uuid\":\"1\"}\n{\"type\":\"assis";
//! let (mut parser, mut seen) = (Parser::new(), Vec::new());
//! for line in line::split(file) {
//!     parser.each(line, |piece| seen.push((piece.entry().map(|entry| entry.kind), piece.problems.len())));
//! }
//! assert_eq!(seen, [(Some(Kind::User), 0), (None, 1)]); // the torn line is a value with a problem, not an error
//! ```

pub mod area;
pub mod body;
pub mod check;
pub mod content;
mod cost;
pub mod digest;
pub mod entry;
pub mod envelope;
pub mod folder;
pub mod front_matter;
pub mod generation;
pub mod history;
pub mod id;
pub mod json;
pub mod kind;
pub mod line;
pub mod piece;
pub mod problem;
pub mod shape;
pub mod stamp;
pub mod time;
pub mod tool;
pub mod version;

/// The example of the README is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
