//! The commands: one file each.

pub mod completions;
pub mod grep;
pub mod info;
pub mod ls;
pub mod man;
pub mod overview;
pub mod sample;
pub mod schema;
pub mod show;
pub mod tree;
pub mod verify;
pub mod whereis;
