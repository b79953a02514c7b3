//! The query language: what was typed, as a tree. docs/search.md says what each part means.

mod lexer;
mod parser;

use std::fmt;
use std::ops::Range;

use scrollback_format::time::Time;
use scrollback_model::text::TextClass;

pub use parser::{parse, parse_within};

/// The fields that a query can have.
const FIELDS: [&str; 12] =
    ["role", "tool", "file", "project", "branch", "model", "agent", "session", "in", "is", "since", "until"];

/// Which classes of texts are looked into, one bit each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Classes(pub u8);

impl Classes {
    /// All of them.
    pub const ALL: Self = Self((1 << TextClass::ALL.len()) - 1);

    /// One alone.
    pub fn one(class: TextClass) -> Self {
        Self(1 << class as u8)
    }

    /// Is this class among them?
    pub fn has(self, class: TextClass) -> bool {
        self.0 & Self::one(class).0 != 0
    }
}

/// Tokens that stand side by side.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct AdjacentWords {
    /// The tokens, folded.
    pub tokens: Vec<String>,
    /// Is the last one only the beginning of a token?
    pub prefix: bool,
    /// Where to look.
    pub classes: Classes,
}

/// A condition on a unit that is no word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Filter {
    /// Its role: `user`, `assistant` or `tool`.
    Role(&'static str),
    /// It calls this tool (lower case); `true`: the name begins so.
    Tool(String, bool),
    /// It reads or writes a file whose path has these words side by side.
    File(Vec<String>),
    /// The session's directory contains this (lower case).
    Project(String),
    /// The session was on a branch whose name contains this (lower case).
    Branch(String),
    /// The model's name contains this (lower case).
    Model(String),
    /// It is in the file of an agent of this id or type (lower case); empty: of any agent.
    Agent(String),
    /// The session's id begins with this.
    Session(String),
    /// At or after this time.
    Since(Time),
    /// Before this time.
    Until(Time),
    /// It has a text of one of these classes.
    In(Classes),
    /// A tool or the API failed.
    Error,
    /// A compaction stands after it.
    Compacted,
    /// It is not on the live thread.
    DeadBranch,
}

/// A query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expr {
    /// All of these.
    And(Vec<Expr>),
    /// One of these.
    Or(Vec<Expr>),
    /// Not this.
    Not(Box<Expr>),
    /// Words.
    Words(AdjacentWords),
    /// A condition.
    Filter(Filter),
}

impl Expr {
    /// Every group of words that a match may have, exclusions left out: what is marked in a snippet.
    pub fn wanted(&self) -> Vec<&AdjacentWords> {
        match self {
            Self::And(list) | Self::Or(list) => list.iter().flat_map(Self::wanted).collect(),
            Self::Not(_) | Self::Filter(_) => Vec::new(),
            Self::Words(words) => vec![words],
        }
    }

    /// Every filter in it.
    pub fn filters(&self) -> Vec<&Filter> {
        match self {
            Self::And(list) | Self::Or(list) => list.iter().flat_map(Self::filters).collect(),
            Self::Not(inner) => inner.filters(),
            Self::Filter(filter) => vec![filter],
            Self::Words(_) => Vec::new(),
        }
    }

    /// Does it hold, given what `words` and `filter` say of each part?
    pub fn holds(
        &self,
        words: &mut dyn FnMut(&AdjacentWords) -> bool,
        filter: &dyn Fn(&Filter) -> bool,
    ) -> bool {
        match self {
            Self::And(list) => list.iter().all(|part| part.holds(words, filter)),
            Self::Or(list) => list.iter().any(|part| part.holds(words, filter)),
            Self::Not(inner) => !inner.holds(words, filter),
            Self::Words(wanted) => words(wanted),
            Self::Filter(wanted) => filter(wanted),
        }
    }

    /// Tokens (or beginnings of such) of which every match has at least one; none if there are no such.
    pub fn necessary(&self) -> Option<Vec<&str>> {
        match self {
            // The fewest, and among those the longest, are told apart best.
            Self::And(list) => list.iter().filter_map(Self::necessary).min_by_key(|set| {
                let shortest = set.iter().map(|token| token.len()).min().unwrap_or(0);
                (set.len(), usize::MAX - shortest)
            }),
            Self::Or(list) => {
                let sets: Option<Vec<Vec<&str>>> = list.iter().map(Self::necessary).collect();
                sets.map(|sets| sets.into_iter().flatten().collect())
            }
            Self::Not(_) | Self::Filter(_) => None,
            Self::Words(words) => {
                words.tokens.iter().max_by_key(|token| token.len()).map(|token| vec![token.as_str()])
            }
        }
    }
}

/// What is wrong with a query, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueryError {
    /// What is wrong.
    pub message: String,
    /// Where, in bytes of the query.
    pub place: Range<usize>,
    /// What may have been meant.
    pub suggestion: Option<String>,
}

impl fmt::Display for QueryError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

impl std::error::Error for QueryError {}
