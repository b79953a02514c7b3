//! What comes of resuming a session: messages and the lines they come from, or why there are none.

use crate::leaf::LeafRule;
use crate::row::RowIndex;

use super::part::Bit;

/// What a client does with a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClientOutcome {
    /// It sends earlier conversation.
    Loaded,
    /// It sends the new prompt alone.
    Fresh,
    /// It says that there is no conversation, and sends nothing.
    Refused(ResumeRefusal),
    /// It sends nothing and never ends.
    Hang(Snag),
}

/// Why a client refuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResumeRefusal {
    /// No line is a message.
    NoMessages,
    /// No line has a time.
    NoTimes,
    /// The last `last-prompt` names a line of an agent.
    SidechainLeaf,
}

/// What a client hangs in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Snag {
    /// A line that is its own ancestor.
    Cycle(RowIndex),
    /// Thinking of a message that names no model.
    NoModel(RowIndex),
}

/// Why a line, or a block of one, is not loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Reason {
    /// The line is no JSON.
    NotJson,
    /// Several objects stand on one line.
    Glued,
    /// A byte order mark makes the line unreadable.
    ByteOrderMark,
    /// The line is longer than what we hold in memory.
    TooLong,
    /// It is no part of any conversation: a title, a pointer, a stored request.
    SideNote,
    /// The client knows no lines of this type.
    UnknownKind,
    /// It belongs to an agent.
    Sidechain,
    /// A later line has the same id.
    Superseded,
    /// It is on a branch that was left.
    OtherBranch,
    /// A compaction put a summary in its place.
    BeforeBoundary,
    /// The conversation begins anew after it.
    BeforeStart,
    /// The chain of parents breaks after it.
    CutOff,
    /// It is a parallel call, or the result of one, that the chain of parents does not reach.
    LostParallel,
    /// A call without a result.
    OrphanCall,
    /// A result without its call.
    OrphanResult,
    /// An API error in place of an answer.
    ApiError,
    /// An answer of nothing but white space.
    BlankText,
    /// An answer without any block.
    EmptyContent,
    /// Thinking that nothing follows.
    LoneThinking,
    /// Thinking of another model.
    OtherModel,
    /// A remark of the client to the user: durations, hooks, progress.
    Remark,
    /// Given to the model again in the client's own words.
    Reminder,
    /// An attachment that this client does not give to the model again.
    Attachment,
    /// The client gets nowhere near sending it.
    NothingSent,
}

impl Reason {
    /// Every reason, in the order in which people want to read them: losses first, what never counts last.
    pub const ALL: [Self; 24] = [
        Self::NotJson,
        Self::Glued,
        Self::ByteOrderMark,
        Self::TooLong,
        Self::CutOff,
        Self::LostParallel,
        Self::OrphanCall,
        Self::OrphanResult,
        Self::ApiError,
        Self::BlankText,
        Self::EmptyContent,
        Self::LoneThinking,
        Self::OtherModel,
        Self::OtherBranch,
        Self::BeforeStart,
        Self::BeforeBoundary,
        Self::Superseded,
        Self::Sidechain,
        Self::UnknownKind,
        Self::NothingSent,
        Self::Attachment,
        Self::Reminder,
        Self::Remark,
        Self::SideNote,
    ];

    /// Its name in `--json`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::NotJson => "not_json",
            Self::Glued => "glued",
            Self::ByteOrderMark => "byte_order_mark",
            Self::TooLong => "too_long",
            Self::SideNote => "side_note",
            Self::UnknownKind => "unknown_kind",
            Self::Sidechain => "sidechain",
            Self::Superseded => "superseded",
            Self::OtherBranch => "other_branch",
            Self::BeforeBoundary => "before_boundary",
            Self::BeforeStart => "before_start",
            Self::CutOff => "cut_off",
            Self::LostParallel => "lost_parallel",
            Self::OrphanCall => "orphan_call",
            Self::OrphanResult => "orphan_result",
            Self::ApiError => "api_error",
            Self::BlankText => "blank_text",
            Self::EmptyContent => "empty_content",
            Self::LoneThinking => "lone_thinking",
            Self::OtherModel => "other_model",
            Self::Remark => "remark",
            Self::Reminder => "reminder",
            Self::Attachment => "attachment",
            Self::NothingSent => "nothing_sent",
        }
    }

    /// Is it a loss of something that was said or done? Side notes and remarks were never for the model.
    pub const fn is_loss(self) -> bool {
        !matches!(self, Self::SideNote | Self::Remark | Self::Reminder | Self::UnknownKind | Self::Superseded)
    }
}

/// Who a message is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum Sender {
    /// The user.
    User,
    /// The model.
    Assistant,
    /// The client.
    System,
}

impl Sender {
    /// The role in the API.
    pub const fn name(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::System => "system",
        }
    }
}

/// What the client makes up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Made {
    /// `No response requested.`, in place of the answer that a user's last message never got.
    NoResponse,
    /// `Continue from where you left off.`
    Continue,
    /// A result for a call that the session ended in.
    InterruptedCall,
    /// Word of an agent or a shell command that was running when the session ended, from the line that tells of its start.
    KilledTask(RowIndex),
    /// `(no content)`, in place of an answer without any block.
    NoContent(RowIndex),
    /// `Tool loaded.`, after a result that made tools known to the model.
    ToolLoaded(RowIndex),
    /// The new prompt.
    Prompt,
}

/// Where the text of a block is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockSource {
    /// In a line: which row, which of its blocks.
    Line(RowIndex, u32),
    /// In a line, in the words that the client stored beside it for sending (`rendered`), of which this is the first or a later part.
    Rendered(RowIndex, u32),
    /// In no line.
    Made(Made),
}

impl BlockSource {
    /// The row that it comes from, or that it was made up for.
    pub fn row(self) -> Option<RowIndex> {
        match self {
            Self::Line(row, _)
            | Self::Rendered(row, _)
            | Self::Made(Made::KilledTask(row) | Made::NoContent(row) | Made::ToolLoaded(row)) => Some(row),
            Self::Made(_) => None,
        }
    }
}

/// One block of a message.
#[derive(Debug, Clone, Copy)]
pub struct SentBlock {
    /// What it is.
    pub bit: Bit,
    /// Where it comes from.
    pub source: BlockSource,
    /// It is wrapped in a reminder of the client's.
    pub reminder: bool,
    /// A newline is put after it, because another text follows in the same message.
    pub newline: bool,
}

/// One message as it is sent.
#[derive(Debug, Clone)]
pub struct SentMessage {
    /// Who it is from.
    pub speaker: Sender,
    /// Its blocks.
    pub blocks: Vec<SentBlock>,
}

impl SentMessage {
    /// Was all of it made up by the client? The new prompt is not.
    pub fn is_synthetic(&self) -> bool {
        self.blocks
            .iter()
            .all(|block| matches!(block.source, BlockSource::Made(made) if made != Made::Prompt))
    }
}

/// A line, or a block of one, that is not loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dropped {
    /// Its line.
    pub line: u64,
    /// Its row, if the client reads it at all.
    pub row: Option<RowIndex>,
    /// Which block, if the rest of the line is loaded.
    pub block: Option<u32>,
    /// Why.
    pub reason: Reason,
}

/// What a client makes of a session.
#[derive(Debug, Clone)]
pub struct Resumed {
    /// What it does.
    pub outcome: ClientOutcome,
    /// The line that it goes on from.
    pub leaf: Option<RowIndex>,
    /// Why that one.
    pub leaf_rule: Option<LeafRule>,
    /// Lines that hang on another line than the one they name, or on none: bridged gaps and cycles.
    pub bridged: Vec<RowIndex>,
    /// What it sends, the new prompt last. Empty if it sends nothing.
    pub messages: Vec<SentMessage>,
    /// What it does not send, by line.
    pub dropped: Vec<Dropped>,
}
