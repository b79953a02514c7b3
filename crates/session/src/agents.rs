//! The agents of a session: their files in every layout, what they are for, and the call that made each.

use std::path::PathBuf;
use std::sync::OnceLock;

use rustc_hash::FxHashMap;
use scrollback_format::area::ProjectFile;
use scrollback_format::generation::Generation;
use scrollback_format::id::AgentId;
use scrollback_format::time::Time;
use scrollback_model::agent::{self, AgentFile, AgentLink, AgentPurpose, LinkEvidence};
use scrollback_model::facts::{Anatomy, TranscriptFacts};
use scrollback_model::symbol::Symbol;
use scrollback_model::tokens::Tokens;
use scrollback_model::transcript::{FileKind, Transcript};
use scrollback_store::FolderFile;
use scrollback_store::work;
use serde::{Deserialize, Serialize};

use crate::agent_meta::{self, AgentMeta};
use crate::catalogue::Index;
use crate::error::{AppError, Candidate, Noun};
use crate::library::{Library, SessionFiles};
use crate::load::Loader;
use crate::loaded::Loaded;
use crate::view::TokensView;

/// One agent, as every command shows it.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct AgentView {
    /// Its id.
    pub agent_id: String,
    /// The session that it belongs to.
    pub session_id: String,
    /// Its file.
    #[serde(with = "crate::view::path")]
    #[schemars(with = "String")]
    pub path: PathBuf,
    /// `task`, `workflow`, `fork`, `warmup`, `prompt_suggestion`, `aside`, `compaction`.
    pub purpose: AgentPurpose,
    /// The kind of agent, such as `general-purpose`.
    pub agent_type: Option<String>,
    /// What its caller called the work.
    pub description: Option<String>,
    /// The agent that called it; none if the session did.
    pub parent_agent_id: Option<String>,
    /// The call that made it.
    pub tool_use_id: Option<String>,
    /// The line of that call, in the caller's file.
    pub call_line: Option<u64>,
    /// How the call is known: `meta`, `result`, `notification`, `progress`, `workflow`, `prompt`; `inline` and
    /// `session_only` where it is not.
    pub evidence: LinkEvidence,
    /// The workflow run that it worked for.
    pub run: Option<String>,
    /// Its first prompt.
    pub prompt: Option<String>,
    /// API messages.
    pub messages: u64,
    /// Tool calls.
    pub tool_calls: u64,
    /// Tokens.
    pub tokens: TokensView,
    /// Bytes of its file.
    pub bytes: u64,
    /// Its first line's time.
    #[serde(with = "crate::view::time")]
    #[schemars(with = "Option<String>")]
    pub first_time: Option<Time>,
    /// Its last line's time.
    #[serde(with = "crate::view::time")]
    #[schemars(with = "Option<String>")]
    pub last_time: Option<Time>,
}

/// The agents of one session, loaded.
#[derive(Debug, Default)]
pub struct Agents {
    /// What is shown of each.
    pub views: Vec<AgentView>,
    /// Their rows; an agent that stands in the session's own file has none of its own.
    pub transcripts: Vec<Transcript>,
    /// The thread of the session that each is, if it stands in the session's own file.
    pub threads: Vec<Option<usize>>,
    links: Vec<AgentLink>,
    /// The agents that each call made, by the transcript that the call is in.
    made: OnceLock<Made>,
}

/// Agents by the transcript and the place of the call that made them.
type Made = FxHashMap<(Option<usize>, usize), Vec<usize>>;

impl Agents {
    /// Finds and loads the agents of a session.
    pub fn of(library: &Library, files: &SessionFiles<'_>, loaded: &Loaded) -> Self {
        Self::of_with(library, files, loaded, None)
    }

    /// The same, from the catalogue as far as that knows them.
    pub fn of_with(
        library: &Library,
        files: &SessionFiles<'_>,
        loaded: &Loaded,
        index: Option<&Index>,
    ) -> Self {
        let session = &loaded.transcript;
        let elsewhere = |agent: &AgentId, found: &FolderFile| {
            let owner = index.and_then(|index| index.session_of_agent(agent, &found.path));
            owner.is_some_and(|owner| owner != files.id.as_str())
        };
        let (_, folder) = library.folder(files.folder);
        let own: Vec<(&FolderFile, &str, Option<&str>)> = folder
            .files
            .iter()
            .filter_map(|found| match &found.file {
                ProjectFile::Agent { session, agent, run } if session == files.id => {
                    Some((found, agent.as_str(), run.as_deref()))
                }
                ProjectFile::FlatAgent(agent) if !elsewhere(agent, found) => {
                    Some((found, agent.as_str(), None))
                }
                _ => None,
            })
            .collect();
        let known: Vec<Option<Transcript>> =
            own.iter().map(|(found, ..)| index.and_then(|index| index.transcript(&found.path))).collect();
        let unknown: Vec<&FolderFile> = own
            .iter()
            .zip(&known)
            .filter(|(_, known)| known.is_none())
            .map(|((found, ..), _)| *found)
            .collect();
        let mut read = work::each(&unknown, work::threads(), Loader::new, |loader, found| {
            load(loader, found, files.id.as_str())
        })
        .into_iter();
        let read = known.into_iter().map(|known| known.or_else(|| read.next().flatten()));
        let mut agents = Self::default();
        let mut kept = Vec::new();
        for ((found, id, run), transcript) in own.into_iter().zip(read) {
            if let Some(transcript) = transcript {
                kept.push((found, id, run, agent_meta::read(&found.path)));
                agents.transcripts.push(transcript);
            }
        }
        let list: Vec<AgentFile<'_>> = kept
            .iter()
            .zip(&agents.transcripts)
            .map(|((_, id, run, meta), transcript)| AgentFile {
                id,
                transcript,
                meta_call: meta.tool_use_id.as_deref(),
                run: *run,
            })
            .collect();
        agents.links = agent::link(session, &list);
        for (at, ((found, id, run, meta), file)) in kept.iter().zip(&list).enumerate() {
            let link = agents.links[at];
            let view = view(files.id.as_str(), session, &list, file, link, (found, id, *run, meta));
            agents.views.push(view);
            agents.threads.push(None);
        }
        agents.add_inline(files, loaded);
        agents
    }

    /// Agents of old clients, whose lines stand in the session's own file.
    fn add_inline(&mut self, files: &SessionFiles<'_>, loaded: &Loaded) {
        let session = &loaded.transcript;
        let links = agent::link_inline(session);
        let mut calls: FxHashMap<u32, u64> = FxHashMap::default();
        if !links.is_empty() {
            session.calls.iter().for_each(|call| *calls.entry(call.row).or_default() += 1);
        }
        for ((row, link), (_, prompt)) in links.into_iter().zip(&session.inline_agents) {
            let thread = loaded.anatomy.threads.thread_of(row);
            let rows: &[u32] = thread.map_or(&[], |at| &loaded.anatomy.threads.threads[at].rows);
            let mut view = inline_view(files, session, rows, row, link);
            view.prompt = Some(session.text(*prompt).to_owned());
            view.tool_calls = rows.iter().filter_map(|row| calls.get(row)).sum();
            self.views.push(view);
            self.threads.push(thread);
            self.links.push(link);
            self.transcripts.push(Transcript::default());
        }
    }

    /// The agents that a call of the session (`parent` none) or of an agent made: a workflow makes several.
    pub fn made_by(&self, parent: Option<usize>, call_index: usize) -> impl Iterator<Item = usize> {
        let made = self.made.get_or_init(|| {
            let mut made = Made::default();
            for (at, link) in self.links.iter().enumerate() {
                if let Some(call_index) = link.call_index {
                    made.entry((link.parent, call_index)).or_default().push(at);
                }
            }
            made
        });
        made.get(&(parent, call_index)).into_iter().flatten().copied()
    }

    /// Loads an agent's own file as a conversation of its own.
    pub fn load(&self, at: usize) -> Result<Loaded, AppError> {
        let transcript = Loader::new().transcript(&self.views[at].path, FileKind::Agent)?;
        Ok(Loaded::of(transcript))
    }

    /// The agent with this id, or a unique prefix of it.
    pub fn find(&self, wanted: &str) -> Result<usize, AppError> {
        let by = |test: &dyn Fn(&str) -> bool| -> Vec<usize> {
            let views = self.views.iter().enumerate();
            views.filter(|(_, view)| test(&view.agent_id)).map(|(at, _)| at).collect()
        };
        let exact = by(&|id| id == wanted);
        let found = if exact.is_empty() { by(&|id| id.starts_with(wanted)) } else { exact };
        match found.as_slice() {
            [one] => Ok(*one),
            [_, _, ..] => Err(AppError::Ambiguous {
                wanted: wanted.to_owned(),
                what: Noun::Agent,
                candidates: found
                    .iter()
                    .map(|at| &self.views[*at])
                    .map(|view| Candidate { id: view.agent_id.clone(), title: view.description.clone() })
                    .collect(),
            }),
            [] => Err(AppError::NoSuchAgent {
                wanted: wanted.to_owned(),
                agents: self.views.iter().map(|view| view.agent_id.clone()).take(12).collect(),
            }),
        }
    }
}

/// Loads an agent's file, if it belongs to this session. For a flat file, only its lines show that.
fn load(loader: &mut Loader, found: &FolderFile, session: &str) -> Option<Transcript> {
    if matches!(found.file, ProjectFile::FlatAgent(_)) {
        let head =
            loader.head(&found.path, FileKind::Agent, |so_far| so_far.session_ids.first().is_some()).ok()?;
        if head.text(head.session_ids.first()?) != session {
            return None;
        }
    }
    loader.transcript(&found.path, FileKind::Agent).ok()
}

fn view(
    session_id: &str,
    session: &Transcript,
    all: &[AgentFile<'_>],
    file: &AgentFile<'_>,
    link: AgentLink,
    (found, id, run, meta): (&FolderFile, &str, Option<&str>, &AgentMeta),
) -> AgentView {
    let caller = link.parent.map_or(session, |parent| all[parent].transcript);
    let call = link.call_index.map(|at| caller.calls[at]);
    let said = |symbol: Option<Symbol>| symbol.map(|symbol| caller.text(symbol).to_owned());
    let anatomy = Anatomy::of(file.transcript, Generation::NEWEST);
    let facts = TranscriptFacts::of(file.transcript, &anatomy, None, None);
    AgentView {
        agent_id: id.to_owned(),
        session_id: session_id.to_owned(),
        path: found.path.clone(),
        purpose: agent::purpose(file),
        agent_type: meta.agent_type.clone().or_else(|| said(call.and_then(|call| call.agent_type))),
        description: meta.description.clone().or_else(|| said(call.and_then(|call| call.description))),
        parent_agent_id: link.parent.map(|parent| all[parent].id.to_owned()),
        tool_use_id: call.map(|call| caller.text(call.id).to_owned()),
        call_line: call.map(|call| u64::from(caller.row(call.row).line)),
        evidence: link.evidence,
        run: run.map(str::to_owned),
        prompt: file.transcript.first_prompt.as_deref().map(str::to_owned),
        messages: facts.messages,
        tool_calls: facts.tools.values().map(|tool| tool.calls).sum(),
        tokens: TokensView::of(facts.tokens, facts.output_is_lower_bound),
        bytes: facts.bytes,
        first_time: facts.span.map(|(first, _)| first),
        last_time: facts.span.map(|(_, last)| last),
    }
}

/// What is shown of an agent whose lines are these rows of the session's own file, but for its prompt and its calls.
fn inline_view(
    files: &SessionFiles<'_>,
    session: &Transcript,
    rows: &[u32],
    first: u32,
    link: AgentLink,
) -> AgentView {
    let call = link.call_index.map(|at| session.calls[at]);
    let said = |symbol: Option<Symbol>| symbol.map(|symbol| session.text(symbol).to_owned());
    let mut messages: Vec<usize> =
        rows.iter().filter_map(|row| session.row(*row).message).map(|message| message.index()).collect();
    messages.sort_unstable();
    messages.dedup();
    let mut tokens = Tokens::default();
    messages.iter().for_each(|at| tokens += session.messages[*at].tokens);
    let times = || rows.iter().filter_map(|row| session.row(*row).time());
    AgentView {
        agent_id: format!("line-{}", session.row(first).line),
        session_id: files.id.as_str().to_owned(),
        path: files.found.path.clone(),
        purpose: AgentPurpose::Task,
        agent_type: said(call.and_then(|call| call.agent_type)),
        description: said(call.and_then(|call| call.description)),
        parent_agent_id: None,
        tool_use_id: call.map(|call| session.text(call.id).to_owned()),
        call_line: call.map(|call| u64::from(session.row(call.row).line)),
        evidence: link.evidence,
        run: None,
        prompt: None,
        messages: messages.len() as u64,
        tool_calls: 0,
        tokens: TokensView::of(tokens, false),
        bytes: rows.iter().map(|row| u64::from(session.row(*row).len)).sum(),
        first_time: times().min(),
        last_time: times().max(),
    }
}
