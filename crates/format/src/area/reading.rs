//! How a file is read.

/// How the content of a file is to be understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Reading {
    /// Lines of a conversation, which have types of their own.
    Typed,
    /// JSON, one value a line.
    JsonLines,
    /// One JSON value.
    Json,
    /// Text.
    Text,
    /// Anything.
    Binary,
    /// Not at all: it is never opened.
    Secret,
}

impl Reading {
    /// In a word or two.
    pub fn name(self) -> &'static str {
        match self {
            Self::Typed => "conversation",
            Self::JsonLines => "JSON lines",
            Self::Json => "JSON",
            Self::Text => "text",
            Self::Binary => "binary",
            Self::Secret => "never opened",
        }
    }

    /// How a file with this name is read, where its area says no more.
    pub(super) fn of_name(name: &str) -> Self {
        match name.rsplit_once('.').map(|(_, end)| end) {
            Some("json" | "lock") => Self::Json,
            Some("jsonl") => Self::JsonLines,
            Some("md" | "txt" | "log" | "sh" | "html" | "js" | "toml" | "yaml" | "yml" | "output") => {
                Self::Text
            }
            _ => Self::Binary,
        }
    }
}
