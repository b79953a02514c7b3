//! Views of a resumed session: plain values, for people and for `--json`.

use scrollback_format::id::EntryId;
pub use scrollback_model::leaf::LeafRule;
pub use scrollback_model::resume::outcome::{Reason, Sender};
pub use scrollback_model::resume::part::BitKind;

use scrollback_model::resume::outcome::{ClientOutcome, Made, ResumeRefusal, Resumed, Snag};
use scrollback_model::resume::reading::ClientReading;
use scrollback_model::row::RowIndex;
use serde::{Deserialize, Serialize};

/// What a client does with a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ResumeOutcome {
    /// It sends earlier conversation.
    Loaded,
    /// It sends the new prompt alone.
    Fresh,
    /// It refuses, and sends nothing.
    Refused,
    /// It sends nothing and never ends.
    Hang,
}

impl ResumeOutcome {
    /// Its name in documents.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Loaded => "loaded",
            Self::Fresh => "fresh",
            Self::Refused => "refused",
            Self::Hang => "hang",
        }
    }
}

/// Why a session is not loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum NotLoaded {
    /// Nothing of the conversation is left to send.
    NothingLeft,
    /// No line is a message.
    NoMessages,
    /// No line has a time.
    NoTimes,
    /// The last `last-prompt` line names a line of an agent.
    SidechainLeaf,
    /// A line is its own ancestor.
    Cycle,
    /// A line holds thinking without a model.
    NoModel,
}

impl NotLoaded {
    /// The reason in a sentence, about the line that it concerns.
    pub fn words(self, line: Option<u64>) -> String {
        let line = line.map_or("a line".to_owned(), |line| format!("line {line}"));
        match self {
            Self::NothingLeft => "nothing of the conversation is left to send".to_owned(),
            Self::NoMessages => "no line is a message: \"No conversation found\"".to_owned(),
            Self::NoTimes => "no line has a time: \"No conversation found\"".to_owned(),
            Self::SidechainLeaf => {
                "the last-prompt line names a line of an agent: \"No conversation found\"".to_owned()
            }
            Self::Cycle => format!("{line} is its own ancestor, and the client loops forever"),
            Self::NoModel => format!("{line} holds thinking without a model"),
        }
    }
}

/// What a client adds that is in no line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum MadeUp {
    /// The new prompt.
    Prompt,
    /// `No response requested.`
    NoResponse,
    /// `Continue from where you left off.`
    Continue,
    /// The result of a call that was interrupted.
    InterruptedCall,
    /// A notification about a task that was running when the session ended.
    KilledTask,
    /// `(no content)`
    NoContent,
    /// `Tool loaded.`
    ToolLoaded,
}

/// What a token estimate is based on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum TokenBasis {
    /// What the API counted for the last answer, and a quarter of the characters after it.
    Recorded,
    /// A quarter of the characters.
    Characters,
}

impl TokenBasis {
    /// Its name in documents.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Recorded => "recorded",
            Self::Characters => "characters",
        }
    }

    /// How the estimate is made, in a sentence.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Recorded => {
                "as the API counted them for the last answer, including the client's own prompt and tools, plus a quarter of \
                 the characters after it"
            }
            Self::Characters => {
                "estimated as a quarter of the characters sent; the client's own prompt, tools, reminders and images are \
                 not included"
            }
        }
    }
}

/// What a client would send if it resumed a session.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ResumeView {
    /// The client: the recorded version whose rules these are.
    pub client: String,
    /// `loaded`, `fresh` (the new prompt alone is sent), `refused`, or `hang` (nothing is sent, and it never ends).
    pub outcome: ResumeOutcome,
    /// Why it is not `loaded`.
    pub reason: Option<NotLoaded>,
    /// The line that `reason` is about.
    pub reason_line: Option<u64>,
    /// The line that it continues from.
    pub leaf_line: Option<u64>,
    /// Why that one: `latest_time`, `last_prompt`, `last_line`, `below_last_line`.
    pub leaf_rule: Option<LeafRule>,
    /// Lines whose parent is missing, where the client continues at the line before in time.
    pub bridged_lines: Vec<u64>,
    /// What is sent, the new prompt last, without reminders and whatever else the client adds by itself.
    pub messages: Vec<MessageView>,
    /// What is not sent, by line, blank lines excepted.
    pub dropped: Vec<DroppedView>,
    /// Counts.
    pub totals: ResumeTotals,
    /// How large the request will be.
    pub tokens: TokenEstimate,
}

/// One message as it is sent.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct MessageView {
    /// `user`, `assistant`, or `system` where the client speaks.
    pub role: Sender,
    /// Its blocks, in order.
    pub content: Vec<BlockView>,
    /// The lines that it comes from.
    pub lines: Vec<u64>,
    /// The client adds all of it by itself.
    pub synthetic: bool,
}

/// One block of a message.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct BlockView {
    /// `text`, `thinking`, `redacted_thinking`, `tool_use`, `tool_result`, `image`, `document` or `other`.
    #[serde(rename = "type")]
    pub kind: BitKind,
    /// The words, the thinking, or the result.
    pub text: Option<String>,
    /// Of a tool call: its id.
    pub id: Option<String>,
    /// Of a tool call: the tool.
    pub name: Option<String>,
    /// Of a result: the call that it answers.
    pub tool_use_id: Option<String>,
    /// Of a result: did the tool fail?
    pub is_error: Option<bool>,
    /// The line that it comes from, or that it was added for.
    pub line: Option<u64>,
    /// Which block of that line, counted from 0.
    pub block: Option<u32>,
    /// What the client adds by itself: `prompt` (the new one), `no_response`, `continue`, `interrupted_call`, `killed_task`,
    /// `no_content`.
    pub made_up: Option<MadeUp>,
    /// It is sent inside a reminder.
    pub reminder: bool,
}

/// A line, or a block of one, that is not sent.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct DroppedView {
    /// Its line.
    pub line: u64,
    /// Its entry, if the client reads it at all and it has an id.
    pub uuid: Option<String>,
    /// Which block, if the rest of the line is sent.
    pub block: Option<u32>,
    /// Why.
    pub reason: Reason,
    /// Is something lost that was said or done? Side notes and remarks were never meant for the model.
    pub loss: bool,
}

/// Counts of a resumed session.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ResumeTotals {
    /// Messages that are sent.
    pub messages: u64,
    /// Their blocks.
    pub blocks: u64,
    /// Lines that they come from.
    pub lines: u64,
    /// Placeholder blocks that the client adds, not counting the new prompt.
    pub made_up: u64,
    /// Lines and blocks that are not sent.
    pub dropped: u64,
    /// Of these, how many are losses.
    pub losses: u64,
}

/// How large a request will be.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct TokenEstimate {
    /// About how many tokens.
    pub tokens: u64,
    /// `recorded` (the API counted them for the last answer) or `characters`.
    pub basis: TokenBasis,
}

impl ResumeView {
    pub(super) fn of(
        reading: &ClientReading,
        resumed: &Resumed,
        messages: Vec<MessageView>,
        tokens: TokenEstimate,
    ) -> Self {
        let line = |row: RowIndex| u64::from(reading.transcript.row(row).line);
        let uuid = |row: RowIndex| reading.transcript.row(row).id.filter(|id| !id.is_derived());
        let dropped: Vec<DroppedView> = resumed
            .dropped
            .iter()
            .map(|dropped| DroppedView {
                line: dropped.line,
                uuid: dropped.row.and_then(uuid).as_ref().map(EntryId::to_string),
                block: dropped.block,
                reason: dropped.reason,
                loss: dropped.reason.is_loss(),
            })
            .collect();
        let (outcome, reason, row) = outcome(resumed.outcome);
        Self {
            client: reading.generation.facts().recorded.to_string(),
            outcome,
            reason,
            reason_line: row.map(line),
            leaf_line: resumed.leaf.map(line),
            leaf_rule: resumed.leaf_rule,
            bridged_lines: resumed.bridged.iter().map(|row| line(*row)).collect(),
            totals: ResumeTotals::of(&messages, &dropped),
            messages,
            dropped,
            tokens,
        }
    }
}

impl ResumeTotals {
    fn of(messages: &[MessageView], dropped: &[DroppedView]) -> Self {
        let blocks = || messages.iter().flat_map(|message| &message.content);
        let mut lines: Vec<u64> = blocks().filter_map(|block| block.line).collect();
        lines.sort_unstable();
        lines.dedup();
        Self {
            messages: messages.len() as u64,
            blocks: blocks().count() as u64,
            lines: lines.len() as u64,
            made_up: blocks().filter(|block| block.made_up.is_some_and(|made| made != MadeUp::Prompt)).count()
                as u64,
            dropped: dropped.len() as u64,
            losses: dropped.iter().filter(|dropped| dropped.loss).count() as u64,
        }
    }
}

/// What is not sent for a reason, in words that can stand before a colon.
pub const fn reason_words(reason: Reason) -> &'static str {
    match reason {
        Reason::NotJson => "not JSON: the client skips the line",
        Reason::Glued => "several objects on one line",
        Reason::ByteOrderMark => "after a byte order mark, which this client cannot read",
        Reason::TooLong => "too long for scrollback to read; the client may read it",
        Reason::SideNote => "side notes, never meant for the model",
        Reason::UnknownKind => "of a type unknown to the client",
        Reason::Sidechain => "of an agent",
        Reason::Superseded => "replaced by a later line with the same ID",
        Reason::OtherBranch => "on an abandoned branch",
        Reason::BeforeBoundary => "before the compaction; replaced by its summary",
        Reason::BeforeStart => "before the line where the conversation now starts",
        Reason::CutOff => "cut off: the next line names a missing parent",
        Reason::LostParallel => "parallel calls or results outside the chain",
        Reason::OrphanCall => "tool calls without a result",
        Reason::OrphanResult => "tool results without a call",
        Reason::ApiError => "API errors",
        Reason::BlankText => "answers with only white space",
        Reason::EmptyContent => "empty messages",
        Reason::LoneThinking => "thinking not followed by anything",
        Reason::OtherModel => "thinking of another model",
        Reason::Remark => "notes to the user: durations, hooks, progress",
        Reason::Reminder => "attachments, sent again in the client's own words",
        Reason::Attachment => "attachments that this client does not send again",
        Reason::NothingSent => "nothing is sent",
    }
}

fn outcome(outcome: ClientOutcome) -> (ResumeOutcome, Option<NotLoaded>, Option<RowIndex>) {
    match outcome {
        ClientOutcome::Loaded => (ResumeOutcome::Loaded, None, None),
        ClientOutcome::Fresh => (ResumeOutcome::Fresh, Some(NotLoaded::NothingLeft), None),
        ClientOutcome::Refused(refusal) => (ResumeOutcome::Refused, Some(why_refused(refusal)), None),
        ClientOutcome::Hang(Snag::Cycle(row)) => (ResumeOutcome::Hang, Some(NotLoaded::Cycle), Some(row)),
        ClientOutcome::Hang(Snag::NoModel(row)) => (ResumeOutcome::Hang, Some(NotLoaded::NoModel), Some(row)),
    }
}

const fn why_refused(refusal: ResumeRefusal) -> NotLoaded {
    match refusal {
        ResumeRefusal::NoMessages => NotLoaded::NoMessages,
        ResumeRefusal::NoTimes => NotLoaded::NoTimes,
        ResumeRefusal::SidechainLeaf => NotLoaded::SidechainLeaf,
    }
}

pub(super) const fn made_up(made: Made) -> MadeUp {
    match made {
        Made::NoResponse => MadeUp::NoResponse,
        Made::Continue => MadeUp::Continue,
        Made::InterruptedCall => MadeUp::InterruptedCall,
        Made::KilledTask(_) => MadeUp::KilledTask,
        Made::NoContent(_) => MadeUp::NoContent,
        Made::ToolLoaded(_) => MadeUp::ToolLoaded,
        Made::Prompt => MadeUp::Prompt,
    }
}
