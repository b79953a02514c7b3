//! Agents: a session's helpers, with a transcript of their own below it, beside it or (1.x) within it.

use scrollback_format::generation::{AgentLayout, Generation};

use crate::answer::WrittenCall;
use crate::id::Id;
use crate::json::{Json, Object};
use crate::session::{AgentTag, SessionAuthor};
use crate::source::IdSource;

/// The `.meta.json` beside an agent's file (2.1.80 and later).
#[derive(Debug, Clone)]
pub struct AgentMetaFile<'a> {
    /// `general-purpose`, `Explore`, …
    pub kind: &'a str,
    /// The description in the call.
    pub description: &'a str,
    /// The call that started it; workflow agents have none.
    pub call: Option<&'a WrittenCall>,
    /// The agent that started it, for agents of agents.
    pub parent: Option<&'a Id>,
    /// 1 for an agent of the session, 2 for an agent of an agent.
    pub depth: u64,
    /// Left to run, else waited for.
    pub background: bool,
    /// The model it runs on.
    pub model: &'a str,
    /// It came to an end.
    pub finished: bool,
}

impl<'a> AgentMetaFile<'a> {
    /// An agent of the session that was waited for and came to an end.
    pub const fn new(
        kind: &'a str,
        description: &'a str,
        call: Option<&'a WrittenCall>,
        model: &'a str,
    ) -> Self {
        Self { kind, description, call, parent: None, depth: 1, background: false, model, finished: true }
    }
}

impl<S: IdSource> SessionAuthor<S> {
    /// An agent of this session. Its lines carry the session's id and its own, and begin a chain of their own.
    pub fn agent<A: IdSource>(&self, kind: &str, mut source: A) -> SessionAuthor<A> {
        let id = Id::agent(&mut source, self.generation());
        self.agent_named(kind, id, source)
    }

    /// The same with a given id (`/fork` of 2.1.200 puts a slug into it).
    pub fn agent_named<A: IdSource>(&self, kind: &str, id: Id, source: A) -> SessionAuthor<A> {
        let mut agent = SessionAuthor::resume(self.settings.clone(), source, self.id.clone(), None);
        agent.agent = Some(AgentTag { id, kind: kind.to_owned() });
        agent
    }

    /// The agent's prompt, as its first line. 2.0.55 left it out: it stands in the parent's call only.
    pub fn agent_prompt(&mut self, prompt: &str) -> Option<Id> {
        if self.generation() == Generation::V2_0_55 {
            return None;
        }
        Some(self.prompt(prompt))
    }

    /// The first line of a `/fork` agent (2.1.200): its context is in the parent's file.
    pub fn fork_context(&mut self, last: &Id, length: u64) {
        if let (Some(agent), Generation::V2_1_200) = (&self.agent, self.generation()) {
            let line = Object::new()
                .str("type", "fork-context-ref")
                .str("agentId", agent.id.as_str())
                .str("parentSessionId", self.id.as_str())
                .str("parentLastUuid", last.as_str())
                .num("contextLength", length);
            self.sheet.line("fork-context-ref", line);
        }
    }
}

/// The content of an agent's `.meta.json`; `None` where the generation has no such file.
pub fn meta(generation: Generation, meta: &AgentMetaFile<'_>) -> Option<Json> {
    if generation.facts().agents != AgentLayout::NestedWithMeta {
        return None;
    }
    let newest = generation >= Generation::V2_1_325;
    let shape = if meta.background { "background" } else { "foreground" };
    let object = Object::new()
        .str("agentType", meta.kind)
        .when(newest, |object| object.bool("isBuiltIn", true).flag("launchedWithDefaults", meta.background))
        .str("description", meta.description)
        .when(generation >= Generation::V2_1_200, |object| {
            object
                .str_if("toolUseId", meta.call.map(|call| call.id.as_str()))
                .str_if("parentAgentId", meta.parent.filter(|_| newest).map(Id::as_str))
                .num("spawnDepth", meta.depth)
        })
        .when(newest, |object| {
            object
                .str("requestShape", shape)
                .bool("requestNonInteractive", true)
                .str("pickedEffortModel", meta.model)
                .flag("finished", meta.finished)
        });
    Some(object.done())
}

/// A line of a workflow's `journal.jsonl`: an agent was started, or came back with a result.
pub fn journal(generation: Generation, key: &str, agent: &Id, label: &str, result: Option<&str>) -> Json {
    let newest = generation >= Generation::V2_1_325;
    let kind = if result.is_some() { "result" } else { "started" };
    Object::new()
        .str("type", kind)
        .str("key", key)
        .str("agentId", agent.as_str())
        .str_if("result", result)
        .when(newest && result.is_none(), |line| line.str("label", label))
        .when(newest && result.is_some(), |line| line.bool("remoteControlDeviceReport", false))
        .done()
}
