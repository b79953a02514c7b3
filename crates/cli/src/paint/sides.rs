//! Two texts side by side: the old one on the left, the new one on the right, changed lines marked.
//!
//! Lines that are too long are cut, since a wrapped line would no longer stand beside its partner. Files are never opened.

use scrollback_app::compare::{self, Step};

use super::line::StyledLine;
use super::style::Style;
use super::{Canvas, highlight};

/// Unchanged lines around a change.
const CONTEXT: usize = 3;

/// What stands between the two sides.
const BAR: &str = " │ ";

/// The lines that show both texts, as far as they differ. `language` is the extension of the file.
pub fn sides(old: &str, new: &str, language: &str, canvas: Canvas) -> Vec<StyledLine> {
    let left = highlight::highlight(old, language, canvas.theme);
    let right = highlight::highlight(new, language, canvas.theme);
    let (old, new): (Vec<&str>, Vec<&str>) =
        (old.split_terminator('\n').collect(), new.split_terminator('\n').collect());
    let diff = compare::groups(&old, &new, CONTEXT);
    let gutter = old.len().max(new.len()).to_string().len();
    let width = (canvas.width.saturating_sub(BAR.chars().count()) / 2).max(gutter + 4);
    let paper = Paper { left: &left, right: &right, gutter, width };
    let mut out = Vec::new();
    for (at, group) in diff.iter().enumerate() {
        if at > 0 {
            out.push(StyledLine::new(format!("{:>gutter$}", "⋮"), Style::Hunk));
        }
        group.iter().for_each(|step| paper.step(step, &mut out));
    }
    out
}

struct Paper<'p> {
    left: &'p [StyledLine],
    right: &'p [StyledLine],
    gutter: usize,
    width: usize,
}

impl Paper<'_> {
    fn step(&self, step: &Step, out: &mut Vec<StyledLine>) {
        let (old, new, same) = (&step.old, &step.new, step.is_same);
        for row in 0..old.len().max(new.len()) {
            let left = (row < old.len()).then_some(old.start + row);
            let right = (row < new.len()).then_some(new.start + row);
            let mut line = self.cell(self.left, left, "-", (!same).then_some(Style::Removed), true);
            line.push(BAR, Style::Dim);
            line.append(&self.cell(self.right, right, "+", (!same).then_some(Style::Added), false));
            out.push(line);
        }
    }

    /// A line of one side: its number, its sign, its text, as wide as the side is.
    fn cell(
        &self,
        lines: &[StyledLine],
        at: Option<usize>,
        sign: &str,
        changed: Option<Style>,
        fill: bool,
    ) -> StyledLine {
        let mut cell = StyledLine::empty();
        if let Some(at) = at {
            cell.push(format!("{:>width$} ", at + 1, width = self.gutter), Style::Dim);
            cell.push(format!("{} ", changed.map_or(" ", |_| sign)), changed.unwrap_or(Style::Dim));
            let text = lines.get(at).cloned().unwrap_or_default();
            match changed {
                Some(style) => cell.push(text.text(), style),
                None => cell.append(&text),
            }
        }
        let mut cell = if cell.width() > self.width { cell.cut(self.width) } else { cell };
        if fill {
            cell.push(" ".repeat(self.width.saturating_sub(cell.width())), Style::Plain);
        }
        cell
    }
}

#[cfg(test)]
mod tests {
    use super::{Canvas, sides};
    use crate::paint::{Theme, paint};

    #[test]
    fn changed_lines_stand_beside_each_other() {
        let lines = sides("a\nb\nc\n", "a\nB\nBB\nc\n", "", Canvas::new(27, Theme::plain()));
        let text = paint(&lines, Theme::plain());
        let expected =
            ["1   a        │ 1   a", "2 - b        │ 2 + B", "             │ 3 + BB", "3   c        │ 4   c"];
        let shown: Vec<&str> = text.lines().map(str::trim_end).collect();
        assert_eq!(shown, expected);
    }

    #[test]
    fn long_lines_are_cut_and_equal_texts_show_nothing() {
        let long = "x".repeat(200);
        for line in sides(&long, "y", "", Canvas::new(40, Theme::plain())) {
            assert!(line.width() <= 40, "{}", line.width());
        }
        assert!(sides("a\n", "a\n", "", Canvas::new(40, Theme::plain())).is_empty());
    }
}
