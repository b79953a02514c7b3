//! A place in the store: a path relative to its root that cannot lead out of it.

use std::fmt;
use std::path::{Component, Path, PathBuf};

use scrollback_format::area::is_secret;

use crate::disk::Disk;
use crate::write_error::WriteError;

/// The one file of a client that lies beside a root and not in it: `~/.claude.json`, where the root is `~/.claude`.
const BESIDE: &str = "../.claude.json";

/// A path below a root, parts separated by `/`. It has no `..`, is not absolute, holds no control character and names
/// no credential. The one exception is [`Place::config_beside`].
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place(String);

impl Place {
    /// The place with this relative path.
    pub fn new(path: &str) -> Result<Self, WriteError> {
        match wrong(path) {
            _ if path == BESIDE => Ok(Self(path.to_owned())),
            Some(why) => Err(WriteError::Name { name: path.to_owned(), why }),
            None => Ok(Self(path.to_owned())),
        }
    }

    /// The client's own settings beside the root: `.claude.json` in the folder that holds it.
    pub fn config_beside() -> Self {
        Self(BESIDE.to_owned())
    }

    /// The place of a path as the walk gives it, which begins with the root.
    pub fn below(root: &Path, path: &Path) -> Result<Self, WriteError> {
        let name = || path.to_string_lossy().into_owned();
        let relative = path
            .strip_prefix(root)
            .map_err(|_| WriteError::Name { name: name(), why: "it is not inside the store" })?;
        let parts: Option<Vec<&str>> = relative.iter().map(|part| part.to_str()).collect();
        let parts = parts.ok_or_else(|| WriteError::Name { name: name(), why: "it is not UTF-8" })?;
        Self::new(&parts.join("/"))
    }

    /// Its parts, separated by `/`.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The place of something in it.
    pub fn join(&self, name: &str) -> Result<Self, WriteError> {
        Self::new(&format!("{}/{name}", self.0))
    }

    /// The folder that it is in; none for one directly below the root.
    pub fn parent(&self) -> Option<Self> {
        self.0.rsplit_once('/').map(|(parent, _)| Self(parent.to_owned()))
    }

    /// Is it this other place, or inside of it?
    pub fn is_in(&self, other: &Self) -> bool {
        self.rest_of(other).is_some()
    }

    /// What follows the other place in it: empty if they are the same, else beginning with `/`.
    pub(crate) fn rest_of(&self, other: &Self) -> Option<&str> {
        self.0.strip_prefix(&other.0).filter(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    pub(crate) fn moved(&self, from: &Self, to: &Self) -> Option<Self> {
        self.rest_of(from).map(|rest| Self(format!("{}{rest}", to.0)))
    }

    /// Its path below a root that is free of links. An error if a link on the way leads out of the root.
    pub fn resolve(&self, disk: &Disk, root: &Path) -> Result<PathBuf, WriteError> {
        if self.0 == BESIDE {
            return match root.parent() {
                Some(parent) => Ok(parent.join(".claude.json")),
                None => Err(WriteError::Name {
                    name: self.0.clone(),
                    why: "this store has no such file next to it",
                }),
            };
        }
        let path = root.join(&self.0);
        let mut above = root.to_owned();
        let parts: Vec<&str> = self.0.split('/').collect();
        for part in &parts[..parts.len() - 1] {
            above.push(part);
            let Some(meta) = disk.look(&above)? else { break };
            if meta.is_symlink() && !disk.real_path(&above)?.starts_with(root) {
                return Err(WriteError::Outside { path, link: above });
            }
        }
        Ok(path)
    }

    /// Does the disk take a path and names as long as these? Folders that are to be made first are not there to be asked: their names are
    /// tried in the nearest one above that is.
    pub fn fits(&self, disk: &Disk, root: &Path) -> Result<bool, WriteError> {
        if self.0 == BESIDE {
            return Ok(true);
        }
        let mut above = root.to_owned();
        for part in self.0.split('/') {
            let path = above.join(part);
            if disk.is_too_long(&path)? {
                return Ok(false);
            }
            if disk.look(&path)?.is_some_and(|meta| meta.is_dir()) {
                above = path;
            }
        }
        Ok(!disk.is_too_long(&root.join(&self.0))?)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn wrong(path: &str) -> Option<&'static str> {
    if path.chars().any(char::is_control) {
        return Some("it holds a control character");
    }
    if cfg!(windows) && path.contains(['\\', ':']) {
        return Some("it holds a separator of this platform");
    }
    let clean = path.split('/').all(|part| !part.is_empty() && part != "." && part != "..");
    let normal = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
    if !clean || !normal {
        return Some("it is no plain path below the root");
    }
    is_secret(path).then_some("it is a credential")
}

#[cfg(test)]
mod tests {
    use super::Place;
    use crate::disk::Disk;
    use std::path::Path;

    #[test]
    fn hostile_names_are_refused() {
        for name in [
            "",
            "/",
            "/etc/passwd",
            "..",
            "a/../b",
            "a/..",
            "./a",
            "a//b",
            "a/",
            "a\0b",
            "a\nb",
            ".credentials.json",
        ] {
            assert!(Place::new(name).is_err(), "{name:?}");
        }
        assert!(Place::below(Path::new("/r"), Path::new("/x/y")).is_err());
        assert!(Place::below(Path::new("/r"), Path::new("/r/../y")).is_err());
        assert!(Place::below(Path::new("/r"), Path::new("/r")).is_err());
    }

    #[test]
    fn one_file_alone_lies_beside_the_root() {
        let place = Place::config_beside();
        assert_eq!(Place::new(place.as_str()).unwrap(), place);
        let path = place.resolve(&Disk::real(), Path::new("/home/dev/.claude")).unwrap();
        assert_eq!(path, Path::new("/home/dev/.claude.json"));
        assert!(place.resolve(&Disk::real(), Path::new("/")).is_err());
        for name in ["../.claude.json/x", "../.claude.jsonl", "../x", "../../.claude.json"] {
            assert!(Place::new(name).is_err(), "{name:?}");
        }
    }

    #[test]
    fn a_name_fits_if_the_disk_takes_its_length() {
        let folder = tempfile::tempdir().unwrap();
        Disk::real().make_dir(&folder.path().join("there")).unwrap();
        let (name, long) = ("n".repeat(200), "n".repeat(300));
        for path in [name.clone(), format!("there/{name}"), format!("not/there/{name}")] {
            assert!(Place::new(&path).unwrap().fits(&Disk::real(), folder.path()).unwrap(), "{path}");
        }
        let deep = vec![name; 30].join("/");
        for path in [long.clone(), format!("there/{long}"), format!("not/{long}/there"), deep] {
            assert!(!Place::new(&path).unwrap().fits(&Disk::real(), folder.path()).unwrap(), "{path}");
        }
    }

    #[test]
    fn places_know_what_is_in_them() {
        let place = Place::below(Path::new("/r"), Path::new("/r/projects/a/b.jsonl")).unwrap();
        let folder = place.parent().unwrap();
        assert_eq!(folder.as_str(), "projects/a");
        assert!(place.is_in(&folder) && folder.is_in(&folder) && !folder.is_in(&place));
        assert!(!Place::new("projects/ab").unwrap().is_in(&folder));
        assert_eq!(place.moved(&folder, &Place::new("x").unwrap()).unwrap().as_str(), "x/b.jsonl");
    }
}
