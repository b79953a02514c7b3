//! Orphans: what belongs to no session any more.

use std::collections::BTreeMap;
use std::path::PathBuf;

use rustc_hash::FxHashSet;
use scrollback_format::area::{Area, Owner, ProjectFile};
use scrollback_format::json::{Tape, Value};
use scrollback_format::time::Time;
use scrollback_index::error::IndexError;
use scrollback_store::inventory::TreeItemKind;
use scrollback_store::live::LiveCheck;
use scrollback_store::{Root, small};
use serde::{Deserialize, Serialize};

use super::{Stock, StockFile};
use scrollback_session::catalogue::Index;

/// Why something is an orphan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum OrphanReason {
    /// Its session is gone.
    SessionGone,
    /// Its agent is gone.
    AgentGone,
    /// No session has the slug that it is named by.
    SlugUnknown,
    /// No prompt refers to the paste.
    PasteUnused,
    /// Its process has ended.
    ProcessGone,
    /// The project has no sessions.
    ProjectEmpty,
    /// Its session was not found, and a folder of sessions could not be read.
    SessionUnseen,
}

/// Something that belongs to no session any more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Orphan {
    /// The area.
    pub area: Area,
    /// The file or folder.
    #[serde(with = "scrollback_session::view::path")]
    #[schemars(with = "String")]
    pub path: PathBuf,
    /// The session it belonged to, if its name says so.
    pub session_id: Option<String>,
    /// Why it is an orphan.
    pub why: OrphanReason,
    /// Files in it.
    pub files: u64,
    /// Bytes in it.
    pub bytes: u64,
    /// When it was last modified.
    #[serde(with = "scrollback_session::view::time")]
    #[schemars(with = "Option<String>")]
    pub last_time: Option<Time>,
}

/// Everything that belongs to no session any more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Orphans {
    /// The roots.
    #[serde(with = "scrollback_session::view::paths")]
    #[schemars(with = "Vec<String>")]
    pub roots: Vec<PathBuf>,
    /// Files in total.
    pub files: u64,
    /// Bytes in total.
    pub bytes: u64,
    /// Folders of sessions that could not be read: the session of something may be in one of them.
    pub unread: u64,
    /// By area and path.
    pub orphans: Vec<Orphan>,
}

impl Orphans {
    /// Keeps those of one area.
    pub fn retain_area(&mut self, area: Area) {
        self.orphans.retain(|orphan| orphan.area == area);
        self.files = self.orphans.iter().map(|orphan| orphan.files).sum();
        self.bytes = self.orphans.iter().map(|orphan| orphan.bytes).sum();
    }
}

/// What shows that a plan or a paste still belongs to a session.
#[derive(Debug, Default)]
pub struct Ties {
    /// The slugs of all sessions.
    pub slugs: FxHashSet<String>,
    /// Hashes of the pastes of prompts in `history.jsonl`.
    pub pastes: FxHashSet<String>,
}

impl Ties {
    /// Those of some roots, whose catalogue knows the slugs.
    pub fn of(roots: &[Root], index: &Index) -> Result<Self, IndexError> {
        let slugs = index.catalogue().slugs()?.into_iter().map(|(slug, _)| slug).collect();
        let mut pastes = FxHashSet::default();
        for root in roots {
            // Prompts are small; one by one, the whole history would be too.
            let Ok((bytes, _)) = small::read(&root.history(), 1 << 30) else { continue };
            let mut tape = Tape::new();
            for line in bytes.split(|byte| *byte == b'\n') {
                if tape.scan(line).is_err() {
                    continue;
                }
                let contents = tape.root(line).and_then(|entry| entry.get("pastedContents"));
                for (_, paste) in contents.into_iter().flat_map(Value::fields) {
                    let hash = paste.get("contentHash").and_then(Value::text);
                    pastes.extend(hash.map(|hash| hash.decode().into_owned()));
                }
            }
        }
        Ok(Self { slugs, pastes })
    }

    /// Is a plan with this name a session's, or one of its agents'?
    fn has_slug(&self, name: &str) -> bool {
        self.slugs.contains(name)
            || name.split_once("-agent-").is_some_and(|(slug, _)| self.slugs.contains(slug))
    }
}

/// Finds what belongs to no session any more.
pub fn orphans(stock: &Stock, ties: &Ties, watch: &LiveCheck) -> Orphans {
    let mut found: BTreeMap<(&'static str, PathBuf), Orphan> = BTreeMap::new();
    let empty = empty_projects(stock);
    let unread = stock.unread_folders().count() as u64;
    for (root, inventory) in stock.inventories.iter().enumerate() {
        for item in &inventory.items {
            let held = stock.hold(root, item);
            let Some((why, end)) = why(stock, ties, watch, &held, &empty) else { continue };
            // What may be where we cannot look is not gone.
            let why = match why {
                OrphanReason::SessionGone | OrphanReason::AgentGone | OrphanReason::SlugUnknown
                    if unread > 0 =>
                {
                    OrphanReason::SessionUnseen
                }
                why => why,
            };
            let path = stock.path(root, item, None);
            let path = match item.path.get(..end) {
                Some(unit) => stock.roots[root].path().join(unit),
                None => path,
            };
            let area = held.filed.area;
            let orphan = found.entry((area.name(), path.clone())).or_insert_with(|| Orphan {
                area,
                path,
                session_id: held.session.as_ref().map(|session| session.as_str().to_owned()),
                why,
                files: 0,
                bytes: 0,
                last_time: None,
            });
            orphan.last_time = orphan.last_time.max(Some(Time(item.mtime_ns.div_euclid(1_000_000))));
            if item.kind != TreeItemKind::Folder {
                orphan.files += 1;
                orphan.bytes += item.size;
            }
        }
    }
    let orphans: Vec<Orphan> = found.into_values().collect();
    Orphans {
        roots: stock.roots.iter().map(|root| root.path().to_owned()).collect(),
        files: orphans.iter().map(|orphan| orphan.files).sum(),
        bytes: orphans.iter().map(|orphan| orphan.bytes).sum(),
        unread,
        orphans,
    }
}

/// Project folders that hold nothing but what the client made beside sessions that are gone: root and name.
fn empty_projects(stock: &Stock) -> FxHashSet<(usize, String)> {
    let mut empty = FxHashSet::default();
    let mut used = FxHashSet::default();
    for (root, inventory) in stock.inventories.iter().enumerate() {
        for item in &inventory.items {
            let filed = item.filed();
            let Some(folder) = filed.folder.filter(|_| filed.area == Area::Projects) else {
                // Notes that the model made are somebody's, whatever became of the sessions.
                if filed.area == Area::Memory && item.kind != TreeItemKind::Folder {
                    used.extend(filed.folder.map(|folder| (root, folder.to_owned())));
                }
                continue;
            };
            let name = item.path.splitn(3, '/').nth(2);
            match name.map(ProjectFile::of) {
                None if item.kind == TreeItemKind::Folder => {
                    empty.insert((root, folder.to_owned()));
                }
                Some(ProjectFile::SessionsIndex) | None => {}
                Some(_) if item.kind == TreeItemKind::Folder => {}
                Some(_) => {
                    used.insert((root, folder.to_owned()));
                }
            }
        }
    }
    // What nobody could look into is not empty.
    for (root, path) in stock.unread_folders() {
        used.extend(path.file_name().map(|name| (root, name.to_string_lossy().into_owned())));
    }
    empty.retain(|folder| !used.contains(folder));
    empty
}

/// Why something is an orphan, and where in its path the name of what is one ends.
fn why(
    stock: &Stock,
    ties: &Ties,
    watch: &LiveCheck,
    held: &StockFile<'_>,
    empty: &FxHashSet<(usize, String)>,
) -> Option<(OrphanReason, usize)> {
    let path = held.item.path.as_str();
    let whole = path.len();
    match &held.filed.owner {
        // What a name does not tell is known of no session: of a flat agent that has no line.
        Owner::Agent { session: None, .. } => {
            let session = held.session.as_ref()?;
            (!stock.sessions.contains_key(session)).then_some((OrphanReason::SessionGone, whole))
        }
        Owner::Session(_) | Owner::Short(_) | Owner::Agent { .. } => {
            let session = held.session.as_ref()?;
            if stock.sessions.contains_key(session) {
                return None;
            }
            let name = session.as_str();
            let mut end = 0;
            for part in path.split('/') {
                end += part.len();
                if part.contains(name) {
                    return Some((OrphanReason::SessionGone, end));
                }
                end += 1;
            }
            Some((OrphanReason::SessionGone, whole))
        }
        Owner::Slug(slug) => (!ties.has_slug(slug)).then_some((OrphanReason::SlugUnknown, whole)),
        Owner::Prompt(hash) => {
            (!ties.pastes.contains(hash.as_ref())).then_some((OrphanReason::PasteUnused, whole))
        }
        Owner::Process(pid) => watch.lacks(*pid).then_some((OrphanReason::ProcessGone, whole)),
        Owner::Project(folder) => {
            let own = empty.contains(&(held.root, folder.to_string()));
            own.then(|| (OrphanReason::ProjectEmpty, "projects/".len() + folder.len()))
        }
        // Nobody, or one that is not known to go away.
        _ => None,
    }
}
