//! New entries in the layout of a chosen client generation.
//!
//! A [`SessionAuthor`] keeps the chain and fills in what the client would: uuid, parent, timestamp, working directory,
//! session, version, branch, slug. Its methods add one or more lines to a [`Sheet`], byte for byte as that
//! generation orders its keys. Ids and times come from a [`IdSource`] that the caller brings, so the same calls
//! with the same source give the same bytes.
//!
//! [`surgery`] is the other half: lines that are there already, taken out, joined and renamed.
//!
//! What is not here: no file is opened, no clock is read, no random number is drawn, nothing is printed.
//! Paths are names relative to the store's root ([`place`]); the caller writes the bytes.
//! What is taken for a generation that was never recorded on its own (1.x) follows its nearest neighbour.

pub mod agent;
pub mod answer;
pub mod area;
pub mod attachment;
pub mod block;
pub mod checkpoint;
pub mod clock;
pub mod compaction;
pub mod copy;
pub mod id;
pub mod json;
pub mod note;
pub mod patch;
pub mod place;
pub mod preamble;
pub mod progress;
pub mod prompt;
pub mod relocate;
pub mod request;
pub mod result;
pub mod session;
pub mod sheet;
pub mod source;
pub mod surgery;
pub mod system;
pub mod tool;
pub mod usage;

mod envelope;
mod error;
#[cfg(test)]
mod genuine;
#[cfg(test)]
mod order;

pub use answer::{Answer, AnswerEnd, Written, WrittenCall};
pub use block::AnswerBlock;
pub use clock::Moment;
pub use id::Id;
pub use json::{Json, Object};
pub use session::{Entrypoint, SessionAuthor, Settings};
pub use sheet::Sheet;
pub use source::IdSource;
pub use tool::ToolOutcome;
pub use usage::Usage;

/// The example of the README is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
