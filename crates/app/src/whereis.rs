//! Where: a directory's folder names, and a folder's directories. A lookup, never a decoding.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use scrollback_format::area::ProjectFile;
use scrollback_format::folder::{self, FolderRule};
use scrollback_model::transcript::FileKind;
use serde::Serialize;

use crate::library::Library;
use crate::load::Loader;

/// A folder name that some client versions give a directory.
#[derive(Debug, Clone, Serialize)]
pub struct FolderName {
    /// The name.
    pub folder: String,
    /// Which clients name it so.
    pub clients: String,
    /// The folders of that name that are there.
    #[serde(serialize_with = "crate::view::paths")]
    pub exists_in: Vec<PathBuf>,
}

/// A directory that lines in a folder name.
#[derive(Debug, Clone, Serialize)]
pub struct RecordedDirectory {
    /// The directory.
    pub directory: String,
    /// How many sessions were begun there.
    pub sessions: u64,
    /// Does its name encode to the folder's? (A session that was moved here does not.)
    pub matches: bool,
    /// Is the directory there now?
    pub exists: bool,
}

/// The answer for a directory.
#[derive(Debug, Serialize)]
pub struct DirectoryView {
    /// The directory, its links resolved.
    pub directory: String,
    /// Its folder names, newest clients first.
    pub folders: Vec<FolderName>,
}

/// The answer for a folder.
#[derive(Debug, Serialize)]
pub struct FolderView {
    /// The folder.
    pub folder: String,
    /// Where it is.
    #[serde(serialize_with = "crate::view::path")]
    pub path: PathBuf,
    /// The directories that its sessions were begun in. More than one: their names collide.
    pub directories: Vec<RecordedDirectory>,
}

/// The folder names of a directory, which the caller has resolved to its real path.
pub fn directory(library: &Library, directory: &str) -> DirectoryView {
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
    DirectoryView { directory: directory.to_owned(), folders }
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
