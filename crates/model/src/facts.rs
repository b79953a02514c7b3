//! Facts: everything that a list or a summary of a session says about it, as plain values.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use scrollback_format::generation::Generation;
use scrollback_format::time::Time;

use crate::graph::Graph;
use crate::lookup::Lookup;
use crate::role::Role;
use crate::symbol::SeenTexts;
use crate::thread::Threads;
use crate::title::{self, Title};
use crate::tokens::Tokens;
use crate::transcript::{FileKind, Transcript};
use crate::turn::{self, Turn};

/// What kind of file a session's is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum SessionKind {
    /// It has messages.
    Conversation,
    /// A conversation that runs in the background.
    Background,
    /// An agent's transcript.
    Agent,
    /// Nothing in it at all.
    Empty,
    /// Started, without any message: queue operations, hooks, system lines.
    Stub,
    /// Titles, modes and their like.
    SideNotes,
    /// Only summaries and snapshots: what a resume in old clients leaves behind.
    Ghost,
    /// Its file could not be read.
    Unreadable,
}

impl SessionKind {
    /// Its name in output that programs read.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Conversation => "conversation",
            Self::Background => "background",
            Self::Agent => "agent",
            Self::Empty => "empty",
            Self::Stub => "stub",
            Self::SideNotes => "side_notes",
            Self::Ghost => "ghost",
            Self::Unreadable => "unreadable",
        }
    }

    const ALL: [Self; 8] = [
        Self::Conversation,
        Self::Background,
        Self::Agent,
        Self::Empty,
        Self::Stub,
        Self::SideNotes,
        Self::Ghost,
        Self::Unreadable,
    ];

    /// The kind with this name.
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Is it a conversation, wherever it runs?
    pub const fn is_spoken(self) -> bool {
        matches!(self, Self::Conversation | Self::Background)
    }
}

/// How often a tool was called.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ToolCount {
    /// Calls.
    pub calls: u64,
    /// Results that were errors or denials.
    pub errors: u64,
    /// Calls that nothing came back for.
    pub unanswered: u64,
}

/// How often a file was read and written by tools.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FileTouch {
    /// Reads.
    pub reads: u64,
    /// Writes and edits.
    pub writes: u64,
}

/// A text with how often it was seen.
pub type Counted = (String, u64);

/// The facts of one transcript.
#[derive(Debug, Clone)]
pub struct TranscriptFacts {
    /// What kind of file it is.
    pub kind: SessionKind,
    /// What it is called.
    pub title: Option<Title>,
    /// The first working directory: where the session was begun.
    pub origin: Option<String>,
    /// All working directories, first seen first.
    pub cwds: Vec<Counted>,
    /// All branches.
    pub branches: Vec<Counted>,
    /// All client versions.
    pub versions: Vec<Counted>,
    /// All ways in which the client was started.
    pub entrypoints: Vec<Counted>,
    /// All models, by messages.
    pub models: Vec<Counted>,
    /// The earliest and the latest time on any line.
    pub span: Option<(Time, Time)>,
    /// How long its turns took together, in milliseconds.
    pub active_ms: u64,
    /// Entries.
    pub entries: u64,
    /// Lines.
    pub lines: u64,
    /// Bytes.
    pub bytes: u64,
    /// Prompts on the live thread.
    pub prompts: u64,
    /// Turns on the live thread.
    pub turns: u64,
    /// API messages.
    pub messages: u64,
    /// Compactions.
    pub compactions: u64,
    /// Conversations that were left behind.
    pub branch_count: u64,
    /// Lines of the tree that are on the live thread.
    pub reachable: u64,
    /// Lines of the tree that are not.
    pub unreachable: u64,
    /// Lines whose id stands again later.
    pub replaced: u64,
    /// Lines whose parent is in no line.
    pub dangling: u64,
    /// Tools by name.
    pub tools: BTreeMap<String, ToolCount>,
    /// Files by path.
    pub files: BTreeMap<String, FileTouch>,
    /// Tokens, each message once.
    pub tokens: Tokens,
    /// Are the output counts only lower bounds, because the client never wrote the final ones?
    pub output_is_lower_bound: bool,
    /// Problems.
    pub problems: u64,
    /// Pull requests.
    pub pr_links: Vec<(u64, String)>,
    /// Where the client moved it.
    pub relocated: Option<String>,
    /// The worktree it is in.
    pub worktree: Option<String>,
    /// The directory that it entered a worktree from.
    pub worktree_origin: Option<String>,
    /// Names that its plans have.
    pub slugs: Vec<String>,
}

/// A transcript taken apart: its graph, threads and turns.
#[derive(Debug)]
pub struct Anatomy {
    /// The graph.
    pub graph: Graph,
    /// The threads.
    pub threads: Threads,
    /// The turns of the live thread.
    pub turns: Vec<Turn>,
    lookup: OnceLock<Lookup>,
}

impl Anatomy {
    /// Takes a transcript apart as a client of this generation sees it.
    pub fn of(transcript: &Transcript, generation: Generation) -> Self {
        let graph = Graph::of(transcript);
        let threads = Threads::of(transcript, &graph, generation);
        let turns = threads.live().map(|live| turn::turns(transcript, &live.rows)).unwrap_or_default();
        Self { graph, threads, turns, lookup: OnceLock::new() }
    }

    /// What belongs to what in it, made when it is first asked for. The transcript is the one that this is of.
    pub fn lookup(&self, transcript: &Transcript) -> &Lookup {
        self.lookup.get_or_init(|| Lookup::of(transcript, &self.threads))
    }
}

impl TranscriptFacts {
    /// The facts of a transcript. `sidecar` and `summary` are titles from outside of it, see [`title::choose`].
    pub fn of(
        transcript: &Transcript,
        anatomy: &Anatomy,
        sidecar: Option<&str>,
        summary: Option<&str>,
    ) -> Self {
        let on_live = |row: &u32| anatomy.threads.thread_of(*row) == Some(0);
        let has_live = anatomy.threads.live().is_some();
        let reachable =
            if has_live { anatomy.graph.nodes.iter().filter(|row| on_live(row)).count() } else { 0 };
        let prompts = anatomy.threads.live().map_or(0, |live| {
            let roles = live.rows.iter().map(|row| transcript.row(*row).role);
            roles.filter(|role| matches!(role, Role::Prompt | Role::QueuedPrompt)).count()
        });
        let texts = |seen: &SeenTexts| counted(transcript, seen);
        let text = |symbol| transcript.text(symbol).to_owned();
        Self {
            kind: kind(transcript),
            title: title::choose(transcript, sidecar, summary),
            origin: transcript.cwds.first().map(text),
            cwds: texts(&transcript.cwds),
            branches: texts(&transcript.branches).into_iter().filter(|(name, _)| !name.is_empty()).collect(),
            versions: texts(&transcript.versions),
            entrypoints: texts(&transcript.entrypoints),
            models: models(transcript),
            span: transcript.span,
            active_ms: anatomy
                .turns
                .iter()
                .filter_map(|turn| turn.span)
                .map(|(a, b)| b.0.abs_diff(a.0))
                .fold(0, u64::saturating_add),
            entries: transcript.rows.len() as u64,
            lines: transcript.lines,
            bytes: transcript.bytes,
            prompts: prompts as u64,
            turns: anatomy.turns.iter().filter(|turn| turn.number > 0).count() as u64,
            messages: transcript.messages.len() as u64,
            compactions: transcript.compactions.len() as u64,
            branch_count: anatomy.threads.branches().count() as u64,
            reachable: reachable as u64,
            unreachable: (anatomy.graph.nodes.len() - reachable) as u64,
            replaced: anatomy.graph.replaced.len() as u64,
            dangling: anatomy.graph.dangling.len() as u64,
            tools: tools(transcript),
            files: files(transcript),
            tokens: transcript.tokens(),
            output_is_lower_bound: lower_bound(transcript),
            problems: transcript.problems.count(),
            pr_links: transcript.pr_links.iter().map(|(number, url)| (*number, text(*url))).collect(),
            relocated: transcript.relocated.map(text),
            worktree: transcript.worktree.map(text),
            worktree_origin: transcript.worktree_origin.map(text),
            slugs: texts(&transcript.slugs).into_iter().map(|(slug, _)| slug).collect(),
        }
    }
}

fn counted(transcript: &Transcript, seen: &SeenTexts) -> Vec<Counted> {
    seen.iter().map(|(symbol, count)| (transcript.text(symbol).to_owned(), count)).collect()
}

fn kind(transcript: &Transcript) -> SessionKind {
    let speaks = transcript.rows.iter().any(|row| row.role.is_conversation());
    if transcript.file_kind == FileKind::Agent {
        return SessionKind::Agent;
    }
    if transcript.rows.is_empty() {
        return SessionKind::Empty;
    }
    if speaks {
        let background = transcript.session_kinds.iter().any(|(kind, _)| transcript.text(kind) == "bg");
        return if background { SessionKind::Background } else { SessionKind::Conversation };
    }
    let only = |names: &[&str]| transcript.kinds.keys().all(|kind| names.contains(&kind.name().as_str()));
    if only(&["summary", "file-history-snapshot"]) {
        SessionKind::Ghost
    } else if transcript
        .rows
        .iter()
        .any(|row| row.id.is_some() || row.kind.name().starts_with("queue-operation"))
    {
        SessionKind::Stub
    } else {
        SessionKind::SideNotes
    }
}

fn models(transcript: &Transcript) -> Vec<Counted> {
    let mut seen = SeenTexts::default();
    for message in &transcript.messages {
        if let Some(model) = message.model
            && transcript.text(model) != "<synthetic>"
        {
            seen.note(model);
        }
    }
    counted(transcript, &seen)
}

fn tools(transcript: &Transcript) -> BTreeMap<String, ToolCount> {
    let mut answered = rustc_hash::FxHashMap::default();
    for outcome in &transcript.outcomes {
        *answered.entry(outcome.call).or_insert(false) |= outcome.is_error;
    }
    let mut tools: BTreeMap<String, ToolCount> = BTreeMap::new();
    for call in &transcript.calls {
        let count = tools.entry(transcript.text(call.tool).to_owned()).or_default();
        count.calls += 1;
        match answered.get(&call.id) {
            Some(true) => count.errors += 1,
            Some(false) => {}
            None => count.unanswered += 1,
        }
    }
    tools
}

fn files(transcript: &Transcript) -> BTreeMap<String, FileTouch> {
    let mut files: BTreeMap<String, FileTouch> = BTreeMap::new();
    for call in &transcript.calls {
        let Some(file) = call.file else { continue };
        let touch = files.entry(transcript.text(file).to_owned()).or_default();
        if call.writes {
            touch.writes += 1;
        } else {
            touch.reads += 1;
        }
    }
    files
}

fn lower_bound(transcript: &Transcript) -> bool {
    transcript.versions.iter().any(|(version, _)| {
        scrollback_format::version::ClientVersion::decode(transcript.text(version))
            .is_some_and(|version| Generation::of(version).facts().output_tokens_are_lower_bounds)
    })
}
