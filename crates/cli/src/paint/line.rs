//! A line of styled text, and how it becomes the characters that a terminal gets.
//!
//! A span never holds a control character or a line break, whatever it is made from; so a line is one line,
//! its width is known, and each line ends with its styles reset.

use super::harmless::harmless;
use super::style::{Style, Theme};
use super::width;

/// Text in one role.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StyledSpan {
    text: String,
    style: Style,
}

impl StyledSpan {
    /// A span of `text`, made harmless; a line break becomes a space.
    pub fn new(text: impl Into<String>, style: Style) -> Self {
        let mut text = text.into();
        if let std::borrow::Cow::Owned(safe) = harmless(&text) {
            text = safe;
        }
        if text.contains('\n') {
            text = text.replace('\n', " ");
        }
        Self { text, style }
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The role.
    pub fn style(&self) -> Style {
        self.style
    }

    /// The columns it takes.
    pub fn width(&self) -> usize {
        width::columns(&self.text)
    }
}

/// One line of a terminal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StyledLine(Vec<StyledSpan>);

impl StyledLine {
    /// A line without text.
    pub fn empty() -> Self {
        Self::default()
    }

    /// A line of one role.
    pub fn new(text: impl Into<String>, style: Style) -> Self {
        Self::empty().with(text, style)
    }

    /// A line of one role without emphasis.
    pub fn plain(text: impl Into<String>) -> Self {
        Self::new(text, Style::Plain)
    }

    /// The line with `text` at its end.
    #[must_use]
    pub fn with(mut self, text: impl Into<String>, style: Style) -> Self {
        self.push(text, style);
        self
    }

    /// Adds text at the end.
    pub fn push(&mut self, text: impl Into<String>, style: Style) {
        self.push_span(StyledSpan::new(text, style));
    }

    /// Adds a span at the end, joined with the one before when the role is the same.
    pub fn push_span(&mut self, span: StyledSpan) {
        match self.0.last_mut() {
            _ if span.text.is_empty() => {}
            Some(last) if last.style == span.style => last.text.push_str(&span.text),
            _ => self.0.push(span),
        }
    }

    /// Adds a part of a span of some line, which needs no second check.
    pub(super) fn push_part(&mut self, part: &str, style: Style) {
        match self.0.last_mut() {
            _ if part.is_empty() => {}
            Some(last) if last.style == style => last.text.push_str(part),
            _ => self.0.push(StyledSpan { text: part.to_owned(), style }),
        }
    }

    /// Adds all of another line at the end.
    pub fn append(&mut self, other: &Self) {
        for span in &other.0 {
            self.push_part(&span.text, span.style);
        }
    }

    /// The spans, in order; no two neighbours have the same role.
    pub fn spans(&self) -> &[StyledSpan] {
        &self.0
    }

    /// Whether there is no text.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The columns it takes.
    pub fn width(&self) -> usize {
        self.0.iter().map(StyledSpan::width).sum()
    }

    /// The text without roles.
    pub fn text(&self) -> String {
        self.0.iter().map(StyledSpan::text).collect()
    }

    /// The line with `prefix` before it.
    #[must_use]
    pub fn prefixed(&self, prefix: &Self) -> Self {
        let mut line = prefix.clone();
        line.append(self);
        line
    }

    /// The line if it fits, else its start with an ellipsis, in at most `width` columns.
    #[must_use]
    pub fn cut(&self, width: usize) -> Self {
        if self.width() <= width {
            return self.clone();
        }
        let mut line = Self::empty();
        let mut room = width.saturating_sub(1);
        for span in &self.0 {
            let (start, after) = width::split(&span.text, room);
            room -= width::columns(start);
            line.push_part(start, span.style);
            if !after.is_empty() {
                // A cell that was cut before its row needs no second mark.
                if width > 0 && !start.ends_with(width::ELLIPSIS) {
                    line.push_part(width::ELLIPSIS, span.style);
                }
                break;
            }
        }
        line
    }

    /// The line if it fits, else its end behind an ellipsis, in at most `width` columns.
    #[must_use]
    pub fn cut_start(&self, width: usize) -> Self {
        let mut over = match self.width().checked_sub(width) {
            None | Some(0) => return self.clone(),
            Some(over) => over + 1,
        };
        let mut line = Self::empty();
        let mut is_marked = width == 0;
        for span in &self.0 {
            let rest = width::skip(&span.text, over);
            over = over.saturating_sub(width::columns(&span.text));
            if !rest.is_empty() && !is_marked {
                line.push_part(width::ELLIPSIS, span.style);
                is_marked = true;
            }
            line.push_part(rest, span.style);
        }
        line
    }

    /// Writes the line to `out` without a line break; every style is closed before the function returns.
    pub fn paint(&self, theme: Theme, out: &mut String) {
        for span in &self.0 {
            let codes = theme.codes(span.style);
            out.push_str(&codes.render().to_string());
            out.push_str(&span.text);
            out.push_str(&codes.render_reset().to_string());
        }
    }
}

/// The characters of `lines`, each ended by a line break.
pub fn paint(lines: &[StyledLine], theme: Theme) -> String {
    let mut out = String::new();
    for line in lines {
        line.paint(theme, &mut out);
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_are_closed_on_their_own_line() {
        let lines =
            [StyledLine::new("a", Style::Strong).with("b", Style::Plain), StyledLine::new("c", Style::Error)];
        assert_eq!(paint(&lines, Theme::colour()), "\x1b[1ma\x1b[0mb\n\x1b[1m\x1b[31mc\x1b[0m\n");
        assert_eq!(paint(&lines, Theme::plain()), "ab\nc\n");
    }

    #[test]
    fn spans_cannot_hold_escapes_or_line_breaks() {
        assert_eq!(StyledSpan::new("a\x1b]0;x\x07\nb", Style::Plain).text(), "a␛]0;x␇ b");
    }

    #[test]
    fn cut_lines_keep_their_roles() {
        let line = StyledLine::new("日本", Style::Strong).with("語 text", Style::Dim);
        assert_eq!(line.cut(20), line);
        assert_eq!(line.cut(7), StyledLine::new("日本", Style::Strong).with("語…", Style::Dim));
        assert_eq!(line.cut(5), StyledLine::new("日本", Style::Strong).with("…", Style::Dim));
        assert_eq!(line.cut(0), StyledLine::empty());
    }
}
