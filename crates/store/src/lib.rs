//! The tree on disk: finding and reading what is below a Claude Code root.
//!
//! The only crate that opens the store. It knows names and bytes, not their meaning, and it takes its roots as
//! arguments: there is no home directory and no environment here. Reading never blocks a running client, and a
//! file that vanishes, grows or cannot be read is an answer, not a failure.

pub mod cache;
pub mod error;
pub mod git;
pub mod reader;
pub mod root;
pub mod small;
pub mod stamp;
pub mod walk;
pub mod work;

pub use cache::{CacheDir, CacheLock};
pub use error::ReadError;
pub use reader::{Block, Chunk, LineReader, Part, ReadEnd, Start};
pub use root::Root;
pub use stamp::Look;
pub use walk::{Found, ProjectFolder, Trouble, Walk};
