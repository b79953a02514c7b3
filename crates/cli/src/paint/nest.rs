//! The quotations and list items that a block of Markdown stands in, and the gaps between blocks.
//!
//! Each container puts something before every line within: a quotation its bar, an item its marker once and
//! then spaces. This is the only place that knows how those add up; it knows nothing of Markdown's events.

use super::Canvas;
use super::line::StyledLine;
use super::style::Style;
use super::wrap::{self, Indent};

/// Text keeps at least this share of the canvas, however deep it is nested.
const LARGEST_INDENT_SHARE: usize = 2;

/// The lines so far, and the containers that the next ones stand in.
pub(super) struct Nest {
    canvas: Canvas,
    containers: Vec<Container>,
    /// Columns that the containers take.
    depth: usize,
    lines: Vec<StyledLine>,
    gap: bool,
}

struct Container {
    indent: Indent,
    columns: usize,
    /// Whether the first line was written, which shows the marker.
    begun: bool,
}

impl Nest {
    pub(super) fn new(canvas: Canvas) -> Self {
        Self { canvas, containers: Vec::new(), depth: 0, lines: Vec::new(), gap: false }
    }

    /// What is left of the canvas inside the containers.
    pub(super) fn canvas(&self) -> Canvas {
        self.canvas.inset(self.depth)
    }

    /// Opens a container. One that is too deep to be shown adds nothing to the lines.
    pub(super) fn open(&mut self, indent: Indent) {
        let columns = indent.rest.width();
        let fits = self.depth + columns <= self.canvas.width / LARGEST_INDENT_SHARE;
        let (indent, columns) = if fits { (indent, columns) } else { (Indent::none(), 0) };
        self.depth += columns;
        self.containers.push(Container { indent, columns, begun: false });
    }

    /// Closes the innermost container; an item without text still shows its marker.
    pub(super) fn close(&mut self) {
        if self
            .containers
            .last()
            .is_some_and(|container| !container.begun && !container.indent.first.is_empty())
        {
            self.add(&[StyledLine::empty()]);
        }
        if let Some(container) = self.containers.pop() {
            self.depth -= container.columns;
        }
    }

    /// Sets whether an empty line comes before the next block.
    pub(super) fn set_gap(&mut self, gap: bool) {
        self.gap = gap && !self.lines.is_empty();
    }

    /// Begins a block: writes the empty line that is due.
    pub(super) fn begin(&mut self) {
        if std::mem::take(&mut self.gap) {
            let mut line = StyledLine::empty();
            // Only containers that were already there before the gap have their bar run through it.
            for container in self.containers.iter().take_while(|container| container.begun) {
                line.append(&container.indent.rest);
            }
            self.lines.push(trimmed(&line));
        }
    }

    /// Adds a sentence, wrapped.
    pub(super) fn add_words(&mut self, line: &StyledLine) {
        let lines = wrap::words(line, self.canvas(), &Indent::none());
        self.add(&lines);
    }

    /// Adds lines that already fit.
    pub(super) fn add(&mut self, lines: &[StyledLine]) {
        for line in lines {
            let mut prefix = StyledLine::empty();
            for container in &mut self.containers {
                let begun = std::mem::replace(&mut container.begun, true);
                prefix.append(if begun { &container.indent.rest } else { &container.indent.first });
            }
            self.lines.push(if line.is_empty() { trimmed(&prefix) } else { line.prefixed(&prefix) });
        }
    }

    pub(super) fn finish(self) -> Vec<StyledLine> {
        self.lines
    }
}

/// A prefix that nothing follows needs no spaces at its end.
fn trimmed(prefix: &StyledLine) -> StyledLine {
    let spaces = |text: &str| text.bytes().all(|byte| byte == b' ');
    let spans = prefix.spans();
    let kept = spans.len() - spans.iter().rev().take_while(|span| spaces(span.text())).count();
    let mut line = StyledLine::empty();
    for (at, span) in spans.iter().take(kept).enumerate() {
        let text = if at + 1 == kept { span.text().trim_end_matches(' ') } else { span.text() };
        line.push_part(text, span.style());
    }
    line
}

/// The bar of a quotation.
pub(super) fn quote() -> Indent {
    Indent::every(StyledLine::new("▎ ", Style::Quote))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paint::Theme;

    #[test]
    fn markers_show_once_and_bars_always() {
        let mut nest = Nest::new(Canvas::new(40, Theme::plain()));
        nest.open(quote());
        nest.open(Indent::hanging(StyledLine::plain("• ")));
        nest.add(&[StyledLine::plain("a"), StyledLine::empty(), StyledLine::plain("b")]);
        nest.close();
        nest.set_gap(true);
        nest.begin();
        nest.add(&[StyledLine::plain("c")]);
        let texts: Vec<String> = nest.finish().iter().map(StyledLine::text).collect();
        assert_eq!(texts, ["▎ • a", "▎", "▎   b", "▎", "▎ c"]);
    }
}
