//! The library: the sessions of one or several roots, found by name and loaded when asked.

use std::path::{Path, PathBuf};

use rustc_hash::{FxHashMap, FxHashSet};
use scrollback_format::area::ProjectFile;
use scrollback_format::id::SessionId;
use scrollback_store::{FolderFile, ProjectFolder, Root, Trouble, Walk, small, stamp, walk};

use crate::error::AppError;
use crate::view::SessionPlace;

/// The files of some roots, as a walk found them.
#[derive(Debug)]
pub struct Library {
    /// The roots, in the order given.
    pub roots: Vec<Root>,
    /// The project folders of all roots, with the number of their root.
    pub folders: Vec<(usize, ProjectFolder)>,
    /// What the walk met and did not swallow.
    pub troubles: Vec<Trouble>,
    /// The one session that was asked for. Then its folder alone is here, and of the other sessions in it their names.
    pub only: Option<PathBuf>,
}

/// May sessions lie unseen behind a trouble? They do if `projects/` or a folder in it could not be read, or the root itself.
pub fn hides_sessions(root: &Root, trouble: &Trouble) -> bool {
    let (path, projects) = (trouble.path.as_path(), root.projects());
    trouble.unread && (path == root.path() || path == projects || path.parent() == Some(&projects))
}

/// A session's own file and what lies beside it.
#[derive(Debug, Clone)]
pub struct SessionFiles<'l> {
    /// Its id.
    pub id: &'l SessionId,
    /// Its file.
    pub found: &'l FolderFile,
    /// The number of its folder in the library.
    pub folder: usize,
}

impl Library {
    /// Folders of sessions that could not be read: it is unknown which sessions are in them.
    pub fn unread_folders(&self) -> Vec<&Trouble> {
        let hides = |trouble: &&Trouble| self.roots.iter().any(|root| hides_sessions(root, trouble));
        self.troubles.iter().filter(hides).collect()
    }

    /// A library of one file: of the whole store that contains it, or of the file alone if it is in no store.
    pub fn around(file: &Path) -> Result<Self, AppError> {
        let file = std::fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
        if let Some(root) = root_above(&file) {
            return Self::open(vec![root]);
        }
        let dir = file.parent().map(Path::to_owned).unwrap_or_default();
        let stem = file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let name = dir.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let look = stamp::look(&file);
        let only = Some(file.clone());
        let found = FolderFile { path: file, file: ProjectFile::Session(SessionId::new(stem)), look };
        let folder = ProjectFolder { name, path: dir.clone(), files: vec![found] };
        let (roots, folders) = (vec![Root::new(dir)], vec![(0, folder)]);
        Ok(Self { roots, folders, troubles: Vec::new(), only })
    }

    /// A library of one file, with no look at the other sessions of the store that it may lie in.
    pub fn of_file(file: &Path) -> Result<Self, AppError> {
        let own = std::fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
        match root_above(&own) {
            // Deeper than a session's file lies an agent's, which is told by the store that it is in.
            Some(root) if own.parent().and_then(Path::parent) == Some(&root.projects()) => {
                Self::of_session(vec![root], 0, &own)
            }
            _ => Self::around(&own),
        }
    }

    /// A library for what is asked of one session: its folder, with no look at other sessions. The file lies below the
    /// root with this number.
    pub fn of_session(roots: Vec<Root>, root: usize, file: &Path) -> Result<Self, AppError> {
        let Some((folder, troubles)) = walk::narrow::around(file) else {
            return Err(AppError::NoSuchSession { wanted: file.display().to_string(), near: Vec::new() });
        };
        Ok(Self { roots, folders: vec![(root, folder)], troubles, only: Some(file.to_owned()) })
    }

    /// Several libraries as one, for what is asked of several sessions: each folder once, with all that is known of it.
    pub fn joined(libraries: Vec<Self>) -> Self {
        let mut all = Self { roots: Vec::new(), folders: Vec::new(), troubles: Vec::new(), only: None };
        for library in libraries {
            for (root, folder) in library.folders {
                let root = &library.roots[root];
                let at = all.roots.iter().position(|known| known == root).unwrap_or_else(|| {
                    all.roots.push(root.clone());
                    all.roots.len() - 1
                });
                match all.folders.iter_mut().find(|(_, known)| known.path == folder.path) {
                    Some((_, known)) => join_files(&mut known.files, folder.files),
                    None => all.folders.push((at, folder)),
                }
            }
            all.troubles.extend(library.troubles);
        }
        all
    }

    /// Opens roots. Each must be there: whether a missing one matters is for the caller to say beforehand.
    pub fn open(roots: Vec<Root>) -> Result<Self, AppError> {
        let roots = distinct(roots)?;
        let mut library = Self { roots, folders: Vec::new(), troubles: Vec::new(), only: None };
        for (number, root) in library.roots.iter().enumerate() {
            let walk = Walk::of(root);
            library.folders.extend(walk.folders.into_iter().map(|folder| (number, folder)));
            library.troubles.extend(walk.troubles);
        }
        Ok(library)
    }

    /// A library of one project folder of a root alone: what is around one session.
    pub fn of_folder(root: &Root, folder: &Path) -> Self {
        let walk = Walk::folder(folder);
        let folders = walk.folders.into_iter().map(|folder| (0, folder)).collect();
        Self { roots: vec![root.clone()], folders, troubles: walk.troubles, only: None }
    }

    /// Every session file, folder by folder.
    pub fn sessions(&self) -> impl Iterator<Item = SessionFiles<'_>> {
        self.folders.iter().enumerate().flat_map(|(number, (_, folder))| {
            folder.files.iter().filter_map(move |found| match &found.file {
                ProjectFile::Session(id) => Some(SessionFiles { id, found, folder: number }),
                _ => None,
            })
        })
    }

    /// The session that this library was opened for; none for a whole store.
    pub fn the_one(&self) -> Option<SessionFiles<'_>> {
        let path = self.only.as_ref()?;
        self.sessions().find(|files| files.found.path == *path)
    }

    /// The session whose file this is.
    pub fn at_path(&self, path: &Path) -> Option<SessionFiles<'_>> {
        self.sessions().find(|files| files.found.path == *path)
    }

    /// The root and folder of a folder number.
    pub fn folder(&self, number: usize) -> (&Root, &ProjectFolder) {
        let (root, folder) = &self.folders[number];
        (&self.roots[*root], folder)
    }

    /// Where a session is, in the words of a view.
    pub fn place(&self, files: &SessionFiles<'_>) -> SessionPlace {
        let (root, folder) = self.folder(files.folder);
        SessionPlace {
            session_id: files.id.as_str().to_owned(),
            path: files.found.path.clone(),
            root: root.path().to_owned(),
            folder: folder.name.clone(),
        }
    }
}

/// Adds files that are not known yet, and looks at files that were known by name only.
fn join_files(known: &mut Vec<FolderFile>, files: Vec<FolderFile>) {
    let places: FxHashMap<PathBuf, usize> =
        known.iter().enumerate().map(|(at, found)| (found.path.clone(), at)).collect();
    for found in files {
        match places.get(&found.path) {
            Some(at) if known[*at].look.is_none() => known[*at] = found,
            Some(_) => {}
            None => known.push(found),
        }
    }
}

/// The roots, each once: the same store under two names is one store. Each must be there.
pub fn distinct(roots: Vec<Root>) -> Result<Vec<Root>, AppError> {
    for root in &roots {
        if !root.exists()? {
            return Err(AppError::NoRoot(root.path().to_owned()));
        }
    }
    let mut seen = FxHashSet::default();
    let own = |root: &Root| std::fs::canonicalize(root.path()).unwrap_or_else(|_| root.path().to_owned());
    Ok(roots.into_iter().filter(|root| seen.insert(own(root))).collect())
}

/// The store that a file lies in.
pub fn root_above(file: &Path) -> Option<Root> {
    let is_projects = |dir: &&Path| dir.file_name().is_some_and(|name| name == "projects");
    let projects = file.ancestors().skip(1).find(is_projects)?;
    projects.parent().map(Root::new)
}

/// What `custom-title.json` beside a session's file says.
pub fn sidecar_title(session: &Path) -> Option<String> {
    let path = session_dir(session)?.join("custom-title.json");
    let (bytes, _) = small::read(&path, 64 << 10).ok()?;
    let value: serde_json::Value = serde_json::from_slice(&bytes).ok()?;
    value.get("customTitle")?.as_str().map(str::to_owned)
}

/// The folder of a session's own files, beside its `.jsonl`.
pub fn session_dir(path: &Path) -> Option<PathBuf> {
    Some(path.parent()?.join(path.file_stem()?))
}
