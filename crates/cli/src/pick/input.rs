//! The line that is typed: its text and where the cursor is. Control characters never get in.

use crate::paint::harmless::harmless;
use crate::paint::width;

/// A line of text with a cursor in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TextInput {
    text: String,
    /// In bytes, between two clusters.
    cursor: usize,
}

impl TextInput {
    /// A line with the cursor at its end.
    pub fn new(text: &str) -> Self {
        let mut input = Self::default();
        input.insert(text);
        input
    }

    /// What was typed.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Puts text where the cursor is. A line break or tab of a paste becomes a space.
    pub fn insert(&mut self, text: &str) {
        let visible =
            text.chars().map(|c| if c.is_whitespace() { ' ' } else { c }).filter(|c| !c.is_control());
        let visible: String = visible.collect();
        let safe = harmless(&visible);
        self.text.insert_str(self.cursor, &safe);
        self.cursor += safe.len();
    }

    /// Takes away what is before the cursor.
    pub fn backspace(&mut self) {
        let before = self.before();
        self.text.replace_range(before..self.cursor, "");
        self.cursor = before;
    }

    /// Takes away what is at the cursor.
    pub fn delete(&mut self) {
        let after = self.after();
        self.text.replace_range(self.cursor..after, "");
    }

    /// Takes away the word before the cursor.
    pub fn delete_word(&mut self) {
        let start = self.text[..self.cursor].trim_end();
        let from = start.rfind(char::is_whitespace).map_or(0, |at| at + 1);
        self.text.replace_range(from..self.cursor, "");
        self.cursor = from;
    }

    /// One to the left.
    pub fn left(&mut self) {
        self.cursor = self.before();
    }

    /// One to the right.
    pub fn right(&mut self) {
        self.cursor = self.after();
    }

    /// To the start.
    pub fn home(&mut self) {
        self.cursor = 0;
    }

    /// To the end.
    pub fn end(&mut self) {
        self.cursor = self.text.len();
    }

    fn before(&self) -> usize {
        let last = width::clusters(&self.text[..self.cursor]).last();
        self.cursor - last.map_or(0, |(cluster, _)| cluster.len())
    }

    fn after(&self) -> usize {
        let next = width::clusters(&self.text[self.cursor..]).next();
        self.cursor + next.map_or(0, |(cluster, _)| cluster.len())
    }

    /// The part around the cursor that fits the width, and the cursor's column in it.
    pub fn window(&self, columns: usize) -> (&str, usize) {
        let room = columns.saturating_sub(1);
        let mut start = self.cursor;
        let mut used = 0;
        let clusters: Vec<(&str, usize)> = width::clusters(&self.text[..self.cursor]).collect();
        for (cluster, wide) in clusters.into_iter().rev() {
            if used + wide > room {
                break;
            }
            used += wide;
            start -= cluster.len();
        }
        let (shown, _) = width::split(&self.text[start..], columns);
        (shown, used)
    }
}

#[cfg(test)]
mod tests {
    use super::TextInput;

    #[test]
    fn whole_clusters_are_put_in_and_taken_away() {
        let mut input = TextInput::new("日e\u{301}x");
        input.left();
        input.backspace();
        assert_eq!(input.text(), "日x");
        input.insert("y\n\u{1b}[2J");
        assert_eq!(input.text(), "日y [2Jx");
        input.delete_word();
        assert_eq!(input.text(), "日y x");
        input.home();
        input.delete();
        input.delete();
        assert_eq!(input.text(), " x");
        input.end();
        input.delete();
        input.left();
        input.left();
        input.left();
        input.backspace();
        assert_eq!(input.text(), " x");
    }

    #[test]
    fn the_window_holds_the_cursor() {
        let mut input = TextInput::new("one 日本 two");
        assert_eq!(input.window(40), ("one 日本 two", 12));
        assert_eq!(input.window(6), (" two", 4));
        assert_eq!(input.window(1), ("", 0));
        assert_eq!(input.window(0), ("", 0));
        input.home();
        assert_eq!(input.window(5), ("one ", 0));
    }
}
