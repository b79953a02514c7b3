//! Views over a scanned text: a value, its fields, its items.

use std::fmt;
use std::ops::Range;

use super::string::Text;
use super::tape::{ESCAPED, LONE_SURROGATE, Node, NodeKind, OPAQUE, Tape};
use crate::cost;

/// The six types of JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Type {
    /// `null`
    Null,
    /// `true` or `false`
    Bool,
    /// a number
    Number,
    /// a string
    String,
    /// a list
    Array,
    /// an object
    Object,
}

impl Type {
    /// The name that a message to people uses.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool => "bool",
            Self::Number => "number",
            Self::String => "string",
            Self::Array => "array",
            Self::Object => "object",
        }
    }
}

/// One value of a scanned text. Copying it copies three words.
#[derive(Clone, Copy)]
pub struct Value<'a> {
    bytes: &'a [u8],
    nodes: &'a [Node],
    index: u32,
}

impl Tape {
    /// The outermost value of the last scan, which must have been of these very bytes.
    pub fn root<'a>(&'a self, bytes: &'a [u8]) -> Option<Value<'a>> {
        let root = self.nodes.first()?;
        (root.end as usize <= bytes.len()).then_some(Value { bytes, nodes: &self.nodes, index: 0 })
    }
}

impl<'a> Value<'a> {
    #[inline]
    fn node(self) -> Node {
        self.nodes[self.index as usize]
    }

    /// Its type.
    pub fn kind(self) -> Type {
        match self.node().kind {
            NodeKind::Null => Type::Null,
            NodeKind::True | NodeKind::False => Type::Bool,
            NodeKind::Number => Type::Number,
            NodeKind::String => Type::String,
            NodeKind::Array => Type::Array,
            NodeKind::Object => Type::Object,
        }
    }

    /// Its bytes, as they stand in the file.
    #[inline]
    pub fn raw(self) -> &'a [u8] {
        let node = self.node();
        &self.bytes[node.start as usize..node.end as usize]
    }

    /// Where those bytes are, counted from the start of the scanned text.
    pub fn span(self) -> Range<usize> {
        let node = self.node();
        node.start as usize..node.end as usize
    }

    /// Is it `null`?
    pub fn is_null(self) -> bool {
        self.node().kind == NodeKind::Null
    }

    /// Are its children left untaken (nested too deep)? Its bytes are still all there.
    pub fn is_opaque(self) -> bool {
        self.node().flags & OPAQUE != 0 && self.node().end - self.node().start > 2
    }

    /// Does this string hold half a surrogate pair?
    pub fn has_lone_surrogate(self) -> bool {
        self.node().flags & LONE_SURROGATE != 0
    }

    /// The string, if it is one.
    #[inline]
    pub fn text(self) -> Option<Text<'a>> {
        let node = self.node();
        (node.kind == NodeKind::String).then(|| {
            let raw = &self.bytes[node.start as usize + 1..node.end as usize - 1];
            Text::new(raw, node.flags & ESCAPED != 0)
        })
    }

    /// The boolean, if it is one.
    pub fn bool(self) -> Option<bool> {
        match self.node().kind {
            NodeKind::True => Some(true),
            NodeKind::False => Some(false),
            _ => None,
        }
    }

    /// The number, if it is one that fits.
    pub fn u64(self) -> Option<u64> {
        self.digits()?.parse().ok()
    }

    /// The number as a float, if it is one.
    pub fn f64(self) -> Option<f64> {
        self.digits()?.parse().ok()
    }

    fn digits(self) -> Option<&'a str> {
        (self.node().kind == NodeKind::Number).then(|| std::str::from_utf8(self.raw()).ok())?
    }

    /// The field of this name. Of doubled keys the last one counts, as it does for the client.
    #[inline]
    pub fn get(self, key: &str) -> Option<Value<'a>> {
        let object = self.node();
        if object.kind != NodeKind::Object || object.flags & OPAQUE != 0 {
            return None;
        }
        // The same as going through `fields`, without making a text of each key.
        let (mut at, mut found) = (self.index + 1, None);
        while at < object.next {
            cost::step(1);
            let name = self.nodes[at as usize];
            let raw = &self.bytes[name.start as usize + 1..name.end as usize - 1];
            let same = match name.flags & ESCAPED {
                0 => raw == key.as_bytes(),
                _ => Text::new(raw, true).is(key),
            };
            if same {
                found = Some(Value { index: at + 1, ..self });
            }
            at = self.nodes[at as usize + 1].next;
        }
        found
    }

    /// The fields of an object in file order; none if it is no object.
    #[inline]
    pub fn fields(self) -> Fields<'a> {
        Fields(self.children(NodeKind::Object))
    }

    /// The items of a list; none if it is no list.
    #[inline]
    pub fn items(self) -> ListItems<'a> {
        ListItems(self.children(NodeKind::Array))
    }

    fn children(self, kind: NodeKind) -> Children<'a> {
        let node = self.node();
        let takes_apart = node.kind == kind && node.flags & OPAQUE == 0;
        let end = if takes_apart { node.next } else { self.index + 1 };
        Children { bytes: self.bytes, nodes: self.nodes, at: self.index + 1, end }
    }
}

impl fmt::Debug for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&String::from_utf8_lossy(self.raw()))
    }
}

#[derive(Clone)]
struct Children<'a> {
    bytes: &'a [u8],
    nodes: &'a [Node],
    at: u32,
    end: u32,
}

impl<'a> Children<'a> {
    #[inline]
    fn next(&mut self) -> Option<Value<'a>> {
        if self.at >= self.end {
            return None;
        }
        cost::step(1);
        let value = Value { bytes: self.bytes, nodes: self.nodes, index: self.at };
        self.at = value.node().next;
        Some(value)
    }
}

/// The fields of an object, in file order.
#[derive(Clone)]
pub struct Fields<'a>(Children<'a>);

impl<'a> Iterator for Fields<'a> {
    type Item = (Text<'a>, Value<'a>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let key = self.0.next()?.text()?;
        Some((key, self.0.next()?))
    }
}

/// The items of a list.
#[derive(Clone)]
pub struct ListItems<'a>(Children<'a>);

impl<'a> Iterator for ListItems<'a> {
    type Item = Value<'a>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.0.next()
    }
}
