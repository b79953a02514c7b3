//! The tree on disk: finding and reading what is below a Claude Code root.
