//! Failures: one translator from what went wrong to words, a hint and an exit code.

use std::fmt::Write as _;
use std::io;
use std::process::ExitCode;

use scrollback_app::error::AppError;

use crate::paint::harmless::harmless;

/// The kinds of ends, each with its exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Nothing was found.
    NothingFound = 1,
    /// The command line makes no sense.
    Usage = 2,
    /// There are problems in the data.
    Problems = 3,
    /// It would have overwritten something.
    Refused = 4,
    /// The disk said no.
    Io = 5,
    /// More was spent than allowed.
    OverBudget = 6,
    /// The user stopped it.
    Interrupted = 130,
    /// The program is wrong.
    Bug = 70,
    /// The reader of our output has seen enough. No failure at all.
    Closed = 0,
}

/// A failure, in words.
#[derive(Debug)]
pub struct Failure {
    /// What kind.
    pub kind: Kind,
    /// What is wrong; empty when the output already said so.
    pub message: String,
    /// What to do about it.
    pub hints: Vec<String>,
}

impl Failure {
    /// A failure without a hint.
    pub fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), hints: Vec::new() }
    }

    /// The end of a command whose output told everything: only the exit code is left to give.
    pub fn quiet(kind: Kind) -> Self {
        Self::new(kind, "")
    }

    /// The same with something to do about it.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// The exit code.
    pub fn code(&self) -> ExitCode {
        ExitCode::from(self.kind as u8)
    }

    /// The text for standard error.
    pub fn text(&self) -> String {
        if self.message.is_empty() {
            return String::new();
        }
        let mut text = format!("error: {}\n", self.message);
        if !self.hints.is_empty() {
            text.push('\n');
        }
        for hint in &self.hints {
            let _ = writeln!(text, "hint: {hint}");
        }
        // Paths and titles of files may stand in it.
        harmless(&text).into_owned()
    }
}

impl From<AppError> for Failure {
    fn from(error: AppError) -> Self {
        let message = error.to_string();
        match error {
            AppError::NoRoot(_) => {
                Self::new(Kind::Io, message).hint("--root DIR names a store, --sample shows the built-in one")
            }
            AppError::NoSuchSession { wanted, near } => {
                let failure = Self::new(Kind::NothingFound, message);
                match near.is_empty() {
                    true if wanted == "last" => failure.hint("nobody has spoken in any session of this store yet"),
                    true => failure.hint("`scrollback ls` lists the sessions; an id, the start of one, a path or a title names one"),
                    false => near.into_iter().fold(failure, |failure, name| failure.hint(format!("did you mean {name}?"))),
                }
            }
            AppError::Ambiguous { candidates, .. } => {
                candidates.into_iter().fold(Self::new(Kind::Usage, message), |failure, (id, title)| {
                    failure.hint(format!("{id}  {title}").trim_end().to_owned())
                })
            }
            AppError::NoSuchAgent { agents, .. } => {
                let failure = Self::new(Kind::NothingFound, message);
                if agents.is_empty() {
                    failure.hint("this session made no agents")
                } else {
                    failure.hint(format!("its agents: {}", agents.join(", ")))
                }
            }
            AppError::OutOfRange { what, .. } => {
                let failure = Self::new(Kind::NothingFound, message);
                failure.hint(format!("`scrollback tree SESSION` shows every {what}"))
            }
            AppError::NoSuchHit { .. } => Self::new(Kind::NothingFound, message)
                .hint("a line number, or the id of an entry, a message or a tool call names a hit"),
            AppError::NoSuchFile { near, .. } => {
                let failure = Self::new(Kind::NothingFound, message);
                if near.is_empty() {
                    failure.hint("`scrollback files ls SESSION` lists the files of a session")
                } else {
                    near.into_iter()
                        .fold(failure, |failure, path| failure.hint(format!("did you mean {path}?")))
                }
            }
            AppError::NoSuchVersion { .. } => Self::new(Kind::NothingFound, message)
                .hint("`scrollback files log PATH` lists the versions of a file"),
            AppError::NoEdit { hint, .. } => Self::new(Kind::Refused, message).hint(hint),
            AppError::NothingToEdit(_) => Self::new(Kind::NothingFound, message),
            AppError::Journal(error) => crate::edit::refused(message, &error),
            AppError::Index(_) | AppError::Read(_) => Self::new(Kind::Io, message),
            AppError::Output(error) => error.into(),
        }
    }
}

impl From<scrollback_app::IndexError> for Failure {
    fn from(error: scrollback_app::IndexError) -> Self {
        AppError::from(error).into()
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::quiet(Kind::Closed),
            _ => Self::new(Kind::Io, error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Failure, Kind};

    #[test]
    fn a_failure_that_names_a_file_sends_nothing_but_text_to_the_terminal() {
        let failure =
            Failure::new(Kind::NothingFound, "no \u{1b}[31mred\r\nfile").hint("not \u{9b}2J either");
        assert!(!failure.text().contains(['\u{1b}', '\u{9b}', '\r']), "{:?}", failure.text());
    }
}
