//! Running clients, by their files and processes, and what ended ones left behind.
//!
//! Clients say so from 2.1.80 on, and report the session that they have open from 2.1.200 on: before, they name the one that
//! they were started with. They hold no file open between writes, so that the session of an older one is not known.

use std::path::{Path, PathBuf};

use scrollback_format::time::Time;
use scrollback_store::live::{Client, Ide, LiveCheck, RECENT_MS, Roll, RollState, Running};
use scrollback_store::stamp;
use serde::{Deserialize, Serialize};

use scrollback_session::catalogue::Index;
use scrollback_session::error::AppError;
use scrollback_session::library::Library;
use scrollback_session::view::SessionView;

/// Clients and editors of a store.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct PsView {
    /// Clients, running ones first.
    pub clients: Vec<ClientView>,
    /// Editors that clients can talk to.
    pub editors: Vec<EditorView>,
    /// What is dangerous: two clients in one session, a session modified by an unknown client.
    pub warnings: Vec<String>,
    /// What is unknown.
    pub unknown: Vec<String>,
}

/// Is a client or an editor running?
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ClientState {
    /// It is running.
    Running,
    /// Unknown: its process is in another container or on another machine.
    Elsewhere,
    /// It ended and left its file behind.
    Gone,
}

impl ClientState {
    /// Its name in documents.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Elsewhere => "elsewhere",
            Self::Gone => "gone",
        }
    }
}

impl From<RollState> for ClientState {
    fn from(state: RollState) -> Self {
        match state {
            RollState::Running => Self::Running,
            RollState::Gone => Self::Gone,
            RollState::Elsewhere => Self::Elsewhere,
        }
    }
}

/// How a client is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum KnownBy {
    /// By the file it keeps in the store.
    PidFile,
    /// By its process alone.
    Process,
}

/// A client.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ClientView {
    /// Its process.
    pub pid: u32,
    /// Is it running?
    pub state: ClientState,
    /// How it is known.
    pub known_by: KnownBy,
    /// The session that it has open; none if it does not report it (clients before 2.1.200 do not).
    pub session_id: Option<String>,
    /// The session's title.
    pub title: Option<String>,
    /// The newest session of its directory, if it does not report its own: only a guess.
    pub perhaps_session_id: Option<String>,
    /// The session that it was started with, where that is all it says: another one may be open by now.
    pub started_session_id: Option<String>,
    /// Where it runs.
    pub directory: Option<String>,
    /// Its version.
    pub version: Option<String>,
    /// `interactive`, `bg` and the like.
    pub kind: Option<String>,
    /// Its name.
    pub name: Option<String>,
    /// `busy`, `idle` and the like, as it last reported.
    pub status: Option<String>,
    /// When it was started.
    #[serde(with = "scrollback_session::view::time")]
    #[schemars(with = "Option<String>")]
    pub started: Option<Time>,
    /// When it last updated its file.
    #[serde(with = "scrollback_session::view::time")]
    #[schemars(with = "Option<String>")]
    pub updated: Option<Time>,
    /// When its session was last modified.
    #[serde(with = "scrollback_session::view::time")]
    #[schemars(with = "Option<String>")]
    pub written: Option<Time>,
    /// Its pid file.
    #[serde(with = "scrollback_session::view::maybe_path")]
    #[schemars(with = "Option<String>")]
    pub path: Option<PathBuf>,
    /// Is that file incomplete?
    pub torn: bool,
}

/// An editor.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct EditorView {
    /// Its name.
    pub name: Option<String>,
    /// Its port.
    pub port: u64,
    /// Its process.
    pub pid: Option<u32>,
    /// As for clients; `elsewhere` if its process is unknown.
    pub state: ClientState,
    /// The folders that it has open.
    #[serde(with = "scrollback_session::view::paths")]
    #[schemars(with = "Vec<String>")]
    pub folders: Vec<PathBuf>,
    /// Its lock.
    #[serde(with = "scrollback_session::view::path")]
    #[schemars(with = "String")]
    pub path: PathBuf,
    /// Is that file incomplete?
    pub torn: bool,
}

/// Finds clients and editors.
pub fn ps(library: &Library, index: &Index, watch: &LiveCheck) -> Result<PsView, AppError> {
    let sessions = index.sessions()?;
    let mut view =
        PsView { clients: Vec::new(), editors: Vec::new(), warnings: Vec::new(), unknown: Vec::new() };
    let mut sees_processes = true;
    for root in &library.roots {
        let roll = Roll::of(root, watch);
        sees_processes &= roll.sees_processes;
        view.clients.extend(roll.clients.iter().map(|(client, state)| told(client, *state, &sessions)));
        for running in &roll.silent {
            // The same process is seen from every root.
            if !view
                .clients
                .iter()
                .any(|known| known.pid == running.pid && known.state == ClientState::Running)
            {
                view.clients.push(silent(running, &sessions));
            }
        }
        view.editors.extend(roll.ides.into_iter().map(|(ide, state)| editor(ide, state)));
    }
    // A process that one root's file tells of is not silent for another.
    let spoken: Vec<u32> = view
        .clients
        .iter()
        .filter(|one| one.known_by == KnownBy::PidFile && one.state == ClientState::Running)
        .map(|one| one.pid)
        .collect();
    view.clients.retain(|one| one.known_by == KnownBy::PidFile || !spoken.contains(&one.pid));
    view.clients.sort_by_key(|one| (one.state, one.pid));
    warn(&mut view, &sessions, watch.now);
    if !sees_processes {
        view.unknown.push("processes cannot be listed; clients before 2.1.80 are not shown".to_owned());
    }
    if view.clients.iter().any(|one| one.known_by == KnownBy::Process) {
        view.unknown.push("session unknown (clients before 2.1.80 do not report it)".to_owned());
    }
    let started = |one: &ClientView| one.state == ClientState::Running && one.started_session_id.is_some();
    if view.clients.iter().any(started) {
        view.unknown.push(
            "session unknown (clients before 2.1.200 report only the session that they were started with)"
                .to_owned(),
        );
    }
    if view.clients.iter().any(|one| one.state == ClientState::Elsewhere) {
        view.unknown
            .push("a client in another container or on another machine may or may not be running".to_owned());
    }
    Ok(view)
}

fn told(client: &Client, state: RollState, sessions: &[SessionView]) -> ClientView {
    let directory = client.directory.as_ref().map(|path| path.to_string_lossy().into_owned());
    let (open, started) = match &client.session {
        Some(id) if client.reports_session() => (Some(id.clone()), None),
        other => (None, other.clone()),
    };
    let session = open.as_ref().and_then(|id| sessions.iter().find(|view| view.session_id == *id));
    let guess = match (&started, &directory) {
        (Some(_), Some(directory)) if state == RollState::Running => newest(directory, sessions),
        _ => None,
    };
    ClientView {
        pid: client.pid,
        state: state.into(),
        known_by: KnownBy::PidFile,
        session_id: open,
        title: session.and_then(|view| view.title.clone()),
        perhaps_session_id: guess.map(|view| view.session_id.clone()),
        started_session_id: started,
        directory,
        version: client.version.clone(),
        kind: client.kind.clone(),
        name: client.name.clone(),
        status: client.status.clone(),
        started: client.started,
        updated: client.updated,
        written: session.or(guess).and_then(|view| written(&view.path)),
        path: Some(client.path.clone()),
        torn: client.torn,
    }
}

/// The newest session of a directory.
fn newest<'v>(directory: &str, sessions: &'v [SessionView]) -> Option<&'v SessionView> {
    // Sessions come newest first.
    sessions.iter().find(|view| {
        view.is_conversation()
            && [&view.project, &view.home].into_iter().flatten().any(|own| own == directory)
    })
}

fn silent(running: &Running, sessions: &[SessionView]) -> ClientView {
    let directory = running.directory.to_string_lossy().into_owned();
    let newest = newest(&directory, sessions);
    ClientView {
        pid: running.pid,
        state: ClientState::Running,
        known_by: KnownBy::Process,
        session_id: None,
        title: None,
        perhaps_session_id: newest.map(|view| view.session_id.clone()),
        started_session_id: None,
        directory: Some(directory),
        version: None,
        kind: None,
        name: None,
        status: None,
        started: None,
        updated: None,
        written: newest.and_then(|view| written(&view.path)),
        path: None,
        torn: false,
    }
}

fn editor(ide: Ide, state: RollState) -> EditorView {
    EditorView {
        name: ide.name,
        port: u64::from(ide.port),
        pid: ide.pid,
        state: state.into(),
        folders: ide.folders,
        path: ide.path,
        torn: ide.torn,
    }
}

fn written(path: &Path) -> Option<Time> {
    stamp::look(path).map(|look| Time(look.mtime_ns / 1_000_000))
}

fn warn(view: &mut PsView, sessions: &[SessionView], now: Time) {
    let mut held: Vec<(&str, Vec<u32>)> = Vec::new();
    for client in view.clients.iter().filter(|client| client.state == ClientState::Running) {
        let Some(session) = client.session_id.as_deref() else { continue };
        match held.iter_mut().find(|(known, _)| *known == session) {
            Some((_, pids)) => pids.push(client.pid),
            None => held.push((session, vec![client.pid])),
        }
    }
    let mut warnings = Vec::new();
    for (session, pids) in held.iter().filter(|(_, pids)| pids.len() > 1) {
        let pids: Vec<String> = pids.iter().map(u32::to_string).collect();
        warnings.push(format!(
            "processes {} are in one session, {session}: both append to its file, and neither sees the other's messages",
            pids.join(" and ")
        ));
    }
    let silent =
        view.clients.iter().any(|client| client.state == ClientState::Running && client.session_id.is_none());
    for session in
        sessions.iter().filter(|session| !held.iter().any(|(known, _)| *known == session.session_id))
    {
        let Some(at) = written(&session.path) else { continue };
        let ago = now.0 - at.0;
        if (0..RECENT_MS).contains(&ago) && !silent {
            warnings.push(format!(
                "session {} was modified {} s ago by an unknown client",
                session.session_id,
                ago / 1000
            ));
        }
    }
    view.warnings = warnings;
}
