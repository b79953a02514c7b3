//! The picker: a list that narrows while one types, with the conversation beside it.
//!
//! ```text
//! keys ──► state (pure) ──► screen (pure) ──► terminal
//!            ▲    │ wishes
//!      shelf ┘    └──► desk ──► preview            two threads, so that typing never waits
//! ```
//!
//! It is drawn on the terminal itself, never on standard output, which belongs to what was picked.

pub mod feed;
pub mod ink;
pub mod input;
pub mod keys;
pub mod preview;
pub mod row;
pub mod screen;
pub mod state;
pub mod terminal;
mod watch;
pub mod worker;

#[cfg(test)]
mod frames;

pub use watch::pick;

use scrollback_app::view::SessionView;

/// How picking ended.
#[derive(Debug)]
pub enum End {
    /// With a session, and what to do with it.
    Picked(Box<SessionView>, Deed),
    /// With nothing.
    Left,
    /// By Ctrl-C or a signal.
    Interrupted,
}

/// What to do with a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deed {
    /// Whatever Enter stands for: resume it, or print its id.
    Accept,
    /// Show its conversation.
    Show,
    /// Copy its id.
    Copy,
    /// Print the path of its file.
    Path,
}
