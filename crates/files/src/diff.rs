//! Two states of files compared: recorded versions, or files as they are on disk.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use scrollback_session::diff;
use scrollback_session::error::{AppError, Hint};
use scrollback_session::item::PatchHunk;
use scrollback_store::ReadError;
use serde::{Deserialize, Serialize};

use super::body::FileBody;
use super::history::Picked;
use super::version::{Certainty, ContentState};
use super::view::VersionView;

/// Two versions of files, compared.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct FileDiff {
    /// The first one.
    pub from: DiffSide,
    /// The other one.
    pub to: DiffSide,
    /// Are they the same?
    pub same: bool,
    /// Is at least one of them not text?
    pub binary: bool,
    /// Where they differ.
    pub hunks: Vec<DiffHunk>,
}

/// One side of a comparison.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct DiffSide {
    /// The file.
    pub path: String,
    /// Its version; none for the file on disk.
    pub version: Option<u64>,
    /// How sure its content is: `exact`, `replayed`, `partial`, or `disk`.
    pub certainty: SideCertainty,
    /// Its size; none if there is no file.
    pub bytes: Option<u64>,
    /// Which lines are known, where only some are.
    pub lines: Option<String>,
    /// What went wrong on the way to this version.
    pub problems: Vec<String>,
}

/// How sure the content of a side is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SideCertainty {
    /// The whole content is recorded.
    Exact,
    /// Edits were replayed on recorded content.
    Replayed,
    /// Only some lines are known, or an edit could not be replayed.
    Partial,
    /// Nothing but that there was a version is known.
    Lost,
    /// It is the file on disk.
    Disk,
}

impl From<Certainty> for SideCertainty {
    fn from(certainty: Certainty) -> Self {
        match certainty {
            Certainty::Exact => Self::Exact,
            Certainty::Replayed => Self::Replayed,
            Certainty::Partial => Self::Partial,
            Certainty::Lost => Self::Lost,
        }
    }
}

/// A part that differs, with some lines around it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct DiffHunk {
    /// Its first line in the first version.
    pub old_start: usize,
    /// Its first line in the other version.
    pub new_start: usize,
    /// Lines after their sign: a space, `-` or `+`.
    pub lines: Vec<String>,
}

/// A side with its bytes.
#[derive(Debug, Clone)]
pub struct Side {
    /// The file.
    pub path: String,
    /// Its version, and how many there are; none for the file on disk.
    pub version: Option<(VersionView, u64)>,
    /// Which lines are known, where only some are.
    pub lines: Option<String>,
    /// Its bytes; none if there is no file.
    pub bytes: Option<Arc<[u8]>>,
}

impl Side {
    /// A recorded version.
    pub fn recorded(picked: Picked) -> Result<Self, AppError> {
        let (bytes, lines) = match &picked.state {
            ContentState::Held(body) => (Some(held(body, &picked.path)?), None),
            ContentState::Part(part) => (Some(part.text().into_bytes().into()), Some(part.ranges())),
            ContentState::Absent => (None, None),
            ContentState::Lost | ContentState::Let(_) => return Err(picked.lost()),
        };
        Ok(Self { path: picked.path, version: Some((picked.version, picked.versions)), lines, bytes })
    }

    /// A file as it is on disk, where there may be none.
    pub fn on_disk(path: PathBuf) -> Result<Self, AppError> {
        let name = path.display().to_string();
        let bytes = match std::fs::metadata(&path) {
            Ok(meta) if meta.is_file() => {
                Some(held(&FileBody::Blob { path, size: meta.len(), mode: None }, &name)?)
            }
            Ok(_) => {
                return Err(AppError::Unsuitable { why: format!("{name} is not a file"), hints: Vec::new() });
            }
            Err(_) => None,
        };
        Ok(Self { path: name, version: None, lines: None, bytes })
    }

    /// Its text, that of a missing file being empty; none if it is not text.
    pub fn text(&self) -> Option<&str> {
        let Some(bytes) = &self.bytes else { return Some("") };
        std::str::from_utf8(bytes).ok().filter(|text| !text.contains('\0'))
    }

    /// What went wrong on the way to it.
    pub fn problems(&self) -> &[String] {
        self.version.as_ref().map_or(&[], |(version, _)| version.problems.as_slice())
    }

    fn document(&self) -> DiffSide {
        let version = self.version.as_ref().map(|(version, _)| version);
        DiffSide {
            path: self.path.clone(),
            version: version.map(|version| version.version),
            certainty: version.map_or(SideCertainty::Disk, |version| version.certainty.into()),
            bytes: self.bytes.as_ref().map(|bytes| bytes.len() as u64),
            lines: self.lines.clone(),
            problems: self.problems().to_vec(),
        }
    }
}

/// Two sides.
#[derive(Debug, Clone)]
pub struct Comparison {
    /// The first one.
    pub from: Side,
    /// The other one.
    pub to: Side,
}

impl Comparison {
    /// Are they the same?
    pub fn is_same(&self) -> bool {
        self.from.bytes == self.to.bytes
    }

    /// Both texts; none if one of them is not text.
    pub fn texts(&self) -> Option<(&str, &str)> {
        self.from.text().zip(self.to.text())
    }

    /// Where they differ; nothing if one of them is not text.
    pub fn hunks(&self) -> Vec<DiffHunk> {
        match self.texts() {
            Some((old, new)) if !self.is_same() => compare(old, new),
            _ => Vec::new(),
        }
    }

    /// A diff that `patch` applies; empty if they are the same.
    pub fn patch(&self) -> String {
        if self.is_same() {
            return String::new();
        }
        let Some((old, new)) = self.texts() else {
            return format!("Binary files {} and {} differ\n", self.from.path, self.to.path);
        };
        let name =
            |side: &Side| if side.bytes.is_some() { side.path.clone() } else { "/dev/null".to_owned() };
        diff::unified(old, new, (&name(&self.from), &name(&self.to)))
    }

    /// What `--json` prints.
    pub fn document(&self) -> FileDiff {
        FileDiff {
            from: self.from.document(),
            to: self.to.document(),
            same: self.is_same(),
            binary: self.texts().is_none(),
            hunks: self.hunks(),
        }
    }
}

/// A side as it was typed: `PATH@AT`, `PATH@` (the newest version), `@AT` (of the other side's file), or `PATH`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spec<'t> {
    /// The file; empty for that of the other side.
    pub path: &'t str,
    /// The version; none if no `@` was typed.
    pub at: Option<&'t str>,
}

impl<'t> Spec<'t> {
    /// What was typed, taken apart at the last `@`. A name may hold that sign itself: a caller that knows such a file
    /// takes the text as it is.
    pub fn of(text: &'t str) -> Self {
        match text.rsplit_once('@') {
            Some((path, at)) => Self { path, at: Some(at) },
            None => Self { path: text, at: None },
        }
    }
}

/// The hunks in which `new` differs from `old`. Whether the last line ends with a line break does not count.
pub fn compare(old: &str, new: &str) -> Vec<DiffHunk> {
    let hunk = |hunk: PatchHunk| DiffHunk {
        old_start: hunk.old_start as usize,
        new_start: hunk.new_start as usize,
        lines: hunk.lines,
    };
    diff::compare(old, new).into_iter().map(hunk).collect()
}

fn held(body: &FileBody, path: &str) -> Result<Arc<[u8]>, AppError> {
    body.load().ok_or_else(|| match body {
        FileBody::Blob { path, size, .. } if *size <= super::body::HELD => unreadable(path),
        _ => AppError::Unsuitable {
            why: format!("{path} is too large to compare"),
            hints: vec![Hint::command(&["files", "show", "PATH"], "prints it")],
        },
    })
}

fn unreadable(path: &Path) -> AppError {
    let source = std::fs::File::open(path).err();
    let source = source.unwrap_or_else(|| std::io::ErrorKind::Other.into());
    AppError::Read(ReadError { path: path.to_owned(), source })
}

#[cfg(test)]
mod tests {
    use super::{Spec, compare};

    #[test]
    fn a_version_stands_after_the_last_sign() {
        let check = |text, path, at| assert_eq!(Spec::of(text), Spec { path, at }, "{text}");
        check("a.rs", "a.rs", None);
        check("a.rs@v2", "a.rs", Some("v2"));
        check("a.rs@", "a.rs", Some(""));
        check("@v1", "", Some("v1"));
        check("x@y/a.rs@1a2b/4", "x@y/a.rs", Some("1a2b/4"));
    }

    #[test]
    fn hunks_begin_at_their_first_line_and_ignore_the_last_break() {
        let hunks = compare("a\nb\nc\n", "a\nx\nc");
        assert_eq!(hunks.len(), 1);
        assert_eq!((hunks[0].old_start, hunks[0].new_start), (1, 1));
        assert_eq!(hunks[0].lines, [" a", "-b", "+x", " c"]);
    }
}
