//! Checking an entry against the shapes: unknown fields, wrong types, doubled keys; and a census of what is there.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use crate::content::Block;
use crate::entry::Entry;
use crate::json::{Text, Type, Value};
use crate::kind::Kind;
use crate::shape::{Field, Inside, Shape, Types};

/// The way from the entry to a field, kept on the stack so that nothing is built unless somebody wants it.
#[derive(Debug, Clone, Copy)]
pub struct FieldPath<'t> {
    up: Option<&'t FieldPath<'t>>,
    step: &'t [u8],
}

impl FieldPath<'_> {
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
    fn known(&mut self, _trail: &FieldPath<'_>, _value: Value<'_>) {}
    /// A field that is not listed in an object that is closed.
    fn unknown(&mut self, trail: &FieldPath<'_>, value: Value<'_>);
    /// A field that is listed, with a value of another type.
    fn wrong_type(&mut self, trail: &FieldPath<'_>, expected: Types, value: Value<'_>);
    /// A key that stands twice in one object.
    fn doubled(&mut self, trail: &FieldPath<'_>);
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
        let mut keys = Keys::of(entry.object);
        for (key, value) in entry.object.fields() {
            let name = key.decode();
            let trail = FieldPath { up: None, step: name.as_bytes() };
            if keys.is_doubled(key, &name, value) {
                findings.doubled(&trail);
            }
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
        up: &FieldPath<'_>,
        findings: &mut impl Findings,
    ) {
        let index = self.index(shape);
        let mut keys = Keys::of(value);
        for (key, inner) in value.fields() {
            let name = key.decode();
            let trail = FieldPath { up: Some(up), step: name.as_bytes() };
            if keys.is_doubled(key, &name, inner) {
                findings.doubled(&trail);
            }
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
        trail: &FieldPath<'_>,
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
                    let trail = FieldPath { up: Some(trail), step: b"[]" };
                    self.object(shape, item, &trail, findings);
                }
            }
            (Inside::Content, Type::Array) => self.blocks(value, trail, findings),
            _ => {}
        }
    }

    fn blocks(&mut self, list: Value<'_>, up: &FieldPath<'_>, findings: &mut impl Findings) {
        for item in list.items() {
            let block = Block::of(item);
            let name = item.get("type").and_then(Value::text).map(|kind| kind.decode());
            let step = format!("[{}]", name.as_deref().unwrap_or("?"));
            let trail = FieldPath { up: Some(up), step: step.as_bytes() };
            match block.shape() {
                Some(shape) => self.object(shape, item, &trail, findings),
                None => findings.unknown(&trail, item),
            }
        }
    }
}

/// Up to so many keys are compared with all before them, which mostly differ in length.
const FEW: usize = 32;

/// The keys of an object, to tell which of them stand twice.
enum Keys<'a> {
    Few(Value<'a>),
    Many(BTreeSet<&'a [u8]>),
}

impl<'a> Keys<'a> {
    fn of(object: Value<'a>) -> Self {
        match object.fields().nth(FEW) {
            None => Self::Few(object),
            Some(_) => Self::Many(BTreeSet::new()),
        }
    }

    /// Does an earlier field of the object have this key too? Asked for each field, in order.
    fn is_doubled(&mut self, key: Text<'a>, name: &str, value: Value<'a>) -> bool {
        match self {
            Self::Few(object) => object
                .fields()
                .take_while(|(_, other)| other.span().start < value.span().start)
                .any(|(key, _)| key.raw().len() == name.len() && key.raw() == name.as_bytes()),
            Self::Many(before) => {
                let is_doubled = before.contains(name.as_bytes());
                before.insert(key.raw());
                is_doubled
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Checker, FieldPath, Findings, Types};
    use crate::cost::steps_of;
    use crate::entry::{Dialect, Entry};
    use crate::json::{Tape, Value};

    #[derive(Default)]
    struct Doubled(Vec<String>);

    impl Findings for Doubled {
        fn unknown(&mut self, _: &FieldPath<'_>, _: Value<'_>) {}
        fn wrong_type(&mut self, _: &FieldPath<'_>, _: Types, _: Value<'_>) {}
        fn doubled(&mut self, trail: &FieldPath<'_>) {
            self.0.push(trail.path());
        }
    }

    /// The keys that stand twice, and the steps that it took to find them.
    fn check(line: &str) -> (Vec<String>, u64) {
        let mut tape = Tape::new();
        tape.scan(line.as_bytes()).unwrap();
        let entry = Entry::of(tape.root(line.as_bytes()).unwrap(), Dialect::Session);
        let mut found = Doubled::default();
        let steps = steps_of(|| Checker::new().check(&entry, &mut found));
        (found.0, steps)
    }

    fn many_keys(count: usize) -> String {
        let keys: String = (0..count).map(|number| format!(",\"k{number}\":1")).collect();
        format!("{{\"type\":\"mode\"{keys},\"k3\":2}}")
    }

    #[test]
    fn doubled_keys_are_found_among_few_and_among_many() {
        for count in [4, super::FEW - 1, super::FEW, super::FEW + 1, 1000] {
            assert_eq!(check(&many_keys(count)).0, ["k3"], "{count}");
        }
    }

    #[test]
    fn many_keys_cost_no_more_than_their_number() {
        let (once, twice) = (check(&many_keys(2_000)).1, check(&many_keys(4_000)).1);
        assert!(once >= 2_000 && twice <= once * 11 / 5, "{once} steps, for twice the keys {twice}");
    }
}
