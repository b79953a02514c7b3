//! Turns: from a real prompt to what ends it.

use crate::role::Role;
use crate::row::RowIndex;
use crate::transcript::{StopReason, Transcript};
use scrollback_format::kind::{Kind, SystemKind};
use scrollback_format::time::Time;

/// How a turn ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum TurnEnd {
    /// The model was done.
    Done,
    /// It hit a stop sequence.
    StopSequence,
    /// It ran out of tokens.
    MaxTokens,
    /// It refused.
    Refused,
    /// The user stopped it.
    Interrupted,
    /// The API failed.
    Failed,
    /// Nothing answered the prompt.
    Unanswered,
    /// The user denied a tool, and the client left it at that.
    Denied,
    /// A tool was called and nothing came back, or nothing was made of what came back.
    Unfinished,
    /// The last words stand there, and nothing tells whether more was to come: whole versions wrote no reason.
    Open,
}

impl TurnEnd {
    /// Its name in documents.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::StopSequence => "stop_sequence",
            Self::MaxTokens => "max_tokens",
            Self::Refused => "refused",
            Self::Interrupted => "interrupted",
            Self::Failed => "failed",
            Self::Unanswered => "unanswered",
            Self::Denied => "denied",
            Self::Unfinished => "unfinished",
            Self::Open => "open",
        }
    }
}

/// How the end is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum EndEvidence {
    /// The API said so.
    StopReason,
    /// The client wrote how long the turn took.
    TurnDuration,
    /// A line says so: an interruption, an error.
    Line,
    /// Another prompt follows.
    NextPrompt,
    /// The thread ends here.
    EndOfThread,
}

/// A stretch of a thread.
#[derive(Debug, Clone)]
pub struct Turn {
    /// Counted from 1; 0 is what stands before the first prompt.
    pub number: u32,
    /// What began it.
    pub begin: Role,
    /// Its lines, as places in the thread's rows.
    pub range: std::ops::Range<usize>,
    /// How it ended.
    pub end: TurnEnd,
    /// How that is known.
    pub evidence: EndEvidence,
    /// First and last time on its lines.
    pub span: Option<(Time, Time)>,
}

/// The turns of a thread.
pub fn turns(transcript: &Transcript, rows: &[RowIndex]) -> Vec<Turn> {
    let starts = starts(transcript, rows);
    let mut turns = Vec::with_capacity(starts.len() + 1);
    let first = starts.first().copied().unwrap_or(rows.len());
    if rows[..first].iter().any(|row| is_worth_showing(transcript, *row)) {
        turns.push(turn(transcript, rows, 0, 0..first, first < rows.len()));
    }
    for (at, &start) in starts.iter().enumerate() {
        let end = starts.get(at + 1).copied().unwrap_or(rows.len());
        // What stands before the first prompt and is not worth a turn of its own goes with the first.
        let from = if at == 0 && turns.is_empty() { 0 } else { start };
        turns.push(turn(transcript, rows, at as u32 + 1, from..end, end < rows.len()));
    }
    turns
}

fn is_worth_showing(transcript: &Transcript, row: RowIndex) -> bool {
    transcript.row(row).role.is_conversation()
}

/// Where turns begin: at every prompt, and at a command, notification or `!` line that the model answers.
fn starts(transcript: &Transcript, rows: &[RowIndex]) -> Vec<usize> {
    let mut starts = Vec::new();
    let mut pending: Option<usize> = None;
    for (at, &row) in rows.iter().enumerate() {
        let role = transcript.row(row).role;
        match role {
            Role::Prompt => {
                pending = None;
                starts.push(at);
            }
            // A queued notification inside a running turn is part of it.
            Role::Notification if transcript.row(row).kind != Kind::User => {}
            role if role.may_begin_turn() => pending = Some(pending.unwrap_or(at)),
            Role::Answer => {
                if let Some(start) = pending.take() {
                    starts.push(start);
                }
            }
            // What a slash command printed ends it; what a `!` line printed, the model may answer.
            Role::CommandOutput | Role::Synthetic => pending = None,
            _ => {}
        }
    }
    starts
}

fn turn(
    transcript: &Transcript,
    rows: &[RowIndex],
    number: u32,
    range: std::ops::Range<usize>,
    followed: bool,
) -> Turn {
    let lines = &rows[range.clone()];
    let begin = lines
        .iter()
        .map(|row| transcript.row(*row).role)
        .find(|role| role.may_begin_turn())
        .unwrap_or(Role::System);
    let (end, evidence) = end(transcript, lines, followed);
    let times = || lines.iter().filter_map(|row| transcript.row(*row).time());
    let span = times().min().zip(times().max());
    Turn { number, begin, range, end, evidence, span }
}

fn end(transcript: &Transcript, lines: &[RowIndex], followed: bool) -> (TurnEnd, EndEvidence) {
    let by_absence = if followed { EndEvidence::NextPrompt } else { EndEvidence::EndOfThread };
    for &index in lines.iter().rev() {
        let row = transcript.row(index);
        match row.role {
            Role::Interruption => return (TurnEnd::Interrupted, EndEvidence::Line),
            Role::ApiError => return (TurnEnd::Failed, EndEvidence::Line),
            Role::System if row.kind == Kind::System(Some(SystemKind::TurnDuration)) => {
                let end = match by_stop(transcript, lines) {
                    Some(TurnEnd::Unfinished) => TurnEnd::Denied,
                    told => told.unwrap_or(TurnEnd::Done),
                };
                return (end, EndEvidence::TurnDuration);
            }
            Role::ToolResult => return (TurnEnd::Unfinished, by_absence),
            Role::Answer => {
                if let Some(end) = by_stop(transcript, lines) {
                    return (end, EndEvidence::StopReason);
                }
                let end = match (row.calls_tool(), followed) {
                    (true, _) => TurnEnd::Unfinished,
                    (false, true) => TurnEnd::Done,
                    (false, false) => TurnEnd::Open,
                };
                return (end, by_absence);
            }
            _ => {}
        }
    }
    (TurnEnd::Unanswered, by_absence)
}

/// What the API said about the last message of these lines.
fn by_stop(transcript: &Transcript, lines: &[RowIndex]) -> Option<TurnEnd> {
    let answers = lines.iter().rev().map(|row| transcript.row(*row)).filter(|row| row.role == Role::Answer);
    let last = answers.filter_map(|row| row.message).next()?;
    match transcript.messages[last.index()].stop? {
        StopReason::EndTurn | StopReason::Other => Some(TurnEnd::Done),
        StopReason::StopSequence => Some(TurnEnd::StopSequence),
        StopReason::MaxTokens => Some(TurnEnd::MaxTokens),
        StopReason::Refusal => Some(TurnEnd::Refused),
        StopReason::ToolUse => Some(TurnEnd::Unfinished),
    }
}
