//! Stock: every file of some stores with its size and age, joined to the session and project that it belongs to. Nothing
//! is opened for it but the flat agents that no catalogue knows, whose lines alone tell their session.
//!
//! `du`, `orphans` and `retention` are three ways to look at it.

pub mod du;
pub mod inside;
pub mod orphans;
pub mod retention;

use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;
use scrollback_format::area::{Area, Filed, Owner, ProjectFile};
use scrollback_format::id::{AgentId, SessionId};
use scrollback_model::transcript::FileKind;
use scrollback_store::inventory::{Inventory, TreeItem, TreeItemKind};
use scrollback_store::{Root, Trouble, work};

use scrollback_session::catalogue::Index;
use scrollback_session::error::AppError;
use scrollback_session::library;
use scrollback_session::load::Loader;

/// Where a session's own file is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Home {
    /// The number of its root.
    pub root: usize,
    /// Its folder below `projects/`.
    pub folder: String,
    /// Its file's modification time, in nanoseconds since 1970.
    pub mtime_ns: i64,
}

/// One file of the stock.
#[derive(Debug)]
pub struct StockFile<'s> {
    /// The number of its root.
    pub root: usize,
    /// What it looks like.
    pub item: &'s TreeItem,
    /// What its path says.
    pub filed: Filed<'s>,
    /// The session that it belongs to, whether that is still there or not.
    pub session: Option<SessionId>,
    /// The folder below `projects/` that it belongs to: its own, or its session's.
    pub folder: Option<&'s str>,
}

/// Everything below some roots.
#[derive(Debug)]
pub struct Stock {
    /// The roots.
    pub roots: Vec<Root>,
    /// What is in each.
    pub inventories: Vec<Inventory>,
    /// The sessions that have a file, by id. One that has several is at home where it was written last.
    pub sessions: FxHashMap<SessionId, Home>,
    /// Sessions by the first eight digits of their id, where that is not unique none.
    shorts: FxHashMap<String, Option<SessionId>>,
    /// The sessions of flat agents, by root and path.
    agents: FxHashMap<(usize, String), SessionId>,
}

impl Stock {
    /// Takes stock. `temporary` is where clients leave output of tasks, if that is to be looked at: only what is a
    /// session's or project's of these stores is taken.
    pub fn of(roots: Vec<Root>, temporary: Option<&Path>, index: Option<&Index>) -> Result<Self, AppError> {
        let roots = library::distinct(roots)?;
        let mut inventories: Vec<Inventory> = roots.iter().map(Inventory::of).collect();
        for (root, inventory) in roots.iter().zip(&mut inventories) {
            beside(root, inventory);
        }
        let (sessions, shorts) = sessions(&inventories);
        let mut stock = Self { roots, inventories, sessions, shorts, agents: FxHashMap::default() };
        stock.agents = stock.flat_agents(index);
        if let Some(dir) = temporary {
            stock.scratch(dir);
        }
        Ok(stock)
    }

    /// Every file, link and socket with what it belongs to; folders are not among them.
    pub fn held(&self) -> impl Iterator<Item = StockFile<'_>> {
        self.inventories.iter().enumerate().flat_map(move |(root, inventory)| {
            let files = inventory.items.iter().filter(|item| item.kind != TreeItemKind::Folder);
            files.map(move |item| self.hold(root, item))
        })
    }

    /// What could not be read, or was not followed.
    pub fn troubles(&self) -> impl Iterator<Item = &Trouble> {
        self.inventories.iter().flat_map(|inventory| &inventory.troubles)
    }

    /// Folders of sessions that could not be read: it is unknown which sessions are in them.
    pub fn unread_folders(&self) -> impl Iterator<Item = (usize, &Path)> {
        let roots = self.roots.iter().zip(&self.inventories).enumerate();
        roots.flat_map(|(number, (root, inventory))| {
            let troubles = inventory.troubles.iter();
            troubles
                .filter(|trouble| library::hides_sessions(root, trouble))
                .map(move |trouble| (number, trouble.path.as_path()))
        })
    }

    fn hold<'s>(&'s self, root: usize, item: &'s TreeItem) -> StockFile<'s> {
        let filed = scratch_of(item).unwrap_or_else(|| item.filed());
        let session = self.session_of(root, item, &filed);
        let folder = filed.folder.or_else(|| {
            let home = session.as_ref().and_then(|session| self.sessions.get(session));
            home.map(|home| home.folder.as_str())
        });
        StockFile { root, item, filed, session, folder }
    }

    fn session_of(&self, root: usize, item: &TreeItem, filed: &Filed<'_>) -> Option<SessionId> {
        match &filed.owner {
            Owner::Short(short) => match self.shorts.get(short.as_ref()) {
                Some(found) => found.clone(),
                None => Some(SessionId::new(short.clone())),
            },
            Owner::Agent { session: None, .. } => self.agents.get(&(root, item.path.clone())).cloned(),
            owner => owner.session().cloned(),
        }
    }

    /// The sessions of the agents that lie flat beside them: the catalogue knows, or the first lines tell.
    fn flat_agents(&self, index: Option<&Index>) -> FxHashMap<(usize, String), SessionId> {
        let mut flat: Vec<(usize, &str, AgentId)> = Vec::new();
        for (root, inventory) in self.inventories.iter().enumerate() {
            for item in &inventory.items {
                if let Owner::Agent { session: None, agent } = item.filed().owner {
                    flat.push((root, &item.path, agent));
                }
            }
        }
        let mut known = FxHashMap::default();
        let mut unknown = Vec::new();
        for (root, path, agent) in flat {
            let file = self.roots[root].path().join(path);
            match index.and_then(|index| index.session_of_agent(&agent, &file)) {
                Some(session) => {
                    known.insert((root, path.to_owned()), SessionId::new(session));
                }
                None => unknown.push((root, path, file)),
            }
        }
        let told = work::each(&unknown, work::threads(), Loader::new, |loader, (_, _, file)| {
            let head =
                loader.head(file, FileKind::Agent, |so_far| so_far.session_ids.first().is_some()).ok()?;
            Some(SessionId::new(head.text(head.session_ids.first()?)))
        });
        for ((root, path, _), session) in unknown.into_iter().zip(told) {
            known.extend(session.map(|session| ((root, path.to_owned()), session)));
        }
        known
    }

    /// Takes in what clients left in the temporary directory for sessions and projects of these stores.
    fn scratch(&mut self, dir: &Path) {
        let Ok(dir) = std::fs::canonicalize(dir) else { return };
        let folders: rustc_hash::FxHashSet<&str> =
            self.sessions.values().map(|home| home.folder.as_str()).collect();
        let mut taken = Vec::new();
        for (name, is_dir) in scrollback_store::walk::names_in(&dir) {
            if !is_dir || Area::of_scratch(&name).is_none() {
                continue;
            }
            for mut item in Inventory::below(&dir.join(&name)).items {
                let path = format!("{name}/{}", item.path);
                let Some(filed) = Area::of_scratch(&path) else { continue };
                let own = match &filed.owner {
                    Owner::Session(session) => self.sessions.contains_key(session),
                    Owner::Project(folder) => folders.contains(folder.as_ref()),
                    _ => false,
                };
                if own {
                    item.path = format!("{SCRATCH}{path}");
                    taken.push(item);
                }
            }
        }
        // One temporary directory for all roots: what it holds is told with the first.
        if let Some(first) = self.inventories.first_mut() {
            first.items.extend(taken);
        }
    }

    /// Where a file is.
    pub fn path(&self, root: usize, item: &TreeItem, temporary: Option<&Path>) -> PathBuf {
        match (item.path.strip_prefix(SCRATCH), temporary) {
            (Some(path), Some(dir)) => dir.join(path),
            _ => self.roots[root].path().join(&item.path),
        }
    }
}

/// What the paths of files in the temporary directory begin with here: no client gives a folder such a name.
const SCRATCH: &str = "<tmp>/";

fn scratch_of(item: &TreeItem) -> Option<Filed<'_>> {
    Area::of_scratch(item.path.strip_prefix(SCRATCH)?)
}

/// The client's own state lies beside a root that is called `.claude`.
fn beside(root: &Root, inventory: &mut Inventory) {
    let named = root.path().file_name().is_some_and(|name| name == ".claude");
    let Some(above) = root.path().parent().filter(|_| named) else { return };
    let Ok(meta) = std::fs::symlink_metadata(above.join(".claude.json")) else { return };
    if meta.is_file() {
        inventory.items.push(TreeItem::file("../.claude.json".to_owned(), &meta));
    }
}

type Shorts = FxHashMap<String, Option<SessionId>>;

fn sessions(inventories: &[Inventory]) -> (FxHashMap<SessionId, Home>, Shorts) {
    let mut sessions: FxHashMap<SessionId, Home> = FxHashMap::default();
    for (root, inventory) in inventories.iter().enumerate() {
        for item in inventory.items.iter().filter(|item| item.kind != TreeItemKind::Folder) {
            let Some((folder, name)) =
                item.path.strip_prefix("projects/").and_then(|path| path.split_once('/'))
            else {
                continue;
            };
            let ProjectFile::Session(session) = ProjectFile::of(name) else { continue };
            let home = Home { root, folder: folder.to_owned(), mtime_ns: item.mtime_ns };
            let older = sessions.get(&session).is_none_or(|known| known.mtime_ns < home.mtime_ns);
            if older {
                sessions.insert(session, home);
            }
        }
    }
    let mut shorts: Shorts = FxHashMap::default();
    for session in sessions.keys() {
        let known = shorts.entry(session.short().to_owned()).or_insert_with(|| Some(session.clone()));
        if known.as_ref().is_some_and(|known| known != session) {
            *known = None;
        }
    }
    (sessions, shorts)
}
