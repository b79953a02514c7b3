//! Bytes to lines to entries and back: the storage format of Claude Code, total and lossless.

pub mod digest;
pub mod folder;
pub mod generation;
pub mod version;
