//! Changing one field of one object, with every other byte of it left as it is.

use std::fmt;
use std::ops::Range;

use super::escape::push_string;
use super::tape::Tape;
use super::value::{Type, Value};

/// Why an edit was not made.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum EditError {
    /// The bytes are not one JSON object.
    NotAnObject,
    /// No field has that path.
    NoSuchField(String),
    /// What was to be put in is not one JSON value.
    NotAValue,
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAnObject => f.write_str("the line is not one JSON object"),
            Self::NoSuchField(path) => write!(f, "there is no field `{path}`"),
            Self::NotAValue => f.write_str("the new value is not JSON"),
        }
    }
}

impl std::error::Error for EditError {}

/// Replaces the value of a field that is there. `path` names nested objects, outermost first.
///
/// ```
/// use scrollback_format::json::replace_field;
/// let line = br#"{ "a":1, "b" : {"c":"x"} }"#;
/// assert_eq!(replace_field(line, &["b", "c"], b"null").unwrap(), br#"{ "a":1, "b" : {"c":null} }"#);
/// ```
pub fn replace_field(object: &[u8], path: &[&str], value: &[u8]) -> Result<Vec<u8>, EditError> {
    check_value(value)?;
    let mut tape = Tape::new();
    let place = find(object, path, &mut tape)?;
    Ok(splice(object, place.value, value))
}

/// Replaces a field, or adds it as the last one of its object if it is not there. All but the last name of
/// `path` must exist.
pub fn set_field(object: &[u8], path: &[&str], value: &[u8]) -> Result<Vec<u8>, EditError> {
    check_value(value)?;
    let mut tape = Tape::new();
    match find(object, path, &mut tape) {
        Ok(place) => Ok(splice(object, place.value, value)),
        Err(EditError::NoSuchField(_)) => add_field(object, path, value),
        Err(error) => Err(error),
    }
}

/// Takes a field out, with the one comma that went with it.
pub fn remove_field(object: &[u8], path: &[&str]) -> Result<Vec<u8>, EditError> {
    let mut tape = Tape::new();
    let place = find(object, path, &mut tape)?;
    let before = object[..place.key.start].iter().rposition(|byte| !byte.is_ascii_whitespace());
    let after = object[place.value.end..].iter().position(|byte| !byte.is_ascii_whitespace());
    let whole = match (before, after) {
        // A comma before: it goes. Else the comma after, with the space up to the next key.
        (Some(before), _) if object[before] == b',' => before..place.value.end,
        (_, Some(after)) if object[place.value.end + after] == b',' => {
            let from = place.value.end + after + 1;
            let space = object[from..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            place.key.start..from + space
        }
        _ => place.key.start..place.value.end,
    };
    Ok(splice(object, whole, b""))
}

struct FieldPlace {
    key: Range<usize>,
    value: Range<usize>,
}

fn find(object: &[u8], path: &[&str], tape: &mut Tape) -> Result<FieldPlace, EditError> {
    let mut value = root(object, tape)?;
    let mut place = None;
    for name in path {
        let found = value.fields().filter(|(key, _)| key.is(name)).last();
        let Some((key, inner)) = found else { return Err(EditError::NoSuchField(path.join("."))) };
        // The key's raw text is a slice of the object's bytes, so its distance from the start is its offset.
        let start = key.raw().as_ptr() as usize - object.as_ptr() as usize - 1;
        place = Some(FieldPlace { key: start..start + key.raw().len() + 2, value: inner.span() });
        value = inner;
    }
    place.ok_or_else(|| EditError::NoSuchField(String::new()))
}

fn add_field(object: &[u8], path: &[&str], value: &[u8]) -> Result<Vec<u8>, EditError> {
    let mut tape = Tape::new();
    let Some((name, outer)) = path.split_last() else { return Err(EditError::NoSuchField(String::new())) };
    let mut holder = root(object, &mut tape)?;
    for step in outer {
        holder = holder.get(step).ok_or_else(|| EditError::NoSuchField(path.join(".")))?;
    }
    if holder.kind() != Type::Object || holder.is_opaque() {
        return Err(EditError::NotAnObject);
    }
    let end = holder.fields().last().map_or(holder.span().start + 1, |(_, last)| last.span().end);
    let mut field = Vec::new();
    if holder.fields().next().is_some() {
        field.push(b',');
    }
    push_string(&mut field, name);
    field.push(b':');
    field.extend_from_slice(value);
    Ok(splice(object, end..end, &field))
}

fn root<'a>(object: &'a [u8], tape: &'a mut Tape) -> Result<Value<'a>, EditError> {
    let end = tape.scan(object).map_err(|_| EditError::NotAnObject)?;
    let rest_is_space = object[end..].iter().all(u8::is_ascii_whitespace);
    let tape: &'a Tape = tape;
    match tape.root(object) {
        Some(root) if root.kind() == Type::Object && rest_is_space => Ok(root),
        _ => Err(EditError::NotAnObject),
    }
}

fn check_value(value: &[u8]) -> Result<(), EditError> {
    match Tape::new().scan(value) {
        Ok(end) if end == value.len() && !value.contains(&b'\n') => Ok(()),
        _ => Err(EditError::NotAValue),
    }
}

fn splice(object: &[u8], place: Range<usize>, put: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(object.len() + put.len());
    out.extend_from_slice(&object[..place.start]);
    out.extend_from_slice(put);
    out.extend_from_slice(&object[place.end..]);
    out
}

#[cfg(test)]
mod tests {
    use super::{EditError, remove_field, replace_field, set_field};

    fn check(edit: Result<Vec<u8>, EditError>, expected: &str) {
        assert_eq!(String::from_utf8(edit.unwrap()).unwrap(), expected);
    }

    #[test]
    fn only_the_named_value_changes() {
        check(replace_field(br#"{"b":1,"a" : 2,"c":[3]}"#, &["a"], b"\"x\""), r#"{"b":1,"a" : "x","c":[3]}"#);
        check(replace_field(br#"{"a":1,"a":2}"#, &["a"], b"3"), r#"{"a":1,"a":3}"#);
    }

    #[test]
    fn a_new_field_goes_last() {
        check(set_field(br#"{"a":1}"#, &["b"], b"2"), r#"{"a":1,"b":2}"#);
        check(set_field(b"{ }", &["b"], b"2"), r#"{"b":2 }"#);
        check(set_field(br#"{"m":{}}"#, &["m", "x"], b"[]"), r#"{"m":{"x":[]}}"#);
    }

    #[test]
    fn removing_takes_one_comma() {
        check(remove_field(br#"{"a":1,"b":2,"c":3}"#, &["b"]), r#"{"a":1,"c":3}"#);
        check(remove_field(br#"{"a":1, "b":2}"#, &["a"]), r#"{"b":2}"#);
        check(remove_field(br#"{"a":1}"#, &["a"]), r#"{}"#);
    }

    #[test]
    fn bad_edits_are_refused() {
        assert_eq!(replace_field(b"[1]", &["a"], b"1"), Err(EditError::NotAnObject));
        assert_eq!(replace_field(b"{}", &["a", "b"], b"1"), Err(EditError::NoSuchField("a.b".into())));
        assert_eq!(replace_field(br#"{"a":1}"#, &["a"], b"1 2"), Err(EditError::NotAValue));
        assert_eq!(replace_field(br#"{"a":1}"#, &["a"], b"\n1"), Err(EditError::NotAValue));
    }
}
