//! Query text to lexemes, each with its place.

use std::ops::Range;

use super::{FIELDS, QueryError};

/// What kind of lexeme.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lex {
    /// `(`
    Open,
    /// `)`
    Close,
    /// `OR`
    Or,
    /// `AND`: says what standing side by side says.
    And,
    /// `-` before something, or `NOT`
    Not,
    /// A word as typed; true: it ended in `*`.
    Word(String, bool),
    /// What stands between quotes.
    Phrase(String),
    /// `name:value`; the value's own place.
    Field(String, String, Range<usize>),
}

/// A lexeme and where it stands.
pub type Placed = (Lex, Range<usize>);

/// Takes a query apart.
pub fn lex(query: &str) -> Result<Vec<Placed>, QueryError> {
    let mut lexer = Lexer { query, at: 0 };
    let mut found = Vec::new();
    while let Some(lexeme) = lexer.next()? {
        found.push(lexeme);
    }
    Ok(found)
}

struct Lexer<'q> {
    query: &'q str,
    at: usize,
}

impl Lexer<'_> {
    fn peek(&self) -> Option<char> {
        self.query[self.at..].chars().next()
    }

    fn next(&mut self) -> Result<Option<Placed>, QueryError> {
        while let Some(c) = self.peek().filter(|c| c.is_whitespace()) {
            self.at += c.len_utf8();
        }
        let from = self.at;
        let Some(c) = self.peek() else { return Ok(None) };
        let lexeme = match c {
            '(' | ')' => {
                self.at += 1;
                if c == '(' { Lex::Open } else { Lex::Close }
            }
            '"' => Lex::Phrase(self.quoted()?),
            '-' if self.negates() => {
                self.at += 1;
                Lex::Not
            }
            _ => self.word()?,
        };
        Ok(Some((lexeme, from..self.at)))
    }

    /// A minus directly before something is an exclusion; one before a space, or a second one, is only a character.
    fn negates(&self) -> bool {
        self.query[self.at + 1..].chars().next().is_some_and(|c| !c.is_whitespace() && c != '-' && c != ')')
    }

    fn quoted(&mut self) -> Result<String, QueryError> {
        let from = self.at;
        let inside = &self.query[from + 1..];
        let Some(end) = inside.find('"') else {
            return Err(QueryError {
                message: "unclosed quote".into(),
                place: from..from + 1,
                suggestion: None,
            });
        };
        self.at = from + 1 + end + 1;
        Ok(inside[..end].to_owned())
    }

    fn word(&mut self) -> Result<Lex, QueryError> {
        let from = self.at;
        let rest = &self.query[from..];
        let end =
            rest.find(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '"')).unwrap_or(rest.len());
        let word = &rest[..end];
        if let Some((name, value)) = word.split_once(':')
            && !name.is_empty()
            && name.chars().all(|c| c.is_ascii_alphabetic())
            && !value.starts_with(':')
            && (!value.starts_with('/') || FIELDS.contains(&name.to_ascii_lowercase().as_str()))
        {
            let start = from + name.len() + 1;
            self.at = from + end;
            // `field:"some words"`
            let value =
                if value.is_empty() && self.peek() == Some('"') { self.quoted()? } else { value.to_owned() };
            return Ok(Lex::Field(name.to_owned(), value, start..self.at));
        }
        self.at = from + end;
        Ok(match word {
            "OR" => Lex::Or,
            "NOT" => Lex::Not,
            "AND" => Lex::And,
            _ => Lex::Word(word.trim_end_matches('*').to_owned(), word.ends_with('*')),
        })
    }
}
