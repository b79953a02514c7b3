//! `agent-<id>.meta.json`: what the client notes beside an agent's file.

use std::path::Path;

use scrollback_store::small;

/// What an agent's `.meta.json` says.
#[derive(Debug, Default)]
pub struct AgentMeta {
    /// The kind of agent.
    pub agent_type: Option<String>,
    /// What its caller called the work.
    pub description: Option<String>,
    /// The call that made it.
    pub tool_use_id: Option<String>,
}

/// What stands in the `.meta.json` beside an agent's file.
pub fn read(path: &Path) -> AgentMeta {
    let read = || {
        let (bytes, _) = small::read(&path.with_extension("meta.json"), 256 << 10).ok()?;
        serde_json::from_slice::<serde_json::Value>(&bytes).ok()
    };
    let Some(value) = read() else { return AgentMeta::default() };
    let text = |key: &str| value.get(key).and_then(|value| value.as_str()).map(str::to_owned);
    AgentMeta {
        agent_type: text("agentType"),
        description: text("description"),
        tool_use_id: text("toolUseId"),
    }
}
