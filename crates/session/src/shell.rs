//! Words as a shell takes them, for command lines that a user may paste.

/// A word for a shell: as it is where nothing in it is special, else between single quotes.
pub fn word(word: &str) -> String {
    let is_plain =
        |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '_' | '-' | '+' | ',' | ':' | '@' | '%');
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}
