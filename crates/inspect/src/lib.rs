//! The state of a store: integrity of every byte, kinds and fields by version, claims about the format, sizes, orphans,
//! retention and the client's settings. Reads, counts and compares; changes nothing.

pub mod census;
pub mod claims;
pub mod crossref;
pub mod settings;
pub mod stock;
pub mod verify;

/// The example of the README is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
