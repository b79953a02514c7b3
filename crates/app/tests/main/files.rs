//! Files through time: what sessions recorded of them comes back, byte for byte, and what they did not is not made up.

#![allow(clippy::disallowed_methods, reason = "files of a project of the test's own are written and linked")]

mod client;
mod laws;
mod lines;
mod recorded;
mod restoring;
mod troubles;
