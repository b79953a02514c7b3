//! Todo and task lists of both generations, each as stored in its file and as recorded in the session, side by side.
//!
//! `todos/` (up to 2.1.50) has one file a session or agent, and `TodoWrite` calls hold the same lists. `tasks/` (2.1.80 on)
//! has one file a task, and `TaskCreate` and `TaskUpdate` calls tell how each came to be as it is.

mod file;
mod inline;
mod item;

use std::collections::BTreeMap;
use std::path::PathBuf;

use scrollback_format::time::Time;
use serde::{Deserialize, Serialize};

use scrollback_session::area;
use scrollback_session::catalogue::Index;
use scrollback_session::error::AppError;
use scrollback_session::library::Library;
use scrollback_session::scope::Scope;
use scrollback_session::trouble::TroubleView;
use scrollback_session::view::SessionView;

/// Which generation of lists.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TodoGeneration {
    /// `todos/` and `TodoWrite`.
    #[default]
    Todos,
    /// `tasks/`, `TaskCreate` and `TaskUpdate`.
    Tasks,
}

/// Which lists.
#[derive(Debug, Clone, Default)]
pub struct TodoFilter {
    /// Which projects and dates. A list goes by its last line in the session, else by when its file was written.
    pub scope: Scope,
    /// Only of this session.
    pub session: Option<String>,
    /// Only lists with open items.
    pub open: bool,
    /// Include empty lists.
    pub all: bool,
}

/// Todo or task lists.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct TodosView {
    /// The lists, newest first.
    pub lists: Vec<TodoListView>,
    /// Number of empty lists left out.
    pub empty: u64,
    /// Folders of sessions that could not be read: a session that does not exist may be in one of them.
    pub unread: u64,
    /// Files and folders that cannot be read or are not as a client writes them.
    pub troubles: Vec<TroubleView>,
}

/// The list of a session or of one of its agents.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct TodoListView {
    /// The session; none if the name of the list is no session's.
    pub session_id: Option<String>,
    /// The agent, if it is one's.
    pub agent_id: Option<String>,
    /// What the file or folder of the list is called, where that is no session's id.
    pub name: Option<String>,
    /// The session's title.
    pub title: Option<String>,
    /// The directory the session was started in.
    pub project: Option<String>,
    /// Is the session still in the store?
    pub session_exists: bool,
    /// The list as its file has it.
    pub file: Option<TodoState>,
    /// The list according to the session's lines.
    pub session: Option<TodoState>,
    /// Do the two differ?
    pub differs: bool,
}

/// A list in one of its places.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct TodoState {
    /// The file, or the folder of its files.
    #[serde(with = "scrollback_session::view::path")]
    #[schemars(with = "String")]
    pub path: PathBuf,
    /// The last line that changed it, in a session's file.
    pub line: Option<u64>,
    /// The time of that line.
    #[serde(with = "scrollback_session::view::time")]
    #[schemars(with = "Option<String>")]
    pub time: Option<Time>,
    /// When the file was written.
    #[serde(with = "scrollback_session::view::time")]
    #[schemars(with = "Option<String>")]
    pub modified: Option<Time>,
    /// Its items.
    pub items: Vec<TodoItem>,
}

/// An item of a list.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct TodoItem {
    /// Its number in the list, of tasks.
    pub id: Option<String>,
    /// The text.
    pub text: String,
    /// `pending`, `in_progress`, `completed`, or what the file says; `odd` for something that is not an item.
    pub status: String,
    /// The text while it is in progress.
    pub active_form: Option<String>,
    /// More about it.
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
    generation: TodoGeneration,
    filter: &TodoFilter,
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
