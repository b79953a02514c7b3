//! Problems: what is odd in the data, as values. Parsing never fails; it notes one of these and goes on.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The classes of problems that a file can have. Each has a stable name for `--json`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum ProblemClass {
    /// The last line is cut in the middle: the client was killed while it wrote.
    TornLine,
    /// Two or more whole objects stand on one line.
    GluedObjects,
    /// The beginning of a record, cut short, stands before a whole object on the same line.
    Stub,
    /// Bytes in the middle of the file that are no JSON and hold no whole object.
    Fragment,
    /// NUL bytes, as a file system leaves them after a crash.
    NulRun,
    /// A byte order mark at the start.
    ByteOrderMark,
    /// The line ends in CR LF.
    #[serde(rename = "crlf")]
    CrLf,
    /// A line with nothing on it.
    BlankLine,
    /// Bytes that are not UTF-8.
    InvalidUtf8,
    /// Half a surrogate pair in an escape.
    LoneSurrogate,
    /// A JSON value that is no object.
    NotAnObject,
    /// An object without a `type`.
    NoType,
    /// A known field whose value has another type than it should.
    WrongType,
    /// A key that stands twice in one object.
    DoubledKey,
    /// Values nested so deep (or so many) that they were not taken apart.
    TooDeep,
    /// A line above the size limit, passed through unread.
    TooLong,
    /// A file or folder that could not be read.
    Unreadable,
}

impl ProblemClass {
    /// Every class.
    pub const ALL: [Self; 17] = [
        Self::TornLine,
        Self::GluedObjects,
        Self::Stub,
        Self::Fragment,
        Self::NulRun,
        Self::ByteOrderMark,
        Self::CrLf,
        Self::BlankLine,
        Self::InvalidUtf8,
        Self::LoneSurrogate,
        Self::NotAnObject,
        Self::NoType,
        Self::WrongType,
        Self::DoubledKey,
        Self::TooDeep,
        Self::TooLong,
        Self::Unreadable,
    ];

    /// Its name in output that programs read.
    pub const fn name(self) -> &'static str {
        match self {
            Self::TornLine => "torn_line",
            Self::GluedObjects => "glued_objects",
            Self::Stub => "stub",
            Self::Fragment => "fragment",
            Self::NulRun => "nul_run",
            Self::ByteOrderMark => "byte_order_mark",
            Self::CrLf => "crlf",
            Self::BlankLine => "blank_line",
            Self::InvalidUtf8 => "invalid_utf8",
            Self::LoneSurrogate => "lone_surrogate",
            Self::NotAnObject => "not_an_object",
            Self::NoType => "no_type",
            Self::WrongType => "wrong_type",
            Self::DoubledKey => "doubled_key",
            Self::TooDeep => "too_deep",
            Self::TooLong => "too_long",
            Self::Unreadable => "unreadable",
        }
    }

    /// What it means, in a few words for people.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::TornLine => "last line truncated",
            Self::GluedObjects => "several objects on one line",
            Self::Stub => "truncated record before a complete one",
            Self::Fragment => "bytes that are not JSON",
            Self::NulRun => "NUL bytes",
            Self::ByteOrderMark => "byte order mark",
            Self::CrLf => "CR LF line ending",
            Self::BlankLine => "blank line",
            Self::InvalidUtf8 => "bytes that are not UTF-8",
            Self::LoneSurrogate => "half a surrogate pair",
            Self::NotAnObject => "a value that is not an object",
            Self::NoType => "object without a type",
            Self::WrongType => "field of the wrong type",
            Self::DoubledKey => "duplicate key",
            Self::TooDeep => "nested too deep",
            Self::TooLong => "line above the size limit",
            Self::Unreadable => "unreadable",
        }
    }
}

impl fmt::Display for ProblemClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One problem, with its place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Problem {
    /// What kind of problem.
    pub class: ProblemClass,
    /// The line, counted from 1.
    pub line: u64,
    /// The byte offset in the file.
    pub offset: u64,
    /// What more there is to say, such as the name of a field.
    pub detail: Option<Box<str>>,
}

impl Problem {
    /// A problem without detail.
    pub fn new(class: ProblemClass, line: u64, offset: u64) -> Self {
        Self { class, line, offset, detail: None }
    }

    /// The same with something more to say.
    pub fn with(mut self, detail: impl Into<Box<str>>) -> Self {
        self.detail = Some(detail.into());
        self
    }
}

#[cfg(test)]
mod tests {
    use super::ProblemClass;

    #[test]
    fn each_class_has_a_name_and_a_meaning_of_its_own() {
        for (at, class) in ProblemClass::ALL.iter().enumerate() {
            let others = || ProblemClass::ALL[..at].iter();
            assert!(others().all(|other| other.name() != class.name() && other.meaning() != class.meaning()));
        }
    }
}
