//! Hints: what to do about an error. A front puts them into its own words: flags for a command line, a link for a page.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One of several things that a name could mean.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Candidate {
    /// Its id.
    pub id: String,
    /// Its title or description.
    pub title: Option<String>,
}

/// What to do about an error. A front puts it into its own words: flags for a command line, a link for a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Hint {
    /// Something of nearly that name exists.
    DidYouMean {
        /// Its name.
        name: String,
    },
    /// It could be this one.
    Candidate(Candidate),
    /// Another request helps: a command with its arguments, without the program's name.
    Try {
        /// The words of the command.
        command: Vec<String>,
        /// What it does, as in "lists the sessions".
        does: String,
    },
    /// An option of the request helps.
    Option {
        /// Its name, without dashes.
        name: String,
        /// What it does, as in "names another store".
        does: String,
    },
    /// A sentence.
    Say {
        /// The sentence, without a full stop.
        text: String,
    },
}

impl Hint {
    /// A command that helps.
    pub fn command(command: &[&str], does: impl Into<String>) -> Self {
        Self::Try { command: command.iter().map(|word| (*word).to_owned()).collect(), does: does.into() }
    }

    /// An option that helps.
    pub fn option(name: &str, does: impl Into<String>) -> Self {
        Self::Option { name: name.to_owned(), does: does.into() }
    }

    /// A sentence.
    pub fn say(text: impl Into<String>) -> Self {
        Self::Say { text: text.into() }
    }
}
