//! Settings: the files that a client reads them from, strongest first, and what comes of them.
//!
//! Managed settings win over those of a project that are not shared, these over the project's shared ones, these over the
//! user's. Lists are joined over all of them; of anything else the strongest counts. What is given on a client's command
//! line is not known here.

mod layer;
mod merge;
mod permission;

use std::path::PathBuf;

use scrollback_store::Root;
use serde::Serialize;

use crate::listing::TroubleView;

pub use layer::Places;
pub use permission::{PermissionsView, RuleView};

/// What the client deletes after, where nothing says otherwise.
pub const DEFAULT_CLEANUP_DAYS: u64 = 30;

/// The settings for a project.
#[derive(Debug, Serialize)]
pub struct SettingsView {
    /// The project; none if only the user's own and managed settings were asked for.
    #[serde(serialize_with = "crate::view::maybe_path")]
    pub project: Option<PathBuf>,
    /// The files, strongest first.
    pub layers: Vec<LayerView>,
    /// Every setting, by name.
    pub values: Vec<SettingView>,
    /// What tools may do.
    pub permissions: PermissionsView,
    /// After how many days the client deletes what is old.
    pub cleanup_period_days: u64,
    /// The layer that says so; none if it is the client's default.
    pub cleanup_by: Option<&'static str>,
    /// Is a file broken, so that the client is said to sweep nothing until it is mended?
    pub cleanup_paused: bool,
    /// What is wrong with the files.
    pub troubles: Vec<TroubleView>,
}

/// A file of settings.
#[derive(Debug, Clone, Serialize)]
pub struct LayerView {
    /// `managed`, `local`, `project`, `user`; `user_local` is a file that no client is known to read there.
    pub layer: &'static str,
    /// The file.
    #[serde(serialize_with = "crate::view::path")]
    pub path: PathBuf,
    /// Is it there?
    pub exists: bool,
    /// Does it count?
    pub is_used: bool,
    /// Settings in it.
    pub settings: u64,
}

/// A setting and where it comes from.
#[derive(Debug, Clone, Serialize)]
pub struct SettingView {
    /// Its name; parts are separated by `.`.
    pub key: String,
    /// Its effective value. Secrets are `"…"`.
    pub value: Box<serde_json::value::RawValue>,
    /// The layers that it comes from: several for a list.
    pub layers: Vec<&'static str>,
    /// Weaker layers that say otherwise and do not count.
    pub overridden: Vec<OverriddenView>,
}

/// A value that does not count.
#[derive(Debug, Clone, Serialize)]
pub struct OverriddenView {
    /// The layer.
    pub layer: &'static str,
    /// The value there.
    pub value: Box<serde_json::value::RawValue>,
}

/// Reads the settings for a project, or the user's alone.
pub fn settings(root: &Root, places: &Places) -> SettingsView {
    let mut troubles = Vec::new();
    let layers = layer::read(root, places, &mut troubles);
    let cleanup_paused = !troubles.is_empty();
    let values = merge::merged(&layers);
    let (cleanup_period_days, cleanup_by) = cleanup(&layers, &mut troubles);
    SettingsView {
        project: places.project.clone(),
        permissions: permission::permissions(&layers, &mut troubles),
        layers: layers.iter().map(layer::Layer::view).collect(),
        values,
        cleanup_period_days,
        cleanup_by,
        cleanup_paused,
        troubles,
    }
}

/// The strongest layer that gives a number of days.
fn cleanup(layers: &[layer::Layer], troubles: &mut Vec<TroubleView>) -> (u64, Option<&'static str>) {
    let mut found = None;
    for layer in layers.iter().filter(|layer| layer.is_used) {
        let Some(value) = layer.value.get("cleanupPeriodDays") else { continue };
        match value.as_u64() {
            Some(days) => found = found.or(Some((days, Some(layer.name)))),
            None => {
                troubles.push(crate::area::trouble(&layer.path, "cleanupPeriodDays is no number of days"));
            }
        }
    }
    found.unwrap_or((DEFAULT_CLEANUP_DAYS, None))
}
