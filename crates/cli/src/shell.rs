//! Words as a shell takes them, for commands that a user may paste.

pub use scrollback_app::shell::word;
