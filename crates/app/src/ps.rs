//! Who is at work: clients that run, by what they say and by their processes, and what dead ones left behind.
//!
//! Clients say so from 2.1.80 on. They hold no file open between writes, so that an older one that idles is seen by its
//! process alone, and its session is not known.

use std::path::{Path, PathBuf};

use scrollback_format::time::Time;
use scrollback_store::live::{Client, Ide, RECENT_MS, Roll, Running, State, Watch};
use scrollback_store::stamp;
use serde::Serialize;

use crate::catalogue::Index;
use crate::error::AppError;
use crate::library::Library;
use crate::view::{SessionView, time};

/// Who is at work in a store.
#[derive(Debug, Serialize)]
pub struct PsView {
    /// Clients, those that run first.
    pub clients: Vec<ClientView>,
    /// Editors that clients can talk to.
    pub editors: Vec<EditorView>,
    /// What is dangerous: two clients in one session, a session that someone unseen writes to.
    pub warnings: Vec<String>,
    /// What cannot be known here.
    pub unknown: Vec<String>,
}

/// A client.
#[derive(Debug, Clone, Serialize)]
pub struct ClientView {
    /// Its process.
    pub pid: u32,
    /// `running`; `gone` (killed, its file was left behind); `elsewhere` (it counts its processes in another place).
    pub state: &'static str,
    /// `pid_file` (it says so itself) or `process` (only its process is seen).
    pub known_by: &'static str,
    /// Its session; none if it does not say.
    pub session_id: Option<String>,
    /// The session's title.
    pub title: Option<String>,
    /// The newest session of its directory, where it does not say its own: only a guess.
    pub perhaps_session_id: Option<String>,
    /// Where it runs.
    pub directory: Option<String>,
    /// Its version.
    pub version: Option<String>,
    /// `interactive`, `bg` and the like.
    pub kind: Option<String>,
    /// What it is called.
    pub name: Option<String>,
    /// `busy`, `idle` and the like, as it last said.
    pub status: Option<String>,
    /// Since when it runs.
    #[serde(serialize_with = "time")]
    pub started: Option<Time>,
    /// When it last said something about itself.
    #[serde(serialize_with = "time")]
    pub updated: Option<Time>,
    /// When its session's file was last written.
    #[serde(serialize_with = "time")]
    pub written: Option<Time>,
    /// Its pid file.
    #[serde(serialize_with = "crate::view::maybe_path")]
    pub path: Option<PathBuf>,
    /// Was that file no whole JSON?
    pub torn: bool,
}

/// An editor.
#[derive(Debug, Clone, Serialize)]
pub struct EditorView {
    /// Its name.
    pub name: Option<String>,
    /// Its port.
    pub port: u64,
    /// Its process.
    pub pid: Option<u32>,
    /// As of clients; `elsewhere` if it does not say its process.
    pub state: &'static str,
    /// The folders that it has open.
    #[serde(serialize_with = "crate::view::paths")]
    pub folders: Vec<PathBuf>,
    /// Its lock.
    #[serde(serialize_with = "crate::view::path")]
    pub path: PathBuf,
    /// Was that file no whole JSON?
    pub torn: bool,
}

/// Looks who is at work.
pub fn ps(library: &Library, index: &Index, watch: &Watch) -> Result<PsView, AppError> {
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
            if !view.clients.iter().any(|known| known.pid == running.pid && known.state == "running") {
                view.clients.push(silent(running, &sessions));
            }
        }
        view.editors.extend(roll.ides.into_iter().map(|(ide, state)| editor(ide, state)));
    }
    // A process that one root's file tells of is not silent for another.
    let spoken: Vec<u32> = view
        .clients
        .iter()
        .filter(|one| one.known_by == "pid_file" && one.state == "running")
        .map(|one| one.pid)
        .collect();
    view.clients.retain(|one| one.known_by == "pid_file" || !spoken.contains(&one.pid));
    view.clients.sort_by_key(|one| (rank(one.state), one.pid));
    warn(&mut view, &sessions, watch.now);
    if !sees_processes {
        view.unknown
            .push("processes cannot be listed here: clients before 2.1.80 are not seen at all".to_owned());
    }
    if view.clients.iter().any(|one| one.known_by == "process") {
        view.unknown.push(
            "clients before 2.1.80 do not say their session, and hold no file open that would".to_owned(),
        );
    }
    if view.clients.iter().any(|one| one.state == "elsewhere") {
        view.unknown.push(
            "a client in another container or on another machine: whether it runs is not seen".to_owned(),
        );
    }
    Ok(view)
}

fn rank(state: &str) -> u8 {
    match state {
        "running" => 0,
        "elsewhere" => 1,
        _ => 2,
    }
}

fn name(state: State) -> &'static str {
    match state {
        State::Running => "running",
        State::Gone => "gone",
        State::Elsewhere => "elsewhere",
    }
}

fn told(client: &Client, state: State, sessions: &[SessionView]) -> ClientView {
    let session = client.session.as_ref().and_then(|id| sessions.iter().find(|view| view.session_id == *id));
    ClientView {
        pid: client.pid,
        state: name(state),
        known_by: "pid_file",
        session_id: client.session.clone(),
        title: session.and_then(|view| view.title.clone()),
        perhaps_session_id: None,
        directory: client.directory.as_ref().map(|path| path.to_string_lossy().into_owned()),
        version: client.version.clone(),
        kind: client.kind.clone(),
        name: client.name.clone(),
        status: client.status.clone(),
        started: client.started,
        updated: client.updated,
        written: session.and_then(|view| written(&view.path)),
        path: Some(client.path.clone()),
        torn: client.torn,
    }
}

fn silent(running: &Running, sessions: &[SessionView]) -> ClientView {
    let directory = running.directory.to_string_lossy().into_owned();
    // Sessions come newest first.
    let newest = sessions.iter().find(|view| {
        view.is_conversation()
            && [&view.project, &view.home].into_iter().flatten().any(|own| *own == directory)
    });
    ClientView {
        pid: running.pid,
        state: "running",
        known_by: "process",
        session_id: None,
        title: None,
        perhaps_session_id: newest.map(|view| view.session_id.clone()),
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

fn editor(ide: Ide, state: State) -> EditorView {
    EditorView {
        name: ide.name,
        port: u64::from(ide.port),
        pid: ide.pid,
        state: name(state),
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
    for client in view.clients.iter().filter(|client| client.state == "running") {
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
            "processes {} are in one session, {session}: each goes on from what it knows, and the lines of both are mixed",
            pids.join(" and ")
        ));
    }
    let silent = view.clients.iter().any(|client| client.known_by == "process");
    for session in
        sessions.iter().filter(|session| !held.iter().any(|(known, _)| *known == session.session_id))
    {
        let Some(at) = written(&session.path) else { continue };
        let ago = now.0 - at.0;
        if (0..RECENT_MS).contains(&ago) && !silent {
            warnings.push(format!(
                "session {} was written to {} s ago, by no client that is seen here",
                session.session_id,
                ago / 1000
            ));
        }
    }
    view.warnings = warnings;
}
