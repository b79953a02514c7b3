//! A Markdown table, laid out to fit the canvas.
//!
//! Columns keep their natural width if all fit; else cells wrap, and those with most text get most room. Where even
//! narrow columns do not fit, each row becomes a short list of `title: value`. No cell is ever cut.

use pulldown_cmark::Alignment;

use super::line::StyledLine;
use super::style::Style;
use super::wrap::{self, Indent};
use super::{Canvas, width};

/// A column is never narrower than this because of others.
const LEAST_WIDTH: usize = 8;
/// A word that is wider may be broken for the sake of other columns.
const LONGEST_WORD: usize = 24;
/// Between columns.
const BAR: &str = " │ ";

/// Rows of cells, the first of which is the header.
#[derive(Debug, Default)]
pub(super) struct Table {
    pub(super) alignments: Vec<Alignment>,
    pub(super) rows: Vec<Vec<StyledLine>>,
}

impl Table {
    /// The lines of the table.
    pub(super) fn lines(&self, canvas: Canvas) -> Vec<StyledLine> {
        let natural = self.natural_widths();
        let bars = BAR.chars().count() * natural.len().saturating_sub(1);
        match fit(&natural, &self.word_widths(), canvas.width.saturating_sub(bars)) {
            Some(widths) => self.grid(&widths, canvas),
            None => self.records(canvas),
        }
    }

    fn natural_widths(&self) -> Vec<usize> {
        let widest = |at: usize| self.rows.iter().filter_map(|row| row.get(at)).map(StyledLine::width).max();
        (0..self.alignments.len()).map(|at| widest(at).unwrap_or(0).max(1)).collect()
    }

    /// The widest word of each column, below which words would break.
    fn word_widths(&self) -> Vec<usize> {
        let word = |cell: &StyledLine| cell.text().split(' ').map(width::columns).max().unwrap_or(0);
        let widest = |at: usize| self.rows.iter().filter_map(|row| row.get(at)).map(word).max();
        (0..self.alignments.len()).map(|at| widest(at).unwrap_or(0)).collect()
    }

    fn grid(&self, widths: &[usize], canvas: Canvas) -> Vec<StyledLine> {
        let mut lines = Vec::new();
        // Rows of several lines run into each other without a rule between them.
        let wraps = self
            .rows
            .iter()
            .skip(1)
            .flat_map(|row| row.iter().zip(widths))
            .any(|(cell, &width)| cell.width() > width);
        for (at, row) in self.rows.iter().enumerate() {
            if at == 1 || (wraps && at > 1) {
                lines.push(rule(widths));
            }
            lines.extend(self.row(row, widths, canvas));
        }
        lines
    }

    fn row(&self, row: &[StyledLine], widths: &[usize], canvas: Canvas) -> Vec<StyledLine> {
        let cells: Vec<Vec<StyledLine>> = widths
            .iter()
            .enumerate()
            .map(|(at, &width)| {
                row.get(at).map_or_else(Vec::new, |cell| wrap_cell(cell, Canvas { width, ..canvas }))
            })
            .collect();
        let height = cells.iter().map(Vec::len).max().unwrap_or(1);
        (0..height).map(|part| self.row_line(&cells, part, widths)).collect()
    }

    fn row_line(&self, cells: &[Vec<StyledLine>], part: usize, widths: &[usize]) -> StyledLine {
        let mut line = StyledLine::empty();
        for (at, (cell, &width)) in cells.iter().zip(widths).enumerate() {
            if at > 0 {
                line.push(BAR, Style::Dim);
            }
            let empty = StyledLine::empty();
            let text = cell.get(part).unwrap_or(&empty);
            let pad = width.saturating_sub(text.width());
            let before = match self.alignments.get(at) {
                Some(Alignment::Right) => pad,
                Some(Alignment::Center) => pad / 2,
                _ => 0,
            };
            line.push(" ".repeat(before), Style::Plain);
            line.append(text);
            if at + 1 < cells.len() {
                line.push(" ".repeat(pad - before), Style::Plain);
            }
        }
        line
    }

    fn records(&self, canvas: Canvas) -> Vec<StyledLine> {
        let mut lines = Vec::new();
        let titles = self.rows.first().map(Vec::as_slice).unwrap_or_default();
        for row in self.rows.iter().skip(1) {
            if !lines.is_empty() {
                lines.push(StyledLine::empty());
            }
            for (at, cell) in row.iter().enumerate() {
                let mut line = titles.get(at).cloned().unwrap_or_default().with(": ", Style::Dim);
                line.append(cell);
                let indent = Indent { first: StyledLine::empty(), rest: StyledLine::plain("  ") };
                lines.extend(wrap::words(&line, canvas, &indent));
            }
        }
        lines
    }
}

/// A cell is narrow, so a word of it is better broken than pushed out of its column.
fn wrap_cell(cell: &StyledLine, canvas: Canvas) -> Vec<StyledLine> {
    wrap::words(cell, canvas, &Indent::none())
}

fn rule(widths: &[usize]) -> StyledLine {
    let parts: Vec<String> = widths.iter().map(|&width| "─".repeat(width)).collect();
    StyledLine::new(parts.join("─┼─"), Style::Dim)
}

/// Widths that fit `room`; `None` if columns would be too narrow to read.
///
/// Each column gets the width of its widest word, and what is left is shared in proportion to what each
/// still lacks: a column of numbers stays narrow beside one of sentences. If whole words do not fit, the
/// widest columns give way.
fn fit(natural: &[usize], words: &[usize], room: usize) -> Option<Vec<usize>> {
    if natural.iter().sum::<usize>() <= room {
        return Some(natural.to_vec());
    }
    let least: Vec<usize> = natural
        .iter()
        .zip(words)
        .map(|(&width, &word)| width.min(word.clamp(LEAST_WIDTH, LONGEST_WORD)))
        .collect();
    let Some(spare) = room.checked_sub(least.iter().sum()) else { return level(natural, room) };
    let lacking: usize = natural.iter().sum::<usize>() - least.iter().sum::<usize>();
    let share = |(&width, &least): (&usize, &usize)| least + (width - least) * spare / lacking.max(1);
    Some(natural.iter().zip(&least).map(share).collect())
}

/// Widths that fit `room`, where all columns wider than some width get that width.
fn level(natural: &[usize], room: usize) -> Option<Vec<usize>> {
    let total = |cap: usize| natural.iter().map(|&width| width.min(cap)).sum::<usize>();
    let cap = (LEAST_WIDTH..=room).take_while(|&cap| total(cap) <= room).last()?;
    Some(natural.iter().map(|&width| width.min(cap)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_with_most_text_get_most_room() {
        for (natural, words, room, expected) in [
            (vec![3, 5], vec![3, 5], 20, Some(vec![3, 5])),
            (vec![3, 40], vec![3, 9], 20, Some(vec![3, 17])),
            (vec![17, 100], vec![8, 10], 60, Some(vec![11, 48])),
            (vec![30, 40, 4], vec![30, 40, 4], 30, Some(vec![13, 13, 4])),
            (vec![30, 40, 50], vec![9, 9, 9], 20, None),
        ] {
            assert_eq!(fit(&natural, &words, room), expected, "{natural:?} in {room}");
        }
    }
}
