//! Whose a file is.

use crate::id::{AgentId, SessionId};

/// Who owns a file of the store, judging by its path. A file whose owner is only known from its lines has none here.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Owner {
    /// A session.
    Session(SessionId),
    /// A session of which the path has the first digits only.
    Short(Box<str>),
    /// An agent.
    Agent {
        /// Its session; none for the flat files of 2.0.x, where only their lines record it.
        session: Option<SessionId>,
        /// The agent.
        agent: AgentId,
    },
    /// A project, by the name of its folder.
    Project(Box<str>),
    /// The sessions whose lines have this slug.
    Slug(Box<str>),
    /// The prompts that a text with this hash was pasted into.
    Prompt(Box<str>),
    /// A process.
    Process(u32),
    /// The user, or no one in particular.
    None,
}

impl Owner {
    /// The session, as far as the path has its whole id.
    pub fn session(&self) -> Option<&SessionId> {
        match self {
            Self::Session(session) | Self::Agent { session: Some(session), .. } => Some(session),
            _ => None,
        }
    }

    /// What kind of owner it is, in one word.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Session(_) | Self::Short(_) => "session",
            Self::Agent { .. } => "agent",
            Self::Project(_) => "project",
            Self::Slug(_) => "slug",
            Self::Prompt(_) => "prompt",
            Self::Process(_) => "process",
            Self::None => "user",
        }
    }
}
