//! Front matter: the head of a Markdown file between two lines of `---`, as the definitions of agents, commands, skills
//! and output styles have it.
//!
//! Of YAML only what such heads are made of is understood: names with a text, a list or a block of text. Anything
//! deeper is kept as it stands. Parsing never fails: what is odd is told with its line.

use std::fmt;

/// A head and what follows it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FrontMatter<'t> {
    /// Names and values, in their order.
    pub fields: Vec<(String, Field)>,
    /// What follows the head.
    pub body: &'t str,
    /// Is there a head at all?
    pub exists: bool,
    /// What is odd: the line, counted from 1, and why.
    pub odd: Vec<(u64, Odd)>,
}

/// A value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Field {
    /// A text.
    Text(String),
    /// A list of texts.
    List(Vec<String>),
}

/// What can be odd about a head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Odd {
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
}

impl fmt::Display for Odd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoEnd => "its head has no closing ---",
            Self::NoName => "no `name: value`",
            Self::Twice => "a name that stands twice",
            Self::Quote => "a quote that is not closed",
            Self::Tab => "a tab where spaces should be",
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
        let (mut head, mut length) = (Vec::new(), first.len());
        for line in lines {
            length += line.len();
            if line.trim_end() == "---" {
                let mut found = Self { body: &text[length..], exists: true, ..Self::default() };
                found.read(&head);
                return found;
            }
            head.push(line.trim_end_matches(['\n', '\r']));
        }
        Self { body: text, exists: true, odd: vec![(1, Odd::NoEnd)], ..Self::default() }
    }

    /// The value of a name; of doubled ones the last.
    pub fn get(&self, name: &str) -> Option<&Field> {
        self.fields.iter().rev().find(|(known, _)| known == name).map(|(_, field)| field)
    }

    /// The text of a name.
    pub fn text(&self, name: &str) -> Option<String> {
        self.get(name).map(|field| match field {
            Field::Text(text) => text.clone(),
            Field::List(items) => items.join(", "),
        })
    }

    fn read(&mut self, head: &[&str]) {
        let mut at = 0;
        while at < head.len() {
            let line = head[at];
            let number = at as u64 + 2;
            at += 1;
            if line.trim().is_empty() || line.trim_start().starts_with('#') {
                continue;
            }
            if line.starts_with('\t') {
                self.odd.push((number, Odd::Tab));
                continue;
            }
            let named = line.split_once(':').filter(|(name, rest)| {
                !name.is_empty()
                    && !name.starts_with([' ', '-'])
                    && (rest.is_empty() || rest.starts_with([' ', '\t']))
            });
            let Some((name, value)) = named else {
                self.odd.push((number, Odd::NoName));
                continue;
            };
            // What is set in, or is an item of a list, belongs to the name above it.
            let inside: Vec<&str> = head[at..]
                .iter()
                .take_while(|line| line.is_empty() || line.starts_with([' ', '\t']) || line.starts_with("- "))
                .copied()
                .collect();
            at += inside.len();
            if self.fields.iter().any(|(known, _)| known == name.trim()) {
                self.odd.push((number, Odd::Twice));
            }
            let field = self.value(value.trim(), &inside, number);
            self.fields.push((name.trim().to_owned(), field));
        }
    }

    fn value(&mut self, value: &str, inside: &[&str], line: u64) -> Field {
        let block = value.strip_prefix(['|', '>']).filter(|rest| rest.len() <= 2 && !rest.contains(' '));
        if block.is_some() {
            let joint = if value.starts_with('|') { "\n" } else { " " };
            let lines: Vec<&str> = inside.iter().map(|line| line.trim()).collect();
            return Field::Text(lines.join(joint).trim().to_owned());
        }
        if value.is_empty() {
            let items: Vec<&str> =
                inside.iter().map(|line| line.trim()).filter(|line| !line.is_empty()).collect();
            if !items.is_empty() && items.iter().all(|item| item.starts_with('-')) {
                return Field::List(items.iter().map(|item| self.plain(item[1..].trim(), line)).collect());
            }
            return Field::Text(items.join("\n"));
        }
        if let Some(items) = value.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            let items = items.split(',').map(str::trim).filter(|item| !item.is_empty());
            return Field::List(items.map(|item| self.plain(item, line)).collect());
        }
        // A text that goes on, set in, on the next lines.
        let mut whole = value.to_owned();
        for more in inside.iter().map(|line| line.trim()).filter(|line| !line.is_empty()) {
            whole.push(' ');
            whole.push_str(more);
        }
        Field::Text(self.plain(&whole, line))
    }

    /// A text without its quotes.
    fn plain(&mut self, text: &str, line: u64) -> String {
        for quote in ['"', '\''] {
            let Some(rest) = text.strip_prefix(quote) else { continue };
            let Some(inside) = rest.strip_suffix(quote) else {
                self.odd.push((line, Odd::Quote));
                return text.to_owned();
            };
            return if quote == '"' {
                inside.replace("\\n", "\n").replace("\\\"", "\"").replace("\\\\", "\\")
            } else {
                inside.replace("''", "'")
            };
        }
        // What follows a sign with a space before it is a remark.
        text.split(" #").next().unwrap_or(text).trim_end().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::{Field, FrontMatter, Odd};

    #[test]
    fn heads_are_read_as_people_write_them() {
        let text = "---\nname: scout # mine\ndescription: \"Looks: around\"\ntools: [Read, Grep]\nmodel:\n  - a\n  - 'b'\nlong: >\n  one\n  two\nfolded: begins\n  goes on\n---\nBody\n";
        let found = FrontMatter::parse(text);
        assert_eq!(found.odd, []);
        assert_eq!(found.text("name").as_deref(), Some("scout"));
        assert_eq!(found.text("description").as_deref(), Some("Looks: around"));
        assert_eq!(found.get("tools"), Some(&Field::List(vec!["Read".into(), "Grep".into()])));
        assert_eq!(found.get("model"), Some(&Field::List(vec!["a".into(), "b".into()])));
        assert_eq!(found.text("long").as_deref(), Some("one two"));
        assert_eq!(found.text("folded").as_deref(), Some("begins goes on"));
        assert_eq!(found.body, "Body\n");
    }

    #[test]
    fn what_is_odd_is_told_with_its_line_and_the_rest_is_kept() {
        for (text, odd) in [
            ("---\nname: x\n", vec![(1, Odd::NoEnd)]),
            ("---\nname x\n---\n", vec![(2, Odd::NoName)]),
            ("---\nname: x\nname: y\n---\n", vec![(3, Odd::Twice)]),
            ("---\nname: \"x\n---\n", vec![(2, Odd::Quote)]),
            ("---\n\tname: x\n---\n", vec![(2, Odd::Tab)]),
        ] {
            assert_eq!(FrontMatter::parse(text).odd, odd, "{text}");
        }
        let none = FrontMatter::parse("# Just text\n---\n");
        assert!(!none.exists && none.body.starts_with("# Just"));
        for text in ["", "---", "---\n---", "---\r\na: b\r\n---\r\nx", "\u{feff}---\na: [\n---\n"] {
            let _ = FrontMatter::parse(text);
        }
        assert_eq!(FrontMatter::parse("---\r\na: b\r\n---\r\nx").text("a").as_deref(), Some("b"));
    }
}
