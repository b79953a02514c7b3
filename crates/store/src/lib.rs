//! The tree on disk: finding, reading and changing what is below a Claude Code root.
//!
//! The only crate that opens the store. It knows names and bytes, not their meaning, and it takes its roots, its
//! directories and the present as arguments: there is no home directory, no environment and no clock here. Reading
//! never blocks a running client, and a file that vanishes, grows or cannot be read is an answer, not a failure.
//! Changing goes through [`journal`], which can take everything back.

pub mod belonging;
pub mod cache;
pub mod client_lock;
pub mod data;
pub mod disk;
pub mod error;
pub mod gate;
pub mod git;
pub mod guard;
pub mod inventory;
pub mod journal;
pub mod journal_error;
pub mod large;
pub mod ledger;
pub mod live;
pub mod own;
pub mod place;
pub mod reader;
pub mod root;
pub mod shape;
pub mod small;
pub mod stamp;
pub mod walk;
pub mod work;
pub mod write;
pub mod write_error;

mod platform;

pub use cache::{CacheDir, CacheLock};
pub use disk::Disk;
pub use error::{ReadError, ReadRefusal};
pub use inventory::Inventory;
pub use journal::{Journal, JournalError, Transaction};
pub use own::{DataDir, DataLock};
pub use place::Place;
pub use reader::{Chunk, LineBlock, LineReader, ReadEnd, ReadPart, Start};
pub use root::Root;
pub use stamp::Look;
pub use walk::{FolderFile, ProjectFolder, Trouble, Walk};
pub use write_error::WriteError;

/// The example of the README is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
