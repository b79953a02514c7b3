//! Painting a tool call: folded to one line with its outcome, or opened.

use scrollback_app::digest::call::{CallDetail, CallInput, CallState, CallSummary, Headline};
use scrollback_app::item::{CallItem, Item};
use scrollback_app::story::StorySource;
use scrollback_format::id;

use super::Page;
use super::item::{media_line, set_in};
use crate::failure::Failure;
use crate::paint::{Canvas, Style, StyledLine, diff, fold, highlight, width, wrap};

/// How many lines of a change are shown folded.
const DIFF_LINES: usize = 14;
/// How many lines of an error are shown folded.
const ERROR_LINES: usize = 4;
/// How many columns of a result of one line are shown beside the call.
const RESULT_COLUMNS: usize = 40;

impl Page<'_> {
    pub(super) fn call(
        &mut self,
        item: &Item,
        call: &CallItem,
        source: StorySource<'_>,
    ) -> Result<(), Failure> {
        self.caller(item, call.model.as_deref())?;
        let summary = CallSummary::of(call, self.follows);
        let line = self.call_line(call, &summary);
        self.put(vec![line])?;
        if self.unfold.tools {
            self.open(call, &summary)?;
        } else if !summary.hunks.is_empty() {
            let lines = diff::hunks(&summary.hunks, self.canvas().inset(4), DIFF_LINES);
            self.put(set_in(set_in(lines)))?;
        } else if let Some(CallDetail::Error { text }) = &summary.detail {
            let lines = wrap::text(text, Style::Error, self.canvas().inset(4));
            self.put(set_in(set_in(fold::clip_lines(lines, ERROR_LINES))))?;
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
    fn call_line(&self, call: &CallItem, summary: &CallSummary) -> StyledLine {
        let (sign, style, words) = match summary.state {
            CallState::Running => ("…", Style::Dim, "running".to_owned()),
            CallState::Failed => ("✗", Style::Error, "failed".to_owned()),
            CallState::Done => ("✓", Style::Success, summary.detail.as_ref().map(result).unwrap_or_default()),
            _ => ("…", Style::Warning, "no result".to_owned()),
        };
        let tail = format!("  {sign} {words}");
        let head = format!("  ⚙ {}  ", call.tool);
        let used = width::columns(&head) + width::columns(&tail);
        let room = self.canvas().width.saturating_sub(used).max(12);
        let about = match &summary.headline {
            Headline::File(path) => self.context.short_dir(path),
            Headline::Words(words) => words.clone(),
            _ => String::new(),
        };
        StyledLine::new("  ⚙ ", Style::Tool)
            .with(format!("{}  ", call.tool), Style::Tool)
            .with(fold::one_line(&about, room), Style::Plain)
            .with(tail, style)
    }

    fn agent_line(&mut self, agent: &str, source: StorySource<'_>) -> Result<(), Failure> {
        let Some(view) = source.agents.views.iter().find(|view| view.agent_id == agent) else {
            return Ok(());
        };
        let kind = view.agent_type.as_deref().unwrap_or(view.purpose.name());
        let calls = fold::plural(view.tool_calls, "tool call");
        let short = id::short(&self.session);
        let line = StyledLine::new(format!("    └ {kind} "), Style::Agent);
        let program = self.context.program();
        self.put(vec![line.with(format!("{calls}  {program} show {short}/{agent}"), Style::Dim)])
    }

    /// All of the input and all that came back.
    fn open(&mut self, call: &CallItem, summary: &CallSummary) -> Result<(), Failure> {
        let canvas = self.canvas().inset(4);
        let mut lines = if summary.hunks.is_empty() {
            input(call, canvas)
        } else {
            diff::hunks(&summary.hunks, canvas, usize::MAX)
        };
        if let Some(outcome) = &call.outcome {
            let style = if outcome.is_error { Style::Error } else { Style::Dim };
            if summary.hunks.is_empty() || outcome.is_error {
                lines.push(StyledLine::new("⎿", Style::Dim));
                lines.extend(wrap::text(outcome.text.trim_end(), style, canvas));
            }
            lines.extend(outcome.media.iter().map(|medium| StyledLine::new(media_line(medium), Style::Dim)));
            if let Some(path) = &outcome.spilled_to {
                lines.push(StyledLine::new(format!("full output: {}", path.display()), Style::Dim));
            }
        }
        self.put(set_in(set_in(lines)))
    }
}

/// What came back, in a few words.
fn result(detail: &CallDetail) -> String {
    match detail {
        CallDetail::Change { added, removed } => format!("+{added} −{removed}"),
        CallDetail::Media(medium) => media_line(medium),
        CallDetail::Saved { bytes } => format!("{}, saved to file", fold::bytes(*bytes)),
        CallDetail::Status { text } => text.clone(),
        CallDetail::NoOutput => "no output".to_owned(),
        CallDetail::Line { text } => fold::one_line(text, RESULT_COLUMNS),
        CallDetail::Lines { count } => fold::plural(*count, "line"),
        _ => String::new(),
    }
}

/// A call's input: a command as code, anything else as indented JSON.
fn input(call: &CallItem, canvas: Canvas) -> Vec<StyledLine> {
    let (text, language) = match CallInput::of(call) {
        Some(CallInput::Shell(command)) => (command, "sh"),
        Some(CallInput::Json(text)) => (text, "json"),
        _ => return Vec::new(),
    };
    highlight::highlight(&text, language, canvas.theme)
        .iter()
        .flat_map(|line| wrap::code(line, canvas, &wrap::Indent::none()))
        .collect()
}
