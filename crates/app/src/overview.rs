//! The overview: what is in the store, at one glance.

use std::path::PathBuf;

use scrollback_format::area::ProjectFile;
use scrollback_format::time::Time;
use scrollback_index::catalogue::{Condition, ProjectRow};
use scrollback_index::error::IndexError;
use serde::{Deserialize, Serialize};

use scrollback_inspect::settings::{DEFAULT_CLEANUP_DAYS, SettingsPlaces};
use scrollback_inspect::stock::retention;
use scrollback_session::catalogue::Index;
use scrollback_session::library::Library;
use scrollback_session::marks::Marks;
use scrollback_session::trouble::TroubleView;
use scrollback_session::view::SessionView;

/// One project.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ProjectView {
    /// Its directory, or the folder's name in brackets where it is unknown.
    pub project: String,
    /// Conversations.
    pub sessions: u64,
    /// Turns in them.
    pub turns: u64,
    /// Bytes of their files.
    pub bytes: u64,
    /// The latest line.
    #[serde(with = "scrollback_session::view::time")]
    #[schemars(with = "Option<String>")]
    pub last_time: Option<Time>,
}

/// The whole store.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Overview {
    /// The roots.
    #[serde(with = "scrollback_session::view::paths")]
    #[schemars(with = "Vec<String>")]
    pub roots: Vec<PathBuf>,
    /// Projects, newest first.
    pub projects: Vec<ProjectView>,
    /// Conversations, without those that the user has hidden; the same holds for turns, tool calls, times and projects.
    pub sessions: u64,
    /// Conversations that the user has hidden.
    pub hidden_by_user: u64,
    /// Empty sessions.
    pub silent_sessions: u64,
    /// Sessions whose file cannot be read.
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
    #[serde(with = "scrollback_session::view::time")]
    #[schemars(with = "Option<String>")]
    pub first_time: Option<Time>,
    /// The latest line.
    #[serde(with = "scrollback_session::view::time")]
    #[schemars(with = "Option<String>")]
    pub last_time: Option<Time>,
    /// Sessions with problems in their files.
    pub sessions_with_problems: u64,
    /// The newest of the conversations that the user has pinned.
    pub pinned: Vec<SessionView>,
    /// The newest conversations, pinned or not.
    pub newest: Vec<SessionView>,
    /// The effective `cleanupPeriodDays`.
    pub cleanup_period_days: u64,
    /// Is that the user's setting (else the client's default)?
    pub cleanup_is_set: bool,
    /// Conversations whose file the client will delete within a week, by the file's time.
    pub soon_deleted: u64,
    /// Odd or unreadable files and folders.
    pub troubles: Vec<TroubleView>,
}

/// How many of the newest and of the pinned are shown.
const NEWEST: usize = 6;

const DAY_NS: i64 = 86_400_000_000_000;

/// Looks over the whole library. `now_ns` is the present, for what will be deleted soon.
///
/// What users have hidden is left out as in a list, except where files are counted: they are there.
pub fn overview(
    library: &Library,
    index: &Index,
    marks: &Marks,
    now_ns: i64,
) -> Result<Overview, IndexError> {
    let of = |kinds: &str| {
        let mut condition = index.all()?;
        condition.and(format!("s.kind {kinds}"), []);
        Ok::<_, IndexError>(condition)
    };
    let db = index.catalogue();
    let mut spoken = of("IN ('conversation', 'background')")?;
    let all = db.sums(&spoken, &[])?[0];
    marks.leave_hidden_out(&mut spoken);
    let sums = db.sums(&spoken, &["s.turns", "s.tool_calls"])?;
    let mut pinned = spoken.clone();
    marks.only(&mut pinned, |mark| mark.pinned);
    let newest = |condition: &Condition| {
        let mut views = index.select(condition, scrollback_session::catalogue::NEWEST, Some(NEWEST))?;
        views.iter_mut().for_each(|view| marks.put(view));
        Ok::<_, IndexError>(views)
    };
    let mut odd = index.all()?;
    odd.and("s.problems > 0", []);
    let files = || library.folders.iter().flat_map(|(_, folder)| &folder.files);
    let is_agent = |file: &ProjectFile| matches!(file, ProjectFile::Agent { .. } | ProjectFile::FlatAgent(_));
    let (cleanup_period_days, cleanup_is_set) = cleanup(library);
    let (first_time, last_time) = index.span(&spoken)?;
    Ok(Overview {
        roots: library.roots.iter().map(|root| root.path().to_owned()).collect(),
        projects: db.projects(&spoken)?.into_iter().map(project).collect(),
        sessions: sums[0] as u64,
        hidden_by_user: (all - sums[0]) as u64,
        silent_sessions: db.sums(&of("NOT IN ('conversation', 'background', 'unreadable')")?, &[])?[0] as u64,
        unreadable_sessions: db.sums(&of("= 'unreadable'")?, &[])?[0] as u64,
        agents: files().filter(|found| is_agent(&found.file)).count() as u64,
        turns: sums[1] as u64,
        tool_calls: sums[2] as u64,
        bytes: files().map(|found| found.size()).sum(),
        files: files().count() as u64,
        first_time,
        last_time,
        sessions_with_problems: db.sums(&odd, &[])?[0] as u64,
        pinned: newest(&pinned)?,
        newest: newest(&spoken)?,
        cleanup_period_days,
        cleanup_is_set,
        soon_deleted: soon_deleted(index, now_ns, cleanup_period_days)?,
        troubles: library.trouble_views(),
    })
}

fn project(row: ProjectRow) -> ProjectView {
    ProjectView {
        project: row.project,
        sessions: row.sessions as u64,
        turns: row.turns as u64,
        bytes: row.bytes as u64,
        last_time: row.last_time,
    }
}

/// The smallest `cleanupPeriodDays` of the roots' settings.
fn cleanup(library: &Library) -> (u64, bool) {
    let said = library
        .roots
        .iter()
        .map(|root| retention::period(root, &SettingsPlaces::default()))
        .filter(|period| period.said_by.is_some());
    let days = said.map(|period| period.cleanup_period_days).min();
    (days.unwrap_or(DEFAULT_CLEANUP_DAYS), days.is_some())
}

fn soon_deleted(index: &Index, now_ns: i64, days: u64) -> Result<u64, IndexError> {
    let days = i64::try_from(days).unwrap_or(i64::MAX / DAY_NS);
    let limit = now_ns.saturating_sub(days.saturating_sub(7).max(0).saturating_mul(DAY_NS));
    index.catalogue().older_than(&index.root_names(), limit)
}
