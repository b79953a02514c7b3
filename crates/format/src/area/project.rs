//! What a file of a project folder is, judging by its name alone.

use crate::id::{AgentId, SessionId, is_uuid};

/// What a file below `projects/<folder>/` is. Paths below are relative to that folder.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ProjectFile {
    /// `<session>.jsonl`
    Session(SessionId),
    /// `agent-<id>.jsonl`, up to 2.0.x; its session is recorded in its lines.
    FlatAgent(AgentId),
    /// `<session>/subagents/agent-<id>.jsonl`, or below `subagents/workflows/<run>/`.
    Agent {
        /// The top session, also for nested agents.
        session: SessionId,
        /// The agent.
        agent: AgentId,
        /// The workflow run that it worked for.
        run: Option<Box<str>>,
    },
    /// `<session>/subagents/agent-<id>.meta.json`
    AgentMeta {
        /// The top session.
        session: SessionId,
        /// The agent.
        agent: AgentId,
    },
    /// `<session>/subagents/workflows/<run>/journal.jsonl`
    Journal {
        /// The session.
        session: SessionId,
        /// The run.
        run: Box<str>,
    },
    /// `<session>/workflows/<run>.json`
    WorkflowRun {
        /// The session.
        session: SessionId,
        /// The run.
        run: Box<str>,
    },
    /// `<session>/workflows/scripts/<name>.js`
    WorkflowScript(SessionId),
    /// `<session>/tool-results/<name>`: output too large for a line.
    ToolResult {
        /// The session.
        session: SessionId,
        /// The file's name.
        name: Box<str>,
    },
    /// `<session>/custom-title.json`
    CustomTitle(SessionId),
    /// `sessions-index.json`: written by 2.1.9 alone, and always behind.
    SessionsIndex,
    /// `<session>.orphaned-<…>.jsonl`, `<session>.jsonl.superseded-<…>`: set aside by the client.
    SetAside(SessionId),
    /// `memory/…`
    Memory,
    /// Anything else: reported, not swallowed.
    Odd,
}

impl ProjectFile {
    /// What the file with this path, relative to its project folder, is. Parts are separated by `/`.
    pub fn of(path: &str) -> Self {
        let parts: Vec<&str> = path.split('/').collect();
        match parts.as_slice() {
            ["sessions-index.json"] => Self::SessionsIndex,
            [name] => Self::top_level(name),
            ["memory", ..] => Self::Memory,
            [session, inside @ ..] => Self::inside_session(&SessionId::new(*session), inside),
            [] => Self::Odd,
        }
    }

    fn top_level(name: &str) -> Self {
        if let Some(agent) = agent_of(name, ".jsonl") {
            return Self::FlatAgent(agent);
        }
        let Some((stem, rest)) = name.split_once('.') else { return Self::Odd };
        match rest {
            "jsonl" => Self::Session(SessionId::new(stem)),
            _ if is_uuid(stem)
                && (rest.starts_with("orphaned-") || rest.starts_with("jsonl.superseded-")) =>
            {
                Self::SetAside(SessionId::new(stem))
            }
            _ if rest.ends_with(".jsonl") && !name.starts_with('.') => {
                Self::Session(SessionId::new(&name[..name.len() - ".jsonl".len()]))
            }
            _ => Self::Odd,
        }
    }

    fn inside_session(session: &SessionId, inside: &[&str]) -> Self {
        let session = session.clone();
        match inside {
            ["custom-title.json"] => Self::CustomTitle(session),
            ["tool-results", name] => Self::ToolResult { session, name: (*name).into() },
            ["workflows", "scripts", _] => Self::WorkflowScript(session),
            ["workflows", name] => match name.strip_suffix(".json") {
                Some(run) => Self::WorkflowRun { session, run: run.into() },
                None => Self::Odd,
            },
            ["subagents", "workflows", run, "journal.jsonl"] => Self::Journal { session, run: (*run).into() },
            ["subagents", between @ .., name] => {
                let run = match between {
                    ["workflows", run, ..] => Some((*run).into()),
                    _ => None,
                };
                if let Some(agent) = agent_of(name, ".jsonl") {
                    Self::Agent { session, agent, run }
                } else if let Some(agent) = agent_of(name, ".meta.json") {
                    Self::AgentMeta { session, agent }
                } else {
                    Self::Odd
                }
            }
            _ => Self::Odd,
        }
    }

    /// Does it hold JSON lines of a conversation or a journal?
    pub fn is_transcript(&self) -> bool {
        matches!(
            self,
            Self::Session(_)
                | Self::FlatAgent(_)
                | Self::Agent { .. }
                | Self::Journal { .. }
                | Self::SetAside(_)
        )
    }
}

fn agent_of(name: &str, suffix: &str) -> Option<AgentId> {
    name.strip_prefix("agent-")?.strip_suffix(suffix).filter(|id| !id.is_empty()).map(AgentId::new)
}

#[cfg(test)]
mod tests {
    use super::ProjectFile;

    const S: &str = "58af5b17-64c4-48a6-a208-ec4e531b27c3";

    fn check(path: &str, expected: &str) {
        let found = format!("{:?}", ProjectFile::of(&path.replace("S/", &format!("{S}/"))));
        let name = found.split([' ', '(', '{']).next().unwrap();
        assert_eq!(name, expected, "{path}");
    }

    #[test]
    fn every_name_the_client_gives_is_known() {
        check(&format!("{S}.jsonl"), "Session");
        check("agent-1a2b3c4d.jsonl", "FlatAgent");
        check("S/subagents/agent-ae48f3c8b355845c6.jsonl", "Agent");
        check("S/subagents/agent-ae48f3c8b355845c6.meta.json", "AgentMeta");
        check("S/subagents/workflows/wf_1/agent-a1.jsonl", "Agent");
        check("S/subagents/workflows/wf_1/agent-a1.meta.json", "AgentMeta");
        check("S/subagents/workflows/wf_1/journal.jsonl", "Journal");
        check("S/workflows/wf_1.json", "WorkflowRun");
        check("S/workflows/scripts/x-wf_1.js", "WorkflowScript");
        check("S/tool-results/toolu_1.txt", "ToolResult");
        check("S/custom-title.json", "CustomTitle");
        check("sessions-index.json", "SessionsIndex");
        check(&format!("{S}.orphaned-17-ab.jsonl"), "SetAside");
        check(&format!("{S}.jsonl.superseded-17"), "SetAside");
        check("memory/MEMORY.md", "Memory");
        check("my notes.jsonl", "Session");
    }

    #[test]
    fn other_names_are_odd_and_not_swallowed() {
        for path in ["notes.txt", ".DS_Store", "S/x.bin", "S/subagents/x.txt", "S/workflows/x.txt"] {
            check(path, "Odd");
        }
    }
}
