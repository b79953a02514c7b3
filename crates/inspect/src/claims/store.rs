//! Claims about files that lie beside each other: agents and their sessions, backups, pastes, plans, indexes.

use std::path::Path;

use rustc_hash::FxHashSet;
use scrollback_format::area::ProjectFile;
use scrollback_format::digest;
use scrollback_store::{Root, small, walk};

use super::scene::{NodeKind, Scene, TranscriptOwner};
use super::sheet::{ClaimCounts, place};
use scrollback_session::agent_meta;
use scrollback_session::library::Library;

/// Larger files of small areas are no such files.
const SMALL: u64 = 16 << 20;

/// Of a store without lines nothing tells which client wrote it.
const NO_VERSION: &str = "?";

/// Checks an agent's file. `called` are the agents that results of any file name.
pub fn agent(sheet: &mut ClaimCounts, scene: &Scene, called: &FxHashSet<String>, seen: &SeenOwners) {
    let TranscriptOwner::Agent { agent, session } = &scene.owner else { return };
    let version = scene.version_name(0).to_owned();
    let mut note = |claim: &'static str, holds: bool, detail: String| {
        sheet.note(claim, &version, holds, || place(&scene.path, 0, detail));
    };
    if let Some(session) = session.as_ref().filter(|_| !seen.sessions.is_empty()) {
        let same = seen.sessions.iter().all(|own| own == session);
        note("agent-in-session", same, format!("sessionId {}", seen.sessions.join(", ")));
    }
    if !seen.agents.is_empty() {
        let same = seen.agents.iter().all(|own| own == agent);
        note("agent-is-file", same, format!("agentId {}", seen.agents.join(", ")));
    }
    if let Some(first) = scene.nodes.first() {
        note("agent-first-root", first.parent == Some(None), "it has a parent".into());
        note("agent-prompt-first", first.kind == NodeKind::User, "no line of the user's".into());
    }
    let linked = called.contains(agent) || agent_meta::read(&scene.path).tool_use_id.is_some();
    note("agent-linked", linked, "nothing names its call".into());
}

/// What the lines of an agent say whose they are.
#[derive(Debug, Default)]
pub struct SeenOwners {
    /// `sessionId`s.
    pub sessions: Vec<String>,
    /// `agentId`s.
    pub agents: Vec<String>,
}

/// Checks whether the backups that a session names are there.
pub fn backups(sheet: &mut ClaimCounts, scene: &Scene, root: &Root) {
    let TranscriptOwner::Session(session) = &scene.owner else { return };
    let dir = root.path().join("file-history").join(session);
    for backup in &scene.backups {
        // A name that leads elsewhere is no backup's.
        let there = !backup.name.contains(['/', '\\']) && dir.join(&backup.name).is_file();
        let version = scene.version_name(backup.version).to_owned();
        sheet
            .note("backup-on-disk", &version, there, || place(&scene.path, backup.line, backup.name.clone()));
    }
}

/// Checks what lies beside the sessions of a library.
pub fn areas(sheet: &mut ClaimCounts, library: &Library, slugs: &FxHashSet<String>) {
    let sessions: FxHashSet<&str> = library.sessions().map(|files| files.id.as_str()).collect();
    for root in &library.roots {
        history(sheet, root, &sessions);
        pastes(sheet, root);
        for (name, is_dir) in walk::names_in(&root.path().join("plans")) {
            if let Some(slug) = name.strip_suffix(".md").filter(|_| !is_dir) {
                let path = root.path().join("plans").join(&name);
                // The plan of an agent has the agent's name added.
                let own =
                    slugs.iter().any(|known| slug == known || slug.starts_with(&format!("{known}-agent-")));
                sheet.note("plan-slug", NO_VERSION, own, || place(&path, 0, "no session has this slug"));
            }
        }
        for (name, is_dir) in walk::names_in(&root.path().join("session-env")) {
            let dir = root.path().join("session-env").join(name);
            let inside = if is_dir { walk::names_in(&dir).len() } else { 0 };
            sheet.note("session-env-empty", NO_VERSION, inside == 0, || {
                place(&dir, 0, format!("{inside} files"))
            });
        }
    }
    for (_, folder) in &library.folders {
        let index = folder.files.iter().find(|found| found.file == ProjectFile::SessionsIndex);
        if let Some(index) = index {
            let own = folder.files.iter().filter_map(|found| match &found.file {
                ProjectFile::Session(id) => Some(id.as_str()),
                _ => None,
            });
            let own: Vec<&str> = own.collect();
            sessions_index(sheet, &index.path, &own);
        }
    }
}

fn history(sheet: &mut ClaimCounts, root: &Root, sessions: &FxHashSet<&str>) {
    let path = root.history();
    let Ok((bytes, _)) = small::read(&path, 256 << 20) else { return };
    for (line, text) in (1..).zip(bytes.split(|byte| *byte == b'\n')) {
        let Ok(value) = serde_json::from_slice::<serde_json::Value>(text) else { continue };
        if let Some(session) = value.get("sessionId").and_then(|id| id.as_str()) {
            let here = sessions.contains(session);
            sheet.note("history-session", NO_VERSION, here, || place(&path, line, session));
        }
    }
}

fn pastes(sheet: &mut ClaimCounts, root: &Root) {
    let dir = root.path().join("paste-cache");
    for (name, is_dir) in walk::names_in(&dir) {
        let path = dir.join(&name);
        if is_dir {
            continue;
        }
        let Ok((bytes, _)) = small::read(&path, SMALL) else { continue };
        let own = digest::paste_name(&bytes);
        sheet.note("paste-name", NO_VERSION, own == name, || {
            place(&path, 0, format!("hash of its text: {own}"))
        });
    }
}

fn sessions_index(sheet: &mut ClaimCounts, path: &Path, own: &[&str]) {
    let Ok((bytes, _)) = small::read(path, SMALL) else { return };
    let Ok(value) = serde_json::from_slice::<serde_json::Value>(&bytes) else { return };
    let entries = value.get("entries").and_then(|entries| entries.as_array());
    let listed: FxHashSet<&str> =
        entries.into_iter().flatten().filter_map(|entry| entry.get("sessionId")?.as_str()).collect();
    let missing = own.iter().filter(|id| !listed.contains(**id)).count();
    sheet.note("index-is-whole", NO_VERSION, missing == 0, || {
        place(path, 0, format!("{missing} of {} sessions are not in it", own.len()))
    });
}
