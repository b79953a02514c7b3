//! Following one session: what is new in it since the last look, turn by turn.
//!
//! Each look costs nothing while nothing was written. What was given is remembered by line, so that appends, a rewind, a
//! last line that was half-written and a file that a client moved to another folder give each thing once. A call that was
//! given without its outcome is given again with it.

use std::mem::{Discriminant, discriminant};
use std::path::{Path, PathBuf};

use rustc_hash::FxHashSet;
use scrollback_store::{Look, Root, small, stamp, walk};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;

use scrollback_session::agents::AgentView;
use scrollback_session::error::AppError;
use scrollback_session::item::ItemKind;
use scrollback_session::library::{Library, session_dir};
use scrollback_session::opened::Opened;
use scrollback_session::story::{Story, TurnView};
use scrollback_session::view::SessionView;

/// A session that is followed.
#[derive(Debug)]
pub struct Follow {
    roots: Vec<Root>,
    session: String,
    agent: Option<String>,
    /// Its file, and the root that it is in.
    path: PathBuf,
    root: Root,
    /// What the file, and the names beside it, looked like.
    seen: Option<(Look, usize, Option<Look>)>,
    /// Lines of the file that were there and whole.
    lines: u64,
    told: FxHashSet<(u64, Discriminant<ItemKind>, usize)>,
    waiting: FxHashSet<String>,
    agents: FxHashSet<String>,
    is_gone: bool,
}

/// What a look found.
#[derive(Debug)]
#[non_exhaustive]
pub enum News {
    /// Nothing new.
    Nothing,
    /// Something new.
    Changed(Box<SessionChange>),
    /// The file is gone, and no other in the store is the session's. Given once.
    Gone,
}

/// Something new in a session.
#[derive(Debug)]
pub struct SessionChange {
    /// The session as it is now.
    pub opened: Opened,
    /// What is known of it.
    pub view: SessionView,
    /// Where its file was before, if it was moved.
    pub moved_from: Option<PathBuf>,
    /// The file holds less than before: something rewrote it.
    pub rewritten: bool,
    /// Agents that were not there before.
    pub agents: Vec<AgentView>,
    /// The turns that have something new, with that alone.
    pub turns: Vec<TurnPart>,
}

/// What is new in one turn.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct TurnPart {
    /// The session.
    pub session_id: String,
    /// The agent, if it is one's conversation.
    pub agent_id: Option<String>,
    /// Does it continue a turn of which something was given before?
    pub goes_on: bool,
    /// The turn, with what is new in it.
    #[serde(flatten)]
    pub turn: TurnView,
}

impl<'de> Deserialize<'de> for TurnPart {
    /// Reads it in two goes, because calls keep their input as it was written, which a flattened field cannot.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Head {
            session_id: String,
            agent_id: Option<String>,
            goes_on: bool,
        }
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        let Head { session_id, agent_id, goes_on } =
            serde_json::from_str(raw.get()).map_err(D::Error::custom)?;
        let turn = serde_json::from_str(raw.get()).map_err(D::Error::custom)?;
        Ok(Self { session_id, agent_id, goes_on, turn })
    }
}

impl Follow {
    /// Follows a session of a library, or an agent of it.
    pub fn new(library: &Library, session: &str, agent: Option<String>, path: &Path) -> Self {
        let root = library.roots.iter().find(|root| path.starts_with(root.path()));
        Self {
            roots: library.roots.clone(),
            session: session.to_owned(),
            agent,
            path: path.to_owned(),
            root: root.cloned().unwrap_or_else(|| Root::new(path.parent().unwrap_or(path))),
            seen: None,
            lines: 0,
            told: FxHashSet::default(),
            waiting: FxHashSet::default(),
            agents: FxHashSet::default(),
            is_gone: false,
        }
    }

    /// The first look: the last turns that are there.
    pub fn begin(&mut self, last: usize) -> Result<SessionChange, AppError> {
        let (opened, view) = self.open()?;
        self.agents.extend(opened.agents.views.iter().map(|agent| agent.agent_id.clone()));
        let story = story(&opened)?;
        let numbers: Vec<u32> = story.numbers().collect();
        let wanted: Vec<u32> = numbers[numbers.len().saturating_sub(last)..].to_vec();
        let turns = self.tell(&story, &wanted)?;
        drop(story);
        self.lines = self.whole_lines(&opened);
        Ok(SessionChange { opened, view, moved_from: None, rewritten: false, agents: Vec::new(), turns })
    }

    /// Looks again.
    pub fn look(&mut self) -> Result<News, AppError> {
        let mut moved_from = None;
        if stamp::look(&self.path).is_none() {
            let Some((root, path)) = self.find() else {
                let first = !std::mem::replace(&mut self.is_gone, true);
                return Ok(if first { News::Gone } else { News::Nothing });
            };
            self.root = root;
            moved_from = Some(std::mem::replace(&mut self.path, path));
        }
        self.is_gone = false;
        if moved_from.is_none() && self.seen.is_some() && self.seen == self.sight() {
            return Ok(News::Nothing);
        }
        let (opened, view) = match self.open() {
            Ok(opened) => opened,
            // It went away just now: the next look tells.
            Err(AppError::Read(_) | AppError::NoSuchSession { .. } | AppError::NoSuchAgent { .. }) => {
                return Ok(News::Nothing);
            }
            Err(error) => return Err(error),
        };
        let whole = self.whole_lines(&opened);
        let rewritten = whole < self.lines;
        if rewritten {
            self.lines = whole;
            self.told.clear();
            self.waiting.clear();
        }
        let story = story(&opened)?;
        let after = story.after(self.lines);
        let turns = self.tell(&story, &after)?;
        drop(story);
        self.lines = whole;
        // What stands on whole lines is known by their number alone.
        self.told.retain(|(line, _, _)| *line > whole);
        let fresh = opened.agents.views.iter().filter(|agent| !self.agents.contains(&agent.agent_id));
        let agents: Vec<AgentView> = fresh.cloned().collect();
        self.agents.extend(agents.iter().map(|agent| agent.agent_id.clone()));
        let quiet = turns.is_empty() && agents.is_empty() && !rewritten && moved_from.is_none();
        if quiet {
            return Ok(News::Nothing);
        }
        Ok(News::Changed(Box::new(SessionChange { opened, view, moved_from, rewritten, agents, turns })))
    }

    /// What can be seen without opening anything.
    fn sight(&self) -> Option<(Look, usize, Option<Look>)> {
        let own = stamp::look(&self.path)?;
        let beside = session_dir(&self.path).map(|dir| dir.join("subagents"));
        let names = beside.as_ref().map_or(0, |dir| walk::names_in(dir).len());
        let agent = self
            .agent
            .as_ref()
            .zip(beside)
            .and_then(|(agent, dir)| stamp::look(&dir.join(format!("agent-{agent}.jsonl"))));
        Some((own, names, agent))
    }

    fn open(&mut self) -> Result<(Opened, SessionView), AppError> {
        // Before the reading: what comes while it lasts is news for the next look.
        self.seen = self.sight();
        let library = Library::of_folder(&self.root, self.path.parent().unwrap_or(&self.path));
        let library = Library { only: Some(self.path.clone()), ..library };
        let opened = Opened::of(library, None, self.agent.as_deref())?;
        let view = opened.view();
        Ok((opened, view))
    }

    /// Where the session is now, if its file was moved.
    fn find(&self) -> Option<(Root, PathBuf)> {
        let library = Library::open(self.roots.clone()).ok()?;
        let own = library.sessions().filter(|files| files.id.as_str() == self.session);
        let newest = own.max_by_key(|files| files.found.mtime_ns())?;
        let (root, _) = library.folder(newest.folder);
        Some((root.clone(), newest.found.path.clone()))
    }

    fn whole_lines(&self, opened: &Opened) -> u64 {
        let source = opened.source();
        let transcript = &source.loaded.transcript;
        let torn = small::whole_lines(source.path, transcript.bytes).is_ok_and(|end| end < transcript.bytes);
        transcript.lines.saturating_sub(u64::from(torn))
    }

    /// The turns with these numbers, and what is new in them.
    fn tell(&mut self, story: &Story<'_>, numbers: &[u32]) -> Result<Vec<TurnPart>, AppError> {
        let mut parts = Vec::new();
        let begin = self.lines == 0;
        for turn in story.turns(|number| numbers.contains(&number))? {
            parts.extend(self.part(turn?, begin));
        }
        Ok(parts)
    }

    fn part(&mut self, mut turn: TurnView, begin: bool) -> Option<TurnPart> {
        let mut counts: Vec<(u64, Discriminant<ItemKind>)> = Vec::new();
        let before = turn.items.len();
        let had = turn.items.iter().any(|item| item.line <= self.lines && !begin);
        turn.items.retain(|item| {
            let kind = discriminant(&item.what);
            counts.push((item.line, kind));
            let nth = counts.iter().filter(|one| **one == (item.line, kind)).count();
            let fresh = (begin || item.line > self.lines) && self.told.insert((item.line, kind, nth));
            match &item.what {
                ItemKind::Call(call) if call.outcome.is_none() && fresh => {
                    self.waiting.insert(call.tool_use_id.clone());
                    true
                }
                ItemKind::Call(call) if call.outcome.is_some() && !fresh => {
                    self.waiting.remove(&call.tool_use_id)
                }
                _ => fresh,
            }
        });
        if turn.items.is_empty() {
            return None;
        }
        Some(TurnPart {
            session_id: self.session.clone(),
            agent_id: self.agent.clone(),
            goes_on: had || (!begin && turn.items.len() < before),
            turn,
        })
    }
}

/// The live thread, or the agent's own.
fn story(opened: &Opened) -> Result<Story<'_>, AppError> {
    match opened.inline_thread() {
        Some(thread) => Ok(Story::of_thread(opened.source(), thread)),
        None => Story::of(opened.source(), 0),
    }
}
