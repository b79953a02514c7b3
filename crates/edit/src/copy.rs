//! A new session made of another one's lines, with what lies beside it: agents, large results, checkpoints.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use scrollback_compose::surgery::{FreshIds, Rename, Script};
use scrollback_format::area::{Area, ProjectFile};
use scrollback_format::generation::Generation;
use scrollback_model::transcript::Transcript;
use scrollback_store::{FolderFile, Place, Transaction, belonging, small};

use super::load::SessionLoad;
use super::plan::EditPlan;
use super::subject::Subject;
use scrollback_session::error::AppError;
use scrollback_session::library::session_dir;
use scrollback_session::resume::view::ResumeOutcome;

/// A session that is to be made.
#[derive(Debug)]
pub struct SessionCopy<'a> {
    /// Its id.
    pub id: &'a str,
    /// Its folder below the root.
    pub folder: Place,
    /// The directory that a client finds it from.
    pub directory: Option<String>,
    /// From which directory to which its lines move.
    pub moved: Option<(String, String)>,
    /// Name the origin on every line, as `/branch` does.
    pub mark: bool,
    /// Its title, if it gets a new one.
    pub title: Option<&'a str>,
    /// Take the agents along.
    pub agents: bool,
    /// Take the checkpoints of files along.
    pub files: bool,
    /// The ids that its lines had, if they have got others.
    pub fresh: FreshIds,
    /// The agents that lie beside sessions and go along: from the old id to the new one.
    pub(super) flat: BTreeMap<String, String>,
}

impl<'a> SessionCopy<'a> {
    /// A copy in the same folder, with everything.
    pub fn beside(subject: &Subject<'_>, id: &'a str) -> Result<Self, AppError> {
        Ok(Self {
            id,
            folder: subject.folder()?,
            directory: subject.directory(),
            moved: None,
            mark: false,
            title: None,
            agents: true,
            files: true,
            fresh: FreshIds::default(),
            flat: BTreeMap::new(),
        })
    }

    /// Gives lines the names of the new session.
    pub fn rename(&self, script: &mut Script, from: &str) {
        script.rename(&Rename { from, to: self.id, mark: self.mark });
        if let Some((from, to)) = &self.moved {
            script.move_to(from, to);
        }
        if let Some(title) = self.title {
            script.entitle(title, self.id);
        }
    }

    /// Adds the session's own file, and what a client loads of it.
    pub fn create(
        &self,
        plan: &mut EditPlan,
        script: &Script,
        generation: Generation,
    ) -> Result<(), AppError> {
        let place = self.folder.join(&format!("{}.jsonl", self.id))?;
        let bytes = script.bytes();
        let path = plan.transaction.root().path().join(place.as_str());
        let load = SessionLoad::of_bytes(self.id, &path, self.directory.as_deref(), &bytes, generation)?;
        plan.transaction.folders_for(&place);
        plan.transaction.create(place, bytes);
        plan.loads_then(load);
        Ok(())
    }

    /// Adds what lies beside the original: agents whose calls are still there, results, workflows, checkpoints.
    pub fn carry(&self, plan: &mut EditPlan, subject: &Subject<'_>, script: &Script) -> Result<(), AppError> {
        let transaction = &mut plan.transaction;
        let Some(dir) = session_dir(subject.path) else { return Ok(()) };
        let left_behind = self.left_behind(subject, script);
        for found in subject.neighbours() {
            let (own, is_agent) = match &found.file {
                ProjectFile::Agent { session, agent, .. } | ProjectFile::AgentMeta { session, agent } => {
                    (session.as_str() == subject.id && !left_behind.contains(agent.as_str()), true)
                }
                ProjectFile::FlatAgent(_) => (subject.flat_agent(found).is_some(), true),
                ProjectFile::ToolResult { session, .. }
                | ProjectFile::WorkflowRun { session, .. }
                | ProjectFile::Journal { session, .. }
                | ProjectFile::WorkflowScript(session) => (session.as_str() == subject.id, false),
                ProjectFile::CustomTitle(session) => {
                    (session.as_str() == subject.id && self.title.is_none(), false)
                }
                _ => continue,
            };
            if !own || is_agent && !self.agents {
                continue;
            }
            let Some(place) = self.place_of(&dir, found)? else { continue };
            if transaction.ops().iter().any(|op| op.path() == &place) {
                continue;
            }
            transaction.folders_for(&place);
            match &found.file {
                ProjectFile::Agent { .. } | ProjectFile::FlatAgent(_) => {
                    transaction.create(place, self.agent(&found.path, subject.id)?);
                }
                _ => transaction.copy(&found.path, place, found.size()),
            }
        }
        if self.files {
            self.checkpoints(transaction, subject)?;
        }
        Ok(())
    }

    /// Where a file of the original goes: below the new session as it was below the old one, or beside it under a new name.
    fn place_of(&self, dir: &Path, found: &FolderFile) -> Result<Option<Place>, AppError> {
        if let ProjectFile::FlatAgent(agent) = &found.file {
            let new = self.flat.get(agent.as_str());
            return Ok(new.map(|new| self.folder.join(&flat_file(new))).transpose()?);
        }
        let Ok(rest) = found.path.strip_prefix(dir) else { return Ok(None) };
        let rest: Vec<_> = rest.iter().map(|part| part.to_string_lossy()).collect();
        Ok(Some(self.folder.join(&format!("{}/{}", self.id, rest.join("/")))?))
    }

    /// Agents whose call is gone, or the line that their context ends with, and the agents that they called.
    pub(super) fn left_behind<'s>(&self, subject: &'s Subject<'_>, script: &Script) -> BTreeSet<&'s str> {
        let calls = script.calls();
        let views = &subject.agents.views;
        let mut gone: BTreeSet<&str> = BTreeSet::new();
        loop {
            let before = gone.len();
            for (view, transcript) in views.iter().zip(&subject.agents.transcripts) {
                let called = view.tool_use_id.as_deref();
                let lost = match view.parent_agent_id.as_deref() {
                    Some(parent) => gone.contains(parent),
                    None => {
                        called.is_some_and(|call| !calls.contains(call))
                            || self.lost_context(subject, transcript, script)
                    }
                };
                if lost {
                    gone.insert(&view.agent_id);
                }
            }
            if gone.len() == before {
                return gone;
            }
        }
    }

    /// Did the line that an agent's context ends with stay behind?
    fn lost_context(&self, subject: &Subject<'_>, agent: &Transcript, script: &Script) -> bool {
        let Some((_, Some(last))) =
            agent.fork_context.filter(|(_, last)| last.is_some_and(|last| !last.is_derived()))
        else {
            return false;
        };
        let id = last.to_string();
        subject.loaded.anatomy.graph.find(last).is_some() && !script.has(&id) && !self.fresh.had(&id)
    }

    fn agent(&self, path: &Path, from: &str) -> Result<Vec<u8>, AppError> {
        let (bytes, _) = small::read(path, u64::MAX - 1)?;
        let mut script = Script::parse(&bytes);
        script.rename(&Rename { from, to: self.id, mark: false });
        script.rename_agents(&self.flat);
        script.follow(&self.fresh);
        if let Some((from, to)) = &self.moved {
            script.move_to(from, to);
        }
        Ok(script.bytes())
    }

    fn checkpoints(&self, transaction: &mut Transaction, subject: &Subject<'_>) -> Result<(), AppError> {
        let own = belonging::belongings(subject.root, subject.id, subject.path);
        for part in own.iter().filter(|part| part.area == Area::FileHistory) {
            let place = Place::new(&format!("file-history/{}", self.id))?;
            if !transaction.ops().iter().any(|op| op.path() == &place) {
                transaction.copy(&part.path, place, part.bytes);
            }
        }
        Ok(())
    }
}

/// Warns where a client would not load what an edit leaves, though it loads what was there.
pub fn check(plan: &mut EditPlan, before: &SessionLoad) {
    let worse: Vec<String> = plan
        .after()
        .iter()
        .filter(|load| before.outcome == ResumeOutcome::Loaded && load.outcome != ResumeOutcome::Loaded)
        .map(|load| {
            let why = load.reason.as_deref().unwrap_or(load.outcome.name());
            format!("{} would not resume {}: {why}", load.client, load.session_id)
        })
        .collect();
    for warning in worse {
        plan.warn(warning);
    }
}

/// The name of the file of an agent that lies beside its session.
pub(super) fn flat_file(agent: &str) -> String {
    format!("agent-{agent}.jsonl")
}
