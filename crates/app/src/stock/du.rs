//! Where the bytes are: by area, project and session, from names and lengths alone.

use std::collections::BTreeMap;
use std::path::PathBuf;

use rustc_hash::{FxHashMap, FxHashSet};
use scrollback_format::area::Area;
use scrollback_format::id::SessionId;
use scrollback_format::time::Time;
use serde::Serialize;

use super::inside::{KindUse, LineUse, ToolUse};
use super::{Held, Stock};
use crate::catalogue::Index;
use crate::view::time;

/// How much there is of something.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Amount {
    /// Files.
    pub files: u64,
    /// Their lengths together.
    pub bytes: u64,
    /// The bytes that they take on the disk.
    pub disk_bytes: u64,
}

/// An area's share.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AreaUse {
    /// The area.
    pub area: &'static str,
    /// How much.
    #[serde(flatten)]
    pub amount: Amount,
    /// Files that are never opened, only counted.
    pub secret_files: u64,
    /// Files whose name no client is known to give there.
    pub unknown_files: u64,
}

/// A project's share, over all areas.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ProjectUse {
    /// Its folder below `projects/`.
    pub folder: String,
    /// Its directory, if the catalogue knows it.
    pub project: Option<String>,
    /// Sessions.
    pub sessions: u64,
    /// How much.
    #[serde(flatten)]
    pub amount: Amount,
}

/// A session's share, over all areas.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SessionUse {
    /// The session.
    pub session_id: String,
    /// Its title, if the catalogue knows it.
    pub title: Option<String>,
    /// Its folder below `projects/`; none if its own file is gone.
    pub folder: Option<String>,
    /// How much.
    #[serde(flatten)]
    pub amount: Amount,
    /// The same by area.
    pub areas: BTreeMap<&'static str, u64>,
}

/// Where the bytes are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Du {
    /// The roots.
    #[serde(serialize_with = "crate::view::paths")]
    pub roots: Vec<PathBuf>,
    /// All of it.
    #[serde(flatten)]
    pub total: Amount,
    /// Areas, largest first.
    pub areas: Vec<AreaUse>,
    /// Projects, largest first.
    pub projects: Vec<ProjectUse>,
    /// Sessions, largest first.
    pub sessions: Vec<SessionUse>,
    /// Bytes of transcripts by kind of entry, if asked for, largest first.
    pub kinds: Vec<KindUse>,
    /// Bytes of transcripts by tool, if asked for, largest first.
    pub tools: Vec<ToolUse>,
    /// The longest lines, if asked for.
    pub lines: Vec<LineUse>,
    /// Titles and directories are as of then.
    #[serde(serialize_with = "time")]
    pub names_as_of: Option<Time>,
    /// Files and folders that could not be read.
    pub unread: u64,
}

impl Amount {
    fn add(&mut self, held: &Held<'_>, first_name: bool) {
        self.files += 1;
        self.bytes += held.item.size;
        if first_name {
            self.disk_bytes += held.item.taken;
        }
    }
}

/// Adds the stock up.
pub fn du(stock: &Stock) -> Du {
    let mut total = Amount::default();
    let mut areas: BTreeMap<Area, AreaUse> = BTreeMap::new();
    let mut folders: FxHashMap<&str, Amount> = FxHashMap::default();
    let mut sessions: FxHashMap<SessionId, (Amount, BTreeMap<&'static str, u64>)> = FxHashMap::default();
    // A file that has several names takes its place once.
    let mut seen = FxHashSet::default();
    for held in stock.held() {
        let first = held.item.names <= 1 || seen.insert((held.root, held.item.inode));
        let area = held.filed.area;
        let of_area = areas.entry(area).or_insert_with(|| AreaUse {
            area: area.name(),
            amount: Amount::default(),
            secret_files: 0,
            unknown_files: 0,
        });
        of_area.secret_files += u64::from(held.filed.secret);
        of_area.unknown_files += u64::from(!held.filed.known);
        of_area.amount.add(&held, first);
        total.add(&held, first);
        if let Some(folder) = held.folder {
            folders.entry(folder).or_default().add(&held, first);
        }
        if let Some(session) = &held.session {
            if !sessions.contains_key(session) {
                sessions.insert(session.clone(), Default::default());
            }
            if let Some((amount, by_area)) = sessions.get_mut(session) {
                amount.add(&held, first);
                *by_area.entry(area.name()).or_default() += held.item.size;
            }
        }
    }
    let mut counts: FxHashMap<&str, u64> = FxHashMap::default();
    for home in stock.sessions.values() {
        *counts.entry(&home.folder).or_default() += 1;
    }
    let mut du = Du {
        roots: stock.roots.iter().map(|root| root.path().to_owned()).collect(),
        total,
        areas: areas.into_values().collect(),
        projects: folders
            .into_iter()
            .map(|(folder, amount)| ProjectUse {
                folder: folder.to_owned(),
                project: None,
                sessions: counts.get(folder).copied().unwrap_or(0),
                amount,
            })
            .collect(),
        sessions: sessions
            .into_iter()
            .map(|(session, (amount, areas))| SessionUse {
                folder: stock.sessions.get(&session).map(|home| home.folder.clone()),
                session_id: session.as_str().to_owned(),
                title: None,
                amount,
                areas,
            })
            .collect(),
        kinds: Vec::new(),
        tools: Vec::new(),
        lines: Vec::new(),
        names_as_of: None,
        unread: stock.troubles().filter(|trouble| trouble.unread).count() as u64,
    };
    du.areas.sort_by(|a, b| b.amount.bytes.cmp(&a.amount.bytes).then_with(|| a.area.cmp(b.area)));
    du.projects.sort_by(|a, b| b.amount.bytes.cmp(&a.amount.bytes).then_with(|| a.folder.cmp(&b.folder)));
    du.sessions
        .sort_by(|a, b| b.amount.bytes.cmp(&a.amount.bytes).then_with(|| a.session_id.cmp(&b.session_id)));
    du
}

impl Du {
    /// Keeps at most so many projects, sessions and lines.
    pub fn limit(&mut self, limit: usize) {
        self.projects.truncate(limit);
        self.sessions.truncate(limit);
        self.kinds.truncate(limit);
        self.tools.truncate(limit);
        self.lines.truncate(limit);
    }

    /// Gives what is listed the names that the catalogue knows, as it stands.
    pub fn name(&mut self, stock: &Stock, index: &Index) {
        self.names_as_of = index.as_of;
        for session in &mut self.sessions {
            let brief = index.session_brief(&session.session_id).ok().flatten();
            session.title = brief.and_then(|brief| brief.title);
        }
        let mut first: FxHashMap<&str, &SessionId> = FxHashMap::default();
        for (session, home) in &stock.sessions {
            let known = first.entry(&home.folder).or_insert(session);
            if session < *known {
                *known = session;
            }
        }
        for project in &mut self.projects {
            let session = first.get(project.folder.as_str());
            let brief = session.and_then(|session| index.session_brief(session.as_str()).ok().flatten());
            project.project = brief.and_then(|brief| brief.project);
        }
    }
}
