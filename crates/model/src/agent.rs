//! Agents: which call made which agent, in every layout, and how that is known.

use std::collections::hash_map::Entry;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::cost;
use crate::row::RowIndex;
use crate::symbol::Symbol;
use crate::transcript::Transcript;

/// How an agent was linked to the call that made it, surest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum LinkEvidence {
    /// The agent's `.meta.json` names the call.
    Meta,
    /// The call's result names the agent.
    Result,
    /// A notification names both.
    Notification,
    /// A progress line of the parent names both.
    Progress,
    /// The workflow's run is named by a call's result, and the agent is in the run's folder.
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum AgentPurpose {
    /// Work that a call gave it.
    Task,
    /// Work in a workflow.
    Workflow,
    /// A `/fork`: its context is in the parent's file.
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

/// What this agent is for, judging by its name and first line.
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
    let mut words = Words::default();
    words.add(None, session);
    for (at, agent) in agents.iter().enumerate() {
        words.add(Some(at), agent.transcript);
    }
    agents.iter().enumerate().map(|(at, agent)| words.link(at, agent)).collect()
}

/// What transcripts say about the calls that made agents: by the words that name the agent.
#[derive(Debug, Default)]
struct Words<'t> {
    calls: ByText<'t>,
    results: ByText<'t>,
    mentions: ByText<'t>,
    runs: ByText<'t>,
    prompts: ByText<'t>,
}

/// The links that a text stands for, of the session first, then of agents in their order. Two will do: an agent does not
/// make itself, and what the first one of the others says counts.
type ByText<'t> = FxHashMap<&'t str, (AgentLink, Option<AgentLink>)>;

fn note<'t>(links: &mut ByText<'t>, text: &'t str, link: AgentLink) {
    cost::step(1);
    match links.entry(text) {
        Entry::Vacant(entry) => _ = entry.insert((link, None)),
        Entry::Occupied(mut entry) => {
            let (first, second) = entry.get_mut();
            if second.is_none() && first.parent != link.parent {
                *second = Some(link);
            }
        }
    }
}

fn find(links: &ByText<'_>, text: &str, at: usize) -> Option<AgentLink> {
    cost::step(1);
    let (first, second) = links.get(text)?;
    if first.parent == Some(at) { *second } else { Some(*first) }
}

impl<'t> Words<'t> {
    /// Adds what a transcript says. Of several words for one agent its first ones count, whether they name a call that is
    /// there or not.
    fn add(&mut self, parent: Option<usize>, transcript: &'t Transcript) {
        let call_at: FxHashMap<Symbol, usize> =
            transcript.calls.iter().enumerate().rev().map(|(at, call)| (call.id, at)).collect();
        let link = |at: usize, evidence: LinkEvidence| AgentLink {
            parent,
            call: Some(transcript.calls[at].row),
            call_index: Some(at),
            evidence,
        };
        let by_call = |call: Symbol, evidence| call_at.get(&call).map(|at| link(*at, evidence));
        for (&call, &at) in &call_at {
            note(&mut self.calls, transcript.text(call), link(at, LinkEvidence::Meta));
        }
        let (mut agents, mut runs, mut mentioned) = <(Set, Set, Set)>::default();
        let mut answered = Set::default();
        for outcome in &transcript.outcomes {
            cost::step(1);
            if let Some(agent) = outcome.agent {
                answered.insert(outcome.call);
                if agents.insert(agent)
                    && let Some(link) = by_call(outcome.call, LinkEvidence::Result)
                {
                    note(&mut self.results, transcript.text(agent), link);
                }
            }
            if let Some(run) = outcome.run.filter(|run| runs.insert(*run))
                && let Some(link) = by_call(outcome.call, LinkEvidence::Workflow)
            {
                note(&mut self.runs, transcript.text(run), link);
            }
        }
        for mention in &transcript.mentions {
            cost::step(1);
            let Some(call) = mention.call else { continue };
            let evidence = match transcript.row(mention.row).role {
                crate::role::Role::Progress => LinkEvidence::Progress,
                _ => LinkEvidence::Notification,
            };
            if mentioned.insert(mention.agent)
                && let Some(link) = by_call(call, evidence)
            {
                note(&mut self.mentions, transcript.text(mention.agent), link);
            }
        }
        // The one call that gave these very words, if no result says which agent it made.
        for (prompt, at) in only_calls(transcript) {
            if !answered.contains(&transcript.calls[at].id) {
                note(&mut self.prompts, transcript.text(prompt), link(at, LinkEvidence::Prompt));
            }
        }
    }

    fn link(&self, at: usize, agent: &AgentFile<'_>) -> AgentLink {
        let by = |links: &ByText<'_>, text: Option<&str>| text.and_then(|text| find(links, text, at));
        by(&self.calls, agent.meta_call)
            .or_else(|| by(&self.results, Some(agent.id)))
            .or_else(|| by(&self.mentions, Some(agent.id)))
            .or_else(|| by(&self.runs, agent.run))
            .or_else(|| by(&self.prompts, agent.transcript.first_prompt.as_deref()))
            .unwrap_or(AgentLink {
                parent: None,
                call: None,
                call_index: None,
                evidence: LinkEvidence::SessionOnly,
            })
    }
}

type Set = FxHashSet<Symbol>;

/// The calls whose prompt no other call of the transcript has, by their prompts.
fn only_calls(transcript: &Transcript) -> impl Iterator<Item = (Symbol, usize)> {
    let mut calls: FxHashMap<Symbol, Option<usize>> = FxHashMap::default();
    for (at, call) in transcript.calls.iter().enumerate() {
        cost::step(1);
        if let Some(prompt) = call.prompt {
            calls.entry(prompt).and_modify(|only| *only = None).or_insert(Some(at));
        }
    }
    calls.into_iter().filter_map(|(prompt, at)| Some((prompt, at?)))
}

/// Links the agents whose lines stand in the session's own file (1.0): the call is told by the prompt alone.
pub fn link_inline(session: &Transcript) -> Vec<(RowIndex, AgentLink)> {
    let calls: FxHashMap<Symbol, usize> = only_calls(session).collect();
    let link = |(row, prompt): &(RowIndex, Symbol)| {
        cost::step(1);
        let at = calls.get(prompt).copied();
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

#[cfg(test)]
mod tests {
    use super::{AgentFile, LinkEvidence, link, link_inline};
    use crate::cost::steps_of;
    use crate::transcript::{ToolCall, ToolResult, Transcript};

    /// A session with so many calls, the results of half of them, and as many agents in its own file.
    fn session(count: usize) -> Transcript {
        let mut session = Transcript::default();
        for number in 0..count {
            let mut symbol = |name: &str| session.symbols.intern(format!("{name}{number}").as_bytes());
            let (id, agent, prompt, tool) =
                (symbol("call"), symbol("agent"), symbol("prompt"), symbol("tool"));
            let row = number as u32;
            session.inline_agents.push((row, prompt));
            let (prompt, block) = (Some(prompt), 0);
            let (file, agent_type, description) = (None, None, None);
            session.calls.push(ToolCall {
                row,
                block,
                id,
                tool,
                file,
                writes: false,
                prompt,
                agent_type,
                description,
            });
            if number % 2 == 0 {
                let agent = Some(agent);
                session.outcomes.push(ToolResult { row, call: id, is_error: false, agent, run: None });
            }
        }
        session
    }

    fn check(count: usize) -> u64 {
        let session = session(count);
        let own = Transcript::default();
        let ids: Vec<String> = (0..count).map(|number| format!("agent{number}")).collect();
        let file = |id| AgentFile { id, transcript: &own, meta_call: None, run: None };
        let files: Vec<AgentFile<'_>> = ids.iter().map(|id| file(id)).collect();
        steps_of(|| {
            let links = link(&session, &files);
            for (at, link) in links.iter().enumerate() {
                let expected = if at % 2 == 0 { LinkEvidence::Result } else { LinkEvidence::SessionOnly };
                assert_eq!((link.evidence, link.call_index), (expected, (at % 2 == 0).then_some(at)));
            }
            assert!(
                link_inline(&session).iter().enumerate().all(|(at, (_, link))| link.call_index == Some(at))
            );
        })
    }

    #[test]
    fn agents_are_linked_in_steps_in_proportion_to_their_number() {
        let (once, twice) = (check(2_000), check(4_000));
        assert!(once >= 2_000 && twice * 10 <= once * 22, "{once} steps, for twice as many {twice}");
    }

    #[test]
    fn an_agent_does_not_make_itself() {
        let session = Transcript::default();
        let own = super::tests::session(1);
        let other = super::tests::session(1);
        let file = |transcript| AgentFile { id: "agent0", transcript, meta_call: None, run: None };
        let files = [file(&own), file(&other)];
        let parents: Vec<Option<usize>> = link(&session, &files).iter().map(|link| link.parent).collect();
        assert_eq!(parents, [Some(1), Some(0)]);
    }
}
