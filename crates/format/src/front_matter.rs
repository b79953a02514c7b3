//! Front matter: the head of a Markdown file between two lines of `---`, as the definitions of agents, commands, skills
//! and output styles have it.
//!
//! The head is YAML, and is read by a parser of YAML (`yaml`). People write heads that are none, such as a description
//! with a colon in it, and the client takes them: what is no YAML is kept as a text, name by name, and told with its line.
//! Parsing never fails, and takes bounded time and memory: heads are small, and an alias cannot make a large one of a small.

mod yaml;

use std::fmt;

use yaml::{Fault, Root};

/// A head above this is not parsed: its names are kept with their texts.
const MAX_HEAD: usize = 32 << 10;

/// A head and what follows it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FrontMatter<'t> {
    /// Names and values, in their order.
    pub fields: Vec<(String, FieldValue)>,
    /// What follows the head.
    pub body: &'t str,
    /// Is there a head at all?
    pub exists: bool,
    /// What is odd: the line, counted from 1, and why.
    pub odd: Vec<(u64, FrontMatterOddity)>,
}

/// A value.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum FieldValue {
    /// A text. Numbers and the like are kept as they were written.
    Text(String),
    /// A list.
    List(Vec<FieldValue>),
    /// Names with values, in their order.
    Map(Vec<(String, FieldValue)>),
}

impl From<&str> for FieldValue {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

/// On one line: the items of a list parted by commas, a list or map inside of another in brackets.
impl fmt::Display for FieldValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inner = |f: &mut fmt::Formatter<'_>, field: &Self| match field {
            Self::Text(text) => f.write_str(text),
            Self::List(_) => write!(f, "[{field}]"),
            Self::Map(_) => write!(f, "{{{field}}}"),
        };
        match self {
            Self::Text(text) => f.write_str(text),
            Self::List(items) => {
                for (at, item) in items.iter().enumerate() {
                    f.write_str(if at > 0 { ", " } else { "" })?;
                    inner(f, item)?;
                }
                Ok(())
            }
            Self::Map(fields) => {
                for (at, (name, field)) in fields.iter().enumerate() {
                    f.write_str(if at > 0 { ", " } else { "" })?;
                    write!(f, "{name}: ")?;
                    inner(f, field)?;
                }
                Ok(())
            }
        }
    }
}

/// What can be odd about a head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FrontMatterOddity {
    /// It has no end.
    NoEnd,
    /// A line is no `name: value`.
    NoName,
    /// A name stands twice.
    Twice,
    /// A quote is not closed.
    Quote,
    /// A tab stands where spaces should be.
    Tab,
    /// A value is no YAML, and was kept as text.
    NotYaml,
    /// It is too long, too deep, or becomes so by its aliases.
    TooLarge,
}

impl fmt::Display for FrontMatterOddity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoEnd => "its head has no closing ---",
            Self::NoName => "no `name: value`",
            Self::Twice => "a name that stands twice",
            Self::Quote => "a quote that is not closed",
            Self::Tab => "a tab where spaces should be",
            Self::NotYaml => "not valid YAML; kept as text",
            Self::TooLarge => "too large to be read as YAML; kept as text",
        })
    }
}

impl<'t> FrontMatter<'t> {
    /// Takes a file apart.
    pub fn parse(text: &'t str) -> Self {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut lines = text.split_inclusive('\n');
        let Some(first) = lines.next().filter(|line| line.trim_end() == "---") else {
            return Self { body: text, ..Self::default() };
        };
        let mut length = first.len();
        for line in lines {
            if line.trim_end() == "---" {
                let head = &text[first.len()..length];
                let mut found = Self { body: &text[length + line.len()..], exists: true, ..Self::default() };
                found.read(head);
                return found;
            }
            length += line.len();
        }
        Self { body: text, exists: true, odd: vec![(1, FrontMatterOddity::NoEnd)], ..Self::default() }
    }

    /// The value of a name; of doubled ones the last.
    pub fn get(&self, name: &str) -> Option<&FieldValue> {
        self.fields.iter().rev().find(|(known, _)| known == name).map(|(_, field)| field)
    }

    /// The text of a name.
    pub fn text(&self, name: &str) -> Option<String> {
        self.get(name).map(FieldValue::to_string)
    }

    fn read(&mut self, head: &str) {
        if head.len() > MAX_HEAD {
            self.odd.push((1, FrontMatterOddity::TooLarge));
            chunks(head).for_each(|chunk| self.keep(&chunk, None));
            return;
        }
        match yaml::parse(head) {
            Ok(Root::Fields(fields)) => {
                let lines: Vec<&str> = head.lines().collect();
                for (line, name, field) in fields {
                    // The parser takes it, others do not.
                    if lines.get((line as usize).saturating_sub(1)).is_some_and(|line| line.starts_with('\t'))
                    {
                        self.odd.push((line + 1, FrontMatterOddity::Tab));
                    }
                    self.push(line + 1, name, field);
                }
            }
            Ok(Root::Nothing) => {}
            // One bad line does not cost the others: each name is read by itself.
            Ok(Root::Other(_)) | Err(_) => chunks(head).for_each(|chunk| self.chunk(&chunk)),
        }
    }

    fn push(&mut self, line: u64, name: String, field: FieldValue) {
        if self.fields.iter().any(|(known, _)| *known == name) {
            self.odd.push((line, FrontMatterOddity::Twice));
        }
        self.fields.push((name, field));
    }

    /// Reads one name with its value.
    fn chunk(&mut self, chunk: &Chunk<'_>) {
        if chunk.text.starts_with('\t') {
            self.odd.push((chunk.line, FrontMatterOddity::Tab));
            return;
        }
        match yaml::parse(chunk.text) {
            Ok(Root::Fields(fields)) => fields.into_iter().for_each(|(line, name, field)| {
                self.push(chunk.line + line - 1, name, field);
            }),
            Ok(Root::Nothing) => {}
            Ok(Root::Other(line)) => self.odd.push((chunk.line + line - 1, FrontMatterOddity::NoName)),
            Err(Fault::NotYaml) => self.keep(chunk, Some(FrontMatterOddity::NotYaml)),
            Err(Fault::TooLarge) => self.keep(chunk, Some(FrontMatterOddity::TooLarge)),
        }
    }

    /// Keeps a name with the text that stands there, and says why.
    fn keep(&mut self, chunk: &Chunk<'_>, odd: Option<FrontMatterOddity>) {
        let Some((name, value)) = chunk.text.split_once(':').filter(|(name, _)| is_name(name)) else {
            if !chunk.text.trim().is_empty() && !chunk.text.starts_with('#') {
                self.odd.push((chunk.line, FrontMatterOddity::NoName));
            }
            return;
        };
        let lines: Vec<&str> = value.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let text = lines.join(" ");
        let is_open = |quote: char| text.starts_with(quote) && (text.len() == 1 || !text.ends_with(quote));
        let quoted = is_open('"') || is_open('\'');
        self.odd.extend(odd.map(|odd| (chunk.line, if quoted { FrontMatterOddity::Quote } else { odd })));
        self.push(chunk.line, name.trim().to_owned(), FieldValue::Text(text));
    }
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && !text.starts_with([' ', '-', '#', '"', '\'']) && !text.contains('\n')
}

/// A line of a head that is not set in, with those after it that are.
struct Chunk<'h> {
    /// Its line in the file.
    line: u64,
    text: &'h str,
}

/// Parts a head where a line begins at its edge and is no item of a list.
fn chunks(head: &str) -> impl Iterator<Item = Chunk<'_>> {
    let mut lines = head.split_inclusive('\n').peekable();
    let (mut start, mut line) = (0, 2);
    std::iter::from_fn(move || {
        let mut length = lines.next()?.len();
        let mut count = 1;
        let goes_on = |line: &&str| {
            line.trim().is_empty() || line.starts_with([' ', '\t', ']', '}']) || line.starts_with("- ")
        };
        while let Some(more) = lines.next_if(goes_on) {
            length += more.len();
            count += 1;
        }
        let chunk = Chunk { line, text: &head[start..start + length] };
        start += length;
        line += count;
        Some(chunk)
    })
}

#[cfg(test)]
mod tests;
