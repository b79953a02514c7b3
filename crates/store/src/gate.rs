//! The seam in front of every call to the operating system that the writer makes.
//!
//! Nothing ships with a gate: [`crate::disk::Disk::real`] has none. Tests put one in, to count the calls, to let the
//! n-th fail, or to stop there for good, as if the process had died.

use std::fmt;
use std::io;
use std::path::Path;

/// A call that is about to be made.
#[derive(Debug, Clone, Copy)]
pub struct DiskCall<'a> {
    /// What: `rename`, `write`, `sync`, …
    pub name: &'static str,
    /// On which path; of two, the one that comes to be.
    pub path: &'a Path,
    /// Does it change anything?
    pub changes: bool,
}

/// What becomes of the call.
#[derive(Debug)]
pub enum Permission {
    /// It is made.
    Go,
    /// It is not made and counts as done: what a test does with a sync, which is slow and shows nothing there.
    Skip,
    /// It is not made and fails like this.
    Fail(io::Error),
    /// Of a write, half is made, and it fails; any other call is not made and fails.
    Half,
}

/// Decides over each call.
pub trait Gate: fmt::Debug + Send + Sync {
    /// Asked before each call.
    fn pass(&self, call: &DiskCall<'_>) -> Permission;

    /// Are two places on one device? Told what is really so, to pretend otherwise.
    fn same_device(&self, _one: &Path, _other: &Path, really: bool) -> bool {
        really
    }
}
