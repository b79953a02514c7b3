//! Where: a directory's folder names, and a folder's directories. A lookup, never a decoding.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use scrollback_format::area::ProjectFile;
use scrollback_format::folder::{self, FolderRule};
use scrollback_model::transcript::FileKind;
use serde::{Deserialize, Serialize};

use scrollback_session::library::Library;
use scrollback_session::load::Loader;

/// A folder name that some client versions give a directory.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct FolderName {
    /// The name.
    pub folder: String,
    /// The client versions that use it.
    pub clients: String,
    /// Existing folders of that name.
    #[serde(with = "scrollback_session::view::paths")]
    #[schemars(with = "Vec<String>")]
    pub exists_in: Vec<PathBuf>,
}

/// A directory that lines in a folder name.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct RecordedDirectory {
    /// The directory.
    pub directory: String,
    /// Number of sessions started there.
    pub sessions: u64,
    /// Does its name encode to the folder's? (A session that was moved here does not.)
    pub matches: bool,
    /// Does the directory exist now?
    pub exists: bool,
}

/// The folders of a directory, or the directories of a folder.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Whereabouts {
    /// The directory that was asked for, its links resolved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub directory: Option<String>,
    /// Its folder names, newest clients first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub folders: Vec<FolderName>,
    /// The folders of the name that was asked for, with their directories.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub named: Vec<FolderView>,
}

/// A folder below `projects/`.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct FolderView {
    /// The folder.
    pub folder: String,
    /// Where it is.
    #[serde(with = "scrollback_session::view::path")]
    #[schemars(with = "String")]
    pub path: PathBuf,
    /// The directories that its sessions were started in; several if their names collide.
    pub directories: Vec<RecordedDirectory>,
}

/// The folder names of a directory, which the caller has resolved to its real path.
pub fn directory(library: &Library, directory: &str) -> Vec<FolderName> {
    let mut folders: Vec<FolderName> = Vec::new();
    // One label a rule of `FolderRule::ALL`; rules that give the same name share a row.
    let labels = ["2.1.160 on", "2.1.50 to 2.1.80", "up to 2.1.30"];
    for (rule, label) in FolderRule::ALL.into_iter().zip(labels) {
        let name = folder::encode(directory, rule);
        if let Some(known) = folders.iter_mut().find(|known| known.folder == name) {
            known.clients = format!("{}, {label}", known.clients);
            continue;
        }
        let same = library.folders.iter().filter(|(_, found)| found.name == name);
        let exists_in = same.map(|(_, found)| found.path.clone()).collect();
        folders.push(FolderName { folder: name, clients: label.to_owned(), exists_in });
    }
    if let [only] = folders.as_mut_slice() {
        only.clients = "all versions".to_owned();
    }
    folders
}

/// The directories of each folder with this name.
pub fn folder(library: &Library, name: &str) -> Vec<FolderView> {
    let mut loader = Loader::new();
    let named = library.folders.iter().filter(|(_, found)| found.name == name);
    named
        .map(|(_, found)| {
            let mut origins: BTreeMap<String, u64> = BTreeMap::new();
            for file in found.files.iter().filter(|file| matches!(file.file, ProjectFile::Session(_))) {
                let head = loader.head(&file.path, FileKind::Session, |so_far| so_far.cwds.first().is_some());
                if let Ok(head) = head
                    && let Some(cwd) = head.cwds.first()
                {
                    *origins.entry(head.text(cwd).to_owned()).or_default() += 1;
                }
            }
            let directories = origins.into_iter().map(|(directory, sessions)| RecordedDirectory {
                matches: folder::belongs(name, &directory),
                exists: Path::new(&directory).is_dir(),
                directory,
                sessions,
            });
            FolderView {
                folder: name.to_owned(),
                path: found.path.clone(),
                directories: directories.collect(),
            }
        })
        .collect()
}
