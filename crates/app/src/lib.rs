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

pub mod config;
pub mod definition;
pub mod desk;
pub mod document;
pub mod documents;
pub mod edits;
pub mod follow;
pub mod fuzzy;
pub mod history;
pub mod ids;
pub mod info;
pub mod json_schema;
pub mod listing;
pub mod log;
pub mod notice;
pub mod overview;
pub mod picking;
pub mod plan;
pub mod ps;
pub mod ranking;
pub mod request;
pub mod snapshot;
pub mod stop;
pub mod tables;
pub mod todo;
pub mod watch;
pub mod whereis;

pub use scrollback_edit::{self as edit, author};
pub use scrollback_files as files;
pub use scrollback_index::error::IndexError;
pub use scrollback_inspect::{census, claims, crossref, settings, stock, verify};
pub use scrollback_model::transcript::FileKind;

/// Words of the model that stand in documents.
pub mod model {
    pub use scrollback_model::agent::{AgentPurpose, LinkEvidence};
    pub use scrollback_model::facts::SessionKind;
    pub use scrollback_model::leaf::LeafRule;
    pub use scrollback_model::lineage::{Descent, DescentEvidence};
    pub use scrollback_model::text::TextClass;
    pub use scrollback_model::thread::{JointKind, ThreadKind};
    pub use scrollback_model::title::TitleSource;
    pub use scrollback_model::turn::{EndEvidence, TurnEnd};
    pub use scrollback_model::unit::{Speaker, UnitKind};
}

pub use scrollback_search::{grep, search};
pub use scrollback_session::{
    agents, area, catalogue, compare, date, diff, digest, error, item, library, line_scan, lineage, load,
    loaded, marks, opened, read_item, resolve, resume, scope, shell, spill, story, tree, trouble, view,
};
pub use scrollback_store::{JournalError, ReadError, Root, Trouble, WriteError};
pub use scrollback_usage as usage;

/// The example of the README is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
