//! From our lines to the terminal library's: roles become colours and attributes.

use anstyle::{AnsiColor, Effects};
use ratatui::style::{Color, Modifier, Style as Ink};
use ratatui::text::{Line as InkLine, Span as InkSpan};

use crate::paint::{Style, StyledLine, Theme, width};

/// A line in this theme. Its spans hold no control characters, since ours cannot.
pub fn line(line: &StyledLine, theme: Theme) -> InkLine<'static> {
    let spans =
        line.spans().iter().map(|span| InkSpan::styled(span.text().to_owned(), ink(span.style(), theme)));
    InkLine::from(spans.collect::<Vec<_>>())
}

/// How a role looks. What was found is marked without colours too.
pub fn ink(style: Style, theme: Theme) -> Ink {
    let codes = theme.codes(style);
    let mut ink = Ink::new();
    if let Some(anstyle::Color::Ansi(colour)) = codes.get_fg_color() {
        ink = ink.fg(colour_of(colour));
    }
    if let Some(anstyle::Color::Ansi(colour)) = codes.get_bg_color() {
        ink = ink.bg(colour_of(colour));
    }
    let effects = codes.get_effects();
    for (effect, modifier) in [
        (Effects::BOLD, Modifier::BOLD),
        (Effects::DIMMED, Modifier::DIM),
        (Effects::ITALIC, Modifier::ITALIC),
        (Effects::UNDERLINE, Modifier::UNDERLINED),
        (Effects::STRIKETHROUGH, Modifier::CROSSED_OUT),
    ] {
        if effects.contains(effect) {
            ink = ink.add_modifier(modifier);
        }
    }
    match style {
        Style::Match if theme.is_plain() => ink.add_modifier(Modifier::BOLD | Modifier::UNDERLINED),
        Style::Match => ink.add_modifier(Modifier::UNDERLINED),
        _ => ink,
    }
}

fn colour_of(colour: AnsiColor) -> Color {
    match colour {
        AnsiColor::Black => Color::Black,
        AnsiColor::Red => Color::Red,
        AnsiColor::Green => Color::Green,
        AnsiColor::Yellow => Color::Yellow,
        AnsiColor::Blue => Color::Blue,
        AnsiColor::Magenta => Color::Magenta,
        AnsiColor::Cyan => Color::Cyan,
        AnsiColor::White => Color::Gray,
        AnsiColor::BrightBlack => Color::DarkGray,
        AnsiColor::BrightRed => Color::LightRed,
        AnsiColor::BrightGreen => Color::LightGreen,
        AnsiColor::BrightYellow => Color::LightYellow,
        AnsiColor::BrightBlue => Color::LightBlue,
        AnsiColor::BrightMagenta => Color::LightMagenta,
        AnsiColor::BrightCyan => Color::LightCyan,
        AnsiColor::BrightWhite => Color::White,
    }
}

/// Text with some of its letters marked, which are named by the offsets of their bytes.
pub fn marked(text: &str, marks: &[usize], style: Style) -> StyledLine {
    let mut line = StyledLine::empty();
    let mut at = 0;
    for (cluster, _) in width::clusters(text) {
        let end = at + cluster.len();
        let is_marked = marks.iter().any(|mark| (at..end).contains(mark));
        line.push(cluster, if is_marked { Style::Match } else { style });
        at = end;
    }
    line
}

/// A line with every occurrence of these words marked, in whatever case.
pub fn with_words(line: &StyledLine, words: &[String]) -> StyledLine {
    let text = line.text();
    let marks: Vec<usize> = words.iter().flat_map(|word| occurrences(&text, word)).collect();
    if marks.is_empty() {
        return line.clone();
    }
    let mut out = StyledLine::empty();
    let mut from = 0;
    for span in line.spans() {
        let end = from + span.text().len();
        let inside: Vec<usize> =
            marks.iter().filter(|mark| (from..end).contains(*mark)).map(|mark| mark - from).collect();
        out.append(&marked(span.text(), &inside, span.style()));
        from = end;
    }
    out
}

/// The offsets of the characters of every occurrence.
fn occurrences(text: &str, word: &str) -> Vec<usize> {
    let wanted: Vec<char> = word.chars().flat_map(char::to_lowercase).collect();
    // A single letter is everywhere.
    if wanted.len() < 2 {
        return Vec::new();
    }
    let chars: Vec<(usize, char)> =
        text.char_indices().flat_map(|(at, c)| c.to_lowercase().map(move |lower| (at, lower))).collect();
    let mut found = Vec::new();
    for window in chars.windows(wanted.len()) {
        if window.iter().map(|(_, c)| c).eq(&wanted) {
            found.extend(window.iter().map(|(at, _)| *at));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_marked_in_any_case_and_across_roles() {
        let line =
            StyledLine::new("The ÄRA of ", Style::Dim).with("ära", Style::Strong).with("s", Style::Plain);
        let found = with_words(&line, &["ära".into(), "s".into()]);
        let expected = StyledLine::new("The ", Style::Dim)
            .with("ÄRA", Style::Match)
            .with(" of ", Style::Dim)
            .with("ära", Style::Match)
            .with("s", Style::Plain);
        assert_eq!(found, expected);
    }

    #[test]
    fn a_match_is_seen_without_colours() {
        let plain = ink(Style::Match, Theme::plain());
        assert_eq!(plain.fg, None);
        assert!(plain.add_modifier.contains(Modifier::BOLD | Modifier::UNDERLINED));
        assert!(ink(Style::Match, Theme::colour()).add_modifier.contains(Modifier::UNDERLINED));
        assert_eq!(ink(Style::Dim, Theme::plain()), Ink::new());
    }
}
