//! A session in the making: who it is, where its chain stands, and the sheet its lines go to.
//!
//! The methods that add lines live with what they add: prompts in [`crate::prompt`], answers in
//! [`crate::answer`], results in [`crate::result`], and so on.

use scrollback_format::generation::{AgentLayout, Generation};

use crate::clock::Moment;
use crate::id::Id;
use crate::sheet::Sheet;
use crate::source::IdSource;

/// What makes a session an agent's.
#[derive(Debug, Clone)]
pub(crate) struct AgentTag {
    pub id: Id,
    pub kind: String,
}

/// What of the requests was stored so far.
#[derive(Debug, Clone, Default)]
pub(crate) struct Requests {
    pub(crate) shape: Option<String>,
    pub(crate) last: Option<Id>,
    pub(crate) sent: u64,
}

impl Requests {
    pub(crate) fn last(&self) -> Option<&Id> {
        self.last.as_ref()
    }
}

/// How the client was started; decides which fields a prompt carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entrypoint {
    /// The terminal UI.
    Cli,
    /// Headless, `-p`.
    SdkCli,
}

impl Entrypoint {
    /// As it stands in `entrypoint`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cli => "cli",
            Self::SdkCli => "sdk-cli",
        }
    }
}

/// What the lines of a session say about the client that wrote them.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The layout to write in.
    pub generation: Generation,
    /// The `version` on each line; by default the one in which the generation was recorded.
    pub version: String,
    /// The working directory.
    pub cwd: String,
    /// The branch; `None` outside a repository.
    pub branch: Option<String>,
    /// Terminal or headless.
    pub entrypoint: Entrypoint,
    /// `permissionMode` of prompts.
    pub permission_mode: String,
    /// The model that answers.
    pub model: String,
}

impl Settings {
    /// Settings of a terminal session in a repository on `main`.
    pub fn new(generation: Generation, cwd: &str) -> Self {
        let model = match generation {
            Generation::V1_0 => "claude-sonnet-4-20250514",
            Generation::V2_0_29 | Generation::V2_0_55 | Generation::V2_1_9 => "claude-sonnet-4-5-20250929",
            Generation::V2_1_80 => "claude-opus-4-6",
            Generation::V2_1_200 => "claude-opus-4-8",
            // A newer generation: as the newest one that is known.
            _ => "claude-opus-5-5",
        };
        Self {
            generation,
            version: generation.facts().recorded.to_string(),
            cwd: cwd.to_owned(),
            branch: Some("main".to_owned()),
            entrypoint: Entrypoint::Cli,
            permission_mode: "default".to_owned(),
            model: model.to_owned(),
        }
    }
}

/// A session, or an agent of one, in the making.
#[derive(Debug)]
pub struct SessionAuthor<S> {
    /// What the lines say about the client. `cwd` and `branch` may change in mid-session.
    pub settings: Settings,
    /// The slug, once the client has coined one; it is on every later line.
    pub slug: Option<String>,
    /// The session before a `/clear`: newest clients repeat its id in `session_id`.
    pub cleared_from: Option<Id>,
    /// A background session of the newest generation.
    pub background: bool,
    /// Where ids and times come from.
    pub source: S,
    pub(crate) id: Id,
    pub(crate) agent: Option<AgentTag>,
    pub(crate) tail: Option<Id>,
    pub(crate) prompt_id: Option<Id>,
    pub(crate) last_prompt: Option<Id>,
    pub(crate) prompts: u64,
    pub(crate) messages: u64,
    pub(crate) request: Requests,
    pub(crate) tools: Vec<String>,
    pub(crate) span: Option<(Moment, Moment)>,
    pub(crate) sheet: Sheet,
}

impl<S: IdSource> SessionAuthor<S> {
    /// A new, empty session with a fresh id.
    pub fn new(settings: Settings, mut source: S) -> Self {
        let id = Id::uuid(&mut source);
        Self::resume(settings, source, id, None)
    }

    /// A session that goes on after `tail` in an existing file.
    pub fn resume(settings: Settings, source: S, id: Id, tail: Option<Id>) -> Self {
        Self {
            settings,
            slug: None,
            cleared_from: None,
            background: false,
            source,
            id,
            agent: None,
            tail,
            prompt_id: None,
            last_prompt: None,
            prompts: 0,
            messages: 0,
            request: Requests::default(),
            tools: Vec::new(),
            span: None,
            sheet: Sheet::default(),
        }
    }

    /// The same with a number of earlier prompts: newest clients number them.
    pub fn counting_from(mut self, prompts: u64) -> Self {
        self.prompts = prompts;
        self
    }

    /// The session's id.
    pub fn id(&self) -> &Id {
        &self.id
    }

    /// The agent's id, if this is an agent.
    pub fn agent_id(&self) -> Option<&Id> {
        self.agent.as_ref().map(|agent| &agent.id)
    }

    /// The last line of the chain: what the next one hangs on.
    pub fn tail(&self) -> Option<&Id> {
        self.tail.as_ref()
    }

    /// The last prompt's line.
    pub fn last_prompt(&self) -> Option<&Id> {
        self.last_prompt.as_ref()
    }

    /// Goes back: the next line hangs on an earlier one, or is a new root. Nothing marks the branch left behind.
    pub fn rewind(&mut self, to: Option<Id>) {
        self.tail = to;
    }

    /// The first and the last `timestamp` written so far.
    pub fn span(&self) -> Option<(Moment, Moment)> {
        self.span
    }

    /// The lines so far.
    pub fn sheet(&self) -> &Sheet {
        &self.sheet
    }

    /// The lines so far, taken out; the chain goes on.
    pub fn take(&mut self) -> Sheet {
        std::mem::take(&mut self.sheet)
    }

    /// Puts an inline agent's lines (1.x) among these.
    pub fn absorb(&mut self, lines: Sheet) {
        self.sheet.append(lines);
    }

    pub(crate) fn generation(&self) -> Generation {
        self.settings.generation
    }

    pub(crate) fn since(&self, generation: Generation) -> bool {
        self.settings.generation >= generation
    }

    pub(crate) fn newest(&self) -> bool {
        self.since(Generation::V2_1_325)
    }

    pub(crate) fn is_tui(&self) -> bool {
        self.settings.entrypoint == Entrypoint::Cli
    }

    /// Do the lines carry `agentId`? Inline agents of 1.x have none.
    pub(crate) fn tagged(&self) -> Option<&str> {
        let inline = self.generation().facts().agents == AgentLayout::Inline;
        self.agent.as_ref().filter(|_| !inline).map(|agent| agent.id.as_str())
    }

    /// The time of the line in the making; it counts for the span.
    pub(crate) fn now(&mut self) -> Moment {
        let at = self.source.now();
        self.span = Some(self.span.map_or((at, at), |(first, last)| (first.min(at), last.max(at))));
        at
    }

    pub(crate) fn fresh(&mut self) -> Id {
        Id::uuid(&mut self.source)
    }
}
