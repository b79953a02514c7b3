//! The overview: what is in the store, at one glance.

use std::collections::BTreeMap;
use std::path::PathBuf;

use scrollback_format::area::ProjectFile;
use scrollback_format::time::Time;
use serde::Serialize;

use crate::library::Library;
use crate::listing::TroubleView;
use crate::view::{SessionView, time};

/// One project.
#[derive(Debug, Clone, Serialize)]
pub struct ProjectView {
    /// Its directory, or the folder's name in brackets where no line tells.
    pub project: String,
    /// Conversations.
    pub sessions: u64,
    /// Turns in them.
    pub turns: u64,
    /// Bytes of their files.
    pub bytes: u64,
    /// The latest line.
    #[serde(serialize_with = "time")]
    pub last_time: Option<Time>,
}

/// The whole store.
#[derive(Debug, Serialize)]
pub struct Overview {
    /// The roots.
    #[serde(serialize_with = "crate::view::paths")]
    pub roots: Vec<PathBuf>,
    /// Projects, newest first.
    pub projects: Vec<ProjectView>,
    /// Conversations.
    pub sessions: u64,
    /// Session files in which nobody spoke.
    pub silent_sessions: u64,
    /// Session files that may not be read.
    pub unreadable_sessions: u64,
    /// Agents' transcripts.
    pub agents: u64,
    /// Turns.
    pub turns: u64,
    /// Tool calls.
    pub tool_calls: u64,
    /// Bytes of all files below `projects/`.
    pub bytes: u64,
    /// Files below `projects/`.
    pub files: u64,
    /// The earliest line.
    #[serde(serialize_with = "time")]
    pub first_time: Option<Time>,
    /// The latest line.
    #[serde(serialize_with = "time")]
    pub last_time: Option<Time>,
    /// Sessions with problems in their files.
    pub sessions_with_problems: u64,
    /// The newest conversations.
    pub newest: Vec<SessionView>,
    /// The effective `cleanupPeriodDays`.
    pub cleanup_period_days: u64,
    /// Is that the user's setting (else the client's default)?
    pub cleanup_is_set: bool,
    /// Conversations whose file the client will delete within a week, by the file's time.
    pub soon_deleted: u64,
    /// Files and folders that are odd.
    pub troubles: Vec<TroubleView>,
}

/// How many of the newest are shown.
const NEWEST: usize = 6;

/// The client deletes files that are older than this many days, unless told otherwise.
const DEFAULT_CLEANUP_DAYS: u64 = 30;

const DAY_NS: i64 = 86_400_000_000_000;

/// Looks over the whole library. `now_ns` is the present, for what will be deleted soon.
pub fn overview(library: &Library, now_ns: i64, progress: &(dyn Fn(u64) + Sync)) -> Overview {
    let views = library.views(|_| true, progress);
    let (spoken, silent): (Vec<_>, Vec<_>) = views.into_iter().partition(SessionView::is_conversation);
    let files = || library.folders.iter().flat_map(|(_, folder)| &folder.files);
    let is_agent = |file: &ProjectFile| matches!(file, ProjectFile::Agent { .. } | ProjectFile::FlatAgent(_));
    let (cleanup_period_days, cleanup_is_set) = cleanup(library);
    let mut newest: Vec<SessionView> = spoken.clone();
    newest.sort_by(|a, b| b.last_time.cmp(&a.last_time).then_with(|| a.path.cmp(&b.path)));
    newest.truncate(NEWEST);
    Overview {
        roots: library.roots.iter().map(|root| root.path().to_owned()).collect(),
        projects: projects(&spoken),
        sessions: spoken.len() as u64,
        silent_sessions: silent.iter().filter(|view| !view.is_unreadable()).count() as u64,
        unreadable_sessions: silent.iter().filter(|view| view.is_unreadable()).count() as u64,
        agents: files().filter(|found| is_agent(&found.file)).count() as u64,
        turns: spoken.iter().map(|view| view.turns).sum(),
        tool_calls: spoken.iter().map(|view| view.tool_calls).sum(),
        bytes: files().map(|found| found.size()).sum(),
        files: files().count() as u64,
        first_time: spoken.iter().filter_map(|view| view.first_time).min(),
        last_time: spoken.iter().filter_map(|view| view.last_time).max(),
        sessions_with_problems: spoken.iter().chain(&silent).filter(|view| view.problems > 0).count() as u64,
        newest,
        cleanup_period_days,
        cleanup_is_set,
        soon_deleted: soon_deleted(library, now_ns, cleanup_period_days),
        troubles: library.trouble_views(),
    }
}

fn projects(views: &[SessionView]) -> Vec<ProjectView> {
    let mut projects: BTreeMap<String, ProjectView> = BTreeMap::new();
    for view in views {
        let project = view
            .repository
            .clone()
            .or_else(|| view.project.clone())
            .unwrap_or_else(|| format!("[{}]", view.folder));
        let entry = projects.entry(project.clone()).or_insert(ProjectView {
            project,
            sessions: 0,
            turns: 0,
            bytes: 0,
            last_time: None,
        });
        entry.sessions += 1;
        entry.turns += view.turns;
        entry.bytes += view.bytes;
        entry.last_time = entry.last_time.max(view.last_time);
    }
    let mut projects: Vec<_> = projects.into_values().collect();
    projects.sort_by(|a, b| b.last_time.cmp(&a.last_time).then_with(|| a.project.cmp(&b.project)));
    projects
}

/// The smallest `cleanupPeriodDays` of the roots' settings.
fn cleanup(library: &Library) -> (u64, bool) {
    let days = library
        .roots
        .iter()
        .filter_map(|root| {
            let (bytes, _) =
                scrollback_store::small::read(&root.path().join("settings.json"), 1 << 20).ok()?;
            let settings: serde_json::Value = serde_json::from_slice(&bytes).ok()?;
            settings.get("cleanupPeriodDays")?.as_u64()
        })
        .min();
    (days.unwrap_or(DEFAULT_CLEANUP_DAYS), days.is_some())
}

fn soon_deleted(library: &Library, now_ns: i64, days: u64) -> u64 {
    let days = i64::try_from(days).unwrap_or(i64::MAX / DAY_NS);
    let limit = now_ns.saturating_sub(days.saturating_sub(7).max(0).saturating_mul(DAY_NS));
    library.sessions().filter(|files| files.found.size() > 0 && files.found.mtime_ns() < limit).count() as u64
}
