//! Editing one field leaves the order of keys and every other byte as it was.

use proptest::prelude::*;
use scrollback_format::json::{quoted, remove_field, replace_field, set_field};

fn object() -> impl Strategy<Value = (Vec<(String, String)>, String)> {
    let field = (
        "[a-f]{1,3}",
        prop_oneof![Just("1".to_owned()), Just("\"x,}\"".to_owned()), Just("{\"k\":[1]}".to_owned())],
    );
    prop::collection::vec(field, 1..6).prop_map(|mut fields| {
        // Distinct keys: what happens to doubled ones is told by a test of its own.
        fields.sort();
        fields.dedup_by(|a, b| a.0 == b.0);
        let inner: Vec<_> = fields.iter().map(|(key, value)| format!("\"{key}\": {value}")).collect();
        let text = format!("{{ {} }}", inner.join(" ,"));
        (fields, text)
    })
}

proptest! {
    #[test]
    fn replacing_and_replacing_back_is_the_identity((fields, text) in object(), pick in any::<prop::sample::Index>(), new in ".{0,10}") {
        let (key, old) = &fields[pick.index(fields.len())];
        let changed = replace_field(text.as_bytes(), &[key], &quoted(&new)).unwrap();
        let value: serde_json::Value = serde_json::from_slice(&changed).unwrap();
        prop_assert_eq!(&value[key], &serde_json::Value::from(new));
        let back = replace_field(&changed, &[key], old.as_bytes()).unwrap();
        prop_assert_eq!(back, text.into_bytes());
    }

    #[test]
    fn a_field_added_and_removed_leaves_the_rest((fields, text) in object()) {
        let with = set_field(text.as_bytes(), &["zz"], b"[true]").unwrap();
        prop_assert_eq!(remove_field(&with, &["zz"]).unwrap(), text.clone().into_bytes());
        for (key, _) in &fields {
            let without = remove_field(text.as_bytes(), &[key]).unwrap();
            let value: serde_json::Value = serde_json::from_slice(&without).unwrap();
            prop_assert_eq!(value.as_object().unwrap().len(), fields.len() - 1);
        }
    }

    #[test]
    fn written_strings_are_read_the_same(text in any::<String>()) {
        let json = quoted(&text);
        prop_assert_eq!(&serde_json::from_slice::<String>(&json).unwrap(), &text);
        prop_assert_eq!(json, serde_json::to_vec(&text).unwrap());
    }
}
