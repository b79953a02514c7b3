//! A session opened to be shown: its library, its transcript, its agents, and the one agent that was asked for. The one
//! way in which every view of one session opens it.

use std::path::PathBuf;

use scrollback_format::generation::Generation;
use scrollback_format::id::SessionId;

use crate::agents::Agents;
use crate::catalogue::Index;
use crate::error::AppError;
use crate::library::{Library, SessionFiles};
use crate::loaded::Loaded;
use crate::story::StorySource;
use crate::view::{SessionPlace, SessionView};

/// What a view of one conversation is made from.
#[derive(Debug)]
pub struct Opened {
    /// The library that the session was found in.
    pub library: Library,
    /// The catalogue as far as it knows the session, if there is one.
    pub index: Option<Index>,
    /// Its id.
    pub id: SessionId,
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
    /// Opens the session of a library that was resolved for it, or one agent of it.
    pub fn of(library: Library, index: Option<Index>, agent: Option<&str>) -> Result<Self, AppError> {
        let missing = || AppError::NoSuchSession {
            wanted: library.only.as_ref().map(|path| path.display().to_string()).unwrap_or_default(),
            near: Vec::new(),
        };
        let files = library.the_one().ok_or_else(missing)?;
        let session = library.load_with(&files, Generation::NEWEST, index.as_ref())?;
        let agents = Agents::of_with(&library, &files, &session, index.as_ref());
        let agent = agent.map(|agent| agents.find(agent)).transpose()?;
        let own_file = agent.filter(|at| agents.threads[*at].is_none());
        let of_agent = own_file.map(|at| agents.load(at)).transpose()?;
        let (id, path) = (files.id.clone(), files.found.path.clone());
        Ok(Self { library, index, id, session, agents, agent, path, of_agent })
    }

    /// Its files in the library.
    pub fn files(&self) -> Option<SessionFiles<'_>> {
        self.library.at_path(&self.path)
    }

    /// Where it is.
    pub fn place(&self) -> SessionPlace {
        match self.files() {
            Some(files) => self.library.place(&files),
            None => SessionPlace {
                session_id: self.id.as_str().to_owned(),
                path: self.path.clone(),
                root: PathBuf::new(),
                folder: String::new(),
            },
        }
    }

    /// What every command shows of it.
    pub fn view(&self) -> SessionView {
        SessionView::of(self.place(), &self.session.facts, self.agents.views.len() as u64)
    }

    /// The id of the agent that was asked for.
    pub fn agent_id(&self) -> Option<&str> {
        self.agent.map(|at| self.agents.views[at].agent_id.as_str())
    }

    /// The transcript that the story is read from.
    pub fn source(&self) -> StorySource<'_> {
        match (&self.of_agent, self.agent) {
            (Some(loaded), Some(at)) => {
                let path = &self.agents.views[at].path;
                StorySource { path, loaded, agents: &self.agents, agent: self.agent }
            }
            _ => StorySource { path: &self.path, loaded: &self.session, agents: &self.agents, agent: None },
        }
    }

    /// The thread of the session that the agent is, if it stands in the session's own file.
    pub fn inline_thread(&self) -> Option<usize> {
        self.agent.and_then(|at| self.agents.threads[at])
    }
}
