//! A session opened to be told: its transcript, its agents, and the one agent that was asked for.

use std::path::PathBuf;

use scrollback_format::generation::Generation;

use crate::agents::Agents;
use crate::catalogue::Index;
use crate::error::AppError;
use crate::library::{Library, Loaded, SessionFiles};
use crate::story::Source;

/// What a view of one conversation is told from.
#[derive(Debug)]
pub struct Opened {
    /// The session.
    pub session: Loaded,
    /// Its agents.
    pub agents: Agents,
    /// The place of the agent that was asked for.
    pub agent: Option<usize>,
    path: PathBuf,
    /// The agent's own transcript; one that stands in the session's file has none.
    of_agent: Option<Loaded>,
}

impl Opened {
    /// Opens a session, or one agent of it.
    pub fn of(
        library: &Library,
        files: &SessionFiles<'_>,
        agent: Option<&str>,
        index: Option<&Index>,
    ) -> Result<Self, AppError> {
        let session = library.load_with(files, Generation::NEWEST, index)?;
        let agents = Agents::of_with(library, files, &session, index);
        let agent = agent.map(|agent| agents.find(agent)).transpose()?;
        let own_file = agent.filter(|at| agents.threads[*at].is_none());
        let of_agent = own_file.map(|at| agents.load(at)).transpose()?;
        Ok(Self { session, agents, agent, path: files.found.path.clone(), of_agent })
    }

    /// Where the story is told from.
    pub fn source(&self) -> Source<'_> {
        match (&self.of_agent, self.agent) {
            (Some(loaded), Some(at)) => {
                let path = &self.agents.views[at].path;
                Source { path, loaded, agents: &self.agents, agent: self.agent }
            }
            _ => Source { path: &self.path, loaded: &self.session, agents: &self.agents, agent: None },
        }
    }

    /// The thread of the session that the agent is, if it stands in the session's own file.
    pub fn inline_thread(&self) -> Option<usize> {
        self.agent.and_then(|at| self.agents.threads[at])
    }
}
