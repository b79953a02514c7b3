//! Finding: every file below `projects/` of a root, with what its name says that it is.

pub mod narrow;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs::{self, FileType};
use std::path::{Path, PathBuf};

use scrollback_format::area::ProjectFile;

use crate::error::ReadError;
use crate::root::Root;
use crate::stamp::{self, Look, mtime_ns};
use crate::work;

/// A file of a project folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FolderFile {
    /// Where it is.
    pub path: PathBuf,
    /// What it is, by its name.
    pub file: ProjectFile,
    /// What it looked like when the walk met it. Only transcripts and what describes them are looked at: the folder
    /// is open just then, so that it costs a fraction of asking by the path, but it is not free.
    pub look: Option<Look>,
}

impl FolderFile {
    /// Its length now; 0 if it is gone.
    pub fn size(&self) -> u64 {
        fs::metadata(&self.path).map_or(0, |meta| meta.len())
    }

    /// Its modification time now, in nanoseconds since 1970.
    pub fn mtime_ns(&self) -> i64 {
        fs::metadata(&self.path).map_or(0, |meta| mtime_ns(&meta))
    }
}

/// One folder below `projects/`.
#[derive(Debug, Clone, Default)]
pub struct ProjectFolder {
    /// Its name: an encoded working directory. Bytes that are not UTF-8 are shown as U+FFFD.
    pub name: String,
    /// Where it is.
    pub path: PathBuf,
    /// Its files, sorted by path.
    pub files: Vec<FolderFile>,
}

/// Something that the walk met and did not swallow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trouble {
    /// Where.
    pub path: PathBuf,
    /// What, in words.
    pub what: String,
    /// Is something not read because of it? (Else it is only worth a remark.)
    pub unread: bool,
}

/// What a walk found.
#[derive(Debug, Clone, Default)]
pub struct Walk {
    /// The folders, sorted by name.
    pub folders: Vec<ProjectFolder>,
    /// What could not be read, links that were not followed, files that are where none should be.
    pub troubles: Vec<Trouble>,
}

/// How deep a session's own folder goes: `subagents/workflows/<run>/<file>`, and some room.
const MAX_DEPTH: usize = 8;

impl Walk {
    /// Walks the project folders of a root. A root without any is an empty walk.
    pub fn of(root: &Root) -> Self {
        let mut walk = Self::default();
        let mut folders = Vec::new();
        let projects = root.projects();
        let mut seen = BTreeSet::new();
        for (name, entry) in walk.list(&projects) {
            let path = projects.join(&name);
            let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
            if !path.is_dir() {
                if is_link {
                    walk.trouble(&path, "link to nothing readable");
                } else {
                    walk.remark(&path, "a file beside the project folders");
                }
                continue;
            }
            // A folder that is a link is followed (people move projects to other disks), but only once.
            if let Ok(real) = fs::canonicalize(&path)
                && !seen.insert(real)
            {
                walk.remark(&path, "a second link to a folder that is listed already");
                continue;
            }
            folders.push((lossy(&name).into_owned(), path));
        }
        for (folder, troubles) in work::each(&folders, work::threads(), || (), |(), folder| descended(folder))
        {
            walk.folders.push(folder);
            walk.troubles.extend(troubles);
        }
        walk.folders.sort_by(|a, b| a.name.cmp(&b.name).then_with(|| a.path.cmp(&b.path)));
        walk
    }

    /// Walks one project folder.
    pub fn folder(path: &Path) -> Self {
        let name = path.file_name().map(|name| lossy(name).into_owned()).unwrap_or_default();
        let (folder, troubles) = descended(&(name, path.to_owned()));
        Self { folders: vec![folder], troubles }
    }

    fn descend(&mut self, dir: &Path, prefix: &str, depth: usize, files: &mut Vec<FolderFile>) {
        for (name, entry) in self.list(dir) {
            let path = dir.join(&name);
            let relative = match prefix {
                "" => lossy(&name),
                prefix => Cow::Owned(format!("{prefix}{}", lossy(&name))),
            };
            if name.to_str().is_none() {
                self.remark(&path, "a name that is not UTF-8");
            }
            let Ok(kind) = entry.file_type() else {
                self.trouble(&path, "vanished");
                continue;
            };
            if kind.is_dir() && depth < MAX_DEPTH {
                self.descend(&path, &format!("{relative}/"), depth + 1, files);
            } else if kind.is_dir() {
                self.trouble(&path, "nested too deep");
            } else {
                self.file(&entry, path, &relative, kind, files);
            }
        }
    }

    fn file(
        &mut self,
        entry: &fs::DirEntry,
        path: PathBuf,
        relative: &str,
        kind: FileType,
        files: &mut Vec<FolderFile>,
    ) {
        let is_link = kind.is_symlink();
        let kind = if is_link {
            match fs::metadata(&path) {
                Ok(meta) if meta.is_dir() => return self.remark(&path, "a link to a folder, not followed"),
                Ok(meta) => meta.file_type(),
                Err(error) => return self.trouble(&path, &format!("link to nothing readable: {error}")),
            }
        } else {
            kind
        };
        if !kind.is_file() {
            return self.trouble(&path, "neither a file nor a folder");
        }
        let file = ProjectFile::of(relative);
        if file == ProjectFile::Odd {
            self.remark(&path, "a file that no client is known to write");
        }
        let look = match &file {
            ProjectFile::Session(_)
            | ProjectFile::FlatAgent(_)
            | ProjectFile::Agent { .. }
            | ProjectFile::AgentMeta { .. }
            | ProjectFile::CustomTitle(_) => {
                // An entry is asked about through its open folder, a link by its path.
                if is_link { stamp::look(&path) } else { entry.metadata().ok().map(|meta| Look::of(&meta)) }
            }
            _ => None,
        };
        files.push(FolderFile { path, file, look });
    }

    /// The entries of a folder with their names, in the order of these: folder by folder that puts all paths in order,
    /// and is much cheaper than comparing whole paths.
    fn list(&mut self, dir: &Path) -> Vec<(OsString, fs::DirEntry)> {
        let entries = match fs::read_dir(dir) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Vec::new(),
            Err(error) => {
                self.trouble(dir, &error.to_string());
                return Vec::new();
            }
        };
        let mut list = Vec::new();
        for entry in entries {
            match entry {
                Ok(entry) => list.push((entry.file_name(), entry)),
                Err(error) => self.trouble(dir, &error.to_string()),
            }
        }
        list.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
        list
    }

    fn trouble(&mut self, path: &Path, what: &str) {
        self.troubles.push(Trouble { path: path.to_owned(), what: what.to_owned(), unread: true });
    }

    fn remark(&mut self, path: &Path, what: &str) {
        self.troubles.push(Trouble { path: path.to_owned(), what: what.to_owned(), unread: false });
    }
}

/// One project folder, walked by itself.
fn descended((name, path): &(String, PathBuf)) -> (ProjectFolder, Vec<Trouble>) {
    let mut walk = Walk::default();
    let mut folder = ProjectFolder { name: name.clone(), path: path.clone(), files: Vec::new() };
    walk.descend(path, "", 0, &mut folder.files);
    (folder, walk.troubles)
}

/// The `state.json` files of background jobs of a root.
pub fn job_states(root: &Root) -> Result<Vec<PathBuf>, ReadError> {
    let jobs = root.jobs();
    let entries = match fs::read_dir(&jobs) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(ReadError::at(&jobs)(error)),
    };
    let mut states: Vec<_> = entries
        .flatten()
        .map(|entry| entry.path().join("state.json"))
        .filter(|path| path.is_file())
        .collect();
    states.sort();
    Ok(states)
}

fn lossy(name: &OsStr) -> Cow<'_, str> {
    name.to_string_lossy()
}

/// The names in a folder, sorted, and whether each is a folder itself; a folder that cannot be read has none. Names that
/// are not UTF-8 are left out.
pub fn names_in(dir: &Path) -> Vec<(String, bool)> {
    let entries = Walk::default().list(dir).into_iter();
    let named = entries.filter_map(|(name, entry)| {
        let is_dir = entry.file_type().is_ok_and(|kind| kind.is_dir());
        Some((name.into_string().ok()?, is_dir))
    });
    named.collect()
}

/// Every file below a directory, sorted, and the folders that could not be read. Links are not followed.
pub fn files_below(dir: &Path) -> (Vec<PathBuf>, Vec<Trouble>) {
    let mut files = Vec::new();
    let mut dirs = vec![dir.to_owned()];
    let mut walk = Walk::default();
    while let Some(dir) = dirs.pop() {
        for (name, entry) in walk.list(&dir) {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => dirs.push(dir.join(name)),
                Ok(kind) if kind.is_file() => files.push(dir.join(name)),
                _ => {}
            }
        }
    }
    files.sort();
    (files, walk.troubles)
}
