//! Disk usage by area, project and session, from names and lengths alone.

use std::collections::BTreeMap;
use std::path::PathBuf;

use rustc_hash::{FxHashMap, FxHashSet};
use scrollback_format::area::Area;
use scrollback_format::id::SessionId;
use scrollback_format::time::Time;
use serde::{Deserialize, Serialize};

use super::inside::{KindUse, LineUse, ToolUse};
use super::{Stock, StockFile};
use scrollback_session::catalogue::Index;

/// What disk usage is added up by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum DuBy {
    /// Areas of the store.
    Area,
    /// Projects, over all areas.
    Project,
    /// Sessions with everything that belongs to them.
    Session,
    /// Kinds of entries in transcripts.
    Kind,
    /// Tools, counting the lines of their calls and results.
    Tool,
    /// The longest single lines.
    Line,
}

impl DuBy {
    /// All of them.
    pub const ALL: [Self; 6] = [Self::Area, Self::Project, Self::Session, Self::Kind, Self::Tool, Self::Line];
    /// Those that are shown if none is requested: names and lengths of files are enough for them.
    pub const DEFAULT: [Self; 3] = [Self::Area, Self::Project, Self::Session];

    /// Its name, and what it is.
    const fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Area => ("area", "Areas of the store"),
            Self::Project => ("project", "Projects, over all areas"),
            Self::Session => ("session", "Sessions with everything that belongs to them"),
            Self::Kind => ("kind", "Kinds of entries in transcripts"),
            Self::Tool => ("tool", "Tools, counting the lines of their calls and results"),
            Self::Line => ("line", "The longest single lines"),
        }
    }

    /// Its name in documents.
    pub const fn name(self) -> &'static str {
        self.words().0
    }

    /// What it is.
    pub const fn about(self) -> &'static str {
        self.words().1
    }

    /// The one of this name.
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|by| by.name() == name)
    }

    /// Does it need to know what is inside of files?
    pub const fn is_inside(self) -> bool {
        matches!(self, Self::Kind | Self::Tool | Self::Line)
    }
}

/// How much there is of something.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Amount {
    /// Files.
    pub files: u64,
    /// Their lengths together.
    pub bytes: u64,
    /// The bytes that they take on the disk.
    pub disk_bytes: u64,
}

/// An area's share.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct AreaUse {
    /// The area.
    pub area: Area,
    /// How much.
    #[serde(flatten)]
    pub amount: Amount,
    /// Files that are counted but never opened.
    pub secret_files: u64,
    /// Files with names that no client is known to use there.
    pub unknown_files: u64,
}

/// A project's share, over all areas.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
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
    pub areas: BTreeMap<String, u64>,
}

/// Disk usage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Du {
    /// The roots.
    #[serde(with = "scrollback_session::view::paths")]
    #[schemars(with = "Vec<String>")]
    pub roots: Vec<PathBuf>,
    /// All of it.
    #[serde(flatten)]
    pub total: Amount,
    /// Areas, largest first.
    pub areas: Vec<AreaUse>,
    /// Number of projects before the limit.
    pub project_count: u64,
    /// Projects, largest first.
    pub projects: Vec<ProjectUse>,
    /// Number of sessions before the limit.
    pub session_count: u64,
    /// Sessions, largest first.
    pub sessions: Vec<SessionUse>,
    /// Bytes of transcripts by kind of entry, if requested, largest first.
    pub kinds: Vec<KindUse>,
    /// Bytes of transcripts by tool, if requested, largest first.
    pub tools: Vec<ToolUse>,
    /// The longest lines, if requested.
    pub lines: Vec<LineUse>,
    /// When the index, which titles and directories come from, was last updated.
    #[serde(with = "scrollback_session::view::time")]
    #[schemars(with = "Option<String>")]
    pub names_as_of: Option<Time>,
    /// Files and folders that could not be read.
    pub unread: u64,
}

impl Amount {
    fn add(&mut self, held: &StockFile<'_>, first_name: bool) {
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
    let mut sessions: FxHashMap<SessionId, (Amount, BTreeMap<Area, u64>)> = FxHashMap::default();
    // A file that has several names takes its place once.
    let mut seen = FxHashSet::default();
    for held in stock.held() {
        let first = held.item.names <= 1 || seen.insert((held.root, held.item.inode));
        let area = held.filed.area;
        let of_area = areas.entry(area).or_insert_with(|| AreaUse {
            area,
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
                *by_area.entry(area).or_default() += held.item.size;
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
        project_count: folders.len() as u64,
        projects: folders
            .into_iter()
            .map(|(folder, amount)| ProjectUse {
                folder: folder.to_owned(),
                project: None,
                sessions: counts.get(folder).copied().unwrap_or(0),
                amount,
            })
            .collect(),
        session_count: sessions.len() as u64,
        sessions: sessions
            .into_iter()
            .map(|(session, (amount, areas))| SessionUse {
                folder: stock.sessions.get(&session).map(|home| home.folder.clone()),
                session_id: session.as_str().to_owned(),
                title: None,
                amount,
                areas: areas.into_iter().map(|(area, bytes)| (area.name().to_owned(), bytes)).collect(),
            })
            .collect(),
        kinds: Vec::new(),
        tools: Vec::new(),
        lines: Vec::new(),
        names_as_of: None,
        unread: stock.troubles().filter(|trouble| trouble.unread).count() as u64,
    };
    du.areas
        .sort_by(|a, b| b.amount.bytes.cmp(&a.amount.bytes).then_with(|| a.area.name().cmp(b.area.name())));
    du.projects.sort_by(|a, b| b.amount.bytes.cmp(&a.amount.bytes).then_with(|| a.folder.cmp(&b.folder)));
    du.sessions
        .sort_by(|a, b| b.amount.bytes.cmp(&a.amount.bytes).then_with(|| a.session_id.cmp(&b.session_id)));
    du
}

impl Du {
    /// Keeps the largest projects, sessions and lines.
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
