//! The documents of the commands that find things: what they print parses to their type and prints again the same.

use scrollback_app::documents;

use crate::program::Program;

/// Prints a document, and checks it against its type and its name.
fn check(program: &Program, name: &str, arguments: &[&str]) {
    let printed = program.command(&[arguments, &["--json"]].concat()).output().unwrap().stdout;
    let printed = String::from_utf8(printed).unwrap();
    let kind = documents::find(name).unwrap();
    let again = kind.reprint(&printed).unwrap_or_else(|error| panic!("{name}: {error}\n{printed}"));
    let parse = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
    assert_eq!(parse(&printed), parse(&again), "{name}");
    let label = (!kind.is_list).then(|| format!("{name}/{}", kind.version));
    assert_eq!(parse(&printed)["schema"].as_str(), label.as_deref(), "{name}");
}

#[test]
fn documents_parse_to_their_type_and_print_the_same() {
    let program = Program::new();
    let sample = |name: &str, arguments: &[&str]| check(&program, name, &[&["--sample"], arguments].concat());
    sample("overview", &[]);
    sample("search", &["search", "the", "--hits", "0"]);
    sample("search", &["search", "is:error"]);
    sample("grep", &["grep", "the", "-C", "1"]);
    sample("grep", &["grep", "the", "--count"]);
    sample("grep", &["grep", "the", "--files"]);
    sample("grep", &["grep", "the", "-n", "1"]);
    sample("grep", &["grep", "nowhere at all"]);
    sample("index", &["index"]);
    sample("index-sql", &["index", "sql", "SELECT session_id, turns, 1.5, NULL, turns FROM sessions"]);
    sample("index-tables", &["index", "tables"]);
    sample("json-schema", &["json-schema"]);
    sample("where", &["where", "/home/ada/orbit"]);
    sample("where", &["where", "-home-ada-tidepool"]);
    sample("files-ls", &["files", "ls"]);
}

#[test]
fn every_document_has_a_schema_that_names_it() {
    let program = Program::new();
    let listed = program.json(&["json-schema", "--json"]);
    let listed: Vec<&str> =
        listed.as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert!(listed.contains(&"search") && listed.contains(&"ls"), "{listed:?}");
    for name in listed {
        let schema = program.json(&["json-schema", name]);
        assert!(schema["$id"].as_str().unwrap().starts_with(&format!("urn:scrollback:{name}/")), "{schema}");
    }
    let told = program.told(&["json-schema", "serch"]);
    assert!(told.starts_with("status 1") && told.contains("did you mean search?"), "{told}");
}
