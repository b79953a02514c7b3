//! Finding one session without a look at the others: by its id, by the beginning of one, or by its file.

use std::fs;
use std::path::{Path, PathBuf};

use scrollback_format::area::ProjectFile;

use super::{FolderFile, ProjectFolder, Trouble, Walk, lossy};
use crate::root::Root;
use crate::work;

/// The session files of a root that have this id: one a folder, if several have it.
pub fn with_id(root: &Root, id: &str) -> Vec<PathBuf> {
    let name = format!("{id}.jsonl");
    // An id that is a path leads elsewhere.
    if !matches!(ProjectFile::of(&name), ProjectFile::Session(found) if found.as_str() == id) {
        return Vec::new();
    }
    let folders = folders(root).into_iter();
    folders.map(|folder| folder.join(&name)).filter(|path| path.is_file()).collect()
}

/// The session files of a root whose id begins so, with the id, sorted. Only names are read.
pub fn with_prefix(root: &Root, prefix: &str) -> Vec<(String, PathBuf)> {
    let folders = folders(root);
    let found = work::each(
        &folders,
        work::threads(),
        || (),
        |(), folder| {
            let entries = fs::read_dir(folder).into_iter().flatten().flatten();
            let named = entries.filter_map(|entry| {
                let name = entry.file_name().into_string().ok()?;
                let is_folder = || entry.file_type().is_ok_and(|kind| kind.is_dir());
                match ProjectFile::of(&name) {
                    ProjectFile::Session(id) if id.as_str().starts_with(prefix) && !is_folder() => {
                        Some((id.as_str().to_owned(), folder.join(name)))
                    }
                    _ => None,
                }
            });
            named.collect::<Vec<_>>()
        },
    );
    let mut found: Vec<_> = found.into_iter().flatten().collect();
    found.sort();
    found
}

/// Does any folder of a root have an agent of this id beside its sessions?
pub fn has_flat_agent(root: &Root, id: &str) -> bool {
    let name = format!("agent-{id}.jsonl");
    folders(root).into_iter().any(|folder| folder.join(&name).exists())
}

/// The session files in a folder, sorted. Only names are read.
pub fn sessions_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let is_session = |name: &str| matches!(ProjectFile::of(name), ProjectFile::Session(_));
    let named = entries.filter(|entry| entry.file_name().to_str().is_some_and(is_session));
    let mut files: Vec<PathBuf> = named.map(|entry| entry.path()).collect();
    files.sort();
    files
}

/// The folder of a session's file. Of the other sessions only the files' names are known: they are not looked at, and
/// their own folders are not entered.
pub fn around(session: &Path) -> Option<(ProjectFolder, Vec<Trouble>)> {
    let (dir, own) = (session.parent()?, session.file_stem()?);
    let name = dir.file_name().map(|name| lossy(name).into_owned()).unwrap_or_default();
    let mut walk = Walk::default();
    let mut folder = ProjectFolder { name, path: dir.to_owned(), files: Vec::new() };
    for (name, entry) in walk.list(dir) {
        let path = dir.join(&name);
        let relative = lossy(&name).into_owned();
        let Ok(kind) = entry.file_type() else { continue };
        if kind.is_dir() {
            if name == own {
                walk.descend(&path, &format!("{relative}/"), 1, &mut folder.files);
            }
        } else if path == session {
            walk.file(&entry, path, &relative, kind, &mut folder.files);
        } else {
            folder.files.push(FolderFile { path, file: ProjectFile::of(&relative), look: None });
        }
    }
    Some((folder, walk.troubles))
}

/// The folders of projects, in the order of their names.
fn folders(root: &Root) -> Vec<PathBuf> {
    let entries = fs::read_dir(root.projects()).into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    folders.sort();
    folders
}
