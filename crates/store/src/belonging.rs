//! What of a store is a session's: the places that the areas may keep it in, looked at.

use std::fs;
use std::path::{Path, PathBuf};

use scrollback_format::area::{Area, OwnedPath};

use crate::root::Root;

/// A file or folder of some area that a session's id names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Belonging {
    /// The area.
    pub area: Area,
    /// Where it is.
    pub path: PathBuf,
    /// Files in it.
    pub files: u64,
    /// Bytes in it.
    pub bytes: u64,
}

/// How deep a belonging is counted.
const MAX_DEPTH: usize = 8;

/// What of the store belongs to a session, judging by names alone. Only the places where it can be are looked at, so that
/// asking for one session does not walk the store.
pub fn belongings(root: &Root, session: &str, session_file: &Path) -> Vec<Belonging> {
    let mut found = Vec::new();
    let mut add = |area, path: PathBuf| {
        if let Some((files, bytes)) = measure(&path, 0) {
            found.push(Belonging { area, path, files, bytes });
        }
    };
    add(Area::Projects, session_file.to_owned());
    add(Area::Projects, session_file.with_extension(""));
    for claim in Area::ALL.iter().flat_map(|area| area.claims(session)) {
        for path in claimed(root, &claim) {
            add(claim.area, path);
        }
    }
    found
}

fn claimed(root: &Root, claim: &OwnedPath) -> Vec<PathBuf> {
    let path = root.path().join(&claim.path);
    let Some(prefix) = &claim.prefix else { return vec![path] };
    let mut own: Vec<PathBuf> = fs::read_dir(&path)
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| entry.file_name().to_string_lossy().starts_with(prefix.as_str()))
        .map(|entry| entry.path())
        .collect();
    own.sort();
    own
}

/// Files and bytes at a path; none if there is nothing. Links are counted, not followed.
fn measure(path: &Path, depth: usize) -> Option<(u64, u64)> {
    let meta = fs::symlink_metadata(path).ok()?;
    if !meta.is_dir() || depth > MAX_DEPTH {
        return Some((1, meta.len()));
    }
    let mut total = (0, 0);
    for entry in fs::read_dir(path).into_iter().flatten().flatten() {
        let (files, bytes) = measure(&entry.path(), depth + 1).unwrap_or_default();
        total = (total.0 + files, total.1 + bytes);
    }
    Some(total)
}
