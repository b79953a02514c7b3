//! Breaks lines that are wider than the canvas.
//!
//! Sentences break between words, code breaks at the edge so that its spaces stay as they are. Roles survive
//! a break. Every result starts with a prefix, one for the first line and one for those that follow, which
//! makes hanging indents. Nothing is ever left out: what does not fit goes to the next line.

use super::harmless::harmless;
use super::line::StyledLine;
use super::style::Style;
use super::{Canvas, width};

/// Room that text gets at the least, even if the prefix fills the canvas: a column of single letters helps
/// no one, a line that is too wide can still be read.
const LEAST_ROOM: usize = 8;

/// What stands before the lines of a block: once before the first, then before each other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Indent {
    /// Before the first line.
    pub first: StyledLine,
    /// Before each other line.
    pub rest: StyledLine,
}

impl Indent {
    /// No indent.
    pub fn none() -> Self {
        Self::default()
    }

    /// A marker before the first line, and as many spaces before the others.
    pub fn hanging(first: StyledLine) -> Self {
        let rest = StyledLine::plain(" ".repeat(first.width()));
        Self { first, rest }
    }

    /// The same prefix before every line.
    pub fn every(prefix: StyledLine) -> Self {
        Self { first: prefix.clone(), rest: prefix }
    }
}

/// Breaks a sentence between words; words that are wider than a line break at the edge.
pub fn words(line: &StyledLine, canvas: Canvas, indent: &Indent) -> Vec<StyledLine> {
    let mut page = Page::new(canvas, indent);
    let mut word = Word::default();
    for span in line.spans() {
        for (cluster, columns) in width::clusters(span.text()) {
            if cluster == " " {
                page.add_word(&mut word);
                page.add_space(span.style());
                continue;
            }
            // Chinese and Japanese have no spaces: a line may end beside any wide character.
            let wide = columns == 2;
            if (wide && !clings(cluster)) || word.ends_wide && !clings(cluster) {
                page.add_word(&mut word);
            }
            word.add(cluster, columns, span.style());
            word.ends_wide = wide;
        }
    }
    page.add_word(&mut word);
    page.finish()
}

/// Breaks code at the edge of the canvas.
pub fn code(line: &StyledLine, canvas: Canvas, indent: &Indent) -> Vec<StyledLine> {
    let mut page = Page::new(canvas, indent);
    for span in line.spans() {
        page.add_at_edge(span.text(), span.style());
    }
    page.finish()
}

/// Text whose line breaks and indents matter, such as what a person typed: each of its lines breaks
/// between words, and what follows a break stands under the line's own indent.
pub fn text(text: &str, style: Style, canvas: Canvas) -> Vec<StyledLine> {
    let safe = harmless(text);
    let mut lines = Vec::new();
    for line in safe.trim_end().lines() {
        let body = line.trim_start_matches(' ');
        let depth = (line.len() - body.len()).min(canvas.width / 2);
        let indent = Indent::every(StyledLine::plain(" ".repeat(depth)));
        lines.extend(words(&StyledLine::new(body.trim_end(), style), canvas, &indent));
    }
    lines
}

/// Marks that may not begin a line.
fn clings(cluster: &str) -> bool {
    matches!(
        cluster.chars().next(),
        Some('、' | '。' | '，' | '．' | '：' | '；' | '？' | '！' | '）' | '」' | '』' | '】' | '》')
    ) || cluster.starts_with([',', '.', ':', ';', '?', '!', ')'])
}

/// Clusters that stay together, perhaps of several roles.
#[derive(Default)]
struct Word {
    line: StyledLine,
    columns: usize,
    ends_wide: bool,
}

impl Word {
    fn add(&mut self, cluster: &str, columns: usize, style: Style) {
        self.line.push_part(cluster, style);
        self.columns += columns;
    }
}

/// The lines so far and the one that is being filled.
struct Page<'a> {
    indent: &'a Indent,
    width: usize,
    done: Vec<StyledLine>,
    line: StyledLine,
    used: usize,
    room: usize,
    /// Spaces that count only if a word follows on the same line.
    spaces: StyledLine,
    pending: usize,
}

impl<'a> Page<'a> {
    fn new(canvas: Canvas, indent: &'a Indent) -> Self {
        let room = canvas.width.saturating_sub(indent.first.width()).max(LEAST_ROOM);
        Self {
            indent,
            width: canvas.width,
            done: Vec::new(),
            line: indent.first.clone(),
            used: 0,
            room,
            spaces: StyledLine::empty(),
            pending: 0,
        }
    }

    fn break_line(&mut self) {
        self.done.push(std::mem::replace(&mut self.line, self.indent.rest.clone()));
        self.room = self.width.saturating_sub(self.indent.rest.width()).max(LEAST_ROOM);
        self.used = 0;
        self.spaces = StyledLine::empty();
        self.pending = 0;
    }

    fn add_space(&mut self, style: Style) {
        // Spaces at a break vanish; those before the first word are an indent and stay.
        if self.used > 0 || self.done.is_empty() {
            self.spaces.push_part(" ", style);
            self.pending += 1;
        }
    }

    fn add_word(&mut self, word: &mut Word) {
        let word = std::mem::take(word);
        if word.columns == 0 && word.line.is_empty() {
            return;
        }
        if self.used > 0 && self.used + self.pending + word.columns > self.room {
            self.break_line();
        }
        let spaces = std::mem::take(&mut self.spaces);
        for part in [&spaces, &word.line] {
            for span in part.spans() {
                self.add_at_edge(span.text(), span.style());
            }
        }
        self.pending = 0;
    }

    fn add_at_edge(&mut self, mut text: &str, style: Style) {
        while !text.is_empty() {
            let (mut fits, mut after) = width::split(text, self.room - self.used.min(self.room));
            if fits.is_empty() && self.used == 0 {
                // A cluster wider than a line, joined from many characters, must not be tried for ever.
                let first = width::clusters(text).next().map_or(text.len(), |(cluster, _)| cluster.len());
                (fits, after) = text.split_at(first);
            }
            self.line.push_part(fits, style);
            self.used += width::columns(fits);
            text = after;
            if !text.is_empty() {
                self.break_line();
            }
        }
    }

    fn finish(mut self) -> Vec<StyledLine> {
        self.done.push(self.line);
        self.done
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::paint::Theme;

    fn texts(lines: &[StyledLine]) -> Vec<String> {
        lines.iter().map(StyledLine::text).collect()
    }

    fn check(text: &str, width: usize, first: &str, expected: &[&str]) {
        let canvas = Canvas::new(width, Theme::plain());
        let lines = words(&StyledLine::plain(text), canvas, &Indent::hanging(StyledLine::plain(first)));
        assert_eq!(texts(&lines), expected, "{text:?} at {width}");
    }

    #[test]
    fn sentences_break_between_words() {
        check("", 10, "", &[""]);
        check("one two three", 9, "", &["one two", "three"]);
        check("one  two", 20, "", &["one  two"]);
        check("one two three", 10, "- ", &["- one two", "  three"]);
        check("  indented words here", 12, "", &["  indented", "words here"]);
        check("a abcdefghijklm", 10, "", &["a", "abcdefghij", "klm"]);
        check("日本語の文章。です", 8, "", &["日本語の", "文章。で", "す"]);
        check("🎉🎉🎉🎉🎉", 8, "", &["🎉🎉🎉🎉", "🎉"]);
        check("ends here   ", 20, "", &["ends here"]);
    }

    #[test]
    fn code_keeps_its_spaces() {
        let canvas = Canvas::new(10, Theme::plain());
        let lines = code(&StyledLine::plain("    let x = 1; // y"), canvas, &Indent::none());
        assert_eq!(texts(&lines), ["    let x ", "= 1; // y"]);
    }

    #[test]
    fn typed_text_keeps_its_lines_and_indents() {
        let canvas = Canvas::new(12, Theme::plain());
        let lines = text("hello\n\n  one two three\n\n", Style::User, canvas);
        assert_eq!(texts(&lines), ["hello", "", "  one two", "  three"]);
    }

    #[test]
    fn roles_survive_a_break() {
        let line = StyledLine::plain("see ").with("bold words", Style::Strong).with(", ok", Style::Plain);
        let lines = words(&line, Canvas::new(9, Theme::plain()), &Indent::none());
        assert_eq!(lines[0], StyledLine::plain("see ").with("bold", Style::Strong));
        assert_eq!(lines[1], StyledLine::new("words", Style::Strong).with(", ok", Style::Plain));
    }

    proptest! {
        #[test]
        fn lines_fit_and_no_letter_is_lost(text in "[a-z日🎉,。 ]{0,80}", width in 8usize..40) {
            let canvas = Canvas::new(width, Theme::plain());
            let lines = words(&StyledLine::plain(text.as_str()), canvas, &Indent::none());
            prop_assert!(lines.iter().all(|line| line.width() <= width), "{lines:?}");
            let kept: String = lines.iter().map(StyledLine::text).collect();
            prop_assert_eq!(kept.replace(' ', ""), text.replace(' ', ""));
        }
    }
}
