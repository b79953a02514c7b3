//! Agents' transcripts in a listing: the client's own list never shows them.

use std::path::PathBuf;

use scrollback_format::time::Time;
use scrollback_index::catalogue::Condition;
use scrollback_index::error::IndexError;
use serde::{Deserialize, Serialize};

use scrollback_session::catalogue::Index;

/// An agent's transcript.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ListedAgent {
    /// The agent.
    pub agent_id: String,
    /// The session that it belongs to.
    pub session_id: String,
    /// What it was for: its description, else the start of its prompt.
    pub title: Option<String>,
    /// The kind of agent, if known.
    pub agent_type: Option<String>,
    /// The directory of its first line.
    pub project: Option<String>,
    /// Its file.
    #[serde(with = "scrollback_session::view::path")]
    #[schemars(with = "String")]
    pub path: PathBuf,
    /// Bytes of its file.
    pub bytes: u64,
    /// Its last line's time.
    #[serde(with = "scrollback_session::view::time")]
    #[schemars(with = "Option<String>")]
    pub last_time: Option<Time>,
    /// Is its session gone?
    pub orphan: bool,
}

/// The agents of sessions that pass, newest first; of all sessions, also those whose session is gone.
pub(super) fn of(
    index: &Index,
    passing: &Condition,
    everything: bool,
    limit: Option<usize>,
) -> Result<Vec<ListedAgent>, IndexError> {
    let rows = index.catalogue().agents(&index.root_names(), passing, everything, limit)?;
    let listed = rows.into_iter().map(|(row, orphan)| ListedAgent {
        title: row.description.or(row.prompt),
        agent_id: row.agent_id,
        session_id: row.session_id,
        agent_type: row.agent_type,
        project: row.project,
        path: index.given_path(&row.path),
        bytes: row.bytes as u64,
        last_time: row.last_time.map(Time),
        orphan,
    });
    Ok(listed.collect())
}
