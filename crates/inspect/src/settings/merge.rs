//! What comes of several files of settings.

use std::collections::BTreeMap;

use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use super::layer::Layer;
use super::{OverriddenView, SettingView, SettingsLayer};

/// Every setting with its value and where it is from, by name.
pub(super) fn merged(layers: &[Layer]) -> Vec<SettingView> {
    let mut found: BTreeMap<String, Vec<(SettingsLayer, &Value)>> = BTreeMap::new();
    for layer in layers.iter().filter(|layer| layer.is_used) {
        leaves(String::new(), &layer.value, &mut |key, value| {
            found.entry(key).or_default().push((layer.name, value));
        });
    }
    found.into_iter().filter_map(|(key, values)| setting(key, &values)).collect()
}

/// Gives every value that is no object with its whole name. An empty object is a value too.
fn leaves<'v>(key: String, value: &'v Value, tell: &mut dyn FnMut(String, &'v Value)) {
    match value.as_object().filter(|object| !object.is_empty()) {
        Some(object) => {
            for (name, value) in object {
                leaves(if key.is_empty() { name.clone() } else { format!("{key}.{name}") }, value, tell);
            }
        }
        None if key.is_empty() => {}
        None => tell(key, value),
    }
}

fn setting(key: String, values: &[(SettingsLayer, &Value)]) -> Option<SettingView> {
    let (strongest, first) = values.first()?;
    let secret = is_secret(&key);
    let hidden = Value::from("…");
    let shown = |value: &Value| raw(if secret { &hidden } else { value });
    if first.is_array() {
        let mut joined: Vec<&Value> = Vec::new();
        let mut layers: Vec<SettingsLayer> = Vec::new();
        for (layer, value) in values {
            let Some(items) = value.as_array() else { continue };
            for item in items.iter().filter(|item| !joined.contains(item)).collect::<Vec<_>>() {
                joined.push(item);
            }
            if !layers.contains(layer) {
                layers.push(*layer);
            }
        }
        let joined = Value::from_iter(joined.into_iter().cloned());
        return Some(SettingView { value: shown(&joined)?, key, layers, overridden: Vec::new() });
    }
    let overridden = values[1..]
        .iter()
        .filter(|(_, value)| value != first)
        .filter_map(|(layer, value)| Some(OverriddenView { layer: *layer, value: shown(value)? }))
        .collect();
    Some(SettingView { value: shown(first)?, key, layers: vec![*strongest], overridden })
}

fn raw(value: &Value) -> Option<Box<RawValue>> {
    to_raw_value(value).ok()
}

/// Does the name say that the value is nobody's business?
fn is_secret(key: &str) -> bool {
    let name = key.rsplit('.').next().unwrap_or(key).to_lowercase();
    // These name programs that hand a secret out, not the secret.
    let helper = name.ends_with("helper") || name.ends_with("refresh") || name.ends_with("export");
    let in_place =
        ["env.", "headers."].iter().any(|place| key.starts_with(place) || key.contains(&format!(".{place}")));
    let words = [
        "token",
        "secret",
        "password",
        "passwd",
        "apikey",
        "api_key",
        "credential",
        "authorization",
        "private_key",
    ];
    let sounds = words.iter().any(|word| name.contains(word)) || (in_place && name.ends_with("_key"));
    // Limits are counted in tokens.
    sounds && !helper && !name.contains("max_") && !name.contains("tokens")
}

#[cfg(test)]
mod tests {
    use super::is_secret;

    #[test]
    fn names_of_secrets_are_told_from_names_of_programs_and_limits() {
        for key in [
            "env.ANTHROPIC_API_KEY",
            "env.GH_TOKEN",
            "mcp.headers.Authorization",
            "env.STRIPE_KEY",
            "a.password",
        ] {
            assert!(is_secret(key), "{key}");
        }
        for key in [
            "apiKeyHelper",
            "env.MAX_THINKING_TOKENS",
            "env.CLAUDE_CODE_MAX_OUTPUT_TOKENS",
            "model",
            "awsAuthRefresh",
        ] {
            assert!(!is_secret(key), "{key}");
        }
    }
}
