//! A tool call in a few words: what it is about, what came of it, and the change that it made.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::diff;
use crate::item::{CallItem, Media, OutcomeItem, PatchHunk};

/// How a call stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum CallState {
    /// Nothing has come back, and may still.
    Running,
    /// Nothing came back.
    NoResult,
    /// It failed or was denied.
    Failed,
    /// It worked.
    Done,
}

/// What a call is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(tag = "type", content = "text", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Headline {
    /// A file that it reads or writes.
    File(String),
    /// Anything else, in a few words.
    Words(String),
}

/// What came back, at a glance.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum CallDetail {
    /// A change to a file.
    Change {
        /// Lines added.
        added: u64,
        /// Lines removed.
        removed: u64,
    },
    /// A picture or document.
    Media(Media),
    /// Output that was saved to a file because of its size.
    Saved {
        /// Its size.
        bytes: u64,
    },
    /// How an agent or a background task stands, as the client words it: `completed`, `launched`.
    Status {
        /// The word or words.
        text: String,
    },
    /// Nothing.
    NoOutput,
    /// One line.
    Line {
        /// The line.
        text: String,
    },
    /// Several lines.
    Lines {
        /// How many.
        count: u64,
    },
    /// Why it failed.
    Error {
        /// What the tool said.
        text: String,
    },
}

/// A tool call in a few words.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct CallSummary {
    /// How it stands.
    pub state: CallState,
    /// What it is about.
    pub headline: Headline,
    /// What came back; none if nothing did.
    pub detail: Option<CallDetail>,
    /// The change that it made to a file.
    pub hunks: Vec<PatchHunk>,
}

impl CallSummary {
    /// The summary of a call. While the session is followed (`continues`), a call without a result still runs.
    pub fn of(call: &CallItem, continues: bool) -> Self {
        let state = match &call.outcome {
            None if continues => CallState::Running,
            None => CallState::NoResult,
            Some(outcome) if outcome.is_error => CallState::Failed,
            Some(_) => CallState::Done,
        };
        let headline = match &call.file_path {
            Some(path) => Headline::File(path.clone()),
            None => Headline::Words(call.headline.clone()),
        };
        let hunks = hunks(call);
        let detail = call.outcome.as_ref().map(|outcome| detail(outcome, &hunks));
        Self { state, headline, detail, hunks }
    }
}

fn detail(outcome: &OutcomeItem, hunks: &[PatchHunk]) -> CallDetail {
    let text = outcome.text.trim();
    if outcome.is_error {
        return CallDetail::Error { text: text.to_owned() };
    }
    if !hunks.is_empty() {
        let (added, removed) = diff::tally(hunks);
        return CallDetail::Change { added, removed };
    }
    if let Some(medium) = outcome.media.first() {
        return CallDetail::Media(medium.clone());
    }
    if let Some(bytes) = outcome.spilled_bytes {
        return CallDetail::Saved { bytes };
    }
    if let Some(status) = &outcome.status {
        return CallDetail::Status { text: status.replace("async_", "").replace('_', " ") };
    }
    match outcome.lines.unwrap_or_else(|| text.lines().count() as u64) {
        0 => CallDetail::NoOutput,
        1 => CallDetail::Line { text: text.lines().next().unwrap_or_default().to_owned() },
        count => CallDetail::Lines { count },
    }
}

/// The change that a call made: as the client stored it, else from its input.
fn hunks(call: &CallItem) -> Vec<PatchHunk> {
    let failed = call.outcome.as_ref().is_some_and(|outcome| outcome.is_error);
    if failed || !matches!(call.tool.as_str(), "Edit" | "MultiEdit" | "Write") {
        return Vec::new();
    }
    let stored: &[PatchHunk] = call.outcome.as_ref().map_or(&[], |outcome| &outcome.patch);
    if !stored.is_empty() {
        return stored.to_vec();
    }
    let Some(input) = value(call) else { return Vec::new() };
    let text =
        |value: &Value, key: &str| value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    if call.tool == "Write" {
        return diff::compare("", &text(&input, "content"));
    }
    let edits = input.get("edits").and_then(Value::as_array).cloned().unwrap_or_else(|| vec![input.clone()]);
    let change = |edit: &Value| diff::compare(&text(edit, "old_string"), &text(edit, "new_string"));
    edits.iter().flat_map(change).collect()
}

/// The input of a call, as it is best read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(tag = "type", content = "text", rename_all = "snake_case")]
#[non_exhaustive]
pub enum CallInput {
    /// A command for a shell.
    Shell(String),
    /// JSON, indented.
    Json(String),
}

impl CallInput {
    /// The input of a call; none if none is stored.
    pub fn of(call: &CallItem) -> Option<Self> {
        let raw = call.input.as_ref()?;
        let Some(value) = value(call) else { return Some(Self::Json(raw.get().to_owned())) };
        let command = value.get("command").and_then(Value::as_str).filter(|_| call.tool == "Bash");
        Some(match command {
            Some(command) => Self::Shell(command.to_owned()),
            None => Self::Json(serde_json::to_string_pretty(&value).unwrap_or_else(|_| raw.get().to_owned())),
        })
    }
}

fn value(call: &CallItem) -> Option<Value> {
    call.input.as_ref().and_then(|raw| serde_json::from_str(raw.get()).ok())
}

#[cfg(test)]
mod tests {
    use serde_json::value::RawValue;

    use super::*;

    fn call(tool: &str, input: &str, outcome: Option<OutcomeItem>) -> CallItem {
        CallItem {
            tool_use_id: "t1".into(),
            tool: tool.into(),
            model: None,
            headline: "words".into(),
            file_path: None,
            input: RawValue::from_string(input.into()).ok(),
            outcome,
            agent_ids: Vec::new(),
        }
    }

    fn said(text: &str) -> Option<OutcomeItem> {
        Some(OutcomeItem { text: text.into(), ..OutcomeItem::default() })
    }

    #[test]
    fn a_call_without_a_result_runs_only_while_the_session_is_followed() {
        let open = call("Bash", "{}", None);
        assert_eq!(CallSummary::of(&open, true).state, CallState::Running);
        assert_eq!(CallSummary::of(&open, false).state, CallState::NoResult);
        assert!(CallSummary::of(&open, false).detail.is_none());
    }

    #[test]
    fn a_result_is_summed_up_by_what_says_most() {
        let detail =
            |outcome: Option<OutcomeItem>| CallSummary::of(&call("Bash", "{}", outcome), false).detail;
        assert!(matches!(detail(said(" \n")), Some(CallDetail::NoOutput)));
        assert!(matches!(detail(said("one\n")), Some(CallDetail::Line { text }) if text == "one"));
        assert!(matches!(detail(said("a\nb")), Some(CallDetail::Lines { count: 2 })));
        let failed = said("no").map(|outcome| OutcomeItem { is_error: true, ..outcome });
        assert!(matches!(detail(failed), Some(CallDetail::Error { text }) if text == "no"));
        let started =
            said("").map(|outcome| OutcomeItem { status: Some("async_launched".into()), ..outcome });
        assert!(matches!(detail(started), Some(CallDetail::Status { text }) if text == "launched"));
    }

    #[test]
    fn an_edit_without_a_stored_patch_is_compared_from_its_input() {
        let edit = call("Edit", r#"{"old_string":"a\n","new_string":"b\nc\n"}"#, said("ok"));
        let summary = CallSummary::of(&edit, false);
        assert!(matches!(summary.detail, Some(CallDetail::Change { added: 2, removed: 1 })));
        let failed = said("no").map(|outcome| OutcomeItem { is_error: true, ..outcome });
        let failed = call("Edit", r#"{"old_string":"a\n","new_string":"b\nc\n"}"#, failed);
        assert!(CallSummary::of(&failed, false).hunks.is_empty(), "nothing was changed");
    }

    #[test]
    fn a_command_is_read_as_a_command() {
        let bash = call("Bash", r#"{"command":"ls -l"}"#, None);
        assert_eq!(CallInput::of(&bash), Some(CallInput::Shell("ls -l".into())));
        let read = call("Read", r#"{"command":"ls -l"}"#, None);
        assert_eq!(CallInput::of(&read), Some(CallInput::Json("{\n  \"command\": \"ls -l\"\n}".into())));
    }
}
