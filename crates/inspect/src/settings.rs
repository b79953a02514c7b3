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
use serde::{Deserialize, Serialize};

use scrollback_session::trouble::TroubleView;

pub use layer::SettingsPlaces;
pub use permission::{PermissionsView, RuleView};

/// What the client deletes after, where nothing says otherwise.
pub const DEFAULT_CLEANUP_DAYS: u64 = 30;

/// A layer of settings, strongest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum SettingsLayer {
    /// Managed settings of the machine.
    Managed,
    /// The project's settings that are not shared.
    Local,
    /// The project's shared settings.
    Project,
    /// The user's settings.
    User,
    /// A file beside the user's settings that no client is known to read.
    UserLocal,
}

impl SettingsLayer {
    /// Its name in documents.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Managed => "managed",
            Self::Local => "local",
            Self::Project => "project",
            Self::User => "user",
            Self::UserLocal => "user_local",
        }
    }
}

/// The settings for a project.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct SettingsView {
    /// The project; none if only managed settings and the user's were requested.
    #[serde(with = "scrollback_session::view::maybe_path")]
    #[schemars(with = "Option<String>")]
    pub project: Option<PathBuf>,
    /// The files, strongest first.
    pub layers: Vec<LayerView>,
    /// Every setting, by name.
    pub values: Vec<SettingView>,
    /// What tools may do.
    pub permissions: PermissionsView,
    /// The number of days after which the client deletes files.
    pub cleanup_period_days: u64,
    /// The layer that sets it; none if it is the client's default.
    pub cleanup_by: Option<SettingsLayer>,
    /// Is a file broken, so that the client (as reported) deletes nothing until it is fixed?
    pub cleanup_paused: bool,
    /// What is wrong with the files.
    pub troubles: Vec<TroubleView>,
}

/// A file of settings.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct LayerView {
    /// The layer.
    pub layer: SettingsLayer,
    /// The file.
    #[serde(with = "scrollback_session::view::path")]
    #[schemars(with = "String")]
    pub path: PathBuf,
    /// Is it there?
    pub exists: bool,
    /// Is it used?
    pub is_used: bool,
    /// Settings in it.
    pub settings: u64,
}

/// A setting and where it comes from.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct SettingView {
    /// Its name; parts are separated by `.`.
    pub key: String,
    /// Its effective value. Secrets are `"…"`.
    pub value: Box<serde_json::value::RawValue>,
    /// The layers it comes from; several for a list.
    pub layers: Vec<SettingsLayer>,
    /// Other values in weaker layers, which are ignored.
    pub overridden: Vec<OverriddenView>,
}

/// A value that is ignored.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct OverriddenView {
    /// The layer.
    pub layer: SettingsLayer,
    /// The value there.
    pub value: Box<serde_json::value::RawValue>,
}

/// Reads the settings for a project, or the user's alone.
pub fn settings(root: &Root, places: &SettingsPlaces) -> SettingsView {
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
fn cleanup(layers: &[layer::Layer], troubles: &mut Vec<TroubleView>) -> (u64, Option<SettingsLayer>) {
    let mut found = None;
    for layer in layers.iter().filter(|layer| layer.is_used) {
        let Some(value) = layer.value.get("cleanupPeriodDays") else { continue };
        match value.as_u64() {
            Some(days) => found = found.or(Some((days, Some(layer.name)))),
            None => {
                troubles.push(scrollback_session::area::trouble(
                    &layer.path,
                    "cleanupPeriodDays is not a number of days",
                ));
            }
        }
    }
    found.unwrap_or((DEFAULT_CLEANUP_DAYS, None))
}
