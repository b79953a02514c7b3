//! Is someone working in a session right now? Asked before anything of it is changed.
//!
//! Three signs, each of them named in the answer:
//!
//! 1. `sessions/<pid>.json` of the root names the session, and the process of that number is alive and is the one that
//!    wrote the file (clients since 2.1.80 or so).
//! 2. A client runs in a directory of the session, unless its own pid file reports that it has another session open. Files
//!    of clients before 2.1.200 do not: they keep the session that the process was started with, and after `--resume`,
//!    `--continue` or `/clear` another one is open. Such a client may have any session of the directories that it runs in.
//! 3. The session's file was written to within the last minute, and not by us.
//!
//! What none of them shows: an idle client that writes no pid file and whose process cannot be seen (another user's,
//! another machine's over a shared home, another container's), or that has left the directory it was started in. Clients
//! hold no file open and take no lock on sessions, so nothing else is there to ask. Hence the stamps: a change is
//! refused if the file is not what was read, and an append that comes later is kept by every undo.

mod ide;
mod pid_file;
mod process;
mod roll;

use std::fmt;
use std::path::{Path, PathBuf};

use scrollback_format::folder;
use scrollback_format::time::Time;
use serde::{Deserialize, Serialize};

use crate::root::Root;
use crate::stamp;
pub use ide::Ide;
pub use pid_file::Client;
use process::Processes;
pub use roll::{Roll, RollState, Running};

/// How long after a write a file counts as in use.
pub const RECENT_MS: i64 = 60_000;

/// A session that is to be changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EditedSession {
    /// Its id.
    pub id: String,
    /// Its file.
    pub file: PathBuf,
    /// The directories that it worked in, as far as they are known.
    #[serde(default)]
    pub directories: Vec<PathBuf>,
}

impl EditedSession {
    /// Could a client that runs in this directory have it open? It worked there, or its file is in the folder of that
    /// directory, which is where clients look for sessions.
    fn is_of(&self, directory: &Path) -> bool {
        let folder = self.file.parent().and_then(Path::file_name).and_then(|name| name.to_str());
        let is_in = |folder: &str| directory.to_str().is_some_and(|path| folder::belongs(folder, path));
        self.directories.iter().any(|own| own == directory) || folder.is_some_and(is_in)
    }
}

/// What a check depends on: the current time, and where processes are listed.
#[derive(Debug, Clone)]
pub struct LiveCheck {
    /// The present.
    pub now: Time,
    /// Where the system lists its processes: `/proc` on Linux, nowhere elsewhere.
    pub processes: Option<PathBuf>,
    /// Our own process, which does not count.
    pub own: u32,
}

impl LiveCheck {
    /// A look at this system.
    pub fn at(now: Time) -> Self {
        let processes = cfg!(target_os = "linux").then(|| PathBuf::from("/proc"));
        Self { now, processes, own: std::process::id() }
    }

    /// Is it known that there is no process of this number?
    pub fn lacks(&self, pid: u32) -> bool {
        let listed = self.processes.as_deref().map(|path| Processes::at(path, self.own));
        listed.is_some_and(|processes| !processes.has(pid))
    }
}

/// How it is known that someone holds a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sign {
    /// A client says so in this file.
    PidFile(PathBuf),
    /// A client runs in this directory.
    Directory(PathBuf),
    /// A client runs in this directory, and its pid file does not report which session it has open now.
    Unreported(PathBuf),
    /// Its file was written to this many milliseconds ago.
    Recent(i64),
}

/// A session that a client has open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionInUse {
    /// Which session.
    pub session: String,
    /// The process, where it is known.
    pub pid: Option<u32>,
    /// Since when it runs, where it says so.
    pub since: Option<Time>,
    /// How it is known.
    pub sign: Sign,
}

impl fmt::Display for SessionInUse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sure = if matches!(self.sign, Sign::Unreported(_)) { "may be" } else { "is" };
        write!(f, "session {} {sure} in use: ", self.session)?;
        let pid = self.pid.unwrap_or_default();
        match &self.sign {
            Sign::PidFile(path) => write!(f, "process {pid}, according to {}", path.display()),
            Sign::Directory(path) => write!(f, "a client (process {pid}) runs in {}", path.display()),
            Sign::Unreported(path) => write!(
                f,
                "a client (process {pid}) runs in {} and does not report which session it has open (clients before 2.1.200 do not)",
                path.display()
            ),
            Sign::Recent(ago) => write!(f, "it was modified {} s ago", ago / 1000),
        }
    }
}

impl SessionInUse {
    /// What to do about it.
    pub fn advice(&self) -> String {
        match (&self.sign, self.pid) {
            (Sign::Unreported(path) | Sign::Directory(path), Some(pid)) => {
                format!("quit the client in {} (process {pid}), then try again", path.display())
            }
            (_, Some(pid)) => format!("quit the client that has it open (process {pid}), then try again"),
            (_, None) => "quit the client that has it open, then try again".to_owned(),
        }
    }
}

/// What a look found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Liveness {
    /// Who holds it, the surest sign first.
    pub held: Vec<SessionInUse>,
    /// What could not be seen here, in words.
    pub blind: Vec<String>,
}

/// Looks whether someone is working in a session. `ours`: is the file, as it is now, what we ourselves have written?
pub fn look(root: &Root, session: &EditedSession, watch: &LiveCheck, ours: bool) -> Liveness {
    let mut liveness = Liveness::default();
    let processes = watch.processes.as_deref().map(|path| Processes::at(path, watch.own));
    let clients = pid_file::read_all(root);
    for client in &clients {
        let names_it = client.session.as_deref() == Some(&session.id);
        match client.is_alive(processes.as_ref(), watch.own) {
            Some(true) => liveness.held.extend(claim(client, session, processes.as_ref())),
            None if names_it => liveness.blind.push(format!(
                "process {} of {} is not on this system",
                client.pid,
                client.path.display()
            )),
            _ => {}
        }
    }
    match processes {
        Some(processes) => liveness.held.extend(neighbours(&processes, session, &clients, &liveness.held)),
        None => liveness.blind.push("processes cannot be listed here".to_owned()),
    }
    let ago = stamp::look(&session.file).map(|look| watch.now.0 - look.mtime_ns / 1_000_000);
    if let Some(ago) = ago.filter(|ago| !ours && ago.abs() < RECENT_MS) {
        let sign = Sign::Recent(ago.max(0));
        liveness.held.push(SessionInUse { session: session.id.clone(), pid: None, since: None, sign });
    }
    liveness
}

/// What the pid file of a living client says about a session: that it is open, or that it may be.
fn claim(client: &Client, session: &EditedSession, processes: Option<&Processes>) -> Option<SessionInUse> {
    let sign = if client.session.as_deref() == Some(&session.id) {
        Sign::PidFile(client.path.clone())
    } else if client.torn || client.reports_session() {
        return None;
    } else {
        let seen = processes.and_then(|processes| processes.directory(client.pid));
        let mut directories = seen.iter().chain(&client.directory);
        Sign::Unreported(directories.find(|directory| session.is_of(directory))?.clone())
    };
    Some(SessionInUse { session: session.id.clone(), pid: Some(client.pid), since: client.started, sign })
}

/// Clients in the session's directories that do not say that they have another session.
fn neighbours(
    processes: &Processes,
    session: &EditedSession,
    clients: &[Client],
    known: &[SessionInUse],
) -> Vec<SessionInUse> {
    // The file has to be this process's own: a dead one may have left it under a number that is in use again.
    let elsewhere = |pid: u32| {
        clients.iter().any(|client| {
            client.pid == pid
                && client.session.is_some()
                && client.reports_session()
                && client.is_alive(Some(processes), processes.own()) == Some(true)
        })
    };
    processes
        .clients()
        .into_iter()
        .filter(|(pid, directory)| session.is_of(directory) && !elsewhere(*pid))
        .filter(|(pid, _)| !known.iter().any(|held| held.pid == Some(*pid)))
        .map(|(pid, directory)| SessionInUse {
            session: session.id.clone(),
            pid: Some(pid),
            since: None,
            sign: Sign::Directory(directory),
        })
        .collect()
}
