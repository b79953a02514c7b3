//! A version of a file: one state, how sure it is, and everything that shows it.

use scrollback_format::time::Time;
use scrollback_model::row::RowIndex;
use serde::{Deserialize, Serialize};

use super::body::FileBody;
use super::event::FileEvent;
use super::told::LineExcerpt;

/// How sure a state is; the surest first.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Certainty {
    /// The whole content is recorded.
    Exact,
    /// Edits were replayed on a state that is recorded.
    Replayed,
    /// Only some lines are known, or a step of the replay failed.
    Partial,
    /// That there was a state is known, and nothing more.
    Lost,
}

impl Certainty {
    /// Its name in output.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Replayed => "replayed",
            Self::Partial => "partial",
            Self::Lost => "lost",
        }
    }
}

/// What shows a state.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Evidence {
    /// A checkpoint.
    Backup,
    /// A Write.
    Write,
    /// An Edit.
    Edit,
    /// A MultiEdit.
    MultiEdit,
    /// A NotebookEdit.
    NotebookEdit,
    /// What a tool found before it changed the file.
    #[serde(rename = "original_file")]
    Original,
    /// A Read.
    Read,
    /// What the client gave the model besides.
    Attachment,
}

impl Evidence {
    /// Its name in output.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Backup => "backup",
            Self::Write => "write",
            Self::Edit => "edit",
            Self::MultiEdit => "multi_edit",
            Self::NotebookEdit => "notebook_edit",
            Self::Original => "original_file",
            Self::Read => "read",
            Self::Attachment => "attachment",
        }
    }

    /// Did it make the state, rather than show it?
    pub const fn makes(self) -> bool {
        matches!(self, Self::Write | Self::Edit | Self::MultiEdit | Self::NotebookEdit)
    }
}

/// What the file was.
#[derive(Debug, Clone)]
pub enum ContentState {
    /// It held this.
    Held(FileBody),
    /// It held something whose bytes are not kept in this trail.
    Let(u64),
    /// There was none.
    Absent,
    /// It had these lines.
    Part(LineExcerpt),
    /// Unknown.
    Lost,
}

impl ContentState {
    /// How long the content is, as far as it is known.
    pub fn size(&self) -> Option<u64> {
        match self {
            Self::Held(body) => Some(body.size()),
            Self::Let(size) => Some(*size),
            Self::Part(part) => Some(part.lines.iter().map(|(_, line)| line.len() as u64 + 1).sum()),
            Self::Absent | Self::Lost => None,
        }
    }

    /// Does a text stand for bytes that are no text? Then those bytes are not known.
    pub fn is_doubtful(&self) -> bool {
        match self {
            Self::Held(FileBody::Held { bytes, decoded: true }) => {
                memchr::memmem::find(bytes, "\u{fffd}".as_bytes()).is_some()
            }
            _ => false,
        }
    }

    /// Lets go of the bytes, unless they are wanted.
    pub(super) fn forget(&mut self, wanted: bool) {
        if let (Self::Held(FileBody::Held { bytes, .. }), false) = (&*self, wanted) {
            *self = Self::Let(bytes.len() as u64);
        }
    }
}

/// One line that shows a state.
#[derive(Debug, Clone)]
pub struct Witness {
    /// What it is.
    pub evidence: Evidence,
    /// The number of its transcript.
    pub source: usize,
    /// Its row there.
    pub row: RowIndex,
    /// When.
    pub time: Option<Time>,
    /// Transcripts that have a copy of it.
    pub copies: Vec<usize>,
    /// Of a checkpoint: the backup's name and version.
    pub backup: Option<(Option<String>, u64)>,
}

impl Witness {
    /// What an event shows.
    pub fn of(event: &FileEvent, evidence: Evidence) -> Self {
        let (source, row, time) = (event.source, event.row, event.time);
        Self { evidence, source, row, time, copies: event.copies.clone(), backup: None }
    }

    pub(super) fn backed_up(mut self, name: Option<&str>, version: u64) -> Self {
        self.backup = Some((name.map(str::to_owned), version));
        self
    }

    /// Is it the same backup of the same session, seen at another checkpoint?
    pub(super) fn is_same_backup(&self, other: &Self) -> bool {
        self.backup.is_some() && self.backup == other.backup && self.source == other.source
    }
}

/// One state of a file.
#[derive(Debug)]
pub struct Version {
    /// Counted from 1, the oldest.
    pub number: usize,
    /// What the file was.
    pub state: ContentState,
    /// How long it was.
    pub bytes: Option<u64>,
    /// How sure that is.
    pub certainty: Certainty,
    /// Something that no tool did led to it from the state before.
    pub unseen: bool,
    /// What shows it, the first one first.
    pub witnesses: Vec<Witness>,
    /// What went wrong on the way to it.
    pub problems: Vec<String>,
}

/// How many lines that show a state are kept: the first ones, and the last.
const WITNESSES: usize = 32;

impl Version {
    /// When it was first so.
    pub fn time(&self) -> Option<Time> {
        self.witnesses.first().and_then(|witness| witness.time)
    }

    /// Is it a state of which there was a backup, that cannot be read, and nothing else?
    pub(super) fn is_lost_backup(&self) -> bool {
        let by = self.witnesses.first().map(|witness| witness.evidence);
        matches!(self.state, ContentState::Lost) && by == Some(Evidence::Backup)
    }

    pub(super) fn witness(&mut self, witness: Witness) {
        if self.witnesses.len() >= WITNESSES {
            self.witnesses.pop();
        }
        self.witnesses.push(witness);
    }

    pub(super) fn problem(&mut self, problem: String) {
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }
}
