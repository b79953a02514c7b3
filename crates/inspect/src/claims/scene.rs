//! A scene: what the claims need to know of one file's lines, gathered in one reading. Texts are not kept.

use std::path::PathBuf;

use rustc_hash::FxHashMap;
use scrollback_format::content::{Block, Content};
use scrollback_format::entry::Entry;
use scrollback_format::envelope::Link;
use scrollback_format::id::EntryId;
use scrollback_format::json::{Text, Value};
use scrollback_format::kind::{Kind, SystemKind};
use scrollback_format::time::Time;

/// Whose file it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TranscriptOwner {
    /// A session's.
    Session(String),
    /// An agent's; of a flat one only its lines tell the session.
    Agent {
        /// The agent.
        agent: String,
        /// Its session.
        session: Option<String>,
    },
}

/// A line of the tree.
#[derive(Debug)]
pub struct Node {
    pub line: u64,
    pub version: usize,
    pub id: Option<EntryId>,
    /// None: there is no such field. The inner none: it is null.
    pub parent: Option<Option<EntryId>>,
    pub logical: Option<EntryId>,
    pub time: Option<Time>,
    pub kind: NodeKind,
    pub sidechain: bool,
}

/// What the claims tell lines of the tree apart by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeKind {
    Boundary,
    Summary,
    User,
    Assistant,
    Other,
}

/// A line of an API message.
#[derive(Debug)]
pub struct MessageLine {
    pub node: usize,
    pub message: u32,
    pub request: Option<u32>,
    pub output: Option<u64>,
    pub stopped: bool,
}

/// A tool call or a result: the line of the tree, and the call's id.
#[derive(Debug)]
pub struct Tool {
    pub node: usize,
    pub call: u32,
}

/// A backup that a snapshot names.
#[derive(Debug)]
pub struct SnapshotBackup {
    pub line: u64,
    pub version: usize,
    pub path: String,
    pub name: String,
    pub number: u64,
}

/// Everything of one file.
#[derive(Debug)]
pub struct Scene {
    pub path: PathBuf,
    pub folder: String,
    pub owner: TranscriptOwner,
    /// Client versions; what stands before the first is of that one too.
    pub versions: Vec<String>,
    pub nodes: Vec<Node>,
    pub parts: Vec<MessageLine>,
    pub calls: Vec<Tool>,
    pub results: Vec<Tool>,
    pub backups: Vec<SnapshotBackup>,
    /// Lines that name another line of the file: claim, line, version, id.
    pub named: Vec<(&'static str, u64, usize, EntryId)>,
    /// Of the queue: how many came, how many went.
    pub queue: (u64, u64),
    pub first_cwd: Option<(u64, String)>,
    pub slugs: Vec<String>,
    /// Agents that results name.
    pub agents: Vec<String>,
    version: Option<usize>,
    names: FxHashMap<Box<str>, u32>,
}

impl Scene {
    /// Of a file of which nothing was read yet.
    pub fn new(path: PathBuf, folder: String, owner: TranscriptOwner) -> Self {
        Self {
            path,
            folder,
            owner,
            versions: Vec::new(),
            nodes: Vec::new(),
            parts: Vec::new(),
            calls: Vec::new(),
            results: Vec::new(),
            backups: Vec::new(),
            named: Vec::new(),
            queue: (0, 0),
            first_cwd: None,
            slugs: Vec::new(),
            agents: Vec::new(),
            version: None,
            names: FxHashMap::default(),
        }
    }

    /// The client version of the lines that are read now.
    pub fn version(&self) -> usize {
        self.version.unwrap_or(0)
    }

    /// The name of a version.
    pub fn version_name(&self, version: usize) -> &str {
        self.versions.get(version).map_or("?", String::as_str)
    }

    /// Takes a line's version, directory and slug in. Comes before anything is checked on it.
    pub fn common(&mut self, entry: &Entry<'_>, line: u64) {
        if let Some(version) = entry.envelope.version {
            let version = version.decode();
            let known = self.versions.iter().position(|known| *known == version);
            self.version = Some(known.unwrap_or_else(|| {
                self.versions.push(version.into_owned());
                self.versions.len() - 1
            }));
        }
        if let (None, Some(cwd)) = (&self.first_cwd, entry.envelope.cwd) {
            self.first_cwd = Some((line, cwd.decode().into_owned()));
        }
        if let Some(slug) = entry.envelope.slug
            && !self.slugs.iter().any(|known| slug.is(known))
        {
            self.slugs.push(slug.decode().into_owned());
        }
    }

    /// Takes a line of the tree in.
    pub fn node(&mut self, entry: &Entry<'_>, line: u64) {
        let envelope = &entry.envelope;
        let parent = match envelope.parent_uuid {
            Link::Absent => None,
            Link::Null => Some(None),
            Link::To(id) => Some(EntryId::of(id)),
        };
        let kind = match entry.kind {
            Kind::System(Some(SystemKind::CompactBoundary)) => NodeKind::Boundary,
            Kind::User if envelope.is_compact_summary => NodeKind::Summary,
            Kind::User => NodeKind::User,
            Kind::Assistant => NodeKind::Assistant,
            _ => NodeKind::Other,
        };
        let node = self.nodes.len();
        self.nodes.push(Node {
            line,
            version: self.version(),
            id: entry.id(),
            parent,
            logical: envelope.logical_parent_uuid.to().and_then(EntryId::of),
            time: entry.time(),
            kind,
            sidechain: envelope.is_sidechain,
        });
        if let Some(message) = envelope.message {
            self.blocks(message, node);
            if kind == NodeKind::Assistant {
                self.part(entry, message, node);
            }
        }
        if let Some(agent) = envelope.tool_use_result.and_then(|result| result.get("agentId")?.text()) {
            self.agents.push(agent.decode().into_owned());
        }
        if kind == NodeKind::Boundary {
            self.kept(entry, line);
        }
    }

    fn part(&mut self, entry: &Entry<'_>, message: Value<'_>, node: usize) {
        let Some(id) = message.get("id").and_then(Value::text) else { return };
        let usage = message.get("usage");
        let part = MessageLine {
            node,
            message: self.name(id),
            request: entry.envelope.request_id.map(|request| self.name(request)),
            output: usage.and_then(|usage| usage.get("output_tokens")?.u64()),
            stopped: message.get("stop_reason").is_some_and(|reason| !reason.is_null()),
        };
        self.parts.push(part);
    }

    fn blocks(&mut self, message: Value<'_>, node: usize) {
        let Some(content) = message.get("content").and_then(Content::of) else { return };
        for block in content.blocks() {
            let (id, is_call) = match block {
                Block::ToolUse(call) => (call.id(), true),
                Block::ToolResult(result) => (result.tool_use_id(), false),
                _ => continue,
            };
            let Some(id) = id else { continue };
            let tool = Tool { node, call: self.name(id) };
            if is_call { self.calls.push(tool) } else { self.results.push(tool) }
        }
    }

    /// The lines that a compaction kept.
    fn kept(&mut self, entry: &Entry<'_>, line: u64) {
        let kept = entry.object.get("compactMetadata").and_then(|meta| meta.get("preservedMessages"));
        let uuids = kept.and_then(|kept| kept.get("uuids"));
        for id in uuids.into_iter().flat_map(Value::items).filter_map(Value::text).filter_map(EntryId::of) {
            self.named.push(("preserved-in-file", line, self.version(), id));
        }
    }

    /// Notes that a line names another.
    pub fn names_line(&mut self, claim: &'static str, line: u64, id: Option<Text<'_>>) {
        if let Some(id) = id.and_then(EntryId::of) {
            self.named.push((claim, line, self.version(), id));
        }
    }

    /// Takes the backups of a snapshot or delta in.
    pub fn backup(&mut self, line: u64, path: Text<'_>, backup: Value<'_>) {
        let name = backup.get("backupFileName").and_then(Value::text);
        let number = backup.get("version").and_then(Value::u64);
        if let (Some(name), Some(number)) = (name, number) {
            let (path, name) = (path.decode().into_owned(), name.decode().into_owned());
            self.backups.push(SnapshotBackup { line, version: self.version(), path, name, number });
        }
    }

    /// A number for a text.
    fn name(&mut self, text: Text<'_>) -> u32 {
        let text = text.decode();
        if let Some(known) = self.names.get(text.as_ref()) {
            return *known;
        }
        let number = self.names.len() as u32;
        self.names.insert(text.into(), number);
        number
    }
}
