//! Watching a whole store: what is written to any session or agent, event by event.
//!
//! A look is a walk over names and sizes; only what grew is read, from where it ended. A line that has no ending yet waits
//! for it. Where a file begins whose inode is known from another name, it was moved.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;
use scrollback_format::area::ProjectFile;
use scrollback_format::content::{Block, Content};
use scrollback_format::entry::{Body, Entry};
use scrollback_format::line::Ending;
use scrollback_format::piece::Parser;
use scrollback_format::time::Time;
use scrollback_model::role::{self, Role};
use scrollback_store::{Chunk, LineReader, Look, Root, Start, small};
use serde::{Deserialize, Serialize};

use scrollback_session::error::AppError;
use scrollback_session::item::ItemKind;
use scrollback_session::library::Library;
use scrollback_session::read_item;
use scrollback_session::scope::Scope;

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum WatchKind {
    /// The user typed a prompt.
    Prompt,
    /// The model answered.
    Answer,
    /// The model thought.
    Thinking,
    /// The model called a tool.
    Call,
    /// A tool gave something back.
    Result,
    /// A tool failed or was denied.
    Failure,
    /// The user ran a slash or `!` command.
    Command,
    /// A command printed something.
    Output,
    /// A background task ended, or another agent or session spoke.
    Notification,
    /// The user stopped the model.
    Interruption,
    /// The API failed.
    Error,
    /// The conversation was compacted.
    Compaction,
    /// The session got a title.
    Title,
    /// A new file.
    Begins,
    /// The file was moved here.
    Moved,
    /// The file holds less than before.
    Rewritten,
    /// The file is gone.
    Gone,
    /// Anything else, mostly what the client adds.
    Other,
}

impl WatchKind {
    /// Its name, for people and in documents.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Prompt => "prompt",
            Self::Answer => "answer",
            Self::Thinking => "thinking",
            Self::Call => "call",
            Self::Result => "result",
            Self::Failure => "failure",
            Self::Command => "command",
            Self::Output => "output",
            Self::Notification => "notification",
            Self::Interruption => "interruption",
            Self::Error => "error",
            Self::Compaction => "compaction",
            Self::Title => "title",
            Self::Begins => "begins",
            Self::Moved => "moved",
            Self::Rewritten => "rewritten",
            Self::Gone => "gone",
            Self::Other => "other",
        }
    }
}

/// Something that happened in a session.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct WatchEvent {
    /// When, as the line says.
    #[serde(with = "scrollback_session::view::time")]
    #[schemars(with = "Option<String>")]
    pub time: Option<Time>,
    /// The session.
    pub session_id: String,
    /// The agent; none for the session itself.
    pub agent_id: Option<String>,
    /// The working directory, as the line says; else the name of the folder.
    pub project: String,
    /// What happened.
    pub event: WatchKind,
    /// The tool, of a call.
    pub tool: Option<String>,
    /// What was said or done.
    pub text: String,
    /// The entry's id.
    pub uuid: Option<String>,
    /// The file.
    #[serde(with = "scrollback_session::view::path")]
    #[schemars(with = "String")]
    pub path: PathBuf,
}

impl WatchEvent {
    /// Is it worth a line where not everything is asked for?
    pub fn is_plain(&self) -> bool {
        !matches!(self.event, WatchKind::Thinking | WatchKind::Result | WatchKind::Output | WatchKind::Other)
    }
}

/// A store that is watched.
#[derive(Debug)]
pub struct Watcher {
    roots: Vec<Root>,
    scope: Scope,
    files: FxHashMap<PathBuf, Tip>,
    reader: LineReader,
    parser: Parser,
}

/// How far a file was read.
#[derive(Debug, Clone)]
struct Tip {
    offset: u64,
    look: Look,
    session: String,
    agent: Option<String>,
    /// The directory that its lines named last.
    cwd: Option<String>,
}

impl Watcher {
    /// Watches the roots of a library from now on.
    pub fn new(library: &Library, scope: Scope) -> Self {
        let mut watcher = Self {
            roots: library.roots.clone(),
            scope,
            files: FxHashMap::default(),
            reader: LineReader::new(),
            parser: Parser::new(),
        };
        for (_, path, tip) in transcripts(library) {
            // What is there already is not news; a line that is not ended yet will be.
            let offset = small::whole_lines(&path, tip.look.size).unwrap_or(tip.look.size);
            watcher.files.insert(path, Tip { offset, ..tip });
        }
        watcher
    }

    /// What has happened since the last look, file by file.
    pub fn look(&mut self) -> Result<Vec<WatchEvent>, AppError> {
        let library = Library::open(self.roots.clone())?;
        let mut events = Vec::new();
        let mut there = FxHashMap::default();
        for (folder, path, fresh) in transcripts(&library) {
            let known = self.files.remove(&path);
            let mut tip = match known {
                Some(known) if known.look == fresh.look => {
                    there.insert(path, known);
                    continue;
                }
                Some(known) => Tip { look: fresh.look, ..known },
                None => self.arrived(&folder, &path, fresh, &mut events),
            };
            if tip.look.size < tip.offset {
                events.push(event(&tip, &folder, &path, WatchKind::Rewritten, String::new()));
                tip.offset = small::whole_lines(&path, tip.look.size).unwrap_or(tip.look.size);
            }
            if tip.look.size > tip.offset {
                self.read(&folder, &path, &mut tip, &mut events);
            }
            there.insert(path, tip);
        }
        for (path, tip) in &self.files {
            let folder = path.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
            events.push(event(tip, &folder, path, WatchKind::Gone, String::new()));
        }
        self.files = there;
        events.retain(|event| self.scope.has_project(Some(&event.project)));
        // Files are read one after the other; events are sorted by their time.
        events.sort_by_key(|event| event.time);
        Ok(events)
    }

    /// A file of a new name: moved here, or begun.
    fn arrived(&mut self, folder: &str, path: &Path, fresh: Tip, events: &mut Vec<WatchEvent>) -> Tip {
        let same = |(_, tip): &(&PathBuf, &Tip)| tip.look.inode == fresh.look.inode && fresh.look.inode != 0;
        let from = self.files.iter().find(same).map(|(path, _)| path.clone());
        // The old name may still be there, as another link of the same file.
        if let Some(from) = from.filter(|from| !scrollback_store::stamp::is_there(from))
            && let Some(known) = self.files.remove(&from)
        {
            let tip = Tip { look: fresh.look, ..known };
            events.push(event(&tip, folder, path, WatchKind::Moved, format!("from {}", from.display())));
            return tip;
        }
        events.push(event(&fresh, folder, path, WatchKind::Begins, String::new()));
        fresh
    }

    fn read(&mut self, folder: &str, path: &Path, tip: &mut Tip, events: &mut Vec<WatchEvent>) {
        let parser = &mut self.parser;
        let (mut offset, start) = (tip.offset, Start { offset: tip.offset, lines: 0 });
        // A file that went away meanwhile is reported by the next look.
        let _ = self.reader.read(path, start, |chunk| {
            match chunk {
                Chunk::Line(line) if line.ending == Ending::None => {}
                Chunk::Line(line) => {
                    let ending = if line.ending == Ending::CrLf { 2 } else { 1 };
                    offset = line.offset + line.bytes.len() as u64 + ending;
                    parser.each(line, |piece| {
                        if let Some(entry) = piece.entry() {
                            take(entry, folder, path, tip, events);
                        }
                    });
                }
                Chunk::Oversize(part) => offset = part.offset + part.bytes.len() as u64,
            }
            ControlFlow::Continue(())
        });
        tip.offset = offset;
    }
}

/// The transcripts of a library, with their folders and how they look.
fn transcripts(library: &Library) -> impl Iterator<Item = (String, PathBuf, Tip)> {
    library.folders.iter().flat_map(|(_, folder)| {
        folder.files.iter().filter_map(|found| {
            let (session, agent) = match &found.file {
                ProjectFile::Session(session) => (session.to_string(), None),
                ProjectFile::Agent { session, agent, .. } => (session.to_string(), Some(agent.to_string())),
                ProjectFile::FlatAgent(agent) => (String::new(), Some(agent.to_string())),
                _ => return None,
            };
            let look = found.look?;
            Some((
                folder.name.clone(),
                found.path.clone(),
                Tip { offset: 0, look, session, agent, cwd: None },
            ))
        })
    })
}

fn event(tip: &Tip, folder: &str, path: &Path, event: WatchKind, text: String) -> WatchEvent {
    WatchEvent {
        time: None,
        session_id: tip.session.clone(),
        agent_id: tip.agent.clone(),
        project: tip.cwd.clone().unwrap_or_else(|| folder.to_owned()),
        event,
        tool: None,
        text,
        uuid: None,
        path: path.to_owned(),
    }
}

fn take(entry: &Entry<'_>, folder: &str, path: &Path, tip: &mut Tip, events: &mut Vec<WatchEvent>) {
    if let Some(cwd) = entry.envelope.cwd {
        tip.cwd = Some(cwd.decode().into_owned());
    }
    if let Some(session) = entry.envelope.session_id.filter(|_| tip.session.is_empty()) {
        tip.session = session.decode().into_owned();
    }
    let mut put = |name: WatchKind, tool: Option<String>, text: String| {
        events.push(WatchEvent {
            time: entry.time(),
            tool,
            uuid: entry.id().filter(|id| !id.is_derived()).map(|id| id.to_string()),
            ..event(tip, folder, path, name, text)
        });
    };
    let role = role::of(entry);
    match entry.body() {
        Body::CustomTitle(title) => {
            put(
                WatchKind::Title,
                None,
                title.custom_title().map(|text| text.decode().into_owned()).unwrap_or_default(),
            );
        }
        Body::AiTitle(title) => {
            put(
                WatchKind::Title,
                None,
                title.ai_title().map(|text| text.decode().into_owned()).unwrap_or_default(),
            );
        }
        _ if role == Role::ToolResult => results(entry, &mut put),
        // Side notes are repeated again and again, and say nothing new.
        _ if role == Role::Note => {}
        _ => {
            for what in read_item::read(entry, role) {
                let (name, tool, text) = told(what);
                put(name, tool, text);
            }
        }
    }
}

fn results(entry: &Entry<'_>, put: &mut dyn FnMut(WatchKind, Option<String>, String)) {
    let content = entry.envelope.message.and_then(|message| message.get("content")).and_then(Content::of);
    for block in content.into_iter().flat_map(Content::blocks) {
        if let Block::ToolResult(result) = block {
            let name = if result.is_error() == Some(true) { WatchKind::Failure } else { WatchKind::Result };
            put(name, None, read_item::joined(result.content()));
        }
    }
}

fn told(what: ItemKind) -> (WatchKind, Option<String>, String) {
    match what {
        ItemKind::Prompt { text, .. } => (WatchKind::Prompt, None, text),
        ItemKind::Answer { text, .. } => (WatchKind::Answer, None, text),
        ItemKind::Thinking { text, .. } => (WatchKind::Thinking, None, text),
        ItemKind::Call(call) => (WatchKind::Call, Some(call.tool), call.file_path.unwrap_or(call.headline)),
        ItemKind::Command { command, args } => {
            (WatchKind::Command, None, format!("{command} {args}").trim_end().to_owned())
        }
        ItemKind::Bash { command } => (WatchKind::Command, None, format!("!{command}")),
        ItemKind::Output { text } => (WatchKind::Output, None, text),
        ItemKind::Notification { text, .. } | ItemKind::Teammate { text } => {
            (WatchKind::Notification, None, text)
        }
        ItemKind::Interruption { text } => (WatchKind::Interruption, None, text),
        ItemKind::ApiError { text } | ItemKind::Retry { text, .. } => (WatchKind::Error, None, text),
        ItemKind::Compaction { trigger, .. } => (WatchKind::Compaction, None, trigger.unwrap_or_default()),
        ItemKind::System { subtype, text } => {
            (WatchKind::Other, None, format!("{subtype} {text}").trim_end().to_owned())
        }
        ItemKind::Attachment { kind, text } | ItemKind::Progress { kind, text } => {
            (WatchKind::Other, None, format!("{kind} {text}").trim_end().to_owned())
        }
        ItemKind::CompactSummary { text } | ItemKind::Synthetic { text } | ItemKind::Meta { text } => {
            (WatchKind::Other, None, text)
        }
        ItemKind::OrphanResult { text, .. } => (WatchKind::Result, None, text),
        ItemKind::Unknown { kind } => (WatchKind::Other, None, kind),
        // Where branches begin, gaps: nothing that was said.
        _ => (WatchKind::Other, None, String::new()),
    }
}
