//! Failures: one translator from what went wrong to words, a hint and an exit code.

use std::fmt::Write as _;
use std::io;
use std::ops::Range;
use std::process::ExitCode;

use scrollback_app::ReadError;
use scrollback_app::error::{AppError, ErrorClass, Hint};
use scrollback_app::request::show::WriteFailure;

use crate::paint::harmless::{harmless, visible};
use crate::paint::width;

/// The kinds of ends, each with its exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExitKind {
    /// Nothing was found.
    NothingFound = 1,
    /// The command line is invalid.
    Usage = 2,
    /// There are problems in the data.
    Problems = 3,
    /// It would have overwritten something.
    Refused = 4,
    /// An I/O error.
    Io = 5,
    /// More was spent than allowed.
    OverBudget = 6,
    /// The user stopped it.
    Interrupted = 130,
    /// A bug in the program.
    Bug = 70,
    /// The reader of our output closed the pipe. Not a failure.
    Closed = 0,
}

/// A failure, in words.
#[derive(Debug)]
pub struct Failure {
    /// What kind.
    pub kind: ExitKind,
    /// What is wrong; empty when the output already said so.
    pub message: String,
    /// What to do about it.
    pub hints: Vec<String>,
}

impl Failure {
    /// A failure without a hint.
    pub fn new(kind: ExitKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), hints: Vec::new() }
    }

    /// The end of a command whose output already said everything: only the exit code is left.
    pub fn quiet(kind: ExitKind) -> Self {
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
        let kind = match error.code().class() {
            ErrorClass::NothingFound => ExitKind::NothingFound,
            ErrorClass::Usage => ExitKind::Usage,
            ErrorClass::Refused => ExitKind::Refused,
            ErrorClass::Io => ExitKind::Io,
            ErrorClass::Interrupted => ExitKind::Interrupted,
            _ => ExitKind::Bug,
        };
        let hints = error.hints().iter().map(words).collect();
        let mut message = error.to_string();
        if let AppError::Malformed { text, place: Some(place), .. } = &error {
            message.push_str(&pointed(text, place));
        }
        Self { kind, message, hints }
    }
}

/// A text with carets below the part that is wrong.
fn pointed(text: &str, place: &Range<usize>) -> String {
    // Line breaks would put the carets elsewhere; other control characters become visible signs of the same width.
    let columns = |part: Option<&str>| width::columns(&visible(part.unwrap_or_default()));
    let before = columns(text.get(..place.start));
    let inside = columns(text.get(place.clone())).max(1);
    format!("\n\n  {}\n  {}{}", visible(text), " ".repeat(before), "^".repeat(inside))
}

/// A hint in the words of a command line.
fn words(hint: &Hint) -> String {
    match hint {
        Hint::DidYouMean { name } => format!("did you mean {name}?"),
        Hint::Candidate(candidate) => {
            let title = candidate.title.as_deref().unwrap_or_default();
            format!("{}  {title}", candidate.id).trim_end().to_owned()
        }
        Hint::Try { command, does } => {
            format!("`scrollback {}` {does}", command.join(" "))
        }
        Hint::Option { name, does } => format!("--{name} {does}"),
        Hint::Say { text } => text.clone(),
        _ => String::new(),
    }
}

impl From<WriteFailure> for Failure {
    fn from(failure: WriteFailure) -> Self {
        match failure {
            WriteFailure::Request(error) => error.into(),
            WriteFailure::Output(error) => error.into(),
            other => Self::new(ExitKind::Io, other.to_string()),
        }
    }
}

impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Self {
        AppError::from(error).into()
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
            io::ErrorKind::BrokenPipe => Self::quiet(ExitKind::Closed),
            _ => Self::new(ExitKind::Io, error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use scrollback_app::error::{AppError, Input};

    use super::{ExitKind, Failure};

    #[test]
    fn a_mistake_is_marked_below_the_text() {
        let check = |text: &str, place, suggestion: Option<&str>, expected: &str| {
            let error = AppError::Malformed {
                what: Input::Query,
                text: text.to_owned(),
                place: Some(place),
                why: "odd".to_owned(),
                suggestion: suggestion.map(str::to_owned),
            };
            assert_eq!(Failure::from(error).text(), expected);
        };
        check("a (b", 2..3, None, "error: invalid query: odd\n\n  a (b\n    ^\n");
        check(
            "天気 rol:user",
            7..10,
            Some("role:user"),
            "error: invalid query: odd\n\n  天気 rol:user\n       ^^^\n\nhint: did you mean role:user?\n",
        );
        check("x\u{1b}[2J (y", 6..7, None, "error: invalid query: odd\n\n  x␛[2J (y\n        ^\n");
    }

    #[test]
    fn a_failure_that_names_a_file_sends_nothing_but_text_to_the_terminal() {
        let failure =
            Failure::new(ExitKind::NothingFound, "no \u{1b}[31mred\r\nfile").hint("not \u{9b}2J either");
        assert!(!failure.text().contains(['\u{1b}', '\u{9b}', '\r']), "{:?}", failure.text());
    }
}
