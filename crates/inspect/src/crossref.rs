//! The cross-reference map of one session: everything in every area that belongs to it, and what it names that is gone.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use memchr::memmem::Finder;
use rustc_hash::FxHashSet;
use scrollback_format::area::{Area, ProjectFile};
use scrollback_format::entry::Entry;
use scrollback_format::json::{Tape, Value};
use scrollback_format::kind::{Kind, NoteKind};
use scrollback_format::piece::Parser;
use scrollback_model::text::spilled_names;
use scrollback_store::belonging::{self, Belonging};
use scrollback_store::inventory::Inventory;
use scrollback_store::{Chunk, LineReader, Root, Start, small, stamp, walk};
use serde::{Deserialize, Serialize};

use scrollback_session::agents::Agents;
use scrollback_session::error::AppError;
use scrollback_session::library::{Library, SessionFiles, session_dir};
use scrollback_session::loaded::Loaded;

/// Files of the store that belong to the session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct BelongingView {
    /// The part of the store: `projects`, `file-history`, `todos`, ….
    pub area: Area,
    /// The file or folder.
    #[serde(with = "scrollback_session::view::path")]
    #[schemars(with = "String")]
    pub path: PathBuf,
    /// Files in it.
    pub files: u64,
    /// Bytes in it; of a file that others share, those of the session's lines.
    pub bytes: u64,
    /// The session's lines in a file that others share.
    pub lines: Option<u64>,
}

/// What a session may name that is not there. In the order of their names, which is the order of documents.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum MissingKind {
    /// An agent's transcript.
    Agent,
    /// A backup of a file.
    Backup,
    /// A text that was pasted.
    Paste,
    /// The whole output of a tool.
    ToolResult,
}

impl MissingKind {
    /// What it is called, for people.
    pub const fn noun(self) -> &'static str {
        match self {
            Self::Agent => "agent",
            Self::Backup => "backup",
            Self::Paste => "paste",
            Self::ToolResult => "tool result",
        }
    }
}

/// Something that the session names and that is not there.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema)]
pub struct MissingView {
    /// `agent`, `backup`, `paste`, `tool_result`.
    pub what: MissingKind,
    /// Where it should be.
    #[serde(with = "scrollback_session::view::path")]
    #[schemars(with = "String")]
    pub path: PathBuf,
    /// The file whose line names it.
    #[serde(with = "scrollback_session::view::path")]
    #[schemars(with = "String")]
    pub named_in: PathBuf,
    /// That line.
    pub line: u64,
}

/// The map.
#[derive(Debug, Default)]
pub struct CrossReference {
    /// What belongs to the session, area by area.
    pub belongings: Vec<BelongingView>,
    /// What it names that is gone.
    pub missing: Vec<MissingView>,
}

/// Larger histories and pid files are none.
const HISTORY: u64 = 1 << 30;
const PID_FILE: u64 = 1 << 20;

/// Draws the map of a session. `temporary` is where clients leave output of tasks.
pub fn crossref(
    library: &Library,
    files: &SessionFiles<'_>,
    loaded: &Loaded,
    agents: &Agents,
    temporary: Option<&Path>,
) -> Result<CrossReference, AppError> {
    let (root, folder) = library.folder(files.folder);
    let mut map = CrossReference::default();
    for found in belonging::belongings(root, files.id.as_str(), &files.found.path) {
        map.add(found);
    }
    let inside = session_dir(&files.found.path).unwrap_or_default();
    for view in &agents.views {
        if view.path != files.found.path && !view.path.starts_with(&inside) {
            map.file(Area::Projects, &view.path);
        }
    }
    for found in &folder.files {
        if matches!(&found.file, ProjectFile::SetAside(id) if id == files.id) {
            map.file(Area::Projects, &found.path);
        }
    }
    map.plans(root, &loaded.facts.slugs);
    map.history(root, files.id.as_str());
    map.processes(root, files.id.as_str());
    if let Some(dir) = temporary {
        map.scratch(dir, files.id.as_str());
    }
    map.named(root, files, loaded, agents)?;
    map.belongings.sort_by_key(|view| Area::ALL.iter().position(|area| *area == view.area));
    map.missing.sort();
    map.missing.dedup_by(|a, b| a.path == b.path);
    Ok(map)
}

impl CrossReference {
    fn add(&mut self, found: Belonging) {
        let Belonging { area, path, files, bytes } = found;
        self.belongings.push(BelongingView { area, path, files, bytes, lines: None });
    }

    /// A file, if it is there.
    fn file(&mut self, area: Area, path: &Path) -> bool {
        let Some(look) = stamp::look(path) else { return false };
        self.add(Belonging { area, path: path.to_owned(), files: 1, bytes: look.size });
        true
    }

    /// Plans are called by the slug of the session; those of its agents have more after it.
    fn plans(&mut self, root: &Root, slugs: &[String]) {
        let dir = root.path().join("plans");
        for (name, is_dir) in if slugs.is_empty() { Vec::new() } else { walk::names_in(&dir) } {
            let stem = name.strip_suffix(".md").filter(|_| !is_dir);
            let own = |slug: &String| {
                let rest = stem.and_then(|stem| stem.strip_prefix(slug.as_str()));
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("-agent-"))
            };
            if slugs.iter().any(own) {
                self.file(Area::Plans, &dir.join(name));
            }
        }
    }

    /// The session's prompts in the history, and the texts that were pasted into them.
    fn history(&mut self, root: &Root, session: &str) {
        let path = root.history();
        let Ok((bytes, _)) = small::read(&path, HISTORY) else { return };
        let finder = Finder::new(session.as_bytes());
        let mut tape = Tape::new();
        let (mut lines, mut size) = (0, 0);
        let mut pastes: BTreeSet<(String, u64)> = BTreeSet::new();
        for (number, line) in (1..).zip(bytes.split(|byte| *byte == b'\n')) {
            if finder.find(line).is_none() || tape.scan(line).is_err() {
                continue;
            }
            let Some(entry) = tape.root(line) else { continue };
            if !entry.get("sessionId").and_then(Value::text).is_some_and(|id| id.is(session)) {
                continue;
            }
            lines += 1;
            size += line.len() as u64 + 1;
            let pasted = entry.get("pastedContents").into_iter().flat_map(Value::fields);
            let hashes = pasted.filter_map(|(_, paste)| paste.get("contentHash").and_then(Value::text));
            pastes.extend(hashes.map(|hash| (hash.decode().into_owned(), number)));
        }
        if lines > 0 {
            let area = Area::History;
            let view = BelongingView { area, path: path.clone(), files: 1, bytes: size, lines: Some(lines) };
            self.belongings.push(view);
        }
        let mut seen = FxHashSet::default();
        for (hash, line) in pastes {
            // A name that leads elsewhere is no paste's.
            if hash.contains(['/', '\\']) || !seen.insert(hash.clone()) {
                continue;
            }
            let paste = root.path().join("paste-cache").join(format!("{hash}.txt"));
            if !self.file(Area::PasteCache, &paste) {
                self.missing.push(MissingView {
                    what: MissingKind::Paste,
                    path: paste,
                    named_in: path.clone(),
                    line,
                });
            }
        }
    }

    /// The files in which clients say that they work in it. Keys beside them are not opened.
    fn processes(&mut self, root: &Root, session: &str) {
        let dir = root.path().join("sessions");
        for (name, is_dir) in walk::names_in(&dir) {
            if is_dir || !name.ends_with(".json") {
                continue;
            }
            let path = dir.join(name);
            let Ok((bytes, _)) = small::read(&path, PID_FILE) else { continue };
            let said = serde_json::from_slice::<serde_json::Value>(&bytes).ok();
            if said.and_then(|said| Some(said.get("sessionId")?.as_str()? == session)) == Some(true) {
                self.file(Area::Sessions, &path);
            }
        }
    }

    /// Output of tasks in the temporary directory.
    fn scratch(&mut self, dir: &Path, session: &str) {
        for (name, is_dir) in walk::names_in(dir) {
            if !is_dir || Area::of_scratch(&name).is_none() {
                continue;
            }
            for (folder, _) in walk::names_in(&dir.join(&name)) {
                let path = dir.join(&name).join(folder).join(session);
                if !path.is_dir() {
                    continue;
                }
                let items = Inventory::below(&path).items;
                let files =
                    items.iter().filter(|item| item.kind == scrollback_store::inventory::TreeItemKind::File);
                let (files, bytes) =
                    files.fold((0, 0), |(files, bytes), item| (files + 1, bytes + item.size));
                self.add(Belonging { area: Area::Scratch, path, files, bytes });
            }
        }
    }

    /// What lines of the session and of its agents name, and whether it is there.
    fn named(
        &mut self,
        root: &Root,
        files: &SessionFiles<'_>,
        loaded: &Loaded,
        agents: &Agents,
    ) -> Result<(), AppError> {
        let own = &files.found.path;
        let inside = session_dir(own).unwrap_or_default();
        let backups = root.path().join("file-history").join(files.id.as_str());
        let results = inside.join("tool-results");
        let mut reader = LineReader::new();
        let paths: BTreeSet<&PathBuf> = agents.views.iter().map(|view| &view.path).chain([own]).collect();
        for path in paths {
            let mut missing = |what, path: PathBuf, line, named_in: &Path| {
                if !path.exists() {
                    self.missing.push(MissingView { what, path, named_in: named_in.to_owned(), line });
                }
            };
            each_naming(&mut reader, path, |entry, line| {
                for name in spilled_names(entry) {
                    missing(MissingKind::ToolResult, results.join(name), line, path);
                }
                for name in backup_names(entry) {
                    missing(MissingKind::Backup, backups.join(name), line, path);
                }
            })?;
        }
        let transcript = &loaded.transcript;
        for outcome in &transcript.outcomes {
            let Some(agent) = outcome.agent.map(|agent| transcript.text(agent)) else { continue };
            let plain = !agent.is_empty()
                && agent.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_');
            if plain && !agents.views.iter().any(|view| view.agent_id == agent) {
                self.missing.push(MissingView {
                    what: MissingKind::Agent,
                    path: inside.join("subagents").join(format!("agent-{agent}.jsonl")),
                    named_in: own.clone(),
                    line: u64::from(transcript.row(outcome.row).line),
                });
            }
        }
        Ok(())
    }
}

/// Gives every entry that may name a backup or a spilled result to `visit`. Others are not taken apart.
fn each_naming(
    reader: &mut LineReader,
    path: &Path,
    mut visit: impl FnMut(&Entry<'_>, u64),
) -> Result<(), AppError> {
    let finders = [Finder::new(b"\"backupFileName\""), Finder::new(b"tool-results")];
    let mut parser = Parser::new();
    reader.read(path, Start::default(), |chunk| {
        if let Chunk::Line(line) = chunk
            && finders.iter().any(|finder| finder.find(line.bytes).is_some())
        {
            let number = line.number;
            parser.each(line, |piece| {
                if let Some(entry) = piece.entry() {
                    visit(entry, number);
                }
            });
        }
        ControlFlow::Continue(())
    })?;
    Ok(())
}

/// The backups that a snapshot or a delta names. A name that leads elsewhere is none.
fn backup_names(entry: &Entry<'_>) -> Vec<String> {
    let name = |backup: Value<'_>| Some(backup.get("backupFileName")?.text()?.decode().into_owned());
    let names: Vec<Option<String>> = match entry.kind {
        Kind::Note(NoteKind::FileHistorySnapshot) => {
            let tracked = entry.object.get("snapshot").and_then(|shot| shot.get("trackedFileBackups"));
            tracked.into_iter().flat_map(Value::fields).map(|(_, backup)| name(backup)).collect()
        }
        Kind::Note(NoteKind::FileHistoryDelta) => entry.object.get("backup").map(name).into_iter().collect(),
        _ => Vec::new(),
    };
    names.into_iter().flatten().filter(|name| !name.contains(['/', '\\']) && name != "..").collect()
}
