//! Sessions: found in a store, resolved from what a user typed, loaded, and walked turn by turn; the catalogue in use;
//! and the view models that every room above shares.
//!
//! ```text
//! library (files by name) ──► catalogue (refreshed, asked) ──► loaded ──► agents, lineage
//!                                                               │
//!                              resolve (id, path, title, last) ─┴─► opened ──► story ──► tree
//! digest, diff                                                    what of a turn is noise, how it ended, what its calls gave
//! resume                                                          one session as a client would load it
//! view, trouble, error, marks, scope                              what every room above shares
//! ```
//!
//! Nothing is printed here, no environment is read and nothing is changed but the cache.

pub mod agent_meta;
pub mod agents;
pub mod area;
pub mod catalogue;
pub mod compare;
pub mod date;
pub mod diff;
pub mod digest;
pub mod error;
pub mod item;
pub mod library;
pub mod line_scan;
pub mod lineage;
pub mod load;
pub mod loaded;
pub mod marks;
pub mod opened;
pub mod read_item;
pub mod resolve;
pub mod resume;
pub mod scope;
pub mod shell;
pub mod spill;
pub mod story;
pub mod tree;
pub mod trouble;
pub mod view;

/// The example of the README is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
