//! One line: its bytes, and what of it other lines refer to.

use scrollback_format::json::{Tape, Type, Value, remove_field, replace_field, set_field};

/// An id as it stands between its quotes. Compared as it is written.
pub(super) type Name = Box<[u8]>;

/// A line of a session.
#[derive(Debug, Clone, Default)]
pub(super) struct ScriptLine {
    /// Its bytes, without the newline.
    pub bytes: Vec<u8>,
    /// Its number in the file that was read.
    pub number: u64,
    /// Is it one JSON object?
    pub is_object: bool,
    /// Is it marked to go?
    pub gone: bool,
    /// `type`.
    pub kind: Name,
    /// `uuid`.
    pub uuid: Option<Name>,
    /// `parentUuid`; none if it is null or not there.
    pub parent: Option<Name>,
    /// `logicalParentUuid`.
    pub logical: Option<Name>,
    /// `message.id`.
    pub message: Option<Name>,
    /// `isSidechain`.
    pub is_sidechain: bool,
    /// Is it a `compact_boundary`?
    pub is_boundary: bool,
    /// Calls that it makes.
    pub calls: Vec<Name>,
    /// Calls that it answers.
    pub results: Vec<Name>,
}

impl ScriptLine {
    /// Takes a line apart.
    pub fn new(bytes: Vec<u8>, number: u64) -> Self {
        let mut line = Self { bytes, number, ..Self::default() };
        line.look();
        line
    }

    fn look(&mut self) {
        let mut tape = Tape::new();
        let Some(root) = object(&self.bytes, &mut tape) else { return };
        let name = |key: &str| root.get(key).and_then(raw);
        let mut seen = Self {
            number: self.number,
            gone: self.gone,
            is_object: true,
            kind: name("type").unwrap_or_default(),
            uuid: name("uuid"),
            parent: name("parentUuid"),
            logical: name("logicalParentUuid"),
            message: root.get("message").and_then(|message| message.get("id")).and_then(raw),
            is_sidechain: root.get("isSidechain").and_then(Value::bool) == Some(true),
            is_boundary: name("subtype").as_deref() == Some(b"compact_boundary"),
            ..Self::default()
        };
        for block in content(root) {
            let kind = block.get("type").and_then(raw).unwrap_or_default();
            if kind.ends_with(b"tool_use") {
                seen.calls.extend(block.get("id").and_then(raw));
            } else if kind.ends_with(b"tool_result") {
                seen.results.extend(block.get("tool_use_id").and_then(raw));
            }
        }
        seen.bytes = std::mem::take(&mut self.bytes);
        *self = seen;
    }

    /// Gives its root object to `with`.
    pub fn read<R>(&self, with: impl FnOnce(Value<'_>) -> R) -> Option<R> {
        let mut tape = Tape::new();
        object(&self.bytes, &mut tape).map(with)
    }

    /// The id in a field, if there is one.
    pub fn name(&self, path: &[&str]) -> Option<Name> {
        self.read(|root| path.iter().try_fold(root, |value, key| value.get(key)).and_then(raw)).flatten()
    }

    /// Puts an id into a field that is there; null if none.
    pub fn rename(&mut self, path: &[&str], name: Option<&[u8]>) {
        let value = name.map_or_else(|| b"null".to_vec(), quote);
        self.replace(path, &value);
    }

    /// Replaces the value of a field that is there.
    pub fn replace(&mut self, path: &[&str], value: &[u8]) {
        if let Ok(bytes) = replace_field(&self.bytes, path, value) {
            self.bytes = bytes;
            self.look();
        }
    }

    /// Sets a field, which goes last if it is not there.
    pub fn set(&mut self, path: &[&str], value: &[u8]) {
        if let Ok(bytes) = set_field(&self.bytes, path, value) {
            self.bytes = bytes;
            self.look();
        }
    }

    /// Takes a field out, if it is there.
    pub fn remove(&mut self, path: &[&str]) {
        if let Ok(bytes) = remove_field(&self.bytes, path) {
            self.bytes = bytes;
            self.look();
        }
    }
}

/// The blocks of `message.content`, if it is a list.
pub(super) fn content(root: Value<'_>) -> impl Iterator<Item = Value<'_>> {
    let content = root.get("message").and_then(|message| message.get("content"));
    content.filter(|content| content.kind() == Type::Array).into_iter().flat_map(Value::items)
}

/// A text as it stands between its quotes.
pub(super) fn raw(value: Value<'_>) -> Option<Name> {
    value.text().map(|text| text.raw().into())
}

/// The same with quotes.
pub(super) fn quote(name: &[u8]) -> Vec<u8> {
    [b"\"", name, b"\""].concat()
}

fn object<'a>(bytes: &'a [u8], tape: &'a mut Tape) -> Option<Value<'a>> {
    let end = tape.scan(bytes).ok()?;
    if !bytes[end..].iter().all(u8::is_ascii_whitespace) {
        return None;
    }
    let tape: &'a Tape = tape;
    tape.root(bytes).filter(|root| root.kind() == Type::Object)
}
