//! Todo and task lists of both generations, each as its file has it and as the session's own lines tell it, side by side.
//!
//! `todos/` (up to 2.1.50) has one file a session or agent, and `TodoWrite` calls hold the same lists. `tasks/` (2.1.80 on)
//! has one file a task, and `TaskCreate` and `TaskUpdate` calls tell how each came to be as it is.

mod file;
mod inline;
mod item;

use std::collections::BTreeMap;
use std::path::PathBuf;

use scrollback_format::time::Time;
use serde::Serialize;

use crate::area;
use crate::catalogue::Index;
use crate::error::AppError;
use crate::library::Library;
use crate::listing::TroubleView;
use crate::scope::Scope;
use crate::view::{SessionView, time};

/// Which generation of lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Generation {
    /// `todos/` and `TodoWrite`.
    Todos,
    /// `tasks/`, `TaskCreate` and `TaskUpdate`.
    Tasks,
}

/// Which lists.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// Which projects and dates. A list goes by its last line in the session, else by when its file was written.
    pub scope: Scope,
    /// Only of this session.
    pub session: Option<String>,
    /// Only with something that is not done.
    pub open: bool,
    /// Also empty ones.
    pub all: bool,
}

/// Todo or task lists.
#[derive(Debug, Serialize)]
pub struct TodosView {
    /// The lists, newest first.
    pub lists: Vec<TodoListView>,
    /// How many were left out because they are empty.
    pub empty: u64,
    /// Folders of sessions that could not be read: a session that does not exist may be in one of them.
    pub unread: u64,
    /// Files and folders that cannot be read or are not as a client writes them.
    pub troubles: Vec<TroubleView>,
}

/// The list of a session or of one of its agents.
#[derive(Debug, Serialize)]
pub struct TodoListView {
    /// The session; none if the name of the list is no session's.
    pub session_id: Option<String>,
    /// The agent, if it is one's.
    pub agent_id: Option<String>,
    /// What the file or folder of the list is called, where that is no session's id.
    pub name: Option<String>,
    /// The session's title.
    pub title: Option<String>,
    /// The directory in which the session was begun.
    pub project: Option<String>,
    /// Is the session still in the store?
    pub session_exists: bool,
    /// The list as its file has it.
    pub file: Option<TodoState>,
    /// The list as the session's lines tell it.
    pub session: Option<TodoState>,
    /// Do the two differ?
    pub differs: bool,
}

/// A list in one of its places.
#[derive(Debug, Clone, Serialize)]
pub struct TodoState {
    /// The file, or the folder of its files.
    #[serde(serialize_with = "crate::view::path")]
    pub path: PathBuf,
    /// The last line that changed it, in a session's file.
    pub line: Option<u64>,
    /// The time of that line.
    #[serde(serialize_with = "time")]
    pub time: Option<Time>,
    /// When the file was written.
    #[serde(serialize_with = "time")]
    pub modified: Option<Time>,
    /// What is to be done.
    pub items: Vec<TodoItem>,
}

/// One thing to be done.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct TodoItem {
    /// Its number in the list, of tasks.
    pub id: Option<String>,
    /// What is to be done.
    pub text: String,
    /// `pending`, `in_progress`, `completed`, or what the file says; `odd` for what is no item.
    pub status: String,
    /// The same while it is being done.
    pub active_form: Option<String>,
    /// What it is about.
    pub description: Option<String>,
    /// Tasks that wait for it.
    pub blocks: Vec<String>,
    /// Tasks that it waits for.
    pub blocked_by: Vec<String>,
    /// The agent that took it.
    pub owner: Option<String>,
}

impl TodoItem {
    /// Is it done?
    pub fn is_done(&self) -> bool {
        self.status == "completed"
    }
}

impl TodoListView {
    /// Its items: those of the file, else those of the session.
    pub fn items(&self) -> &[TodoItem] {
        let state = self.file.as_ref().or(self.session.as_ref());
        state.map(|state| state.items.as_slice()).unwrap_or_default()
    }

    /// When it last changed.
    pub fn last_time(&self) -> Option<Time> {
        let told = self.session.as_ref().and_then(|state| state.time);
        told.or_else(|| self.file.as_ref().and_then(|state| state.modified))
    }

    fn is_empty(&self) -> bool {
        [&self.file, &self.session].into_iter().flatten().all(|state| state.items.is_empty())
    }
}

/// Whose a list is: a session and an agent of it, or a name that is neither.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
struct Key {
    session: Option<String>,
    agent: Option<String>,
    name: Option<String>,
}

/// The lists of a generation.
pub fn lists(
    library: &Library,
    index: &Index,
    generation: Generation,
    filter: &Filter,
) -> Result<TodosView, AppError> {
    let mut troubles = Vec::new();
    let mut found: BTreeMap<Key, (Option<TodoState>, Option<TodoState>)> = BTreeMap::new();
    for root in &library.roots {
        for (key, state) in file::read(root, generation, &mut troubles) {
            found.entry(key).or_default().0 = Some(state);
        }
    }
    for (key, state) in inline::read(library, generation) {
        found.entry(key).or_default().1 = Some(state);
    }
    let sessions: BTreeMap<String, SessionView> =
        index.sessions()?.into_iter().map(|view| (view.session_id.clone(), view)).collect();
    let mut lists: Vec<TodoListView> = found
        .into_iter()
        .map(|(key, (file, session))| {
            let view = key.session.as_ref().and_then(|id| sessions.get(id));
            let both = file.as_ref().zip(session.as_ref());
            TodoListView {
                title: view.and_then(|view| view.title.clone()),
                project: view.and_then(|view| view.project.clone()),
                session_exists: view.is_some(),
                differs: both.is_some_and(|(file, session)| item::differ(&file.items, &session.items)),
                session_id: key.session,
                agent_id: key.agent,
                name: key.name,
                file,
                session,
            }
        })
        .filter(|list| filter.session.is_none() || list.session_id == filter.session)
        .filter(|list| filter.scope.has_project(list.project.as_deref()))
        .filter(|list| filter.scope.has_time(list.last_time()))
        .collect();
    let before = lists.len();
    lists.retain(|list| filter.all || !list.is_empty());
    let empty = (before - lists.len()) as u64;
    lists.retain(|list| !filter.open || list.items().iter().any(|item| !item.is_done()));
    lists.sort_by_key(|list| std::cmp::Reverse(list.last_time()));
    let unread = library.unread_folders();
    troubles.extend(unread.iter().map(|trouble| area::trouble(&trouble.path, trouble.what.clone())));
    Ok(TodosView { lists, empty, unread: unread.len() as u64, troubles })
}
