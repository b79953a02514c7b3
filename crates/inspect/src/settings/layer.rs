//! The files of settings.

use std::path::PathBuf;

use scrollback_store::{Root, stamp};
use serde_json::Value;

use super::{LayerView, SettingsLayer};
use scrollback_session::area;
use scrollback_session::trouble::TroubleView;

/// Where settings may be, outside of the root.
#[derive(Debug, Clone, Default)]
pub struct SettingsPlaces {
    /// The system's folder of managed settings.
    pub managed: Option<PathBuf>,
    /// The project.
    pub project: Option<PathBuf>,
}

/// A file, read.
#[derive(Debug, Clone)]
pub(super) struct Layer {
    pub name: SettingsLayer,
    pub path: PathBuf,
    pub exists: bool,
    pub is_used: bool,
    pub value: Value,
}

impl Layer {
    pub fn view(&self) -> LayerView {
        LayerView {
            layer: self.name,
            path: self.path.clone(),
            exists: self.exists,
            is_used: self.is_used,
            settings: self.value.as_object().map_or(0, |object| object.len() as u64),
        }
    }
}

/// The layers, strongest first.
pub(super) fn read(root: &Root, places: &SettingsPlaces, troubles: &mut Vec<TroubleView>) -> Vec<Layer> {
    let mut files: Vec<(SettingsLayer, PathBuf)> = Vec::new();
    if let Some(managed) = &places.managed {
        // Parts come after the whole, later names over earlier ones.
        let mut parts = area::files(&managed.join("managed-settings.d"), ".json", troubles);
        parts.reverse();
        files.extend(parts.into_iter().map(|path| (SettingsLayer::Managed, path)));
        files.push((SettingsLayer::Managed, managed.join("managed-settings.json")));
    }
    if let Some(project) = &places.project {
        let own = project.join(".claude");
        files.push((SettingsLayer::Local, own.join("settings.local.json")));
        files.push((SettingsLayer::Project, own.join("settings.json")));
    }
    files.push((SettingsLayer::User, root.path().join("settings.json")));
    files.push((SettingsLayer::UserLocal, root.path().join("settings.local.json")));
    let mut layers: Vec<Layer> = Vec::new();
    for (name, path) in files {
        // In the directory that the root lies in, the project's files are the user's.
        if let Some(known) = layers.iter_mut().find(|layer| layer.path == path) {
            if name == SettingsLayer::User {
                known.name = name;
            }
            continue;
        }
        layers.push(layer(name, path, troubles));
    }
    layers
}

fn layer(name: SettingsLayer, path: PathBuf, troubles: &mut Vec<TroubleView>) -> Layer {
    let exists = stamp::is_there(&path);
    let mut value = Value::Null;
    if exists {
        value = area::note(area::json(&path), troubles).unwrap_or_default();
        if !value.is_object() && !value.is_null() {
            troubles.push(area::trouble(&path, "settings are not an object"));
            value = Value::Null;
        }
    }
    Layer {
        name,
        is_used: exists && value.is_object() && name != SettingsLayer::UserLocal,
        exists,
        path,
        value,
    }
}
