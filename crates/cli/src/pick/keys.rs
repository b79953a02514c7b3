//! The keys: what each does, and how that is described.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::Deed;

/// What a key asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    /// Put a character in.
    Type(char),
    /// Take away what is before the cursor.
    Backspace,
    /// Take away what is at the cursor.
    Delete,
    /// Take away the word before the cursor.
    DeleteWord,
    /// The cursor to the left.
    Left,
    /// The cursor to the right.
    Right,
    /// The cursor to the start.
    Home,
    /// The cursor to the end.
    End,
    /// Number of rows down the list; negative is up.
    Move(isize),
    /// Number of half pages down the conversation; negative is up.
    Scroll(isize),
    /// Between the sessions of this place and all.
    Scope,
    /// Tell the keys.
    Help,
    /// Take the selected session.
    Pick(Deed),
    /// Leave with nothing.
    Leave,
    /// Stop at once.
    Interrupt,
}

/// What a key asks for; none if nothing.
pub fn act(key: KeyEvent) -> Option<Act> {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    let alt = key.modifiers.contains(KeyModifiers::ALT);
    Some(match key.code {
        KeyCode::Enter => Act::Pick(Deed::Accept),
        KeyCode::Esc => Act::Leave,
        KeyCode::Tab | KeyCode::BackTab => Act::Scope,
        KeyCode::Up => Act::Move(-1),
        KeyCode::Down => Act::Move(1),
        KeyCode::PageUp => Act::Scroll(-2),
        KeyCode::PageDown => Act::Scroll(2),
        KeyCode::Left => Act::Left,
        KeyCode::Right => Act::Right,
        KeyCode::Home => Act::Home,
        KeyCode::End => Act::End,
        KeyCode::Backspace if alt || control => Act::DeleteWord,
        KeyCode::Backspace => Act::Backspace,
        KeyCode::Delete => Act::Delete,
        KeyCode::F(1) => Act::Help,
        KeyCode::Char(c) if control && !alt => return controlled(c),
        // AltGr comes as both, and makes characters.
        KeyCode::Char(c) if !alt || control => Act::Type(c),
        _ => return None,
    })
}

fn controlled(c: char) -> Option<Act> {
    Some(match c.to_ascii_lowercase() {
        'c' => Act::Interrupt,
        'n' | 'j' => Act::Move(1),
        'p' | 'k' => Act::Move(-1),
        'u' => Act::Scroll(-1),
        'd' => Act::Scroll(1),
        'o' => Act::Pick(Deed::Show),
        'y' => Act::Pick(Deed::Copy),
        'f' => Act::Pick(Deed::Path),
        'w' => Act::DeleteWord,
        'h' => Act::Backspace,
        'a' => Act::Home,
        'e' => Act::End,
        _ => return None,
    })
}

/// The keys for the footer, the most important first.
pub fn footer(enter: &'static str, other_scope: &'static str) -> [(&'static str, &'static str); 8] {
    [
        ("Enter", enter),
        ("Esc", "leave"),
        ("Tab", other_scope),
        ("^O", "show"),
        ("F1", "keys"),
        ("^Y", "copy id"),
        ("^F", "file path"),
        ("PgUp PgDn", "scroll"),
    ]
}

/// All keys, for the help.
pub fn help(enter: &'static str) -> [(&'static str, &'static str); 12] {
    [
        ("letters", "find sessions by title, prompts, project, start of id"),
        ("Enter", enter),
        ("Ctrl-O", "show the conversation"),
        ("Ctrl-Y", "copy the id, and print it"),
        ("Ctrl-F", "print the path of the file"),
        ("Tab", "the sessions of this place, or all"),
        ("↑ ↓  Ctrl-P Ctrl-N  Ctrl-K Ctrl-J", "move in the list"),
        ("PgUp PgDn  Ctrl-U Ctrl-D", "scroll the conversation"),
        ("← →  Home End  Ctrl-A Ctrl-E", "move in what was typed"),
        ("Ctrl-W", "take a word away"),
        ("F1", "these keys"),
        ("Esc, Ctrl-C", "leave"),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_ask_for_what_the_help_says() {
        let check =
            |code, modifiers, expected| assert_eq!(act(KeyEvent::new(code, modifiers)), expected, "{code:?}");
        let (none, control, alt) = (KeyModifiers::NONE, KeyModifiers::CONTROL, KeyModifiers::ALT);
        check(KeyCode::Char('x'), none, Some(Act::Type('x')));
        check(KeyCode::Char('X'), KeyModifiers::SHIFT, Some(Act::Type('X')));
        check(KeyCode::Char('p'), control, Some(Act::Move(-1)));
        check(KeyCode::Char('j'), control, Some(Act::Move(1)));
        check(KeyCode::Char('o'), control, Some(Act::Pick(Deed::Show)));
        check(KeyCode::Char('q'), control, None);
        check(KeyCode::Char('x'), alt, None);
        check(KeyCode::Char('@'), control | alt, Some(Act::Type('@')));
        check(KeyCode::Backspace, alt, Some(Act::DeleteWord));
        check(KeyCode::F(5), none, None);
    }
}
