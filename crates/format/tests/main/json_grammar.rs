//! What the scanner accepts is what `serde_json` accepts, and it reads the same values.

use proptest::prelude::*;
use scrollback_format::json::{Tape, Type, Value};

/// `serde_json` as the judge: does a value start here, and where does it end?
///
/// `RawValue` checks the grammar without decoding strings, so that lone surrogates pass, as they must.
fn judge(bytes: &[u8]) -> Option<usize> {
    let mut stream =
        serde_json::Deserializer::from_slice(bytes).into_iter::<Box<serde_json::value::RawValue>>();
    stream.next()?.ok()?;
    Some(stream.byte_offset())
}

fn json_text() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        any::<bool>().prop_map(|b| b.to_string()),
        "-?(0|[1-9][0-9]{0,5})(\\.[0-9]{1,3})?([eE][+-]?[0-9]{1,2})?",
        "\"([a-zé😀 ]|\\\\n|\\\\u00e9|\\\\ud83d\\\\ude00|\\\\ud83d|\\\\\\\\|\\\\\"){0,12}\"",
    ];
    leaf.prop_recursive(5, 40, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(|items| format!("[{}]", items.join(","))),
            prop::collection::vec(("\"[a-z]{1,4}\"", inner), 0..5).prop_map(|fields| {
                let fields: Vec<_> = fields.iter().map(|(key, value)| format!("{key} : {value}")).collect();
                format!("{{{}}}", fields.join(" , "))
            }),
        ]
    })
}

fn same(ours: Value<'_>, theirs: &serde_json::Value) -> bool {
    match theirs {
        serde_json::Value::Null => ours.is_null(),
        serde_json::Value::Bool(value) => ours.bool() == Some(*value),
        // serde_json reads floats to within a unit in the last place; the standard library exactly.
        serde_json::Value::Number(value) => match (ours.f64(), value.as_f64()) {
            (Some(ours), Some(theirs)) => (ours - theirs).abs() <= theirs.abs() * 1e-14,
            _ => false,
        },
        serde_json::Value::String(value) => ours.text().is_some_and(|text| text.decode() == value.as_str()),
        serde_json::Value::Array(items) => {
            ours.kind() == Type::Array
                && ours.items().count() == items.len()
                && ours.items().zip(items).all(|(ours, theirs)| same(ours, theirs))
        }
        serde_json::Value::Object(fields) => {
            ours.kind() == Type::Object
                && fields.iter().all(|(key, value)| ours.get(key).is_some_and(|ours| same(ours, value)))
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn values_read_the_same(text in json_text()) {
        let mut tape = Tape::new();
        prop_assert_eq!(tape.scan(text.as_bytes()).ok(), Some(text.len()), "{}", text);
        let root = tape.root(text.as_bytes()).unwrap();
        prop_assert_eq!(root.raw(), text.as_bytes());
        // Texts with half a surrogate pair have no judge: serde_json rejects them when it decodes.
        if let Ok(theirs) = serde_json::from_str::<serde_json::Value>(&text) {
            prop_assert!(same(root, &theirs), "{} read as {:?}", theirs, root);
            prop_assert!(!tape.has_lone_surrogate());
        } else {
            prop_assert!(tape.has_lone_surrogate());
        }
    }

    #[test]
    fn cut_or_bent_texts_are_judged_the_same(text in json_text(), at in any::<prop::sample::Index>(), byte in prop_oneof![
        Just(b'"'), Just(b'\\'), Just(b'{'), Just(b'}'), Just(b','), Just(b'0'), Just(b'\n'), Just(0), any::<u8>()
    ], how in 0..3) {
        let mut bytes = text.into_bytes();
        let at = at.index(bytes.len());
        match how {
            0 => bytes.truncate(at),
            1 => bytes[at] = byte,
            _ => bytes.insert(at, byte),
        }
        let mut tape = Tape::new();
        // Bytes that are not UTF-8 are a problem of their own and no matter of the grammar.
        prop_assume!(std::str::from_utf8(&bytes).is_ok());
        // Where a container ends is clear; after a scalar the judge looks at the next byte too, so ask it for all.
        let ours = tape.scan(&bytes).ok();
        if matches!(bytes.trim_ascii_start().first(), Some(b'{' | b'[')) {
            prop_assert_eq!(ours, judge(&bytes), "{}", String::from_utf8_lossy(&bytes));
        } else {
            let whole = ours.is_some_and(|end| bytes[end..].trim_ascii().is_empty());
            let theirs = serde_json::from_slice::<Box<serde_json::value::RawValue>>(&bytes).is_ok();
            prop_assert_eq!(whole, theirs, "{}", String::from_utf8_lossy(&bytes));
        }
    }
}

#[test]
fn nesting_cannot_exhaust_the_stack() {
    let deep = 100_000;
    let text = format!("{}{}", "[".repeat(deep), "]".repeat(deep));
    let mut tape = Tape::new();
    assert_eq!(tape.scan(text.as_bytes()), Ok(text.len()));
    assert!(tape.has_opaque());
    assert_eq!(tape.root(text.as_bytes()).map(|root| root.raw().len()), Some(text.len()));
}

#[test]
fn a_text_with_millions_of_values_is_still_one_object() {
    let text = format!("{{\"a\":{{\"b\":[[[{}1]]],\"c\":2}}}}", "1,".repeat(2_000_000));
    let mut tape = Tape::new();
    assert_eq!(tape.scan(text.as_bytes()), Ok(text.len()));
    assert!(tape.has_opaque());
    let root = tape.root(text.as_bytes()).unwrap();
    assert_eq!(root.get("a").and_then(|a| a.get("c")).and_then(Value::u64), Some(2));
}
