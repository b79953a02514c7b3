//! Every document that any test prints is judged: it validates against its JSON Schema, by a validator that is not ours, and
//! prints the same after it was parsed.

use std::collections::BTreeSet;

use scrollback_app::document::DocumentKind;
use scrollback_app::documents;
use scrollback_testkit::schema::Validator;
use serde_json::Value;

use crate::program::Program;

/// Judges what a command with `--json` printed.
pub fn judge(arguments: &[&str], printed: &[u8]) {
    let text = String::from_utf8_lossy(printed);
    // One value a line is a stream of items; each is judged by the tests of its command.
    let Ok(value) = serde_json::from_str::<Value>(&text) else { return };
    match &value {
        Value::Object(object) => {
            let label = object.get("schema").and_then(Value::as_str);
            let label = label.unwrap_or_else(|| panic!("{arguments:?} prints a document without a name"));
            let named = |kind: &&DocumentKind| format!("{}/{}", kind.name, kind.version) == label;
            let kind = documents::ALL.iter().find(named);
            let kind = kind.unwrap_or_else(|| panic!("{arguments:?}: {label} is not listed"));
            whole(kind, &text, &value).unwrap_or_else(|why| panic!("{arguments:?}: {label}: {why}"));
        }
        Value::Array(_) => {
            let lists = documents::ALL.iter().filter(|kind| kind.is_list);
            let tried: Vec<String> = lists
                .map_while(|kind| whole(kind, &text, &value).err().map(|why| format!("{}: {why}", kind.name)))
                .collect();
            let known = documents::ALL.iter().filter(|kind| kind.is_list).count();
            assert!(tried.len() < known, "{arguments:?} prints no known list: {tried:#?}");
        }
        _ => panic!("{arguments:?} prints neither an object nor a list"),
    }
}

/// Does it validate, and print the same again?
fn whole(kind: &DocumentKind, text: &str, value: &Value) -> Result<(), String> {
    let schema = serde_json::to_value(kind.schema()).map_err(|error| error.to_string())?;
    Validator::compile(schema)?.judge(value)?;
    let again = kind.reprint(text).map_err(|error| format!("does not parse: {error}"))?;
    // Streams are laid out otherwise than whole documents: what counts is every field, in its order.
    let parsed: Value = serde_json::from_str(&again).map_err(|error| error.to_string())?;
    let [one, other] = [value, &parsed].map(|value| serde_json::to_string_pretty(value).unwrap_or_default());
    if one == other {
        return Ok(());
    }
    Err(format!("prints otherwise after parsing:\n{}", first_difference(&one, &other)))
}

fn first_difference(one: &str, other: &str) -> String {
    let lines = one.lines().zip(other.lines()).zip(1..);
    let found = lines.map(|((a, b), number)| (number, a, b)).find(|(_, a, b)| a != b);
    found.map_or_else(
        || "one is longer".to_owned(),
        |(number, a, b)| format!("line {number}: {a}\n    not: {b}"),
    )
}

#[test]
fn every_document_has_a_schema_with_descriptions() {
    let mut names = BTreeSet::new();
    for kind in documents::ALL {
        assert!(names.insert(kind.name), "{} is listed twice", kind.name);
        let schema = serde_json::to_value(kind.schema()).unwrap();
        let id = schema["$id"].as_str().unwrap();
        assert_eq!(id, format!("urn:scrollback:{}/{}", kind.name, kind.version));
        let fields = schema["properties"].as_object();
        for (field, about) in fields.into_iter().flatten() {
            let described = about.get("description").is_some() || about.get("$ref").is_some();
            assert!(described, "{}: `{field}` has no description", kind.name);
        }
    }
}

#[test]
fn a_document_that_lacks_a_field_or_has_a_wrong_one_is_refused() {
    let program = Program::new();
    let printed = program.run(&["--sample", "ls", "--json"]).stdout;
    let mut value: Value = serde_json::from_slice(&printed).unwrap();
    let kind = documents::find("ls").unwrap();
    value["sessions"][0]["kind"] = "conversaton".into();
    let text = serde_json::to_string_pretty(&value).unwrap() + "\n";
    assert!(whole(kind, &text, &value).is_err());
    value["sessions"][0].as_object_mut().unwrap().remove("kind");
    assert!(whole(kind, &text, &value).is_err());
}
