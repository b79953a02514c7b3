//! Finding text: ranked search over the text index with a scan of what it lacks, and grep over every file.

pub mod grep;
pub mod search;

/// The example of the README is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
