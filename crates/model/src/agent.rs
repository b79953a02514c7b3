//! Agents: which call made which agent, in every layout, and how that is known.

use crate::row::RowIndex;
use crate::symbol::Symbol;
use crate::transcript::{Outcome, Transcript};

/// How an agent was linked to the call that made it, surest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LinkEvidence {
    /// The agent's `.meta.json` names the call.
    Meta,
    /// The call's result names the agent.
    Result,
    /// A notification names both.
    Notification,
    /// A progress line of the parent names both.
    Progress,
    /// The workflow's run is named by a call's result, and the agent lies in the run's folder.
    Workflow,
    /// The agent's first prompt is the prompt of exactly one call.
    Prompt,
    /// The agent's lines stand in the session's own file.
    Inline,
    /// Nothing names the call; only the session is known.
    SessionOnly,
}

impl LinkEvidence {
    /// Its name in output that programs read.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Meta => "meta",
            Self::Result => "result",
            Self::Notification => "notification",
            Self::Progress => "progress",
            Self::Workflow => "workflow",
            Self::Prompt => "prompt",
            Self::Inline => "inline",
            Self::SessionOnly => "session_only",
        }
    }
}

/// What an agent is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AgentPurpose {
    /// Work that a call gave it.
    Task,
    /// Work in a workflow.
    Workflow,
    /// A `/fork`: its context lies in the parent's file.
    Fork,
    /// The client warms its cache (two for every session of 2.0.x).
    Warmup,
    /// The client asks for a suggestion of the next prompt.
    PromptSuggestion,
    /// A question beside the conversation.
    Aside,
    /// A compaction done by an agent.
    Compaction,
}

impl AgentPurpose {
    /// Its name in output that programs read.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Task => "task",
            Self::Workflow => "workflow",
            Self::Fork => "fork",
            Self::Warmup => "warmup",
            Self::PromptSuggestion => "prompt_suggestion",
            Self::Aside => "aside",
            Self::Compaction => "compaction",
        }
    }
}

/// What is known of an agent's file.
#[derive(Debug, Clone)]
pub struct AgentFile<'t> {
    /// Its id, from the file name.
    pub id: &'t str,
    /// Its lines.
    pub transcript: &'t Transcript,
    /// `toolUseId` of its meta file.
    pub meta_call: Option<&'t str>,
    /// The workflow run whose folder it lies in.
    pub run: Option<&'t str>,
}

/// The call that made an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AgentLink {
    /// The transcript with the call: `None` is the session, else the place in the list of agents.
    pub parent: Option<usize>,
    /// The row with the call.
    pub call: Option<RowIndex>,
    /// The call's place in that transcript's list of calls.
    pub call_index: Option<usize>,
    /// How the link was found.
    pub evidence: LinkEvidence,
}

/// What this agent is for, as its name and first line tell.
pub fn purpose(agent: &AgentFile<'_>) -> AgentPurpose {
    let id = agent.id.trim_start_matches('a');
    if agent.run.is_some() {
        AgentPurpose::Workflow
    } else if agent.transcript.fork_context.is_some() {
        AgentPurpose::Fork
    } else if id.starts_with("prompt_suggestion") || agent.id.starts_with("aprompt_suggestion") {
        AgentPurpose::PromptSuggestion
    } else if id.starts_with("side_question") || agent.id.starts_with("aside_question") {
        AgentPurpose::Aside
    } else if agent.id.starts_with("acompact") {
        AgentPurpose::Compaction
    } else if agent.transcript.first_prompt.as_deref().is_some_and(|prompt| prompt.trim() == "Warmup") {
        AgentPurpose::Warmup
    } else {
        AgentPurpose::Task
    }
}

/// Links each agent of a session to the call that made it. Calls of agents are searched too: agents nest.
pub fn link(session: &Transcript, agents: &[AgentFile<'_>]) -> Vec<AgentLink> {
    (0..agents.len()).map(|at| link_one(session, agents, at)).collect()
}

fn link_one(session: &Transcript, agents: &[AgentFile<'_>], at: usize) -> AgentLink {
    let agent = &agents[at];
    let places = || {
        let others = agents.iter().enumerate().filter(move |(other, _)| *other != at);
        std::iter::once((None, session)).chain(others.map(|(other, file)| (Some(other), file.transcript)))
    };
    if let Some(call) = agent.meta_call {
        for (parent, transcript) in places() {
            if let Some(link) = by_call_id(transcript, call, parent, LinkEvidence::Meta) {
                return link;
            }
        }
    }
    for find in [by_result, by_mention, by_run, by_prompt] {
        for (parent, transcript) in places() {
            if let Some(link) = find(transcript, agent, parent) {
                return link;
            }
        }
    }
    AgentLink { parent: None, call: None, call_index: None, evidence: LinkEvidence::SessionOnly }
}

fn by_call_id(
    transcript: &Transcript,
    call: &str,
    parent: Option<usize>,
    evidence: LinkEvidence,
) -> Option<AgentLink> {
    let symbol = transcript.symbols.find(call)?;
    let at = transcript.calls.iter().position(|known| known.id == symbol)?;
    Some(AgentLink { parent, call: Some(transcript.calls[at].row), call_index: Some(at), evidence })
}

fn by_result(transcript: &Transcript, agent: &AgentFile<'_>, parent: Option<usize>) -> Option<AgentLink> {
    let symbol = transcript.symbols.find(agent.id)?;
    let outcome = transcript.outcomes.iter().find(|outcome| outcome.agent == Some(symbol))?;
    by_call_id(transcript, transcript.text(outcome.call), parent, LinkEvidence::Result)
}

fn by_mention(transcript: &Transcript, agent: &AgentFile<'_>, parent: Option<usize>) -> Option<AgentLink> {
    let symbol = transcript.symbols.find(agent.id)?;
    let mention =
        transcript.mentions.iter().find(|mention| mention.agent == symbol && mention.call.is_some())?;
    let evidence = match transcript.row(mention.row).role {
        crate::role::Role::Progress => LinkEvidence::Progress,
        _ => LinkEvidence::Notification,
    };
    by_call_id(transcript, transcript.text(mention.call?), parent, evidence)
}

/// The one call that gave these very words, if no result says which agent it made.
fn by_prompt(transcript: &Transcript, agent: &AgentFile<'_>, parent: Option<usize>) -> Option<AgentLink> {
    let prompt = transcript.symbols.find(agent.transcript.first_prompt.as_deref()?)?;
    let at = only_call_with(transcript, prompt)?;
    let call = transcript.calls[at];
    let answered = |outcome: &Outcome| outcome.call == call.id && outcome.agent.is_some();
    if transcript.outcomes.iter().any(answered) {
        return None;
    }
    Some(AgentLink { parent, call: Some(call.row), call_index: Some(at), evidence: LinkEvidence::Prompt })
}

fn only_call_with(transcript: &Transcript, prompt: Symbol) -> Option<usize> {
    let mut calls = transcript.calls.iter().enumerate().filter(|(_, call)| call.prompt == Some(prompt));
    let (at, _) = calls.next()?;
    calls.next().is_none().then_some(at)
}

/// Links the agents whose lines stand in the session's own file (1.0): the call is told by the prompt alone.
pub fn link_inline(session: &Transcript) -> Vec<(RowIndex, AgentLink)> {
    let link = |(row, prompt): &(RowIndex, Symbol)| {
        let at = only_call_with(session, *prompt);
        let link = AgentLink {
            parent: None,
            call: at.map(|at| session.calls[at].row),
            call_index: at,
            evidence: if at.is_some() { LinkEvidence::Prompt } else { LinkEvidence::Inline },
        };
        (*row, link)
    };
    session.inline_agents.iter().map(link).collect()
}

fn by_run(transcript: &Transcript, agent: &AgentFile<'_>, parent: Option<usize>) -> Option<AgentLink> {
    let symbol = transcript.symbols.find(agent.run?)?;
    let outcome = transcript.outcomes.iter().find(|outcome| outcome.run == Some(symbol))?;
    by_call_id(transcript, transcript.text(outcome.call), parent, LinkEvidence::Workflow)
}
