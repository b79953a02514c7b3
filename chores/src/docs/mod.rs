//! `cargo xtask docs [--check]`: the reference of the `--json` documents, made from their JSON Schemas.
//!
//! The types that are printed are the documentation: a field without a comment does not compile without a warning,
//! so this cannot lag behind. `--check` also compares the kinds of FORMAT.md with those of the code.

mod kind;
mod schema;

use std::fmt::Write as _;

use scrollback_app::documents;

const HEAD: &str = "\
# The `--json` documents

<!-- Made by `cargo xtask docs` from the types; do not edit. -->

Every command that lists prints one JSON document with `--json`. Names are snake_case and mean the same everywhere: a
session is always `session_id`, an agent `agent_id`, an entry `uuid`, a line `line` (counted from 1), a byte in a file
`offset`, a time RFC 3339 in UTC, a duration `…_ms`. Of one thing, the plural is a count (`turns`), the list is `…_list`
(`turn_list`). What is unknown is `null`; lists are never left out.

A document that is an object begins with `\"schema\": \"<name>/<version>\"`. The version goes up when a field is removed or
changes its meaning; new fields and new words may be added at any time. `scrollback json-schema NAME` prints the JSON Schema.
`tail`, `watch` and `logs --follow` print one object per line, without that field.

| document | holds |
|---|---|
";

/// Writes the reference, or checks that it is up to date.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let path = scrollback_testkit::workspace().join("docs/json.md");
    let text = render()?;
    match arguments {
        [] => std::fs::write(&path, text).map_err(|cause| cause.to_string()),
        [flag] if flag == "--check" => {
            let written = std::fs::read_to_string(&path).unwrap_or_default();
            let mut wrong = kind::differences(&scrollback_testkit::workspace());
            if written != text {
                wrong.push("docs/json.md is out of date: run cargo xtask docs".into());
            }
            if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
        }
        _ => Err("usage: cargo xtask docs [--check]".into()),
    }
}

fn render() -> Result<String, String> {
    let mut text = HEAD.to_owned();
    let mut sections = String::new();
    let mut shared = schema::Shared::new();
    for kind in documents::ALL {
        let schema = serde_json::to_value(kind.schema()).map_err(|cause| cause.to_string())?;
        let label = format!("{}/{}", kind.name, kind.version);
        let anchor = label.replace('/', "");
        let _ = writeln!(text, "| [{label}](#{anchor}) | {} |", kind.about);
        let _ = write!(sections, "\n## {label}\n\n{}\n\n", kind.about);
        schema::section(&mut sections, &schema);
        schema::shared(&schema, &mut shared);
    }
    text.push_str(&sections);
    text.push_str("\n# Types in documents\n");
    for (name, schema) in &shared {
        let _ = write!(text, "\n## {name}\n\n{}\n\n", schema::sentence(schema));
        schema::section(&mut text, schema);
    }
    while text.contains("\n\n\n") {
        text = text.replace("\n\n\n", "\n\n");
    }
    Ok(text)
}
