//! Asking for sessions: by a condition and an order over their columns.

use rusqlite::params_from_iter;
use scrollback_format::time::Time;

use super::{Catalogue, PromptRow};
use crate::error::IndexError;
use crate::table::{AgentRow, SessionRow};

/// Which sessions: SQL over the columns of `sessions` (as `s`), and its parameters.
#[derive(Debug, Clone, Default)]
pub struct Condition {
    /// Parts that must all hold.
    pub parts: Vec<String>,
    /// The texts that its `?` stand for, in order.
    pub texts: Vec<String>,
}

impl Condition {
    /// All sessions of some roots.
    pub fn of_roots(roots: &[String]) -> Self {
        let marks = vec!["?"; roots.len()].join(", ");
        Self { parts: vec![format!("s.root IN ({marks})")], texts: roots.to_vec() }
    }

    /// And this.
    pub fn and(&mut self, part: impl Into<String>, texts: impl IntoIterator<Item = String>) {
        self.parts.push(part.into());
        self.texts.extend(texts);
    }

    pub(super) fn sql(&self) -> String {
        let parts: Vec<String> = self.parts.iter().map(|part| format!("({part})")).collect();
        if parts.is_empty() { "1".into() } else { parts.join(" AND ") }
    }
}

/// How many agents' files a session has.
pub const AGENTS: &str = "(SELECT count(*) FROM agents a WHERE a.session_id = s.session_id AND a.root = s.root AND a.folder = s.folder)";

impl Catalogue {
    /// Sessions and how many agents' files each has, in an order, up to a limit.
    pub fn sessions(
        &self,
        condition: &Condition,
        order: &str,
        limit: Option<usize>,
    ) -> Result<Vec<(SessionRow, u64)>, IndexError> {
        let columns: Vec<String> = SessionRow::COLUMNS.iter().map(|(name, _)| format!("s.{name}")).collect();
        let limit = limit.map_or(-1, |limit| limit as i64);
        let sql = format!(
            "SELECT {}, {AGENTS} FROM sessions s WHERE {} ORDER BY {order} LIMIT {limit}",
            columns.join(", "),
            condition.sql()
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        let mut rows = statement.query(params_from_iter(&condition.texts))?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            let agents: i64 = row.get(SessionRow::COLUMNS.len())?;
            found.push((SessionRow::read(row)?, agents as u64));
        }
        Ok(found)
    }

    /// Counts sessions, and sums some numbers of theirs.
    pub fn sums(&self, condition: &Condition, columns: &[&str]) -> Result<Vec<i64>, IndexError> {
        let sums: Vec<String> = columns.iter().map(|column| format!("coalesce(sum({column}), 0)")).collect();
        let sql = format!(
            "SELECT count(*){} FROM sessions s WHERE {}",
            sums.iter().map(|sum| format!(", {sum}")).collect::<String>(),
            condition.sql()
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        let sums = statement.query_row(params_from_iter(&condition.texts), |row| {
            (0..=columns.len()).map(|at| row.get(at)).collect::<Result<Vec<i64>, _>>()
        })?;
        Ok(sums)
    }

    /// Sessions by project: the repository, else the directory, else the folder in brackets.
    pub fn projects(&self, condition: &Condition) -> Result<Vec<ProjectRow>, IndexError> {
        let sql = format!(
            "SELECT coalesce(s.repository, s.project, '[' || s.folder || ']') AS own, count(*), sum(s.turns), sum(s.bytes), max(s.last_time)
             FROM sessions s WHERE {} GROUP BY own ORDER BY 5 DESC NULLS LAST, own",
            condition.sql()
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        let found = statement.query_map(params_from_iter(&condition.texts), |row| {
            Ok(ProjectRow {
                project: row.get(0)?,
                sessions: row.get(1)?,
                turns: row.get(2)?,
                bytes: row.get(3)?,
                last_time: row.get::<_, Option<i64>>(4)?.map(Time),
            })
        })?;
        Ok(found.collect::<Result<_, _>>()?)
    }

    /// What names sessions, newest first.
    pub fn briefs(&self, condition: &Condition) -> Result<Vec<Brief>, IndexError> {
        let sql = format!(
            "SELECT s.session_id, s.path, s.folder, s.title, s.kind, s.project, s.git_branches, s.last_time FROM sessions s WHERE {}
             ORDER BY s.last_time DESC NULLS LAST, s.session_id, s.path",
            condition.sql()
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        let found = statement.query_map(params_from_iter(&condition.texts), |row| {
            Ok(Brief {
                session_id: row.get(0)?,
                path: row.get(1)?,
                folder: row.get(2)?,
                title: row.get(3)?,
                kind: row.get(4)?,
                project: row.get(5)?,
                branches: row.get(6)?,
                last_time: row.get::<_, Option<i64>>(7)?.map(Time),
            })
        })?;
        Ok(found.collect::<Result<_, _>>()?)
    }

    /// The agents of sessions that pass, newest first, at most so many; with `orphans` also those whose session is gone,
    /// which is told of each.
    pub fn agents(
        &self,
        roots: &[String],
        passing: &Condition,
        orphans: bool,
        limit: Option<usize>,
    ) -> Result<Vec<(AgentRow, bool)>, IndexError> {
        let columns: Vec<String> = AgentRow::COLUMNS.iter().map(|(name, _)| format!("a.{name}")).collect();
        let own = "s.session_id = a.session_id AND s.root = a.root AND s.folder = a.folder";
        let marks = vec!["?"; roots.len()].join(", ");
        let sql = format!(
            "SELECT {}, NOT EXISTS (SELECT 1 FROM sessions s WHERE {own}) AS orphan FROM agents a WHERE a.root IN ({marks})
             AND (({orphans} AND orphan) OR EXISTS (SELECT 1 FROM sessions s WHERE {own} AND {}))
             ORDER BY a.last_time DESC NULLS LAST, a.session_id, a.agent_id, a.path LIMIT {}",
            columns.join(", "),
            passing.sql(),
            limit.map_or(-1, |limit| limit as i64),
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        let mut rows = statement.query(params_from_iter(roots.iter().chain(&passing.texts)))?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            found.push((AgentRow::read(row)?, row.get(AgentRow::COLUMNS.len())?));
        }
        Ok(found)
    }

    /// How many session files with something in them were last written before a time.
    pub fn older_than(&self, roots: &[String], mtime_ns: i64) -> Result<u64, IndexError> {
        let mut condition = Condition::of_roots(roots);
        condition.and(format!("f.size > 0 AND f.mtime_ns < {mtime_ns}"), []);
        let sql = format!(
            "SELECT count(*) FROM sessions s JOIN files f ON f.file = s.file WHERE {}",
            condition.sql()
        );
        let count: i64 = self
            .connection
            .prepare_cached(&sql)?
            .query_row(params_from_iter(&condition.texts), |row| row.get(0))?;
        Ok(count as u64)
    }

    /// Every prompt of some roots' sessions that is on a live thread, by file, in order.
    pub fn prompts(&self, roots: &[String]) -> Result<Vec<(i64, PromptRow)>, IndexError> {
        let condition = Condition::of_roots(roots);
        let sql = format!(
            "SELECT p.file, p.line, p.turn, p.time, p.text FROM prompts p JOIN sessions s ON s.file = p.file
             WHERE p.turn > 0 AND {} ORDER BY p.file, p.line",
            condition.sql()
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        let found = statement.query_map(params_from_iter(&condition.texts), |row| {
            let prompt =
                PromptRow { line: row.get(1)?, turn: row.get(2)?, time: row.get(3)?, text: row.get(4)? };
            Ok((row.get(0)?, prompt))
        })?;
        Ok(found.collect::<Result<_, _>>()?)
    }

    /// The prompts of one file, on whatever thread: line and first words.
    pub fn prompts_of(&self, file: i64) -> Result<Vec<(u32, String)>, IndexError> {
        let sql = "SELECT line, text FROM prompts WHERE file = ?1 ORDER BY line";
        let mut statement = self.connection.prepare_cached(sql)?;
        let found = statement.query_map([file], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(found.collect::<Result<_, _>>()?)
    }

    /// Titles that are more than a first prompt, of sessions: file, session, title, the session's last time.
    pub fn titles(&self, condition: &Condition) -> Result<Vec<Titled>, IndexError> {
        let mut condition = condition.clone();
        condition.and("s.title IS NOT NULL AND s.title_source <> 'first_prompt'", []);
        let sql = format!(
            "SELECT s.file, s.session_id, s.title, s.last_time FROM sessions s WHERE {}",
            condition.sql()
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        let found = statement.query_map(params_from_iter(&condition.texts), |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get::<_, Option<i64>>(3)?.map(Time)))
        })?;
        Ok(found.collect::<Result<_, _>>()?)
    }

    /// How many sessions, of whatever root, have an id that begins so.
    pub fn ids_with(&self, beginning: &str) -> Result<u64, IndexError> {
        // A range, so that the index of ids tells it.
        let sql = "SELECT count(DISTINCT session_id) FROM sessions WHERE session_id >= ?1 AND session_id < ?1 || ?2";
        let last = char::MAX.to_string();
        let count: i64 =
            self.connection.prepare_cached(sql)?.query_row([beginning, &last], |row| row.get(0))?;
        Ok(count as u64)
    }

    /// Tells of each file the session that it is, or belongs to.
    pub fn each_owner(&self, mut visit: impl FnMut(i64, &str)) -> Result<(), IndexError> {
        let sql = "SELECT file, session_id FROM sessions UNION ALL SELECT file, session_id FROM agents";
        let mut statement = self.connection.prepare_cached(sql)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let session_id = row.get_ref(1)?.as_str().map_err(|_| IndexError::Damaged("an id is no text"))?;
            visit(row.get(0)?, session_id);
        }
        Ok(())
    }

    /// The path of a file.
    pub fn path(&self, file: i64) -> Result<Option<String>, IndexError> {
        let mut statement = self.connection.prepare_cached("SELECT path FROM files WHERE file = ?1")?;
        let mut rows = statement.query([file])?;
        Ok(rows.next()?.map(|row| row.get(0)).transpose()?)
    }

    /// The session that a file is, or belongs to; the agent that it is of; the session's last time.
    pub fn owner(&self, file: i64) -> Result<Option<OwnerRow>, IndexError> {
        let sql = "SELECT session_id, NULL, last_time FROM sessions WHERE file = ?1 UNION ALL
            SELECT a.session_id, a.agent_id, a.last_time FROM agents a WHERE a.file = ?1";
        let mut statement = self.connection.prepare_cached(sql)?;
        let mut rows = statement.query([file])?;
        let owner = rows.next()?.map(|row| Ok::<_, rusqlite::Error>((row.get(0)?, row.get(1)?, row.get(2)?)));
        Ok(owner.transpose()?)
    }
}

/// A file, its session's id, a title, the session's last time.
pub type Titled = (i64, String, String, Option<Time>);

/// A session's id, an agent's id, a time in milliseconds.
pub type OwnerRow = (String, Option<String>, Option<i64>);

/// A project and what is in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectRow {
    /// Its directory.
    pub project: String,
    /// Sessions.
    pub sessions: i64,
    /// Turns in them.
    pub turns: i64,
    /// Bytes of their files.
    pub bytes: i64,
    /// The latest line.
    pub last_time: Option<Time>,
}

/// What names a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Brief {
    /// Its id.
    pub session_id: String,
    /// Where its file is.
    pub path: String,
    /// The folder below `projects/`.
    pub folder: String,
    /// Its title.
    pub title: Option<String>,
    /// Its kind.
    pub kind: String,
    /// The directory in which it was begun.
    pub project: Option<String>,
    /// Its branches, as JSON.
    pub branches: String,
    /// The latest time on any line.
    pub last_time: Option<Time>,
}
