//! Listing: sessions that pass some filters, in some order.

use std::cmp::Ordering;

use scrollback_format::time::Time;
use serde::Serialize;

use crate::library::Library;
use crate::view::SessionView;

/// Which sessions to list.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// Only projects whose directory contains this.
    pub project: Option<String>,
    /// Only sessions with a line at or after this time.
    pub since: Option<Time>,
    /// Only sessions with a line before this time.
    pub until: Option<Time>,
    /// Only sessions whose title, id or project contains these words.
    pub words: Vec<String>,
    /// Also what nobody spoke in: empty files, stubs, side notes, ghosts.
    pub all: bool,
    /// At most so many.
    pub limit: Option<usize>,
}

/// How to order them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    /// Newest line first.
    #[default]
    Newest,
    /// Largest file first.
    Size,
    /// Most turns first.
    Turns,
    /// By project, then newest.
    Project,
    /// By title.
    Title,
}

/// What a listing found.
#[derive(Debug, Serialize)]
pub struct Listing {
    /// The sessions.
    pub sessions: Vec<SessionView>,
    /// How many passed the filters, those beyond the limit included.
    pub matched: u64,
    /// How many were left out because nobody spoke in them.
    pub hidden: u64,
    /// Files and folders that could not be read or are odd.
    pub troubles: Vec<TroubleView>,
}

/// Something odd about the tree.
#[derive(Debug, Clone, Serialize)]
pub struct TroubleView {
    /// Where.
    #[serde(serialize_with = "crate::view::path")]
    pub path: std::path::PathBuf,
    /// What.
    pub what: String,
}

impl Library {
    /// The troubles that the walk met, as views.
    pub fn trouble_views(&self) -> Vec<TroubleView> {
        self.troubles
            .iter()
            .map(|trouble| TroubleView { path: trouble.path.clone(), what: trouble.what.clone() })
            .collect()
    }
}

/// Lists sessions.
pub fn list(library: &Library, filter: &Filter, order: Order, progress: &(dyn Fn(u64) + Sync)) -> Listing {
    let mut sessions = library.views(|_| true, progress);
    let mut hidden = 0;
    sessions.retain(|view| {
        if !passes(view, filter) {
            return false;
        }
        let shown = filter.all || view.is_conversation() || view.is_unreadable();
        hidden += u64::from(!shown);
        shown
    });
    sort(&mut sessions, order);
    let matched = sessions.len() as u64;
    if let Some(limit) = filter.limit {
        sessions.truncate(limit);
    }
    Listing { sessions, matched, hidden, troubles: library.trouble_views() }
}

fn passes(view: &SessionView, filter: &Filter) -> bool {
    let contains =
        |text: Option<&str>, part: &str| text.is_some_and(|text| text.to_lowercase().contains(part));
    if let Some(project) = &filter.project {
        let project = project.to_lowercase();
        if !contains(view.project.as_deref().or(Some(&view.folder)), &project) {
            return false;
        }
    }
    // A session without any time lies neither after nor before one.
    if filter.since.is_some_and(|since| view.last_time.is_none_or(|last| last < since)) {
        return false;
    }
    if filter.until.is_some_and(|until| view.first_time.is_none_or(|first| first >= until)) {
        return false;
    }
    filter.words.iter().all(|word| {
        let word = word.to_lowercase();
        contains(view.title.as_deref(), &word)
            || contains(Some(&view.session_id), &word)
            || contains(view.project.as_deref(), &word)
            || view.git_branches.iter().any(|branch| contains(Some(&branch.name), &word))
    })
}

/// Newest line first; a session without any time comes last.
pub fn newest(a: &SessionView, b: &SessionView) -> Ordering {
    b.last_time
        .cmp(&a.last_time)
        .then_with(|| a.session_id.cmp(&b.session_id))
        .then_with(|| a.path.cmp(&b.path))
}

fn sort(sessions: &mut [SessionView], order: Order) {
    sessions.sort_by(|a, b| match order {
        Order::Newest => newest(a, b),
        Order::Size => b.bytes.cmp(&a.bytes).then_with(|| newest(a, b)),
        Order::Turns => b.turns.cmp(&a.turns).then_with(|| newest(a, b)),
        Order::Project => a.project.cmp(&b.project).then_with(|| newest(a, b)),
        Order::Title => a.title.cmp(&b.title).then_with(|| newest(a, b)),
    });
}
