//! What a word that is being typed may become: ids, projects and other names of sessions, those used last first. A person
//! waits for the answer while typing, so that as little as possible is looked at.

use rusqlite::params_from_iter;

use super::{Catalogue, Condition};
use crate::error::IndexError;

/// A word and what it means.
pub type Offered = (String, Option<String>);

/// Names that many sessions have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SharedName {
    /// Tools that were called.
    Tool,
    /// Git branches.
    Branch,
    /// Models.
    Model,
    /// Client versions.
    Client,
}

/// Shared names are read off so many sessions, the newest: rows of sessions are long.
const NEWEST: usize = 1_000;

impl SharedName {
    /// Its column of `sessions`, and the field in that.
    const fn place(self) -> (&'static str, &'static str) {
        match self {
            Self::Tool => ("tools", "tool"),
            Self::Branch => ("git_branches", "name"),
            Self::Model => ("models", "name"),
            Self::Client => ("versions", "name"),
        }
    }
}

impl Condition {
    /// And an id of a session begins so: a range, so that the index of ids tells it.
    pub fn id_begins(&mut self, beginning: &str) {
        let texts = [beginning.to_owned(), format!("{beginning}{}", char::MAX)];
        self.and("s.session_id >= ? AND s.session_id < ?", texts);
    }
}

impl Catalogue {
    /// Ids of sessions with their titles, newest first, at most so many.
    pub fn offered_sessions(&self, condition: &Condition, most: usize) -> Result<Vec<Offered>, IndexError> {
        let sql = format!(
            "SELECT s.session_id, s.title FROM sessions s WHERE {}
             ORDER BY s.last_time DESC, s.session_id LIMIT {most}",
            condition.sql()
        );
        self.offered(&sql, &condition.texts)
    }

    /// Ids that begin so of agents with what they were to do, of sessions that pass, newest first, at most so many.
    pub fn offered_agents(
        &self,
        sessions: &Condition,
        beginning: &str,
        most: usize,
    ) -> Result<Vec<Offered>, IndexError> {
        let sql = format!(
            "SELECT DISTINCT a.agent_id, coalesce(a.description, a.agent_type, a.prompt) FROM sessions s
             JOIN agents a ON a.session_id = s.session_id AND a.root = s.root AND a.folder = s.folder
             WHERE {} AND substr(a.agent_id, 1, length(?)) = ? ORDER BY a.last_time DESC, a.agent_id LIMIT {most}",
            sessions.sql()
        );
        let own = [beginning.to_owned(), beginning.to_owned()];
        self.offered(&sql, sessions.texts.iter().chain(&own))
    }

    /// Directories of projects, those used last first.
    pub fn offered_projects(&self, condition: &Condition) -> Result<Vec<Offered>, IndexError> {
        let sql = format!(
            "SELECT s.project, NULL FROM sessions s WHERE {} AND s.project IS NOT NULL
             GROUP BY s.project ORDER BY max(s.last_time) DESC, s.project",
            condition.sql()
        );
        self.offered(&sql, &condition.texts)
    }

    /// Names that the newest sessions share, those used last first.
    pub fn offered_names(&self, condition: &Condition, name: SharedName) -> Result<Vec<Offered>, IndexError> {
        let (column, field) = name.place();
        let sql = format!(
            "SELECT j.value ->> '{field}' AS name, NULL FROM
             (SELECT s.{column} AS own, s.last_time AS time FROM sessions s WHERE {} ORDER BY s.last_time DESC LIMIT {NEWEST}),
             json_each(own) j WHERE name IS NOT NULL GROUP BY name ORDER BY max(time) DESC, name",
            condition.sql()
        );
        self.offered(&sql, &condition.texts)
    }

    fn offered<'t>(
        &self,
        sql: &str,
        texts: impl IntoIterator<Item = &'t String>,
    ) -> Result<Vec<Offered>, IndexError> {
        let mut statement = self.connection.prepare_cached(sql)?;
        let found = statement.query_map(params_from_iter(texts), |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(found.collect::<Result<_, _>>()?)
    }
}
