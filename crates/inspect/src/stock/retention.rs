//! Retention: what the client will delete by itself, and when. It goes by the modification time of files, as the client
//! does, and by nothing else.

use std::collections::BTreeMap;
use std::path::PathBuf;

use scrollback_format::area::{Area, ProjectFile, Proof, Sweep};
use scrollback_format::time::Time;
use scrollback_store::{Root, small};
use serde::{Deserialize, Serialize};

use super::{Stock, StockFile};
use crate::settings::{self, SettingsPlaces};
use scrollback_session::catalogue::Index;

const DAY_MS: i64 = 86_400_000;

/// What is wrong with the setting that says how long files are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum PeriodRemark {
    /// A settings file is broken: the client does not clean up until it is fixed.
    SettingsBroken,
    /// It is not a whole number: the client does not clean up until it is fixed.
    NotANumber,
    /// It is 0, which clients since 2.1.89 reject; before, it kept nothing at all.
    Zero,
}

/// What the client deletes in an area.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum SweepRule {
    /// What is old.
    Age,
    /// What belongs to a process that has ended.
    Process,
    /// Everything but the newest.
    Newest,
    /// By rules of its own.
    Other,
    /// Nothing.
    Kept,
    /// It is not known.
    Unknown,
}

/// The setting that says how long files are kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Period {
    /// The root that it is of.
    #[serde(with = "scrollback_session::view::path")]
    #[schemars(with = "String")]
    pub root: PathBuf,
    /// Days.
    pub cleanup_period_days: u64,
    /// The file that sets it; none if it is the client's default.
    #[serde(with = "scrollback_session::view::maybe_path")]
    #[schemars(with = "Option<String>")]
    pub said_by: Option<PathBuf>,
    /// What is wrong with the setting.
    pub remark: Option<PeriodRemark>,
    /// When the client last cleaned up, if it recorded that.
    #[serde(with = "scrollback_session::view::time")]
    #[schemars(with = "Option<String>")]
    pub last_cleanup: Option<Time>,
}

/// Files and bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Share {
    /// Files.
    pub files: u64,
    /// Their lengths together.
    pub bytes: u64,
}

/// What becomes of an area.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct AreaRetention {
    /// The area.
    pub area: Area,
    /// What the client deletes there.
    pub rule: SweepRule,
    /// Was that tested with a real client? Otherwise it is only reported.
    pub confirmed: bool,
    /// Everything.
    pub all: Share,
    /// What the next cleanup deletes.
    pub overdue: Share,
    /// What is deleted within the requested days.
    pub soon: Share,
    /// What is deleted later.
    pub later: Share,
    /// What no cleanup deletes.
    pub exempt: Share,
}

/// A session and when the client deletes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct SessionRetention {
    /// The session.
    pub session_id: String,
    /// Its title, if the catalogue knows it.
    pub title: Option<String>,
    /// Its directory, if the catalogue knows it.
    pub project: Option<String>,
    /// Its folder below `projects/`.
    pub folder: String,
    /// The length of its file and of everything in its folder.
    pub bytes: u64,
    /// Its file's modification time.
    #[serde(with = "scrollback_session::view::time")]
    #[schemars(with = "Option<String>")]
    pub modified: Option<Time>,
    /// When the client may delete it: at its next start after this.
    #[serde(with = "scrollback_session::view::time")]
    #[schemars(with = "Option<String>")]
    pub due: Option<Time>,
    /// Does the next cleanup delete it?
    pub overdue: bool,
}

/// What the client will delete.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Retention {
    /// The settings, root by root.
    pub periods: Vec<Period>,
    /// The number of days that `soon` means.
    pub within_days: u64,
    /// Areas, in the order of the store.
    pub areas: Vec<AreaRetention>,
    /// Number of sessions deleted by then, before the limit.
    pub session_count: u64,
    /// Sessions deleted by then, the first to go first.
    pub sessions: Vec<SessionRetention>,
    /// When the index, which titles and directories come from, was last updated.
    #[serde(with = "scrollback_session::view::time")]
    #[schemars(with = "Option<String>")]
    pub names_as_of: Option<Time>,
}

/// How long the files of a root are kept, as the user's settings and managed ones say.
pub fn period(root: &Root, places: &SettingsPlaces) -> Period {
    let settings = settings::settings(root, places);
    let by = settings.cleanup_by;
    let layer = settings.layers.iter().find(|layer| Some(layer.layer) == by && layer.is_used);
    let remark = if settings.cleanup_paused {
        Some(PeriodRemark::SettingsBroken)
    } else if settings.troubles.iter().any(|trouble| trouble.what.contains("cleanupPeriodDays")) {
        Some(PeriodRemark::NotANumber)
    } else if settings.cleanup_period_days == 0 {
        Some(PeriodRemark::Zero)
    } else {
        None
    };
    Period {
        root: root.path().to_owned(),
        cleanup_period_days: settings.cleanup_period_days,
        said_by: layer.map(|layer| layer.path.clone()),
        remark,
        last_cleanup: last_cleanup(root),
    }
}

fn last_cleanup(root: &Root) -> Option<Time> {
    let (bytes, _) = small::read(&root.path().join(".last-cleanup"), 4096).ok()?;
    Time::decode(std::str::from_utf8(&bytes).ok()?.trim())
}

/// What the client will delete. `within_days` from `now` is soon.
pub fn retention(stock: &Stock, places: &SettingsPlaces, now: Time, within_days: u64) -> Retention {
    let periods: Vec<Period> = stock.roots.iter().map(|root| period(root, places)).collect();
    let soon = Time(now.0.saturating_add(days(within_days)));
    let mut areas: BTreeMap<Area, AreaRetention> = BTreeMap::new();
    let mut bytes: BTreeMap<&str, u64> = BTreeMap::new();
    for held in stock.held() {
        let sweep = sweep(&held);
        let area = areas.entry(held.filed.area).or_insert_with(|| AreaRetention::new(held.filed.area));
        let due = match sweep {
            Sweep::Age { .. } => Some(due(stock, &held, &periods[held.root])),
            _ => None,
        };
        let part = match due {
            None => &mut area.exempt,
            Some(due) if due <= now => &mut area.overdue,
            Some(due) if due <= soon => &mut area.soon,
            Some(_) => &mut area.later,
        };
        part.add(held.item.size);
        area.all.add(held.item.size);
        if let Some((session, _)) =
            held.session.as_ref().and_then(|session| stock.sessions.get_key_value(session))
            && held.filed.area == Area::Projects
        {
            *bytes.entry(session.as_str()).or_default() += held.item.size;
        }
    }
    let mut sessions: Vec<SessionRetention> = stock
        .sessions
        .iter()
        .map(|(session, home)| {
            let modified = Time(home.mtime_ns.div_euclid(1_000_000));
            let due = Time(modified.0.saturating_add(days(periods[home.root].cleanup_period_days)));
            SessionRetention {
                session_id: session.as_str().to_owned(),
                title: None,
                project: None,
                folder: home.folder.clone(),
                bytes: bytes.get(session.as_str()).copied().unwrap_or(0),
                modified: Some(modified),
                due: Some(due),
                overdue: due <= now,
            }
        })
        .filter(|session| session.due <= Some(soon))
        .collect();
    sessions.sort_by(|a, b| a.due.cmp(&b.due).then_with(|| a.session_id.cmp(&b.session_id)));
    Retention {
        periods,
        within_days,
        areas: areas.into_values().collect(),
        session_count: sessions.len() as u64,
        sessions,
        names_as_of: None,
    }
}

impl Retention {
    /// Gives sessions the names that the catalogue knows, as it stands.
    pub fn name(&mut self, index: &Index) {
        self.names_as_of = index.as_of;
        for session in &mut self.sessions {
            let brief = index.session_brief(&session.session_id).ok().flatten();
            session.title = brief.as_ref().and_then(|brief| brief.title.clone());
            session.project = brief.and_then(|brief| brief.project);
        }
    }
}

impl Share {
    fn add(&mut self, bytes: u64) {
        self.files += 1;
        self.bytes += bytes;
    }
}

impl AreaRetention {
    fn new(area: Area) -> Self {
        let (rule, confirmed) = match area.sweep() {
            Sweep::Age { proof, .. } => (SweepRule::Age, proof == Proof::Confirmed),
            Sweep::Process => (SweepRule::Process, false),
            Sweep::Newest(_) => (SweepRule::Newest, false),
            Sweep::Other => (SweepRule::Other, false),
            Sweep::Kept => (SweepRule::Kept, false),
            _ => (SweepRule::Unknown, false),
        };
        let none = Share::default();
        Self { area, rule, confirmed, all: none, overdue: none, soon: none, later: none, exempt: none }
    }
}

/// The rule for one file.
fn sweep(held: &StockFile<'_>) -> Sweep {
    let inside = held.item.path.splitn(3, '/').nth(2);
    match (held.filed.area, inside) {
        (Area::Projects, Some(path)) => ProjectFile::of(path).sweep(),
        // Of these areas the rule is one for some files alone.
        (Area::Config, _) if !held.item.path.starts_with("backups/") => Sweep::Kept,
        (Area::Daemon, _) if held.item.path == "daemon.log" => {
            Sweep::Age { since: None, proof: Proof::Confirmed }
        }
        (area, _) => area.sweep(),
    }
}

/// When a file may go. What lies in a session's folder goes with the session.
fn due(stock: &Stock, held: &StockFile<'_>, period: &Period) -> Time {
    let home = held.session.as_ref().and_then(|session| stock.sessions.get(session));
    let own = held.item.mtime_ns;
    let modified = match home {
        Some(home) if held.filed.area == Area::Projects => home.mtime_ns,
        _ => own,
    };
    Time(modified.div_euclid(1_000_000).saturating_add(days(period.cleanup_period_days)))
}

fn days(days: u64) -> i64 {
    i64::try_from(days).unwrap_or(i64::MAX).saturating_mul(DAY_MS)
}
