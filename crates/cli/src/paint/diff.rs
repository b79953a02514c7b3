//! What changed in a text, as lines with numbers and signs.
//!
//! Two sources, one look: a pair of texts is compared, or the client already wrote hunks down. Each
//! line shows its number (in the new text, or in the old one if it was removed), its sign, and its text, so
//! that the change can be read without colour. Files are never opened.

pub use scrollback_app::item::PatchHunk as Hunk;
use similar::{ChangeTag, TextDiff};

use super::fold::more_lines;
use super::harmless::harmless;
use super::line::StyledLine;
use super::style::Style;
use super::wrap::{self, Indent};
use super::{Canvas, width};

/// Longer lines are not compared word by word.
const LONGEST_COMPARED: usize = 500;
/// How many steps the words of one diff may take. What is left then has no words marked.
const WORD_WORK: usize = 1 << 24;
/// Lines that share less than this have no words marked: all of it is different.
const LEAST_SHARED: f32 = 0.5;

/// The lines that show `hunks`; at most `max` lines of text, and then how many there are more.
pub fn hunks(hunks: &[Hunk], canvas: Canvas, max: usize) -> Vec<StyledLine> {
    let last = hunks.iter().map(|hunk| hunk.old_start.max(hunk.new_start) + hunk.lines.len() as u64).max();
    let gutter = last.unwrap_or(0).to_string().len();
    let total: usize = hunks.iter().map(|hunk| hunk.lines.len()).sum();
    // As in `clip_lines`: a note about one line would take that line's place.
    let mut left = if total > max.saturating_add(1) { max } else { total };
    let hidden = total - left;
    let mut out = Vec::new();
    let mut work = WORD_WORK;
    for (at, hunk) in hunks.iter().enumerate() {
        if left == 0 {
            break;
        }
        if at > 0 {
            out.push(StyledLine::new(format!("{:>gutter$}", "⋮"), Style::Hunk));
        }
        let shown = left.min(hunk.lines.len());
        paint_hunk(hunk, shown, gutter, canvas, &mut work, &mut out);
        left -= shown;
    }
    if hidden > 0 {
        out.push(more_lines(hidden));
    }
    out
}

fn paint_hunk(
    hunk: &Hunk,
    shown: usize,
    gutter: usize,
    canvas: Canvas,
    work: &mut usize,
    out: &mut Vec<StyledLine>,
) {
    let (mut old, mut new) = (hunk.old_start, hunk.new_start);
    let rows: Vec<Row> = hunk.lines.iter().take(shown).map(|line| Row::of(line)).collect();
    let partners = if canvas.theme.is_plain() { vec![None; rows.len()] } else { partners(&rows, work) };
    for (row, partner) in rows.iter().zip(partners) {
        let number = match row.sign {
            Sign::Removed => old.to_string(),
            Sign::Note => String::new(),
            Sign::Same | Sign::Added => new.to_string(),
        };
        old += u64::from(matches!(row.sign, Sign::Same | Sign::Removed));
        new += u64::from(matches!(row.sign, Sign::Same | Sign::Added));
        let (mark, style, word) = row.sign.look();
        let first = StyledLine::new(format!("{number:>gutter$} "), Style::Dim).with(mark, style);
        let line = match partner {
            Some(partner) => marked(&row.text, &rows[partner].text, style, word),
            None => StyledLine::new(row.text.as_str(), style),
        };
        out.extend(wrap::code(&line, canvas, &Indent::hanging(first)));
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Same,
    Removed,
    Added,
    /// `\ No newline at end of file`: about the diff, not of the text.
    Note,
}

impl Sign {
    /// The mark, the role of the line, and that of the words that differ.
    fn look(self) -> (&'static str, Style, Style) {
        match self {
            Self::Same => ("  ", Style::CodeBlock, Style::CodeBlock),
            Self::Removed => ("- ", Style::Removed, Style::RemovedWord),
            Self::Added => ("+ ", Style::Added, Style::AddedWord),
            Self::Note => ("  ", Style::Dim, Style::Dim),
        }
    }
}

struct Row {
    sign: Sign,
    text: String,
}

impl Row {
    fn of(line: &str) -> Self {
        let mut chars = line.chars();
        let sign = match chars.next() {
            Some('-') => Sign::Removed,
            Some('+') => Sign::Added,
            Some('\\') => Sign::Note,
            _ => Sign::Same,
        };
        // Only here: a tab after the sign would otherwise stop one column early.
        Self { sign, text: harmless(chars.as_str()).replace('\n', "␍") }
    }
}

/// For each row the one it replaced or was replaced by: where as many lines were removed as were then added, as far as the
/// work goes to compare their words.
fn partners(rows: &[Row], work: &mut usize) -> Vec<Option<usize>> {
    let mut partners = vec![None; rows.len()];
    let run = |from: usize, sign: Sign| rows[from..].iter().take_while(|row| row.sign == sign).count();
    let mut at = 0;
    while at < rows.len() {
        let removed = run(at, Sign::Removed);
        let added = run(at + removed, Sign::Added);
        if removed == added {
            for before in at..at + removed {
                let Some(left) =
                    work.checked_sub(word_cost(&rows[before].text, &rows[before + removed].text))
                else {
                    continue;
                };
                *work = left;
                partners[before] = Some(before + removed);
                partners[before + removed] = Some(before);
            }
        }
        at += (removed + added).max(1);
    }
    partners
}

/// The maximum number of steps that finds the words in which two lines differ, for both of them.
fn word_cost(old: &str, new: &str) -> usize {
    if old.len().max(new.len()) > LONGEST_COMPARED {
        return usize::MAX;
    }
    2 * (pieces(old).len() + pieces(new).len()).pow(2)
}

/// `text` with the words marked that `other` does not have.
fn marked(text: &str, other: &str, style: Style, word: Style) -> StyledLine {
    let (text_pieces, other_pieces) = (pieces(text), pieces(other));
    let diff = TextDiff::from_slices(&other_pieces, &text_pieces);
    if diff.ratio() < LEAST_SHARED {
        return StyledLine::new(text, style);
    }
    let mut line = StyledLine::empty();
    for change in diff.iter_all_changes() {
        match change.tag() {
            ChangeTag::Equal => line.push_part(change.value(), style),
            ChangeTag::Insert => line.push_part(change.value(), word),
            ChangeTag::Delete => {}
        }
    }
    line
}

/// Words and the single characters between them: code has few spaces to part words by.
fn pieces(text: &str) -> Vec<&str> {
    let is_word = |cluster: &str| cluster.chars().all(|c| c.is_alphanumeric() || c == '_');
    let mut pieces = Vec::new();
    let (mut start, mut end, mut in_word) = (0, 0, false);
    for (cluster, _) in width::clusters(text) {
        let joins = in_word && is_word(cluster);
        if !joins && end > start {
            pieces.push(&text[start..end]);
            start = end;
        }
        end += cluster.len();
        in_word = is_word(cluster);
    }
    if end > start {
        pieces.push(&text[start..end]);
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paint::Theme;
    use scrollback_app::diff::{compare, tally, unified};

    fn diff(old: &str, new: &str, canvas: Canvas, max: usize) -> Vec<StyledLine> {
        hunks(&compare(old, new), canvas, max)
    }

    fn check(old: &str, new: &str, max: usize, expected: &[&str]) {
        let lines = diff(old, new, Canvas::new(20, Theme::plain()), max);
        let texts: Vec<String> = lines.iter().map(|line| line.text().trim_end().to_owned()).collect();
        assert_eq!(texts, expected, "{old:?} {new:?}");
    }

    #[test]
    fn changes_show_numbers_signs_and_context() {
        check("same\n", "same\n", 9, &[]);
        check("a\nb\nc\n", "a\nB\nc\n", 9, &["1   a", "2 - b", "2 + B", "3   c"]);
        check("", "new\n", 9, &["1 + new"]);
        check("a", "a\n", 9, &[]);
        check("a\r\n", "a\n", 9, &["1 - a", "1 + a"]);
        check("x\n", "a line that is too wide\n", 9, &["1 - x", "1 + a line that is t", "    oo wide"]);
        check("a\n", "a\n\tb\x1b[2J\n", 9, &["1   a", "2 +     b␛[2J"]);
    }

    #[test]
    fn hunks_are_parted_and_numbers_aligned() {
        let old: String = (1..=20).map(|n| format!("{n}\n")).collect();
        let new = old.replace("2\n3\n", "2\nx\n").replace("19\n", "");
        let texts: Vec<String> =
            diff(&old, &new, Canvas::new(20, Theme::plain()), 99).iter().map(StyledLine::text).collect();
        assert_eq!(texts[2..5], [" 3 - 3", " 3 + x", " 4   4"]);
        assert_eq!(texts[7], " ⋮");
        assert_eq!(texts[11], "19 - 19");
    }

    #[test]
    fn long_diffs_are_clipped_with_a_note() {
        check("", "a\nb\nc\nd\n", 2, &["1 + a", "2 + b", "… 2 more lines"]);
        check("", "a\nb\nc\n", 2, &["1 + a", "2 + b", "3 + c"]);
    }

    #[test]
    fn given_hunks_are_shown_with_their_notes() {
        let lines = ["-old", "+new", "\\ No newline at end of file"].map(str::to_owned).to_vec();
        let given = [Hunk { old_start: 7, new_start: 7, lines }];
        assert_eq!(tally(&given), (1, 1));
        let texts: Vec<String> =
            hunks(&given, Canvas::new(80, Theme::plain()), 9).iter().map(StyledLine::text).collect();
        assert_eq!(texts, [" 7 - old", " 7 + new", "      No newline at end of file"]);
    }

    #[test]
    fn words_of_very_many_lines_are_not_marked() {
        let text = |word: &str| -> String {
            (0..2_000).map(|at| format!("{}{word} {at}\n", "same ; ".repeat(30))).collect()
        };
        let lines = diff(&text("a"), &text("b"), Canvas::new(400, Theme::colour()), usize::MAX);
        let marked = |style: Style, word: &str| {
            let has = |line: &&StyledLine| {
                line.spans().iter().any(|span| span.style() == style && span.text() == word)
            };
            lines.iter().filter(has).count()
        };
        assert_eq!(lines.len(), 4_000);
        let (removed, added) = (marked(Style::RemovedWord, "a"), marked(Style::AddedWord, "b"));
        assert_eq!(removed, added);
        assert!((100..1_900).contains(&added), "{added}");
    }

    #[test]
    fn patches_are_written_as_others_read_them() {
        let (old, new) = ("a\nb\nc", "a\nB\nc\nd");
        let theirs = TextDiff::from_lines(old, new).unified_diff().header("x", "y").to_string();
        assert_eq!(unified(old, new, ("x", "y")), theirs);
        assert_eq!(unified("", "n\n", ("/dev/null", "y")), "--- /dev/null\n+++ y\n@@ -0,0 +1 @@\n+n\n");
        assert_eq!(unified("a\r\n", "a\n", ("x", "x")), "--- x\n+++ x\n@@ -1 +1 @@\n-a\r\n+a\n");
        assert_eq!(unified("a\n", "a\n", ("x", "x")), "");
    }

    #[test]
    fn differing_words_are_marked_in_colour() {
        let lines = diff("let x = 1;\n", "let x = 22;\n", Canvas::new(40, Theme::colour()), 9);
        let marked = |at: usize, style: Style| {
            lines[at]
                .spans()
                .iter()
                .filter(|span| span.style() == style)
                .map(|span| span.text().to_owned())
                .collect()
        };
        let (removed, added): (Vec<String>, Vec<String>) =
            (marked(0, Style::RemovedWord), marked(1, Style::AddedWord));
        assert_eq!((removed, added), (vec!["1".to_owned()], vec!["22".to_owned()]));
    }
}
