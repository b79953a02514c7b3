//! `sessions/<pid>.json`: what a running client says about itself. Left behind by killed ones, and overwritten in place,
//! so it can be met half-written. The `.key` beside it is never opened.

use std::fs;
use std::path::PathBuf;

use scrollback_format::time::Time;
use scrollback_format::version::ClientVersion;
use serde_json::Value;

use super::process::Processes;
use crate::root::Root;
use crate::small;

/// What a client says of itself.
#[derive(Debug, Clone)]
pub struct Client {
    /// The file in which it does.
    pub path: PathBuf,
    /// Its process, by the file's name.
    pub pid: u32,
    /// Its session: the one that it has open if it [`Client::reports_session`], else the one that it was started with.
    pub session: Option<String>,
    /// Since when it runs.
    pub started: Option<Time>,
    /// When it last said something.
    pub updated: Option<Time>,
    /// Its working directory.
    pub directory: Option<PathBuf>,
    /// Its version.
    pub version: Option<String>,
    /// `interactive`, `bg` and the like.
    pub kind: Option<String>,
    /// What it is called.
    pub name: Option<String>,
    /// `busy`, `idle` and the like.
    pub status: Option<String>,
    /// Was the file no whole JSON: half-written, or written over?
    pub torn: bool,
    /// When the process was started, as the system counts it: distinguishes it from a later one with the same number.
    start: Option<String>,
    /// The namespace that the number counts in.
    namespace: Option<String>,
}

/// The first version whose file was seen to follow the session.
const REPORTS_SESSION: ClientVersion = ClientVersion::new(2, 1, 200);

/// All pid files of a root.
pub(super) fn read_all(root: &Root) -> Vec<Client> {
    let entries = fs::read_dir(root.path().join("sessions"));
    let mut clients: Vec<Client> =
        entries.into_iter().flatten().flatten().filter_map(|entry| read(entry.path())).collect();
    clients.sort_by_key(|client| client.pid);
    clients
}

fn read(path: PathBuf) -> Option<Client> {
    let pid = path.file_name()?.to_str()?.strip_suffix(".json")?.parse().ok()?;
    // A half-written one still tells a number.
    let read: Option<Value> =
        small::read(&path, 64 << 10).ok().and_then(|(bytes, _)| serde_json::from_slice(&bytes).ok());
    let torn = !read.as_ref().is_some_and(Value::is_object);
    let value = read.unwrap_or_default();
    let text = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    let namespace =
        text("pidDomain").and_then(|domain| domain.find("pid:[").map(|at| domain[at..].to_owned()));
    Some(Client {
        pid,
        session: text("sessionId"),
        started: value.get("startedAt").and_then(Value::as_i64).map(Time),
        updated: value.get("updatedAt").and_then(Value::as_i64).map(Time),
        directory: text("cwd").map(PathBuf::from),
        version: text("version"),
        kind: text("kind"),
        name: text("name"),
        status: text("status"),
        torn,
        start: text("procStart"),
        namespace,
        path,
    })
}

impl Client {
    /// Does its file follow the session that it has open? Those of 2.1.200 and later do, and say their version. 2.1.80
    /// does not say it, and its file keeps the session that the process was started with. Of versions in between no file
    /// was seen, so they are not relied on.
    pub fn reports_session(&self) -> bool {
        let version = self.version.as_deref().and_then(ClientVersion::decode);
        version.is_some_and(|version| version >= REPORTS_SESSION)
    }

    /// Is the process that wrote this alive? None if that cannot be determined here.
    pub(super) fn is_alive(&self, processes: Option<&Processes>, own: u32) -> Option<bool> {
        if self.pid == own {
            return Some(false);
        }
        let Some(processes) = processes else { return Some(answers(self.pid)) };
        if let (Some(theirs), Some(here)) = (&self.namespace, processes.namespace())
            && *theirs != here
        {
            return None;
        }
        if !processes.has(self.pid) {
            return Some(false);
        }
        Some(match (&self.start, processes.start(self.pid)) {
            (Some(theirs), Some(start)) => *theirs == start,
            // A process that hides what it is counts: rather refuse once too often.
            _ => processes.is_client(self.pid).unwrap_or(true),
        })
    }
}

/// Does the system know a process of this number?
#[cfg(unix)]
pub(super) fn answers(pid: u32) -> bool {
    use rustix::process::{Pid, test_kill_process};
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
    pid.is_some_and(|pid| !matches!(test_kill_process(pid), Err(rustix::io::Errno::SRCH)))
}

/// Not available in the standard library: better to refuse once too often.
#[cfg(not(unix))]
pub(super) fn answers(_pid: u32) -> bool {
    true
}
