//! Units: what a search finds. All lines of one API message, a prompt, a tool call with what came back for it.
//!
//! A unit is named by a key that stays the same while its file grows, so that one that is told again replaces
//! what was known of it. docs/search.md says what is a unit and what is not.

use rustc_hash::{FxHashMap, FxHashSet};
use scrollback_format::kind::{Kind, QueueKind};

use crate::role::Role;
use crate::row::RowIndex;
use crate::symbol::Symbol;
use crate::transcript::Transcript;

/// The name of a unit in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UnitKey {
    /// The title: of the session, not of a line.
    Title,
    /// One row alone.
    Row(RowIndex),
    /// The API message with this id.
    Message(Symbol),
    /// The tool call with this id, or what came back for it if the call is nowhere.
    Call(Symbol),
}

impl UnitKey {
    /// How many bits of a number keys take.
    pub const BITS: u32 = 34;

    /// The key as a number.
    pub fn number(self) -> u64 {
        let (tag, number) = match self {
            Self::Title => (0, u32::MAX),
            Self::Row(row) => (0, row),
            Self::Message(symbol) => (1, symbol.number()),
            Self::Call(symbol) => (2, symbol.number()),
        };
        tag << 32 | u64::from(number)
    }

    /// The key with this number in a transcript, if it has such a unit.
    pub fn of_number(number: u64, transcript: &Transcript) -> Option<Self> {
        let low = number as u32;
        match number >> 32 {
            0 if low == u32::MAX => Some(Self::Title),
            0 if (low as usize) < transcript.rows.len() => Some(Self::Row(low)),
            1 => transcript.symbols.at(low).map(Self::Message),
            2 => transcript.symbols.at(low).map(Self::Call),
            _ => None,
        }
    }
}

/// What kind of unit it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum UnitKind {
    /// Typed by a person.
    Prompt,
    /// The model's words and thoughts.
    Answer,
    /// A tool call with its results.
    Call,
    /// What came back for no call, what a command printed.
    Output,
    /// What a compaction left.
    Summary,
    /// A session's title.
    Title,
}

impl UnitKind {
    /// All kinds; the place is the kind's number.
    pub const ALL: [Self; 6] =
        [Self::Prompt, Self::Answer, Self::Call, Self::Output, Self::Summary, Self::Title];

    /// Its name in output that programs read.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Prompt => "prompt",
            Self::Answer => "answer",
            Self::Call => "call",
            Self::Output => "output",
            Self::Summary => "summary",
            Self::Title => "title",
        }
    }

    /// Who speaks: `user`, `assistant` or `tool`.
    pub const fn role(self) -> &'static str {
        self.speaker().name()
    }

    /// Who speaks; never the client.
    pub const fn speaker(self) -> Speaker {
        match self {
            Self::Prompt | Self::Title => Speaker::User,
            Self::Answer | Self::Summary => Speaker::Assistant,
            Self::Call | Self::Output => Speaker::Tool,
        }
    }
}

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum Speaker {
    /// A person.
    User,
    /// The model.
    Assistant,
    /// A tool: its input and its output.
    Tool,
    /// The client.
    System,
}

impl Speaker {
    /// Its name in documents.
    pub const fn name(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::Tool => "tool",
            Self::System => "system",
        }
    }
}

/// The kind of unit that a line of this role is by itself, if it is one.
pub fn of_role(role: Role) -> Option<UnitKind> {
    Some(match role {
        Role::Prompt | Role::QueuedPrompt | Role::Command | Role::Bash | Role::Teammate => UnitKind::Prompt,
        Role::Answer | Role::ApiError | Role::Synthetic => UnitKind::Answer,
        Role::CommandOutput | Role::BashOutput | Role::Notification => UnitKind::Output,
        Role::CompactSummary => UnitKind::Summary,
        Role::ToolResult
        | Role::Meta
        | Role::Interruption
        | Role::Boundary
        | Role::System
        | Role::Attachment
        | Role::Progress
        | Role::Note => return None,
    })
}

/// Is this line a prompt on its way into the queue?
pub fn is_enqueued(kind: Kind) -> bool {
    kind == Kind::Queue(QueueKind::Enqueue)
}

/// The units of a transcript, by the rows that they are on.
#[derive(Debug, Default)]
pub struct Units {
    by_row: FxHashMap<RowIndex, Vec<UnitKey>>,
    last: FxHashMap<UnitKey, RowIndex>,
}

impl Units {
    /// All units that have a row at `from` or after it, with all their rows.
    pub fn from(transcript: &Transcript, from: RowIndex) -> Self {
        Self::of(transcript, |_, last| last >= from)
    }

    /// This unit alone.
    pub fn one(key: UnitKey, rows: &[RowIndex]) -> Self {
        let by_row = rows.iter().map(|row| (*row, vec![key])).collect();
        let last = rows.iter().max().map(|row| (key, *row)).into_iter().collect();
        Self { by_row, last }
    }

    /// All units on one of these rows, with all their rows.
    pub fn on_rows(transcript: &Transcript, rows: &FxHashSet<RowIndex>) -> Self {
        let all = Self::from(transcript, 0);
        let keys: FxHashSet<UnitKey> = rows.iter().flat_map(|row| all.on(*row)).copied().collect();
        Self::of(transcript, |key, _| keys.contains(&key))
    }

    /// The units that `wanted` picks by their key and last row.
    fn of(transcript: &Transcript, wanted: impl Fn(UnitKey, RowIndex) -> bool) -> Self {
        let mut all: Vec<(UnitKey, RowIndex)> = Vec::with_capacity(transcript.rows.len());
        for (row, index) in transcript.rows.iter().zip(0..) {
            match (of_role(row.role), row.message) {
                (Some(UnitKind::Answer), Some(message)) => {
                    all.push((UnitKey::Message(transcript.messages[message.index()].id), index));
                }
                (Some(_), _) => all.push((UnitKey::Row(index), index)),
                (None, _) if is_enqueued(row.kind) => all.push((UnitKey::Row(index), index)),
                (None, _) => {}
            }
        }
        all.extend(transcript.calls.iter().map(|call| (UnitKey::Call(call.id), call.row)));
        all.extend(transcript.outcomes.iter().map(|outcome| (UnitKey::Call(outcome.call), outcome.row)));
        let mut last: FxHashMap<UnitKey, RowIndex> = FxHashMap::default();
        for (key, row) in &all {
            let known = last.entry(*key).or_insert(*row);
            *known = (*known).max(*row);
        }
        last.retain(|key, row| wanted(*key, *row));
        let mut by_row: FxHashMap<RowIndex, Vec<UnitKey>> = FxHashMap::default();
        for (key, row) in all {
            if last.contains_key(&key) {
                let keys = by_row.entry(row).or_default();
                if !keys.contains(&key) {
                    keys.push(key);
                }
            }
        }
        Self { by_row, last }
    }

    /// The units that a row contributes to.
    pub fn on(&self, row: RowIndex) -> &[UnitKey] {
        self.by_row.get(&row).map_or(&[], Vec::as_slice)
    }

    /// The last row of a unit: after it, the unit is complete.
    pub fn last_row(&self, key: UnitKey) -> Option<RowIndex> {
        self.last.get(&key).copied()
    }

    /// The rows that have to be read for these units, in order.
    pub fn rows(&self) -> Vec<RowIndex> {
        let mut rows: Vec<RowIndex> = self.by_row.keys().copied().collect();
        rows.sort_unstable();
        rows
    }

    /// How many units there are.
    pub fn len(&self) -> usize {
        self.last.len()
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.last.is_empty()
    }

    /// The keys of all of them.
    pub fn keys(&self) -> impl Iterator<Item = UnitKey> {
        self.last.keys().copied()
    }
}

/// The rows of one unit, in file order.
pub fn rows_of(transcript: &Transcript, key: UnitKey) -> Vec<RowIndex> {
    let mut rows: Vec<RowIndex> = match key {
        UnitKey::Title => Vec::new(),
        UnitKey::Row(row) => vec![row],
        UnitKey::Message(id) => {
            let at = transcript.messages.iter().position(|message| message.id == id);
            let of = |row: &crate::row::Row| row.message.map(|message| message.index()) == at && at.is_some();
            transcript.rows.iter().zip(0..).filter(|(row, _)| of(row)).map(|(_, index)| index).collect()
        }
        UnitKey::Call(id) => {
            let calls = transcript.calls.iter().filter(|call| call.id == id).map(|call| call.row);
            let outcomes = transcript.outcomes.iter().filter(|outcome| outcome.call == id);
            calls.chain(outcomes.map(|outcome| outcome.row)).collect()
        }
    };
    rows.sort_unstable();
    rows.dedup();
    rows
}
