//! Painting a tool call: folded to one line with its outcome, or opened.

use scrollback_app::item::{CallItem, Item, OutcomeItem, PatchHunk};
use scrollback_app::story::Source;
use serde_json::Value;

use super::Page;
use super::item::{media_line, set_in};
use crate::failure::Failure;
use crate::paint::diff::{self, Hunk};
use crate::paint::{Canvas, Line, Style, fold, highlight, width, wrap};

/// How many lines of a change are shown folded.
const DIFF_LINES: usize = 14;

impl Page<'_> {
    pub(super) fn call(&mut self, item: &Item, call: &CallItem, source: Source<'_>) -> Result<(), Failure> {
        self.caller(item, call.model.as_deref())?;
        let line = self.call_line(call);
        self.put(vec![line])?;
        let hunks = hunks(call);
        if self.unfold.tools {
            self.open(call, &hunks)?;
        } else if !hunks.is_empty() {
            let lines = diff::hunks(&hunks, self.canvas().inset(4), DIFF_LINES);
            self.put(set_in(set_in(lines)))?;
        } else if let Some(outcome) = call.outcome.as_ref().filter(|outcome| outcome.is_error) {
            let lines = wrap::text(outcome.text.trim(), Style::Error, self.canvas().inset(4));
            self.put(set_in(set_in(fold::clip_lines(lines, 4))))?;
        }
        for agent in &call.agent_ids {
            self.agent_line(agent, source)?;
            if self.unfold.agents {
                self.agent_story(agent, source)?;
            }
        }
        Ok(())
    }

    /// `⚙ Bash  cargo test  ✓ 12 lines`
    fn call_line(&self, call: &CallItem) -> Line {
        let (sign, style, outcome) = match &call.outcome {
            None if self.follows => ("…", Style::Dim, "running".to_owned()),
            None => ("…", Style::Warning, "no result".to_owned()),
            Some(outcome) if outcome.is_error => ("✗", Style::Error, "failed".to_owned()),
            Some(outcome) => ("✓", Style::Success, result(call, outcome)),
        };
        let tail = format!("  {sign} {outcome}");
        let head = format!("  ⚙ {}  ", call.tool);
        let used = width::columns(&head) + width::columns(&tail);
        let room = self.canvas().width.saturating_sub(used).max(12);
        let about = match &call.file_path {
            Some(path) => self.context.short_dir(path),
            None => call.headline.clone(),
        };
        Line::new("  ⚙ ", Style::Tool)
            .with(format!("{}  ", call.tool), Style::Tool)
            .with(fold::one_line(&about, room), Style::Plain)
            .with(tail, style)
    }

    fn agent_line(&mut self, agent: &str, source: Source<'_>) -> Result<(), Failure> {
        let Some(view) = source.agents.views.iter().find(|view| view.agent_id == agent) else {
            return Ok(());
        };
        let kind = view.agent_type.as_deref().unwrap_or(view.purpose);
        let calls = fold::plural(view.tool_calls, "tool call");
        let short: String = self.session.chars().take(8).collect();
        let line = Line::new(format!("    ⤷ {kind} "), Style::Agent);
        let program = self.context.program();
        self.put(vec![line.with(format!("{calls}  {program} show {short}/{agent}"), Style::Dim)])
    }

    /// All of the input and all that came back.
    fn open(&mut self, call: &CallItem, hunks: &[Hunk]) -> Result<(), Failure> {
        let canvas = self.canvas().inset(4);
        let mut lines =
            if hunks.is_empty() { input(call, canvas) } else { diff::hunks(hunks, canvas, usize::MAX) };
        if let Some(outcome) = &call.outcome {
            let style = if outcome.is_error { Style::Error } else { Style::Dim };
            if hunks.is_empty() || outcome.is_error {
                lines.push(Line::new("⎿", Style::Dim));
                lines.extend(wrap::text(outcome.text.trim_end(), style, canvas));
            }
            lines.extend(outcome.media.iter().map(|medium| Line::new(media_line(medium), Style::Dim)));
            if let Some(path) = &outcome.spilled_to {
                lines.push(Line::new(format!("all of it: {}", path.display()), Style::Dim));
            }
        }
        self.put(set_in(set_in(lines)))
    }
}

/// What came back, in a few words.
fn result(call: &CallItem, outcome: &OutcomeItem) -> String {
    let hunks = hunks(call);
    if !hunks.is_empty() {
        let (added, removed) = diff::tally(&hunks);
        return format!("+{added} −{removed}");
    }
    if let Some(medium) = outcome.media.first() {
        return media_line(medium);
    }
    if let Some(bytes) = outcome.spilled_bytes {
        return format!("{}, set aside", fold::bytes(bytes));
    }
    if let Some(status) = &outcome.status {
        return status.replace("async_", "").replace('_', " ");
    }
    match outcome.lines.unwrap_or_else(|| outcome.text.trim().lines().count() as u64) {
        0 => "no output".to_owned(),
        1 => fold::one_line(outcome.text.trim().lines().next().unwrap_or_default(), 40),
        lines => fold::plural(lines, "line"),
    }
}

/// The change that a call made: as the client stored it, else from its input.
fn hunks(call: &CallItem) -> Vec<Hunk> {
    let failed = call.outcome.as_ref().is_some_and(|outcome| outcome.is_error);
    if failed || !matches!(call.tool.as_str(), "Edit" | "MultiEdit" | "Write") {
        return Vec::new();
    }
    let stored: &[PatchHunk] = call.outcome.as_ref().map_or(&[], |outcome| &outcome.patch);
    if !stored.is_empty() {
        return stored
            .iter()
            .map(|hunk| Hunk {
                old_start: hunk.old_start as usize,
                new_start: hunk.new_start as usize,
                lines: hunk.lines.clone(),
            })
            .collect();
    }
    let Some(input) = call.input.as_ref().and_then(|raw| serde_json::from_str::<Value>(raw.get()).ok())
    else {
        return Vec::new();
    };
    let text =
        |value: &Value, key: &str| value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let edits = input.get("edits").and_then(Value::as_array).cloned().unwrap_or_else(|| vec![input.clone()]);
    match call.tool.as_str() {
        "Write" => diff::compare("", &text(&input, "content")),
        _ => edits
            .iter()
            .flat_map(|edit| diff::compare(&text(edit, "old_string"), &text(edit, "new_string")))
            .collect(),
    }
}

/// A call's input: a command as code, anything else as indented JSON.
fn input(call: &CallItem, canvas: Canvas) -> Vec<Line> {
    let Some(raw) = &call.input else { return Vec::new() };
    let value = serde_json::from_str::<Value>(raw.get()).unwrap_or(Value::Null);
    let command = value.get("command").and_then(Value::as_str).filter(|_| call.tool == "Bash");
    let (text, language) = match command {
        Some(command) => (command.to_owned(), "sh"),
        None => (serde_json::to_string_pretty(&value).unwrap_or_else(|_| raw.get().to_owned()), "json"),
    };
    highlight::highlight(&text, language, canvas.theme)
        .iter()
        .flat_map(|line| wrap::code(line, canvas, &wrap::Indent::none()))
        .collect()
}
