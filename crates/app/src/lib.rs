//! Use cases and plain view models, in the user's words. Every front is thin over these.
//!
//! ```text
//! library ──► listing, overview, resolve, seek    views of many sessions
//!    │        picking ──► ranking
//!    │
//!    └─ load ──► story ──► tree                   one session, turn by turn
//!               resume                           one session as a client would go on with it
//!               agents, lineage, info
//! stock ──► du, orphans, retention                where the bytes are, whose, how long
//! verify, census, claims                          every byte; every kind and field
//! grep                                            every text, decoded
//! edit                                            changes, planned before they are made
//! author                                          sessions written as a client writes them
//! ```
//!
//! Nothing is printed here and no environment is read. View models serialize to the documented `--json`: a session
//! is always `session_id`, a line always `line`, a time always RFC 3339.

pub mod agents;
pub mod area;
pub mod author;
pub mod catalogue;
pub mod census;
pub mod claims;
pub mod crossref;
pub mod definition;
pub mod edit;
pub mod error;
pub mod files;
pub mod follow;
pub mod glean;
pub mod grep;
pub mod history;
pub mod info;
pub mod item;
pub mod library;
pub mod lineage;
pub mod listing;
pub mod load;
pub mod log;
pub mod opened;
pub mod overview;
pub mod picking;
pub mod plan;
pub mod ps;
pub mod ranking;
pub mod read_item;
pub mod resolve;
pub mod resume;
pub mod scope;
pub mod search;
pub mod seek;
pub mod settings;
pub mod snapshot;
pub mod spill;
pub mod stock;
pub mod story;
pub mod tables;
pub mod todo;
pub mod tree;
pub mod usage;
pub mod verify;
pub mod view;
pub mod watch;
pub mod whereis;

pub use scrollback_index::error::IndexError;
pub use scrollback_model::transcript::FileKind;
pub use scrollback_store::{JournalError, Root, Trouble, WriteError};
