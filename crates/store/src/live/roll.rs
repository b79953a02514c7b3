//! The roll: every client of a root that can be seen, and what is left of those that are gone.

use std::path::PathBuf;

use super::LiveCheck;
use super::ide::{self, Ide};
use super::pid_file::{self, Client, answers};
use super::process::Processes;
use crate::root::Root;

/// The state of the process that a file names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RollState {
    /// It runs.
    Running,
    /// Its process is gone; the file was left behind.
    Gone,
    /// Unknown here: it runs in another process namespace.
    Elsewhere,
}

/// A client process without a pid file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Running {
    /// The process.
    pub pid: u32,
    /// Where it runs.
    pub directory: PathBuf,
}

/// Who is there.
#[derive(Debug, Clone, Default)]
pub struct Roll {
    /// Clients that say so themselves.
    pub clients: Vec<(Client, RollState)>,
    /// Clients that are seen only by their process: older ones, or ones of another root.
    pub silent: Vec<Running>,
    /// Editors.
    pub ides: Vec<(Ide, RollState)>,
    /// Can processes be listed here?
    pub sees_processes: bool,
}

impl Roll {
    /// Calls the roll of a root.
    pub fn of(root: &Root, watch: &LiveCheck) -> Self {
        let processes = watch.processes.as_deref().map(|path| Processes::at(path, watch.own));
        let clients: Vec<(Client, RollState)> = pid_file::read_all(root)
            .into_iter()
            .map(|client| {
                let state = match client.is_alive(processes.as_ref(), watch.own) {
                    Some(true) => RollState::Running,
                    Some(false) => RollState::Gone,
                    None => RollState::Elsewhere,
                };
                (client, state)
            })
            .collect();
        let told = |pid: u32| {
            clients.iter().any(|(client, state)| client.pid == pid && *state == RollState::Running)
        };
        let silent = processes.iter().flat_map(Processes::clients).filter(|(pid, _)| !told(*pid));
        let silent = silent.map(|(pid, directory)| Running { pid, directory }).collect();
        let is_there = |pid: u32| match &processes {
            Some(processes) => processes.has(pid),
            None => answers(pid),
        };
        let ides = ide::read_all(root).into_iter().map(|ide| {
            let state = match ide.pid {
                Some(pid) if is_there(pid) => RollState::Running,
                Some(_) => RollState::Gone,
                None => RollState::Elsewhere,
            };
            (ide, state)
        });
        Self { silent, ides: ides.collect(), sees_processes: processes.is_some(), clients }
    }
}
