//! The library behind `scrollback`, under one name: what another program needs to read, search, price and edit what
//! Claude Code stores below `~/.claude`.
//!
//! ```text
//! desk      a request in, a typed document out: the same answers as the commands with `--json`
//! session   sessions found, opened and walked turn by turn
//! search    ranked search and grep          files   every version of a file that sessions saw
//! usage     tokens and cost                 edit    changes: planned, shown, made, undone
//! inspect   the state of a store
//! model     rows, threads, turns, titles    store   files found, read and changed durably
//! format    bytes to lines to entries and back
//! ```
//!
//! Start with [`desk`]; go below it for what no request answers. `examples/front.rs` is a front over the desk alone,
//! `titles.rs`, `print.rs` and `follow.rs` are shorter.
//!
//! There is no code here, only names: each stands where its crate documents it. Nothing below prints, reads the
//! environment or the clock, or writes to a store but through [`edit`].

/// The desk: a request in, a typed document out.
///
/// A [`Desk`](desk::Desk) holds what an answer depends on besides the request: roots, directories, clock, zone. Each module
/// of [`request`](desk::request) has a request and what it is answered with.
pub mod desk {
    pub use jiff::tz::TimeZone;
    pub use scrollback_app::IndexError;
    pub use scrollback_app::config::Config;
    pub use scrollback_app::desk::{Desk, Progress};
    pub use scrollback_app::document::{self, Document, Items};
    pub use scrollback_app::documents;
    pub use scrollback_app::edits;
    pub use scrollback_app::follow::{Follow, News, SessionChange, TurnPart};
    pub use scrollback_app::notice::{Notice, Once, Reporter, Silent, Work};
    pub use scrollback_app::request::{self, Request, ScopeRequest};
    pub use scrollback_app::stop::StopSignal;
    pub use scrollback_app::{
        definition, history, info, listing, log, overview, picking, plan, ps, snapshot, todo, watch, whereis,
    };
    pub use scrollback_session::error::{AppError, Code, ErrorClass, Hint};
    pub use scrollback_store::Root;
}

/// Ranked search over everything, and grep.
pub mod search {
    pub use scrollback_search::grep;
    pub use scrollback_search::search::*;
}

pub use scrollback_edit as edit;
pub use scrollback_files as files;
pub use scrollback_format as format;
pub use scrollback_inspect as inspect;
pub use scrollback_model as model;
pub use scrollback_session as session;
pub use scrollback_store as store;
pub use scrollback_usage as usage;

/// The example of the README is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
