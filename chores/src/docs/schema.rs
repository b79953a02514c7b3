//! A JSON Schema as Markdown: a table of fields for each object, a list of values for each enum.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::Value;

/// Sections of types that documents share, by name.
pub type Shared = BTreeMap<String, Value>;

/// Takes the shared types out of a document's schema.
pub fn shared(schema: &Value, into: &mut Shared) {
    for (name, about) in schema["$defs"].as_object().into_iter().flatten() {
        into.entry(name.clone()).or_insert_with(|| about.clone());
    }
}

/// The section of one object or enum, without its heading.
pub fn section(text: &mut String, schema: &Value) {
    if schema["type"] == "array" {
        let _ = writeln!(text, "A list of {}.", kind(&schema["items"]));
        return;
    }
    if let Some(values) = values(schema) {
        let _ = writeln!(text, "{}", values.join("; "));
        return;
    }
    fields(text, schema);
    for variant in schema["oneOf"].as_array().into_iter().flatten() {
        variant_section(text, variant);
    }
}

fn variant_section(text: &mut String, variant: &Value) {
    let named = variant["properties"].as_object().and_then(|properties| {
        properties.iter().find_map(|(field, about)| Some((field, about.get("const")?.as_str()?)))
    });
    let Some((field, name)) = named else { return };
    let _ = writeln!(text, "\n`\"{field}\": \"{name}\"`: {}\n", sentence(variant));
    let mut rest = variant.clone();
    if let Some(properties) = rest["properties"].as_object_mut() {
        properties.remove(field);
    }
    fields(text, &rest);
}

fn fields(text: &mut String, schema: &Value) {
    let Some(properties) = schema["properties"].as_object().filter(|fields| !fields.is_empty()) else {
        return;
    };
    text.push_str("| field | type | meaning |\n|---|---|---|\n");
    let required: Vec<&str> =
        schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    for (name, about) in properties {
        let optional = if required.contains(&name.as_str()) { "" } else { ", may be left out" };
        let meaning = sentence(about).replace('|', "\\|");
        let _ = writeln!(text, "| `{name}` | {}{optional} | {meaning} |", kind(about));
    }
}

/// What a value is, in words.
fn kind(schema: &Value) -> String {
    if let Some(target) = schema["$ref"].as_str() {
        let name = target.rsplit('/').next().unwrap_or_default();
        return format!("[{name}](#{})", name.to_lowercase());
    }
    if let Some(constant) = schema["const"].as_str() {
        return format!("`\"{constant}\"`");
    }
    if let Some(choices) = schema["anyOf"].as_array() {
        let known: Vec<String> = choices.iter().map(kind).collect();
        return known.join(" or ");
    }
    match &schema["type"] {
        Value::String(name) => of_type(name, schema),
        Value::Array(names) => {
            let names = names.iter().filter_map(Value::as_str).map(|name| of_type(name, schema));
            names.collect::<Vec<_>>().join(" or ")
        }
        _ => "anything".to_owned(),
    }
}

fn of_type(name: &str, schema: &Value) -> String {
    match name {
        "array" if schema["prefixItems"].is_array() => "a list of fixed length".to_owned(),
        "array" => format!("list of {}", kind(&schema["items"])),
        "object" if schema["additionalProperties"].is_object() => {
            format!("object of {}", kind(&schema["additionalProperties"]))
        }
        "string" => "text".to_owned(),
        "integer" | "number" => "number".to_owned(),
        "boolean" => "`true` or `false`".to_owned(),
        "null" => "`null`".to_owned(),
        other => other.to_owned(),
    }
}

/// The values of an enum of words; none if it is something else.
fn values(schema: &Value) -> Option<Vec<String>> {
    if let Some(names) = schema["enum"].as_array() {
        return Some(names.iter().filter_map(Value::as_str).map(|name| format!("`{name}`")).collect());
    }
    let variants = schema["oneOf"].as_array()?;
    let mut found = Vec::new();
    for variant in variants {
        if let Some(names) = variant["enum"].as_array() {
            found.extend(names.iter().filter_map(Value::as_str).map(|name| format!("`{name}`")));
        } else {
            let name = variant["const"].as_str()?;
            found.push(format!("`{name}`: {}", sentence(variant).trim_end_matches('.')));
        }
    }
    Some(found)
}

/// A description on one line.
pub fn sentence(schema: &Value) -> String {
    let text = schema["description"].as_str().unwrap_or_default();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
