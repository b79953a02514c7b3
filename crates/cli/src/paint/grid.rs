//! Rows and columns for lists such as `ls`, and small bars.
//!
//! A grid knows all its rows before it paints. Under a width limit, columns shrink in a given order, each
//! down to its least width; without a limit nothing is ever cut, so that a pipe gets whole values. Cells
//! never wrap: a row is one line.

use super::line::StyledLine;
use super::style::Style;

/// Between columns.
const GAP: usize = 2;

/// On which side of its column a cell stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Align {
    /// Text.
    #[default]
    Left,
    /// Numbers, so that their digits stand under each other.
    Right,
}

/// What a column looks like.
#[derive(Clone, Debug)]
pub struct Column {
    title: String,
    align: Align,
    min: usize,
    max: usize,
    shrink: Option<u8>,
    go: Option<u8>,
    keeps_end: bool,
}

impl Column {
    /// A column that is as wide as its widest cell.
    pub fn new(title: &str) -> Self {
        Self {
            title: title.to_owned(),
            align: Align::Left,
            min: 0,
            max: usize::MAX,
            shrink: None,
            go: None,
            keeps_end: false,
        }
    }

    /// Cells stand on the right.
    #[must_use]
    pub fn right(mut self) -> Self {
        self.align = Align::Right;
        self
    }

    /// Never wider than `max` columns where there is a width limit.
    #[must_use]
    pub fn max(mut self, max: usize) -> Self {
        self.max = max;
        self
    }

    /// May be cut down to `min` columns to make the grid fit; the lowest `order` gives way first.
    #[must_use]
    pub fn shrinks(mut self, order: u8, min: usize) -> Self {
        self.shrink = Some(order);
        self.min = min;
        self
    }
}

impl Column {
    /// Goes away as a whole if the grid does not fit, the lowest `order` first. Orders of shrinking are the same ones.
    #[must_use]
    pub fn goes(mut self, order: u8) -> Self {
        self.go = Some(order);
        self
    }

    /// Cells that are cut keep their end, as paths should, which begin alike.
    #[must_use]
    pub fn keeps_end(mut self) -> Self {
        self.keeps_end = true;
        self
    }

    /// The same under a condition.
    #[must_use]
    pub fn keeps_end_if(self, condition: bool) -> Self {
        if condition { self.keeps_end() } else { self }
    }
}

/// Rows under titles.
#[derive(Clone, Debug)]
pub struct Grid {
    columns: Vec<Column>,
    rows: Vec<Vec<StyledLine>>,
    header: bool,
}

impl Grid {
    /// An empty grid with a header row.
    pub fn new(columns: Vec<Column>) -> Self {
        Self { columns, rows: Vec::new(), header: true }
    }

    /// The grid without its header row.
    #[must_use]
    pub fn headless(mut self) -> Self {
        self.header = false;
        self
    }

    /// Adds a row; missing cells are empty, cells beyond the columns are not shown.
    pub fn row(&mut self, cells: Vec<StyledLine>) {
        self.rows.push(cells);
    }

    /// Whether no row was added.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The lines of the grid in at most `width` columns; `None` sets no limit.
    pub fn lines(&self, width: Option<usize>) -> Vec<StyledLine> {
        let widths = self.widths(width);
        let titles: Vec<StyledLine> =
            self.columns.iter().map(|column| StyledLine::new(column.title.as_str(), Style::Dim)).collect();
        let header = self.header.then_some(&titles);
        header
            .into_iter()
            .chain(&self.rows)
            .map(|cells| {
                let line = self.line(cells, &widths);
                width.map_or_else(|| line.clone(), |width| line.cut(width))
            })
            .collect()
    }

    /// The width of each column; none for those that have gone.
    fn widths(&self, limit: Option<usize>) -> Vec<Option<usize>> {
        let mut widths: Vec<usize> = (0..self.columns.len()).map(|at| self.widest(at)).collect();
        let mut gone = vec![false; widths.len()];
        if let Some(limit) = limit {
            self.shrink(&mut widths, &mut gone, limit);
        }
        widths.into_iter().zip(gone).map(|(width, gone)| (!gone).then_some(width)).collect()
    }

    fn shrink(&self, widths: &mut [usize], gone: &mut [bool], limit: usize) {
        for (width, column) in widths.iter_mut().zip(&self.columns) {
            *width = (*width).min(column.max);
        }
        let gaps = GAP * widths.len().saturating_sub(1);
        let mut excess = (widths.iter().sum::<usize>() + gaps).saturating_sub(limit);
        let columns = || self.columns.iter().enumerate();
        let shrinks = columns().filter_map(|(at, column)| Some((column.shrink?, at, false)));
        let goes = columns().filter_map(|(at, column)| Some((column.go?, at, true)));
        let mut order: Vec<(u8, usize, bool)> = shrinks.chain(goes).collect();
        order.sort_by_key(|(order, ..)| *order);
        for (_, at, goes) in order {
            let give = if goes && excess > 0 {
                gone[at] = true;
                widths[at] + GAP
            } else if gone[at] || goes {
                0
            } else {
                excess.min(widths[at].saturating_sub(self.columns[at].min))
            };
            widths[at] -= give.min(widths[at]);
            excess = excess.saturating_sub(give);
        }
        // What went may leave room that others gave up before it was known.
        let mut spare = (limit + GAP * gone.iter().filter(|gone| **gone).count())
            .saturating_sub(widths.iter().sum::<usize>() + gaps);
        for (at, column) in columns().filter(|(at, column)| column.shrink.is_some() && !gone[*at]) {
            let wanted = self.widest(at).min(column.max).saturating_sub(widths[at]);
            let give = wanted.min(spare);
            widths[at] += give;
            spare -= give;
        }
    }

    fn widest(&self, at: usize) -> usize {
        let cells = self.rows.iter().filter_map(|row| row.get(at)).map(StyledLine::width).max().unwrap_or(0);
        let title = if self.header { super::width::columns(&self.columns[at].title) } else { 0 };
        cells.max(title)
    }

    fn line(&self, cells: &[StyledLine], widths: &[Option<usize>]) -> StyledLine {
        let mut line = StyledLine::empty();
        let mut owed = 0;
        for ((cell, column), width) in cells.iter().zip(&self.columns).zip(widths) {
            let Some(width) = *width else { continue };
            let cell = if column.keeps_end { cell.cut_start(width) } else { cell.cut(width) };
            let pad = width - cell.width();
            let (before, after) = if column.align == Align::Right { (pad, 0) } else { (0, pad) };
            // Spaces are only written before text, so that no line ends in any.
            if !cell.is_empty() {
                line.push(" ".repeat(owed + before), Style::Plain);
                line.append(&cell);
                owed = 0;
            } else {
                owed += before;
            }
            owed += after + GAP;
        }
        line
    }
}

/// A bar of `fraction` of `width` columns, in steps of an eighth of a column, padded with spaces.
pub fn bar(fraction: f64, width: usize) -> String {
    const PARTS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let fraction = if fraction.is_finite() { fraction.clamp(0.0, 1.0) } else { 0.0 };
    let mut eighths = (fraction * (width * 8) as f64).round() as usize;
    if eighths == 0 && fraction > 0.0 && width > 0 {
        // Something is never shown as nothing.
        eighths = 1;
    }
    let part = PARTS[eighths % 8];
    let used = eighths / 8 + usize::from(!part.is_empty());
    format!("{}{part}{}", "█".repeat(eighths / 8), " ".repeat(width.saturating_sub(used)))
}

/// Amounts as a line of columns, the largest a whole one. Nothing is a gap, something is never shown as nothing.
pub fn spark(amounts: &[f64]) -> String {
    const COLUMNS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let largest = amounts.iter().copied().fold(0.0, f64::max);
    let column = |amount: &f64| match amount / largest {
        share if share > 0.0 => COLUMNS[((share * 8.0).ceil() as usize).clamp(1, 8) - 1],
        _ => ' ',
    };
    amounts.iter().map(column).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sessions() -> Grid {
        let columns = vec![
            Column::new("id"),
            Column::new("title").shrinks(1, 6),
            Column::new("turns").right(),
            Column::new("project").shrinks(2, 4),
        ];
        let mut grid = Grid::new(columns);
        for row in [["a1b2", "Fix the build", "12", "~/code/app"], ["c3", "日本語のタイトル", "1,204", ""]]
        {
            grid.row(row.iter().map(|cell| StyledLine::plain(*cell)).collect());
        }
        grid
    }

    fn check(width: Option<usize>, expected: &[&str]) {
        let lines: Vec<String> = sessions().lines(width).iter().map(StyledLine::text).collect();
        assert_eq!(lines, expected, "at {width:?}");
    }

    #[test]
    fn without_a_limit_nothing_is_cut() {
        check(
            None,
            &[
                "id    title             turns  project",
                "a1b2  Fix the build        12  ~/code/app",
                "c3    日本語のタイトル  1,204",
            ],
        );
    }

    #[test]
    fn columns_give_way_in_order() {
        check(
            Some(35),
            &[
                "id    title       turns  project",
                "a1b2  Fix the b…     12  ~/code/app",
                "c3    日本語の…   1,204",
            ],
        );
        check(
            Some(27),
            &["id    title   turns  proje…", "a1b2  Fix t…     12  ~/cod…", "c3    日本…   1,204"],
        );
    }

    #[test]
    fn a_grid_that_cannot_shrink_enough_is_cut_at_the_edge() {
        check(Some(12), &["id    title…", "a1b2  Fix t…", "c3    日本…"]);
    }

    #[test]
    fn columns_go_as_a_whole_and_paths_keep_their_end() {
        let columns = vec![
            Column::new("file").shrinks(2, 6).keeps_end(),
            Column::new("cost").right(),
            Column::new("bar").goes(0),
            Column::new("note").goes(1),
        ];
        let mut grid = Grid::new(columns);
        grid.row(["/home/a/b.rs", "$1", "███", "dear"].map(StyledLine::plain).to_vec());
        for (width, expected) in [
            (40, "/home/a/b.rs    $1  ███  dear"),
            (26, "/home/a/b.rs    $1  dear"),
            (20, "/home/a/b.rs    $1"),
            (15, "…e/a/b.rs    $1"),
        ] {
            let lines = grid.lines(Some(width));
            assert_eq!(lines[1].text(), expected, "{width}");
        }
    }

    #[test]
    fn sparks_are_measured_by_the_largest() {
        for (amounts, expected) in [
            (&[][..], ""),
            (&[0.0, 0.0], "  "),
            (&[1.0, 0.0, 8.0, 4.0, 0.001], "▁ █▄▁"),
            (&[f64::NAN, 5.0], " █"),
        ] {
            assert_eq!(spark(amounts), expected);
        }
    }

    #[test]
    fn bars_have_eighths() {
        for (fraction, expected) in [
            (0.0, "    "),
            (0.001, "▏   "),
            (0.5, "██  "),
            (0.65, "██▋ "),
            (1.0, "████"),
            (7.0, "████"),
            (f64::NAN, "    "),
        ] {
            assert_eq!(bar(fraction, 4), expected, "{fraction}");
        }
    }
}
