//! Agents whose files lie beside sessions, up to 2.0.x. Unlike those below a session their names are for the whole folder, so a
//! copy's agents need names of their own, and the copy's lines have to tell them.

use scrollback_compose::surgery::Script;
use scrollback_compose::{Id, IdSource};
use scrollback_format::area::ProjectFile;
use scrollback_model::agent::AgentPurpose;
use scrollback_store::FolderFile;

use super::copy::{SessionCopy, flat_file};
use super::plan::EditPlan;
use super::subject::Subject;

/// How many hex digits these clients give an agent.
const DIGITS: usize = 8;

impl SessionCopy<'_> {
    /// Draws ids for the agents that go along, and names them in the copy's lines. Comes before its file is made, and after all
    /// other ids are drawn, so that those are the same with agents and without.
    pub fn name_agents(
        &mut self,
        plan: &EditPlan,
        subject: &Subject<'_>,
        script: &mut Script,
        ids: &mut impl IdSource,
    ) {
        if !self.agents {
            return;
        }
        let left_behind = self.left_behind(subject, script);
        let own = subject.neighbours().iter().filter_map(|found| subject.flat_agent(found));
        let mut fresh = Vec::new();
        for agent in own.filter(|agent| !left_behind.contains(agent)) {
            let new = loop {
                let id = Id::hex(ids, DIGITS).to_string();
                if !self.is_taken(&id, plan, subject) && fresh.iter().all(|(_, other)| *other != id) {
                    break id;
                }
            };
            fresh.push((agent.to_owned(), new));
        }
        script.rename_agents(&fresh.iter().cloned().collect());
        self.flat.extend(fresh);
    }

    /// Has an agent of the store this id, or one that is to be made?
    fn is_taken(&self, id: &str, plan: &EditPlan, subject: &Subject<'_>) -> bool {
        let name = flat_file(id);
        let is_made = |path: &str| path.rsplit('/').next() == Some(name.as_str());
        subject.has_flat_agent(id)
            || self.flat.values().any(|other| other == id)
            || plan.transaction.ops().iter().any(|op| is_made(op.path().as_str()))
    }
}

impl Subject<'_> {
    /// The id of an agent of this session, if the file is that of one beside it. What only warmed a cache up is not worth a copy.
    pub(super) fn flat_agent(&self, found: &FolderFile) -> Option<&str> {
        let ProjectFile::FlatAgent(_) = &found.file else { return None };
        let view = self.agents.views.iter().find(|view| view.path == found.path)?;
        (view.purpose != AgentPurpose::Warmup).then_some(view.agent_id.as_str())
    }
}
