//! Where things go, as paths relative to the store's root. The `format` crate owns the grammar of reading
//! them; this is the writing side, and it only makes names.

use scrollback_format::folder;
use scrollback_format::generation::{AgentLayout, Generation};

use crate::checkpoint::Backup;
use crate::clock::Moment;
use crate::id::Id;
use crate::session::SessionAuthor;

/// `projects/<folder>` of a working directory.
pub fn project(generation: Generation, cwd: &str) -> String {
    format!("projects/{}", folder::encode(cwd, generation.facts().folder))
}

/// A session's file.
pub fn session(generation: Generation, cwd: &str, id: &Id) -> String {
    format!("{}/{id}.jsonl", project(generation, cwd))
}

/// The folder of what belongs to a session: agents, spilled results, workflows.
pub fn session_folder(generation: Generation, cwd: &str, id: &Id) -> String {
    format!("{}/{id}", project(generation, cwd))
}

/// An agent's file; `None` where agents are lines of the session.
pub fn agent(generation: Generation, cwd: &str, session: &Id, agent: &Id) -> Option<String> {
    match generation.facts().agents {
        AgentLayout::Inline => None,
        AgentLayout::Flat => Some(format!("{}/agent-{agent}.jsonl", project(generation, cwd))),
        // A newer layout: as the newest one that is known.
        _ => Some(format!("{}/subagents/agent-{agent}.jsonl", session_folder(generation, cwd, session))),
    }
}

/// The `.meta.json` beside an agent's file.
pub fn agent_meta(agent_file: &str) -> String {
    let stem = agent_file.strip_suffix(".jsonl").unwrap_or(agent_file);
    format!("{stem}.meta.json")
}

/// A spilled result: named by its call in 2.1.9, by its shell task later; older clients spill nothing.
pub fn tool_result(generation: Generation, cwd: &str, session: &Id, call: &Id, shell: &Id) -> Option<String> {
    let name = match generation {
        Generation::V1_0 | Generation::V2_0_29 | Generation::V2_0_55 => return None,
        Generation::V2_1_9 => call,
        _ => shell,
    };
    Some(format!("{}/tool-results/{name}.txt", session_folder(generation, cwd, session)))
}

/// A file's backup, if it has one.
pub fn backup(session: &Id, backup: &Backup) -> Option<String> {
    backup.name().map(|name| format!("file-history/{session}/{name}"))
}

/// A todo list of a session or of one of its agents.
pub fn todos(session: &Id, agent: &Id) -> String {
    format!("todos/{session}-agent-{agent}.json")
}

/// A task.
pub fn task(session: &Id, number: u64) -> String {
    format!("tasks/{session}/{number}.json")
}

/// A plan.
pub fn plan(slug: &str) -> String {
    format!("plans/{slug}.md")
}

/// A debug log.
pub fn debug_log(session: &Id) -> String {
    format!("debug/{session}.txt")
}

/// A shell's environment at the start of a session.
pub fn shell_snapshot(at: Moment, tail: &Id) -> String {
    format!("shell-snapshots/snapshot-bash-{}-{tail}.sh", at.millis())
}

/// The empty folder that each session has.
pub fn session_env(session: &Id) -> String {
    format!("session-env/{session}")
}

/// The sidecar of a title (2.1.325).
pub fn title_sidecar(generation: Generation, cwd: &str, session: &Id) -> Option<String> {
    (generation >= Generation::V2_1_325)
        .then(|| format!("{}/custom-title.json", session_folder(generation, cwd, session)))
}

impl<S> SessionAuthor<S> {
    /// The file of this session, or of this agent if it is one; inline agents have the session's.
    pub fn path(&self) -> String {
        let (generation, cwd) = (self.settings.generation, &self.settings.cwd);
        let own = session(generation, cwd, &self.id);
        match &self.agent {
            Some(tag) => agent(generation, cwd, &self.id, &tag.id).unwrap_or(own),
            None => own,
        }
    }
}

#[cfg(test)]
mod tests {
    use scrollback_format::generation::Generation;

    use super::{agent, agent_meta, tool_result};
    use crate::id::Id;

    #[test]
    fn agents_and_results_are_where_their_generation_has_them() {
        let (session, one, call) = (Id::from("s"), Id::from("a1"), Id::from("toolu_1"));
        let path = |generation| agent(generation, "/w", &session, &one);
        assert_eq!(path(Generation::V1_0), None);
        assert_eq!(path(Generation::V2_0_29).as_deref(), Some("projects/-w/agent-a1.jsonl"));
        assert_eq!(path(Generation::V2_1_9).as_deref(), Some("projects/-w/s/subagents/agent-a1.jsonl"));
        assert_eq!(agent_meta("x/agent-a1.jsonl"), "x/agent-a1.meta.json");
        let spilled = |generation| tool_result(generation, "/w", &session, &call, &one);
        assert_eq!(spilled(Generation::V2_0_55), None);
        assert_eq!(spilled(Generation::V2_1_9).as_deref(), Some("projects/-w/s/tool-results/toolu_1.txt"));
        assert_eq!(spilled(Generation::V2_1_80).as_deref(), Some("projects/-w/s/tool-results/a1.txt"));
    }
}
