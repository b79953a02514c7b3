//! Checking an entry against the shapes: unknown fields, wrong types, doubled keys; and a census of what is there.

use rustc_hash::FxHashMap;

use crate::content::Block;
use crate::entry::Entry;
use crate::json::{Type, Value};
use crate::kind::Kind;
use crate::shape::{Field, Inside, Shape, Types};

/// The way from the entry to a field, kept on the stack so that nothing is built unless somebody wants it.
#[derive(Debug, Clone, Copy)]
pub struct Trail<'t> {
    up: Option<&'t Trail<'t>>,
    step: &'t [u8],
}

impl Trail<'_> {
    /// The path in words, `message.usage.speed`. Items of a list are `[]`, blocks `[text]`.
    pub fn path(&self) -> String {
        let step = String::from_utf8_lossy(self.step);
        match self.up {
            None => step.into_owned(),
            Some(up) if step.starts_with('[') => format!("{}{step}", up.path()),
            Some(up) => format!("{}.{step}", up.path()),
        }
    }
}

/// Who wants to know what a check finds.
pub trait Findings {
    /// A field that is listed, with a value of a type that it may have.
    fn known(&mut self, _trail: &Trail<'_>, _value: Value<'_>) {}
    /// A field that is not listed in an object that is closed.
    fn unknown(&mut self, trail: &Trail<'_>, value: Value<'_>);
    /// A field that is listed, with a value of another type.
    fn wrong_type(&mut self, trail: &Trail<'_>, expected: Types, value: Value<'_>);
    /// A key that stands twice in one object.
    fn doubled(&mut self, trail: &Trail<'_>);
}

/// Checks entries. It keeps an index of the shapes it has met.
#[derive(Debug, Default)]
pub struct Checker {
    numbers: FxHashMap<usize, usize>,
    indexes: Vec<FxHashMap<&'static [u8], &'static Field>>,
}

impl Checker {
    /// A checker that has met no shape yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Checks one entry.
    pub fn check(&mut self, entry: &Entry<'_>, findings: &mut impl Findings) {
        let Some(body) = entry.body_shape() else { return };
        let envelope = entry.envelope_shape().map(|shape| self.index(shape));
        let body_index = self.index(body);
        let inner = entry.inner_shape();
        // Notes known only by name have no list of fields to be checked against.
        let closed = body.closed && entry.kind != Kind::Unknown;
        for (key, value) in entry.object.fields() {
            let name = key.decode();
            let trail = Trail { up: None, step: name.as_bytes() };
            self.check_doubled(entry.object, &trail, value, findings);
            let known = envelope
                .and_then(|index| self.indexes[index].get(name.as_bytes()).copied())
                .or_else(|| self.indexes[body_index].get(name.as_bytes()).copied());
            match (known, inner) {
                (Some(field), Some((inner_key, shape))) if field.key == inner_key => {
                    self.value(field, value, &trail, findings);
                    self.object(shape, value, &trail, findings);
                }
                (Some(field), _) => self.value(field, value, &trail, findings),
                (None, _) if closed => findings.unknown(&trail, value),
                (None, _) => {}
            }
        }
    }

    fn index(&mut self, shape: &'static Shape) -> usize {
        // A shape is a constant, so that its address is its identity.
        let indexes = &mut self.indexes;
        *self.numbers.entry(std::ptr::from_ref(shape) as usize).or_insert_with(|| {
            indexes.push(shape.fields.iter().map(|field| (field.key.as_bytes(), field)).collect());
            indexes.len() - 1
        })
    }

    fn object(
        &mut self,
        shape: &'static Shape,
        value: Value<'_>,
        up: &Trail<'_>,
        findings: &mut impl Findings,
    ) {
        let index = self.index(shape);
        for (key, inner) in value.fields() {
            let name = key.decode();
            let trail = Trail { up: Some(up), step: name.as_bytes() };
            self.check_doubled(value, &trail, inner, findings);
            match self.indexes[index].get(name.as_bytes()).copied() {
                Some(field) => self.value(field, inner, &trail, findings),
                None if shape.closed => findings.unknown(&trail, inner),
                None => {}
            }
        }
    }

    fn value(
        &mut self,
        field: &'static Field,
        value: Value<'_>,
        trail: &Trail<'_>,
        findings: &mut impl Findings,
    ) {
        let kind = value.kind();
        if !field.accepts.accepts(kind) {
            findings.wrong_type(trail, field.accepts, value);
            return;
        }
        findings.known(trail, value);
        match (field.inside, kind) {
            (Inside::Object(shape), Type::Object) => self.object(shape, value, trail, findings),
            (Inside::Items(shape), Type::Array) => {
                for item in value.items() {
                    let trail = Trail { up: Some(trail), step: b"[]" };
                    self.object(shape, item, &trail, findings);
                }
            }
            (Inside::Content, Type::Array) => self.blocks(value, trail, findings),
            _ => {}
        }
    }

    fn blocks(&mut self, list: Value<'_>, up: &Trail<'_>, findings: &mut impl Findings) {
        for item in list.items() {
            let block = Block::of(item);
            let name = item.get("type").and_then(Value::text).map(|kind| kind.decode());
            let step = format!("[{}]", name.as_deref().unwrap_or("?"));
            let trail = Trail { up: Some(up), step: step.as_bytes() };
            match block.shape() {
                Some(shape) => self.object(shape, item, &trail, findings),
                None => findings.unknown(&trail, item),
            }
        }
    }

    /// Notes a key that an earlier field of the object has too. Keys are few, and mostly differ in length.
    fn check_doubled(
        &self,
        object: Value<'_>,
        trail: &Trail<'_>,
        value: Value<'_>,
        findings: &mut impl Findings,
    ) {
        let before = object
            .fields()
            .take_while(|(_, other)| other.span().start < value.span().start)
            .any(|(key, _)| key.raw().len() == trail.step.len() && key.raw() == trail.step);
        if before {
            findings.doubled(trail);
        }
    }
}
