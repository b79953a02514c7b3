//! Turning text of a transcript into lines for a terminal: Markdown, code, diffs, tables.
//!
//! Everything here is a pure function of its arguments. It never reads the environment, never asks how
//! wide the terminal is, never prints; the caller says so in a [`Canvas`] and writes the result where it
//! likes. Text of a transcript is untrusted: no `StyledSpan` can hold a control character (see [`harmless`]),
//! so no escape sequence but our own reaches the terminal.

pub mod diff;
pub mod fold;
pub mod grid;
pub mod harmless;
pub mod highlight;
pub mod line;
pub mod markdown;
mod nest;
pub mod sides;
pub mod style;
mod table;
pub mod width;
pub mod wrap;

pub use line::{StyledLine, paint};
pub use style::{Style, Theme};

/// What is painted on: how many columns there are, and how roles look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Canvas {
    /// Columns that a line may fill.
    pub width: usize,
    /// How roles become escape codes.
    pub theme: Theme,
}

impl Canvas {
    /// A canvas of `width` columns under `theme`.
    pub fn new(width: usize, theme: Theme) -> Self {
        Self { width, theme }
    }

    /// The same canvas with `columns` fewer, for content that the caller indents.
    pub fn inset(self, columns: usize) -> Self {
        Self { width: self.width.saturating_sub(columns).max(1), ..self }
    }
}
