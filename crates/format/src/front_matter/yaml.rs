//! One YAML document as a [`FieldValue`], from the events of a parser. Bounded: in depth, and in what aliases make of it.

use rustc_hash::FxHashMap;
use saphyr_parser::{Event, Parser, ScalarStyle, Span};

use super::FieldValue;

/// Values nested deeper are refused. Hooks, the deepest that the client reads, need six.
const MAX_DEPTH: usize = 32;

/// How large a document may be with its aliases put in: a byte of text, or a value, is one.
const MAX_SIZE: usize = 256 << 10;

/// Why there is no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    NotYaml,
    TooLarge,
}

/// What a document is.
#[derive(Debug)]
pub(super) enum Root {
    /// Nothing, or remarks alone.
    Nothing,
    /// Names with values, and the lines that they stand on, counted from 1.
    Fields(Vec<(u64, String, FieldValue)>),
    /// Something without names, which begins on this line.
    Other(u64),
}

/// Reads a document.
pub(super) fn parse(text: &str) -> Result<Root, Fault> {
    let mut builder = Builder::default();
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|_| Fault::NotYaml)?;
        builder.event(event, span)?;
    }
    Ok(match builder.root {
        None => Root::Nothing,
        Some((_, Node { field: FieldValue::Map(fields), lines, .. })) => Root::Fields(
            lines.into_iter().zip(fields).map(|(line, (name, field))| (line, name, field)).collect(),
        ),
        Some((_, Node { field: FieldValue::Text(text), .. })) if text.is_empty() => Root::Nothing,
        Some((line, _)) => Root::Other(line),
    })
}

/// A value with its size and, if it is a map, the lines of its names.
#[derive(Debug, Clone)]
struct Node {
    field: FieldValue,
    size: usize,
    lines: Vec<u64>,
}

/// A list or map that is not closed yet.
#[derive(Debug)]
struct Open {
    node: Node,
    /// The name that a value is due for, and its line.
    name: Option<(u64, String)>,
    line: u64,
    anchor: usize,
}

#[derive(Debug, Default)]
struct Builder {
    open: Vec<Open>,
    root: Option<(u64, Node)>,
    anchors: FxHashMap<usize, Node>,
    size: usize,
}

impl Builder {
    fn event(&mut self, event: Event<'_>, span: Span) -> Result<(), Fault> {
        let line = span.start.line() as u64;
        match event {
            Event::Scalar(text, style, anchor, _) => {
                let text = scalar(&text, style);
                let size = text.len() + 1;
                let node = Node { field: FieldValue::Text(text), size, lines: Vec::new() };
                self.value(node, line, anchor)
            }
            Event::SequenceStart(anchor, _) => self.enter(FieldValue::List(Vec::new()), line, anchor),
            Event::MappingStart(anchor, _) => self.enter(FieldValue::Map(Vec::new()), line, anchor),
            Event::SequenceEnd | Event::MappingEnd => {
                let Some(Open { node, line, anchor, .. }) = self.open.pop() else {
                    return Err(Fault::NotYaml);
                };
                self.value(node, line, anchor)
            }
            Event::Alias(anchor) => {
                // One that names what it stands in has no value yet.
                let node = self.anchors.get(&anchor).cloned().ok_or(Fault::NotYaml)?;
                self.value(node, line, 0)
            }
            Event::DocumentStart(_) if self.root.is_some() => Err(Fault::NotYaml),
            _ => Ok(()),
        }
    }

    fn enter(&mut self, field: FieldValue, line: u64, anchor: usize) -> Result<(), Fault> {
        if self.open.len() >= MAX_DEPTH {
            return Err(Fault::TooLarge);
        }
        let node = Node { field, size: 1, lines: Vec::new() };
        self.open.push(Open { node, name: None, line, anchor });
        Ok(())
    }

    /// Puts a whole value where it belongs.
    fn value(&mut self, node: Node, line: u64, anchor: usize) -> Result<(), Fault> {
        self.size = self.size.saturating_add(node.size);
        if self.size > MAX_SIZE {
            return Err(Fault::TooLarge);
        }
        if anchor > 0 {
            self.anchors.insert(anchor, node.clone());
        }
        let Some(open) = self.open.last_mut() else {
            self.root = Some((line, node));
            return Ok(());
        };
        let size = node.size;
        match &mut open.node.field {
            FieldValue::List(items) => items.push(node.field),
            FieldValue::Map(fields) => match open.name.take() {
                None => open.name = Some((line, node.field.to_string())),
                Some((line, name)) => {
                    fields.push((name, node.field));
                    open.node.lines.push(line);
                }
            },
            FieldValue::Text(_) => return Err(Fault::NotYaml),
        }
        open.node.size = open.node.size.saturating_add(size);
        Ok(())
    }
}

/// The text of a scalar. Nothing is the empty text; the line break that ends a block is no part of what it says.
fn scalar(text: &str, style: ScalarStyle) -> String {
    match style {
        ScalarStyle::Plain if text == "~" => String::new(),
        ScalarStyle::Literal | ScalarStyle::Folded => text.trim_end_matches('\n').to_owned(),
        _ => text.to_owned(),
    }
}
