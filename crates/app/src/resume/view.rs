//! Views of a resumed session: plain values, for people and for `--json`.

use scrollback_format::id::EntryId;
use scrollback_model::leaf::LeafRule;
use scrollback_model::resume::outcome::{Made, Outcome, Reason, Refusal, Resumed, Snag};
use scrollback_model::resume::reading::Reading;
use scrollback_model::row::RowIndex;
use serde::Serialize;

/// What a client would send if it went on with a session.
#[derive(Debug, Clone, Serialize)]
pub struct ResumeView {
    /// The client: the recorded version whose rules these are.
    pub client: String,
    /// `loaded`, `fresh` (the new prompt alone is sent), `refused`, or `hang` (nothing is sent, and it never ends).
    pub outcome: &'static str,
    /// Why it is not `loaded`.
    pub reason: Option<String>,
    /// The line that it goes on from.
    pub leaf_line: Option<u64>,
    /// Why that one: `latest_time`, `last_prompt`, `last_line`, `last_without_child`.
    pub leaf_rule: Option<&'static str>,
    /// Lines whose parent is not there, where the client goes on at the line before in time.
    pub bridged_lines: Vec<u64>,
    /// What is sent, the new prompt last. Left out are reminders and whatever else the client puts in by itself.
    pub messages: Vec<MessageView>,
    /// What is not sent, by line. Blank lines are not among it.
    pub dropped: Vec<DroppedView>,
    /// Counts.
    pub totals: ResumeTotals,
    /// How large the request will be.
    pub tokens: TokenEstimate,
}

/// One message as it is sent.
#[derive(Debug, Clone, Serialize)]
pub struct MessageView {
    /// `user`, `assistant`, or `system` where the client speaks.
    pub role: &'static str,
    /// Its blocks, in order.
    pub content: Vec<BlockView>,
    /// The lines that it comes from.
    pub lines: Vec<u64>,
    /// The client made it up.
    pub synthetic: bool,
}

/// One block of a message.
#[derive(Debug, Clone, Serialize)]
pub struct BlockView {
    /// `text`, `thinking`, `redacted_thinking`, `tool_use`, `tool_result`, `image`, `document` or `other`.
    #[serde(rename = "type")]
    pub kind: &'static str,
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
    /// The line that it comes from, or that it was made up for.
    pub line: Option<u64>,
    /// Which block of that line, counted from 0.
    pub block: Option<u32>,
    /// What the client made up: `prompt` (the new one), `no_response`, `continue`, `interrupted_call`, `killed_task`,
    /// `no_content`.
    pub made_up: Option<&'static str>,
    /// It is sent inside a reminder of the client's.
    pub reminder: bool,
}

/// A line, or a block of one, that is not sent.
#[derive(Debug, Clone, Serialize)]
pub struct DroppedView {
    /// Its line.
    pub line: u64,
    /// Its entry, if the client reads it at all and it has an id.
    pub uuid: Option<String>,
    /// Which block, if the rest of the line is sent.
    pub block: Option<u32>,
    /// Why.
    pub reason: &'static str,
    /// Is something lost that was said or done? Side notes and remarks were never for the model.
    pub loss: bool,
}

/// Counts of a resumed session.
#[derive(Debug, Clone, Serialize)]
pub struct ResumeTotals {
    /// Messages that are sent.
    pub messages: u64,
    /// Their blocks.
    pub blocks: u64,
    /// Lines that they come from.
    pub lines: u64,
    /// Blocks that the client made up, the new prompt not counted.
    pub made_up: u64,
    /// Lines and blocks that are not sent.
    pub dropped: u64,
    /// Of these, how many are losses.
    pub losses: u64,
}

/// How large a request will be.
#[derive(Debug, Clone, Serialize)]
pub struct TokenEstimate {
    /// About so many tokens.
    pub tokens: u64,
    /// `recorded` (the API counted them for the last answer) or `characters`.
    pub basis: &'static str,
    /// How it is estimated, in words.
    pub how: &'static str,
}

impl ResumeView {
    pub(super) fn of(
        reading: &Reading,
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
                reason: dropped.reason.name(),
                loss: dropped.reason.is_loss(),
            })
            .collect();
        let (outcome, reason) = outcome(resumed.outcome, line);
        Self {
            client: reading.generation.facts().recorded.to_string(),
            outcome,
            reason,
            leaf_line: resumed.leaf.map(line),
            leaf_rule: resumed.leaf_rule.map(leaf_rule),
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
            made_up: blocks().filter(|block| block.made_up.is_some_and(|made| made != "prompt")).count()
                as u64,
            dropped: dropped.len() as u64,
            losses: dropped.iter().filter(|dropped| dropped.loss).count() as u64,
        }
    }
}

/// What is not sent for a reason, in words that can stand before a colon.
pub fn reason_words(name: &str) -> &'static str {
    let known = Reason::ALL.into_iter().find(|reason| reason.name() == name);
    known.map_or("not sent", words)
}

const fn words(reason: Reason) -> &'static str {
    match reason {
        Reason::NotJson => "no JSON: the client skips the line",
        Reason::Glued => "several objects on one line",
        Reason::ByteOrderMark => "behind a byte order mark that this client cannot read",
        Reason::TooLong => "longer than we hold in memory; the client may read it",
        Reason::SideNote => "side notes, never for the model",
        Reason::UnknownKind => "of a type that the client does not know",
        Reason::Sidechain => "of an agent",
        Reason::Superseded => "a later line has the same id",
        Reason::OtherBranch => "on a branch that was left",
        Reason::BeforeBoundary => "before the compaction; its summary stands for them",
        Reason::BeforeStart => "before the line that the conversation begins with now",
        Reason::CutOff => "cut off: the line after them names a parent that is not there",
        Reason::LostParallel => "parallel calls or results beside the chain",
        Reason::OrphanCall => "calls without a result",
        Reason::OrphanResult => "results without their call",
        Reason::ApiError => "API errors",
        Reason::BlankText => "answers of white space",
        Reason::EmptyContent => "without any content",
        Reason::LoneThinking => "thinking that nothing follows",
        Reason::OtherModel => "thinking of another model",
        Reason::Remark => "remarks to the user: durations, hooks, progress",
        Reason::Reminder => "attachments, given again in the client's own words",
        Reason::Attachment => "attachments that this client does not give again",
        Reason::NothingSent => "nothing is sent at all",
    }
}

fn outcome(outcome: Outcome, line: impl Fn(RowIndex) -> u64) -> (&'static str, Option<String>) {
    match outcome {
        Outcome::Loaded => ("loaded", None),
        Outcome::Fresh => ("fresh", Some("nothing of the conversation is left to send".into())),
        Outcome::Refused(refusal) => ("refused", Some(why_refused(refusal).into())),
        Outcome::Hang(Snag::Cycle(row)) => (
            "hang",
            Some(format!("line {} leads back to itself, and the client goes round for ever", line(row))),
        ),
        Outcome::Hang(Snag::NoModel(row)) => {
            ("hang", Some(format!("line {} holds thinking and names no model", line(row))))
        }
    }
}

const fn why_refused(refusal: Refusal) -> &'static str {
    match refusal {
        Refusal::NoMessages => "no line is a message: \"No conversation found\"",
        Refusal::NoTimes => "no line has a time: \"No conversation found\"",
        Refusal::SidechainLeaf => "the last-prompt line names a line of an agent: \"No conversation found\"",
    }
}

const fn leaf_rule(rule: LeafRule) -> &'static str {
    match rule {
        LeafRule::LatestTime => "latest_time",
        LeafRule::LastPrompt => "last_prompt",
        LeafRule::LastWithoutChild => "last_without_child",
        LeafRule::LastLine => "last_line",
    }
}

pub(super) const fn made_up(made: Made) -> &'static str {
    match made {
        Made::NoResponse => "no_response",
        Made::Continue => "continue",
        Made::InterruptedCall => "interrupted_call",
        Made::KilledTask(_) => "killed_task",
        Made::NoContent(_) => "no_content",
        Made::Prompt => "prompt",
    }
}
