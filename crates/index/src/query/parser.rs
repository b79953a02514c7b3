//! Lexemes to a tree: `OR` binds less than standing side by side; errors have a place and, where one is near, a hint.

use std::ops::Range;

use scrollback_format::time::Time;
use scrollback_model::text::TextClass;

use super::lexer::{Lex, Placed, lex};
use super::{AdjacentWords, Classes, Expr, FIELDS, Filter, QueryError};
use crate::token;

const ROLES: [&str; 3] = ["user", "assistant", "tool"];
const STATES: [&str; 3] = ["error", "compacted", "dead-branch"];
/// Deeper nesting is no query of a person's.
const MAX_DEPTH: usize = 64;

/// Parses a query; `date` parses dates.
pub fn parse(query: &str, date: &dyn Fn(&str) -> Result<Time, String>) -> Result<Expr, QueryError> {
    parse_within(query, Vec::new(), date)
}

/// The same, for what also meets these conditions.
pub fn parse_within(
    query: &str,
    within: Vec<Filter>,
    date: &dyn Fn(&str) -> Result<Time, String>,
) -> Result<Expr, QueryError> {
    let lexemes = lex(query)?;
    let mut parser = Parser { query, lexemes, at: 0, date };
    let found = parser.alternatives(0)?;
    if let Some((_, place)) = parser.lexemes.get(parser.at) {
        return Err(error("unmatched closing parenthesis", place.clone()));
    }
    let all = 0..query.len();
    let mut parts: Vec<Expr> = found.into_iter().chain(within.into_iter().map(Expr::Filter)).collect();
    let expr = match parts.len() {
        0 => return Err(error("no search terms; a word needs a letter or a digit", all)),
        1 => parts.remove(0),
        _ => Expr::And(parts),
    };
    if !is_positive(&expr) {
        return Err(error("only exclusions; add something to search for", all));
    }
    Ok(expr)
}

fn error(message: impl Into<String>, place: Range<usize>) -> QueryError {
    QueryError { message: message.into(), place, suggestion: None }
}

/// Does every way to match have something that is looked for?
fn is_positive(expr: &Expr) -> bool {
    match expr {
        Expr::And(list) => list.iter().any(is_positive),
        Expr::Or(list) => list.iter().all(is_positive),
        Expr::Not(_) => false,
        Expr::Words(_) | Expr::Filter(_) => true,
    }
}

struct Parser<'q> {
    query: &'q str,
    lexemes: Vec<Placed>,
    at: usize,
    date: &'q dyn Fn(&str) -> Result<Time, String>,
}

impl Parser<'_> {
    fn next(&mut self) -> Option<Placed> {
        let found = self.lexemes.get(self.at).cloned();
        self.at += usize::from(found.is_some());
        found
    }

    fn end(&self) -> Range<usize> {
        self.query.len()..self.query.len()
    }

    /// `a b OR c d`; none if nothing in it can be looked for.
    fn alternatives(&mut self, depth: usize) -> Result<Option<Expr>, QueryError> {
        let mut list = Vec::new();
        loop {
            let (group, count) = self.group(depth)?;
            let next = self.lexemes.get(self.at);
            let is_or = next.is_some_and(|(lexeme, _)| *lexeme == Lex::Or);
            if count == 0 && (is_or || !list.is_empty()) {
                let place = next.map_or_else(|| self.end(), |(_, place)| place.clone());
                return Err(error("OR needs something on both sides", place));
            }
            list.push(group);
            if !is_or {
                break;
            }
            self.at += 1;
        }
        // A side without a letter or digit is left out, as a word without one is.
        let mut list: Vec<Expr> = list.into_iter().flatten().collect();
        Ok(match list.len() {
            0 | 1 => list.pop(),
            _ => Some(Expr::Or(list)),
        })
    }

    /// What stands side by side up to `OR`, `)` or the end, and how many parts were written.
    fn group(&mut self, depth: usize) -> Result<(Option<Expr>, usize), QueryError> {
        let mut parts = Vec::new();
        // Classes that are asked for, and those that are ruled out.
        let (mut within, mut without): (Option<u8>, Option<u8>) = (None, None);
        let mut count = 0;
        while let Some((lexeme, _)) = self.lexemes.get(self.at) {
            if matches!(lexeme, Lex::Or | Lex::Close) {
                break;
            }
            count += usize::from(*lexeme != Lex::And);
            let Some(part) = self.part(depth)? else { continue };
            match part {
                Expr::Filter(Filter::In(some)) => within = Some(within.unwrap_or(0) | some.0),
                Expr::Not(inner) if matches!(*inner, Expr::Filter(Filter::In(_))) => {
                    if let Expr::Filter(Filter::In(some)) = *inner {
                        without = Some(without.unwrap_or(0) | some.0);
                    }
                }
                part => parts.push(part),
            }
        }
        if within.is_some() || without.is_some() {
            let classes = Classes(within.unwrap_or(Classes::ALL.0) & !without.unwrap_or(0));
            parts.iter_mut().for_each(|part| narrow(part, classes));
            parts.push(Expr::Filter(Filter::In(classes)));
        }
        let group = match parts.len() {
            0 | 1 => parts.pop(),
            _ => Some(Expr::And(parts)),
        };
        Ok((group, count))
    }

    fn part(&mut self, depth: usize) -> Result<Option<Expr>, QueryError> {
        let Some((lexeme, place)) = self.next() else { return Ok(None) };
        if depth > MAX_DEPTH {
            return Err(error("nested too deeply", place));
        }
        match lexeme {
            Lex::Not => {
                let next = self.lexemes.get(self.at);
                if next.is_none_or(|(lexeme, _)| matches!(lexeme, Lex::Or | Lex::Close)) {
                    return Err(error("nothing to exclude", place));
                }
                Ok(self.part(depth + 1)?.map(|inner| Expr::Not(Box::new(inner))))
            }
            Lex::Open => {
                let inside = self.alternatives(depth + 1)?;
                match self.next() {
                    Some((Lex::Close, _)) => Ok(inside),
                    _ => Err(error("unclosed parenthesis", place)),
                }
            }
            Lex::Word(word, prefix) => Ok(words(&word, prefix)),
            Lex::Phrase(text) => Ok(words(&text, false)),
            Lex::Field(name, value, value_place) => self.field(&name, &value, place, value_place),
            Lex::And | Lex::Or | Lex::Close => Ok(None),
        }
    }

    fn field(
        &self,
        name: &str,
        value: &str,
        place: Range<usize>,
        value_place: Range<usize>,
    ) -> Result<Option<Expr>, QueryError> {
        let lower = name.to_ascii_lowercase();
        if !FIELDS.contains(&lower.as_str()) {
            return self.no_field(name, value, place);
        }
        if value.is_empty() {
            return Err(error(format!("{lower}: needs a value"), place));
        }
        let text = value.to_lowercase();
        let filter = match lower.as_str() {
            "role" => Filter::Role(one_of("role", &text, &ROLES, &value_place)?),
            "tool" => Filter::Tool(text.trim_end_matches('*').to_owned(), text.ends_with('*')),
            "file" => {
                let words = path_words(value);
                if words.is_empty() {
                    return Err(error("a path needs a letter or a digit", value_place));
                }
                Filter::File(words)
            }
            "project" => Filter::Project(text),
            "branch" => Filter::Branch(text),
            "model" => Filter::Model(text),
            "agent" => Filter::Agent(if text == "*" { String::new() } else { text }),
            "session" => Filter::Session(text),
            "in" => {
                let names = TextClass::ALL.map(TextClass::name);
                let name = one_of("in", &text, &names, &value_place)?;
                let class = TextClass::ALL.into_iter().find(|class| class.name() == name);
                Filter::In(class.map_or(Classes::ALL, Classes::one))
            }
            "is" => match one_of("is", &text, &STATES, &value_place)? {
                "error" => Filter::Error,
                "compacted" => Filter::Compacted,
                _ => Filter::DeadBranch,
            },
            field => {
                let time = (self.date)(value).map_err(|message| error(message, value_place))?;
                if field == "since" { Filter::Since(time) } else { Filter::Until(time) }
            }
        };
        Ok(Some(Expr::Filter(filter)))
    }

    /// A colon in a word that is no field's: a mistyped field if one is near, else a word like any other.
    fn no_field(&self, name: &str, value: &str, place: Range<usize>) -> Result<Option<Expr>, QueryError> {
        let typed = &self.query[place.clone()];
        match near(&name.to_ascii_lowercase(), &FIELDS) {
            Some(field) if !value.is_empty() => Err(QueryError {
                message: format!("unknown field {name}:"),
                place: place.start..place.start + name.len(),
                suggestion: Some(format!("{field}:{}", &typed[name.len() + 1..])),
            }),
            _ => Ok(words(typed.trim_end_matches('*'), typed.ends_with('*'))),
        }
    }
}

fn words(text: &str, prefix: bool) -> Option<Expr> {
    let tokens = token::words(text);
    // `foo-*` asks for nothing that begins with anything.
    let prefix = prefix && text.chars().next_back().is_some_and(char::is_alphanumeric);
    (!tokens.is_empty()).then_some(Expr::Words(AdjacentWords { tokens, prefix, classes: Classes::ALL }))
}

/// A path's words are parts of camelCase words too: its own case may differ.
fn path_words(path: &str) -> Vec<String> {
    token::words(path)
}

/// Narrows all words of a group; a group inside that has narrowed its own stays as it is.
fn narrow(expr: &mut Expr, classes: Classes) {
    match expr {
        Expr::And(list) | Expr::Or(list) => list.iter_mut().for_each(|part| narrow(part, classes)),
        Expr::Not(inner) => narrow(inner, classes),
        Expr::Words(words) if words.classes == Classes::ALL => words.classes = classes,
        Expr::Words(_) | Expr::Filter(_) => {}
    }
}

fn one_of(
    field: &str,
    value: &str,
    values: &[&'static str],
    place: &Range<usize>,
) -> Result<&'static str, QueryError> {
    // `dead_branch`, `errors` and their like are what they seem.
    let plain = value.replace('_', "-");
    let found = values.iter().find(|known| {
        **known == plain || format!("{known}s") == plain || known.strip_suffix('s') == Some(&plain)
    });
    found.copied().ok_or_else(|| QueryError {
        message: format!("{field}: must be one of {}", values.join(", ")),
        place: place.clone(),
        suggestion: near(&plain, values).map(|near| format!("{field}:{near}")),
    })
}

/// The name that is so near that it was probably meant.
fn near<'n>(typed: &str, names: &[&'n str]) -> Option<&'n str> {
    let far = |name: &str| match name.len() {
        0..=2 => 0,
        3..=5 => 1,
        _ => 2,
    };
    let distance = |name: &str| strsim::damerau_levenshtein(typed, name);
    names.iter().min_by_key(|name| distance(name)).filter(|name| distance(name) <= far(name)).copied()
}

#[cfg(test)]
mod tests;
