//! The commands: one file each.

pub mod completions;
pub mod grep;
pub mod hide;
pub mod index;
pub mod info;
pub mod journal;
pub mod ls;
pub mod man;
pub mod overview;
pub mod pick;
pub mod pin;
pub mod relocate;
pub mod rename;
pub mod resume;
pub mod rm;
pub mod sample;
pub mod schema;
pub mod search;
pub mod show;
pub mod tag;
pub mod trash;
pub mod tree;
pub mod undo;
pub mod verify;
pub mod whereis;
