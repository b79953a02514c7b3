//! What tools may do: the rules of all layers, grouped.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::SettingsLayer;
use super::layer::Layer;
use scrollback_session::area;
use scrollback_session::trouble::TroubleView;

/// What tools may do. `deny` wins over `ask`, `ask` over `allow`.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct PermissionsView {
    /// The mode a session starts in.
    pub default_mode: Option<String>,
    /// Never allowed.
    pub deny: Vec<RuleView>,
    /// Allowed after asking.
    pub ask: Vec<RuleView>,
    /// Allowed without asking.
    pub allow: Vec<RuleView>,
    /// Directories besides the project.
    pub additional_directories: Vec<RuleView>,
}

/// A rule.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct RuleView {
    /// The rule: a tool, or a tool with what it may be called with.
    pub rule: String,
    /// The layers that have it.
    pub layers: Vec<SettingsLayer>,
}

/// The permissions of all layers.
pub(super) fn permissions(layers: &[Layer], troubles: &mut Vec<TroubleView>) -> PermissionsView {
    let mut view = PermissionsView::default();
    for layer in layers.iter().filter(|layer| layer.is_used) {
        let Some(own) = layer.value.get("permissions") else { continue };
        if !own.is_object() {
            troubles.push(area::trouble(&layer.path, "permissions is not an object"));
            continue;
        }
        if view.default_mode.is_none() {
            view.default_mode = area::text_of(own, "defaultMode");
        }
        add(&mut view.deny, layer, own, "deny", troubles);
        add(&mut view.ask, layer, own, "ask", troubles);
        add(&mut view.allow, layer, own, "allow", troubles);
        add(&mut view.additional_directories, layer, own, "additionalDirectories", troubles);
    }
    for rules in [&mut view.deny, &mut view.ask, &mut view.allow] {
        // By tool, so that what belongs together stands together.
        rules.sort_by(|a, b| a.rule.cmp(&b.rule));
    }
    view
}

fn add(rules: &mut Vec<RuleView>, layer: &Layer, own: &Value, key: &str, troubles: &mut Vec<TroubleView>) {
    let Some(value) = own.get(key) else { return };
    let Some(list) = value.as_array() else {
        return troubles.push(area::trouble(&layer.path, format!("permissions.{key} is not a list")));
    };
    for item in list {
        let Some(rule) = item.as_str() else {
            troubles.push(area::trouble(
                &layer.path,
                format!("permissions.{key} contains an invalid rule: {item}"),
            ));
            continue;
        };
        match rules.iter_mut().find(|known| known.rule == rule) {
            Some(known) if known.layers.contains(&layer.name) => {}
            Some(known) => known.layers.push(layer.name),
            None => rules.push(RuleView { rule: rule.to_owned(), layers: vec![layer.name] }),
        }
    }
}
