//! Painting one item: words, thoughts, commands, notes.

use scrollback_app::item::{BranchRef, GapCause, Item, ItemKind, Media};
use scrollback_app::story::StorySource;

use super::Page;
use crate::date;
use crate::failure::Failure;
use crate::paint::wrap::Indent;
use crate::paint::{Style, StyledLine, fold, markdown, wrap};

/// How many lines of a command's output are shown folded.
const OUTPUT_LINES: usize = 12;

impl Page<'_> {
    pub(super) fn item(&mut self, item: &Item, source: StorySource<'_>) -> Result<(), Failure> {
        match &item.what {
            ItemKind::Prompt { text, media, queued } => self.prompt(item, text, media, *queued),
            ItemKind::Answer { text, model } => self.answer(item, text, model.as_deref()),
            ItemKind::Thinking { text, model, redacted } => {
                self.thinking(item, text, model.as_deref(), *redacted)
            }
            ItemKind::Call(call) => self.call(item, call, source),
            ItemKind::OrphanResult { tool_use_id, text, is_error } => {
                self.orphan(tool_use_id, text, *is_error)
            }
            ItemKind::Command { command, args } => self.event("❯", &format!("{command} {args}"), Style::User),
            ItemKind::Bash { command } => self.event("!", command, Style::User),
            ItemKind::Output { text } => self.output(text),
            ItemKind::Notification { text, status, .. } => {
                let status = status.as_deref().map(|status| format!("{status}: ")).unwrap_or_default();
                self.event("◇", &format!("{status}{text}"), Style::Agent)
            }
            ItemKind::Teammate { text } => self.event("◇", text, Style::Agent),
            ItemKind::Interruption { text } => self.event("■", text.trim_matches(['[', ']']), Style::Warning),
            ItemKind::ApiError { text } => self.event("✗", text, Style::Error),
            ItemKind::Retry { text, attempt, max } => {
                self.event("↻", &format!("retry {attempt} of {max}: {text}"), Style::Warning)
            }
            ItemKind::Synthetic { text } => {
                self.event("·", &format!("added by the client: {text}"), Style::Dim)
            }
            ItemKind::Compaction { trigger, pre_tokens, post_tokens } => {
                self.compaction(trigger.as_deref(), *pre_tokens, *post_tokens)
            }
            ItemKind::CompactSummary { text } => self.summary(text),
            ItemKind::System { subtype, text } => self.event("·", &format!("{subtype}: {text}"), Style::Dim),
            ItemKind::Attachment { kind, text } => {
                self.event("·", &format!("attached {kind}: {text}"), Style::Dim)
            }
            ItemKind::Meta { text } => self.event("·", &format!("added by the client: {text}"), Style::Dim),
            ItemKind::Progress { kind, text } => self.event("·", &format!("{kind}: {text}"), Style::Dim),
            ItemKind::BranchPoint { branches } => self.branch_point(branches),
            ItemKind::Gap { why } => self.event("!", gap(*why), Style::Warning),
            ItemKind::Unknown { kind } => {
                self.event("?", &format!("unknown kind of line: {kind}"), Style::Warning)
            }
            _ => self.event("?", "unknown kind of item", Style::Warning),
        }
    }

    /// Who speaks, where that changes.
    fn speaker(&mut self, name: &str, style: Style, item: &Item) -> Result<(), Failure> {
        if self.speaker.as_deref() == Some(name) {
            return self.blank();
        }
        self.speaker = Some(name.to_owned());
        let time = date::clock(item.time, &self.context.zone);
        self.blank()?;
        self.put(vec![StyledLine::new(name, style).with(format!("  {time}"), Style::Time)])
    }

    /// The model's name before its first call, if it has not spoken yet. Calls follow each other without a gap.
    pub(super) fn caller(&mut self, item: &Item, model: Option<&str>) -> Result<(), Failure> {
        let name = model.unwrap_or("Assistant");
        if self.speaker.as_deref() == Some(name) {
            return Ok(());
        }
        self.speaker(name, Style::Assistant, item)
    }

    fn prompt(&mut self, item: &Item, text: &str, media: &[Media], queued: bool) -> Result<(), Failure> {
        let name = match (self.depth > 0 || self.of_agent, queued) {
            (true, _) => "Caller",
            (false, true) => "You, during the turn",
            (false, false) => "You",
        };
        self.speaker(name, Style::User, item)?;
        let bar = StyledLine::new("▌ ", Style::User);
        let canvas = self.canvas().inset(2);
        let lines = wrap::text(text, Style::Plain, canvas);
        self.put(lines.into_iter().map(|line| line.prefixed(&bar)).collect())?;
        for medium in media {
            let line = bar.clone().with(media_line(medium), Style::Dim);
            self.put(vec![line])?;
        }
        Ok(())
    }

    fn answer(&mut self, item: &Item, text: &str, model: Option<&str>) -> Result<(), Failure> {
        self.speaker(model.unwrap_or("Assistant"), Style::Assistant, item)?;
        let lines = markdown::markdown(text, self.canvas().inset(2));
        self.put(set_in(lines))
    }

    fn thinking(
        &mut self,
        item: &Item,
        text: &str,
        model: Option<&str>,
        redacted: bool,
    ) -> Result<(), Failure> {
        self.speaker(model.unwrap_or("Assistant"), Style::Assistant, item)?;
        if redacted || text.is_empty() {
            let said = if redacted { "thinking, encrypted" } else { "thinking, not stored" };
            return self.put(vec![StyledLine::new(format!("  ✻ {said}"), Style::Dim)]);
        }
        let indent = Indent { first: StyledLine::new("  ✻ ", Style::Dim), rest: StyledLine::plain("    ") };
        let mut lines = Vec::new();
        for paragraph in text.lines() {
            let first =
                if lines.is_empty() { indent.clone() } else { Indent::every(StyledLine::plain("    ")) };
            lines.extend(wrap::words(&StyledLine::new(paragraph, Style::Emphasis), self.canvas(), &first));
        }
        self.put(lines)
    }

    /// Something that happened, with a sign before it.
    pub(super) fn event(&mut self, sign: &str, text: &str, style: Style) -> Result<(), Failure> {
        let text = text.trim();
        let indent = Indent::hanging(StyledLine::new(format!("  {sign} "), style));
        let canvas = self.canvas();
        let mut lines = Vec::new();
        for (at, part) in text.lines().enumerate() {
            let indent = if at == 0 { indent.clone() } else { Indent::every(StyledLine::plain("    ")) };
            let style = if style == Style::User { Style::Plain } else { style };
            lines.extend(wrap::words(&StyledLine::new(part, style), canvas, &indent));
        }
        let lines = if self.unfold.all { lines } else { fold::clip_lines(lines, OUTPUT_LINES) };
        self.put(lines)
    }

    fn output(&mut self, text: &str) -> Result<(), Failure> {
        let lines = wrap::text(text.trim_end(), Style::Dim, self.canvas().inset(4));
        let lines = if self.unfold.tools { lines } else { fold::clip_lines(lines, OUTPUT_LINES) };
        self.put(set_in(set_in(lines)))
    }

    fn orphan(&mut self, tool_use_id: &str, text: &str, is_error: bool) -> Result<(), Failure> {
        let what = if is_error { "tool error" } else { "tool result" };
        self.event("!", &format!("{what} without its call ({tool_use_id})"), Style::Warning)?;
        self.output(text)
    }

    fn compaction(
        &mut self,
        trigger: Option<&str>,
        pre: Option<u64>,
        post: Option<u64>,
    ) -> Result<(), Failure> {
        let how = match trigger {
            Some("auto") => "compacted automatically",
            Some("manual") => "compacted manually",
            _ => "compacted",
        };
        let tokens = match (pre, post) {
            (Some(pre), Some(post)) => format!(", from {} to {} tokens", fold::count(pre), fold::count(post)),
            (Some(pre), None) => format!(", {} tokens", fold::count(pre)),
            _ => String::new(),
        };
        let text = format!("↓ {how}{tokens} ");
        let used = crate::paint::width::columns(&text) + 3;
        let rest = "┄".repeat(self.canvas().width.saturating_sub(used));
        self.speaker = None;
        self.blank()?;
        self.put(vec![
            StyledLine::new("┄┄ ", Style::Warning).with(text, Style::Warning).with(rest, Style::Warning),
        ])
    }

    fn summary(&mut self, text: &str) -> Result<(), Failure> {
        let lines = markdown::markdown(text, self.canvas().inset(2));
        let most = if self.unfold.all { usize::MAX } else { OUTPUT_LINES };
        self.put(set_in(fold::clip_lines(lines, most)))
    }

    fn branch_point(&mut self, branches: &[BranchRef]) -> Result<(), Failure> {
        for branch in branches {
            let turns = fold::plural(branch.turns, "turn");
            let how = if branch.summarized { "was summarized here" } else { "starts here" };
            let words = fold::one_line(&branch.text, 60);
            let text =
                format!("branch {} {how}: {turns}, “{words}” (--branch {})", branch.branch, branch.branch);
            self.event("├", &text, Style::Warning)?;
        }
        Ok(())
    }
}

/// A picture or document, in words.
pub(super) fn media_line(medium: &Media) -> String {
    let kind = medium.media_type.as_deref().unwrap_or(medium.kind.name());
    format!("[{} {kind}, {}]", medium.kind.name(), fold::bytes(medium.bytes))
}

pub(super) fn set_in(lines: Vec<StyledLine>) -> Vec<StyledLine> {
    let space = StyledLine::plain("  ");
    lines.into_iter().map(|line| if line.is_empty() { line } else { line.prefixed(&space) }).collect()
}

/// Why a thread is joined by time.
const fn gap(why: GapCause) -> &'static str {
    match why {
        GapCause::Cycle => "the chain of messages contains a cycle; placed by time",
        _ => "parent message missing; placed by time",
    }
}
