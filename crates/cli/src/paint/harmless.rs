//! Makes untrusted text safe to show on a terminal.
//!
//! A transcript holds what tools printed and what web pages said. Such text may move the cursor, rename
//! the window, or reverse the order of letters so that a command reads as another. What could do so is
//! shown as visible characters, never obeyed and never silently lost, with one exception: colour
//! sequences (SGR) are dropped, because tool output is full of them and they say nothing.
//!
//! The result holds no byte below 0x20 other than the line break, no DEL, no C1 control, no bidirectional
//! override, and no invisible character but the two joiners that emoji and some scripts need.

use std::borrow::Cow;
use std::fmt::Write as _;

use unicode_width::UnicodeWidthChar;

/// Columns between tab stops.
const TAB: usize = 4;

/// Text of one line with every control character shown as its sign, so that what was typed can be pointed at.
pub fn visible(text: &str) -> String {
    let sign = |c: char| match u32::from(c) {
        code @ 0..=0x1F => char::from_u32(0x2400 + code).unwrap_or(c),
        0x7F => '\u{2421}',
        0x80..=0x9F => '\u{FFFD}',
        _ => c,
    };
    harmless(&text.chars().map(sign).collect::<String>()).into_owned()
}

/// `text` without anything that a terminal would obey; clean text is returned as it is.
pub fn harmless(text: &str) -> Cow<'_, str> {
    let Some(start) = text.char_indices().find(|&(_, c)| c != '\n' && is_harmful(c)).map(|(at, _)| at) else {
        return Cow::Borrowed(text);
    };
    let (clean, rest) = text.split_at(start);
    let mut out = Screen::new(clean, text.len() + 16);
    out.add(rest);
    Cow::Owned(out.text)
}

/// Whether a character may not reach the terminal as it is.
fn is_harmful(c: char) -> bool {
    if c.is_ascii() { c.is_ascii_control() } else { is_control(c) || is_invisible(c) }
}

/// C1 controls, line separators, and what changes the direction of text.
fn is_control(c: char) -> bool {
    matches!(c,
        '\u{80}'..='\u{9f}'
        | '\u{61c}'
        | '\u{200e}' | '\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2066}'..='\u{206f}')
}

/// Characters that take no room and can hide words in plain sight.
///
/// The joiners U+200C and U+200D and the sixteen variation selectors stay: emoji and several scripts are
/// wrong without them.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}'
        | '\u{180e}'
        | '\u{200b}'
        | '\u{2060}'..='\u{2065}'
        | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e0fff}')
}

/// The text that comes out, and the column at which it stands.
struct Screen {
    text: String,
    column: usize,
}

impl Screen {
    fn new(clean: &str, capacity: usize) -> Self {
        let mut text = String::with_capacity(capacity);
        text.push_str(clean);
        let line = clean.rsplit('\n').next().unwrap_or_default();
        Self { text, column: line.chars().map(columns).sum() }
    }

    fn add(&mut self, mut rest: &str) {
        while let Some(c) = rest.chars().next() {
            rest = &rest[c.len_utf8()..];
            match c {
                '\n' => self.line_break(),
                '\r' => {
                    // A lone return would overwrite the line; progress bars do so, and so can an attacker.
                    rest = rest.trim_start_matches('\r');
                    rest = rest.strip_prefix('\n').unwrap_or(rest);
                    self.line_break();
                }
                '\t' => self.tab(),
                '\x1b' => match colour_sequence(rest) {
                    Some(length) => rest = &rest[length..],
                    None => self.push('␛'),
                },
                c if is_harmful(c) => self.show(c),
                c => self.push(c),
            }
        }
    }

    fn push(&mut self, c: char) {
        self.text.push(c);
        self.column += columns(c);
    }

    fn line_break(&mut self) {
        self.text.push('\n');
        self.column = 0;
    }

    fn tab(&mut self) {
        for _ in 0..TAB - self.column % TAB {
            self.push(' ');
        }
    }

    /// Shows a harmful character: as its picture where Unicode has one, else by its number.
    fn show(&mut self, c: char) {
        match u32::from(c) {
            number @ 0..=0x1f => self.push(char::from_u32(0x2400 + number).unwrap_or('␀')),
            0x7f => self.push('␡'),
            number => {
                let before = self.text.len();
                // Writing to a string cannot fail.
                let _ = write!(self.text, "\\u{{{number:x}}}");
                self.column += self.text.len() - before;
            }
        }
    }
}

fn columns(c: char) -> usize {
    c.width().unwrap_or(0)
}

/// The length of the rest of a colour sequence after its ESC, if there is one: `[`, parameters, `m`.
fn colour_sequence(rest: &str) -> Option<usize> {
    let parameters = rest.strip_prefix('[')?;
    let end = parameters.find(|c: char| !matches!(c, '0'..='9' | ';' | ':'))?;
    parameters[end..].starts_with('m').then_some(end + 2)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn harmful_characters_become_visible() {
        for (text, expected) in [
            ("plain\nlines", "plain\nlines"),
            ("\x1b[1;31mred\x1b[0m", "red"),
            ("\x1b[38:5:196mred\x1b[m", "red"),
            ("\x1b[2Jgone", "␛[2Jgone"),
            ("\x1b]0;title\x07", "␛]0;title␇"),
            ("\x1b[", "␛["),
            ("\u{9b}31m", "\\u{9b}31m"),
            ("a\0b\x7f", "a␀b␡"),
            ("x\u{202e}y\u{2066}z", "x\\u{202e}y\\u{2066}z"),
            ("a\u{2028}b", "a\\u{2028}b"),
            ("pay\u{200b}pal\u{e0041}", "pay\\u{200b}pal\\u{e0041}"),
            ("👩\u{200d}👧 ❤\u{fe0f}", "👩\u{200d}👧 ❤\u{fe0f}"),
            ("a\r\nb\r\r\nc", "a\nb\nc"),
            ("10%\r20%", "10%\n20%"),
            ("\tx\ta\tabcd\te", "    x   a   abcd    e"),
            ("日\tx\n\ty", "日  x\n    y"),
            ("ab\x1b[1mc\td", "abc d"),
        ] {
            assert_eq!(harmless(text), expected, "{text:?}");
        }
    }

    #[test]
    fn clean_text_is_not_copied() {
        assert!(matches!(harmless("été 日本 🎉\nfn main() {}"), Cow::Borrowed(_)));
    }

    proptest! {
        #[test]
        fn nothing_harmful_is_left(text in any::<String>(), noise in "[\\x00-\\x9f\\u{2000}-\\u{2070}]{0,40}") {
            for text in [&text, &noise, &format!("{text}\x1b[{noise}"), &format!("{noise}\t{text}")] {
                let safe = harmless(text);
                prop_assert!(safe.chars().all(|c| c == '\n' || !is_harmful(c)));
                prop_assert!(safe.bytes().all(|byte| byte == b'\n' || byte >= 0x20));
                prop_assert!(matches!(harmless(&safe), Cow::Borrowed(_)));
            }
        }
    }
}
