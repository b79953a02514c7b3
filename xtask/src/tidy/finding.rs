//! What a check has to say: a place, a weight, a sentence.

use std::fmt;

/// Does a finding fail the check?
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    /// Yes.
    Error,
    /// No, but someone should look.
    Warning,
}

/// One thing that is not as it should be.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    /// Errors sort first.
    pub weight: Weight,
    /// Relative to the workspace.
    pub path: String,
    /// Counted from 1.
    pub line: usize,
    /// What is wrong, and what would be right.
    pub message: String,
}

impl Finding {
    /// A finding that fails the check.
    pub fn error(path: &str, line: usize, message: impl Into<String>) -> Self {
        Self { weight: Weight::Error, path: path.to_owned(), line, message: message.into() }
    }

    /// A finding that only wants to be seen.
    pub fn warning(path: &str, line: usize, message: impl Into<String>) -> Self {
        Self { weight: Weight::Warning, ..Self::error(path, line, message) }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let weight = match self.weight {
            Weight::Error => "error",
            Weight::Warning => "warning",
        };
        write!(out, "{}:{}: {weight}: {}", self.path, self.line, self.message)
    }
}
