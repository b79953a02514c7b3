//! The session that an edit begins with: its lines, its threads, and where it is.

use std::path::{Path, PathBuf};

use scrollback_compose::surgery::Script;
use scrollback_format::generation::Generation;
use scrollback_format::stamp::Stamp;
use scrollback_store::live::EditedSession;
use scrollback_store::walk::narrow;
use scrollback_store::{Place, Root, WriteError, small, stamp};

use super::load::SessionLoad;
use scrollback_session::agents::Agents;
use scrollback_session::error::AppError;
use scrollback_session::library::{Library, SessionFiles};
use scrollback_session::loaded::Loaded;
use scrollback_session::view::SessionView;

/// An edit holds a session in memory, several times over.
const MOST: u64 = 1 << 30;

/// A session that is to be edited, or copied from.
#[derive(Debug)]
pub struct Subject<'l> {
    /// Its id.
    pub id: &'l str,
    /// Its file.
    pub path: &'l Path,
    /// Its store.
    pub root: &'l Root,
    /// Its rows, threads and turns.
    pub loaded: Loaded,
    /// Its agents.
    pub agents: Agents,
    /// Its file as it was read.
    pub stamp: Stamp,
    /// Its bytes.
    pub bytes: Vec<u8>,
    library: &'l Library,
    folder: usize,
}

impl<'l> Subject<'l> {
    /// Reads a session. One outside of a store cannot be edited.
    pub fn of(library: &'l Library, files: &SessionFiles<'l>) -> Result<Self, AppError> {
        let (root, folder) = library.folder(files.folder);
        if folder.path.parent() != Some(root.projects().as_path()) {
            return Err(AppError::NoEdit {
                why: format!("{} is not in a store", files.found.path.display()),
                hint: "only sessions below projects/ of a store can be edited".into(),
            });
        }
        let path = files.found.path.as_path();
        let stamp = stamp::take(path)?;
        let (bytes, more) = small::read(path, MOST)?;
        if more {
            return Err(AppError::NoEdit {
                why: format!("{} is too large to edit", path.display()),
                hint: "sessions of up to 1 GB can be edited".into(),
            });
        }
        let loaded = library.load(files, Generation::NEWEST)?;
        let agents = Agents::of(library, files, &loaded);
        if stamp::take(path)? != stamp {
            return Err(WriteError::Changed { path: path.to_owned() }.into());
        }
        let (id, folder) = (files.id.as_str(), files.folder);
        Ok(Self { id, path, root, loaded, agents, stamp, bytes, library, folder })
    }

    /// Its lines.
    pub fn script(&self) -> Script {
        Script::parse(&self.bytes)
    }

    /// Its folder below the root.
    pub fn folder(&self) -> Result<Place, AppError> {
        Ok(Place::below(self.root.path(), &self.library.folder(self.folder).1.path)?)
    }

    /// The files of its project folder.
    pub fn neighbours(&self) -> &'l [scrollback_store::FolderFile] {
        &self.library.folder(self.folder).1.files
    }

    /// Has any folder of the store an agent of this id beside its sessions?
    pub fn has_flat_agent(&self, id: &str) -> bool {
        narrow::has_flat_agent(self.root, id)
    }

    /// The directory that a client finds it from.
    pub fn directory(&self) -> Option<String> {
        let (root, folder) = self.library.folder(self.folder);
        let place = scrollback_session::view::SessionPlace {
            session_id: self.id.to_owned(),
            path: self.path.to_owned(),
            root: root.path().to_owned(),
            folder: folder.name.clone(),
        };
        let view = SessionView::of(place, &self.loaded.facts, 0);
        view.home.or(view.project)
    }

    /// It must not be in use.
    pub fn guard(&self) -> EditedSession {
        let mut directories: Vec<PathBuf> =
            self.loaded.facts.cwds.iter().map(|(cwd, _)| cwd.into()).collect();
        directories.extend(self.directory().map(PathBuf::from).filter(|home| !directories.contains(home)));
        EditedSession { id: self.id.to_owned(), file: self.path.to_owned(), directories }
    }

    /// What a client loads of it now.
    pub fn load(&self, generation: Generation) -> Result<SessionLoad, AppError> {
        SessionLoad::of_bytes(self.id, self.path, self.directory().as_deref(), &self.bytes, generation)
    }

    /// The start of its id, for titles.
    pub fn short(&self) -> &str {
        short(self.id)
    }
}

/// The start of an id, for titles.
pub fn short(id: &str) -> &str {
    id.get(..8).unwrap_or(id)
}
