//! Charges: every row of every message, and the files that they stand in.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::{CHARGES, Catalogue};
use crate::charge::{self, ChargeRow};
use crate::error::IndexError;

/// A file that charges stand in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChargedFile {
    /// Its number.
    pub file: i64,
    /// The store, by its place among those that were asked for.
    pub root: u32,
    /// Where it is.
    pub path: String,
    /// The session that it is, or belongs to.
    pub session_id: String,
    /// The directory of the session or agent. Many files share it, and what follows.
    pub project: Option<Arc<str>>,
    /// The folder below `projects/`.
    pub folder: Arc<str>,
    /// The agent that it is.
    pub agent_id: Option<String>,
    /// What the agent is for.
    pub purpose: Option<Arc<str>>,
    /// Are its output counts only a lower bound?
    pub is_lower_bound: bool,
}

impl ChargedFile {
    /// What stands for a session that is in no file any more.
    pub fn gone(root: u32, session_id: String, agent_id: Option<String>, is_lower_bound: bool) -> Self {
        let (path, folder) = (String::new(), Arc::from("gone"));
        Self {
            file: -1,
            root,
            path,
            session_id,
            project: None,
            folder,
            agent_id,
            purpose: None,
            is_lower_bound,
        }
    }

    /// Does it stand for such a session?
    pub fn is_gone(&self) -> bool {
        self.file < 0
    }
}

impl Catalogue {
    /// Several questions that are answered from one state, whatever other processes write meanwhile. Ends when it is dropped.
    pub fn reading(&self) -> Result<impl Drop + '_, IndexError> {
        Ok(self.connection.unchecked_transaction()?)
    }

    /// Gives every charge of the catalogue to `each`, or of the files of one session and its agents.
    pub fn each_charge(
        &self,
        session: Option<&str>,
        mut each: impl FnMut(ChargeRow),
    ) -> Result<(), IndexError> {
        self.each_body(session, |file, body| {
            self.sound(charge::unpack(file as u32, body, &mut each).map(|_| ()), CHARGES)
        })
    }

    /// Gives the packed charges of every file to `each`, or of the files of one session and its agents.
    pub fn each_body(
        &self,
        session: Option<&str>,
        mut each: impl FnMut(i64, &[u8]) -> Result<(), IndexError>,
    ) -> Result<(), IndexError> {
        let of_session = " WHERE file IN (SELECT file FROM sessions WHERE session_id = ?1
            UNION SELECT file FROM agents WHERE session_id = ?1)";
        let sql =
            format!("SELECT file, body FROM charges{}", if session.is_some() { of_session } else { "" });
        let mut statement = self.connection.prepare_cached(&sql)?;
        let mut rows = match session {
            Some(session) => statement.query([session])?,
            None => statement.query([])?,
        };
        while let Some(row) = rows.next()? {
            let body = self.sound(row.get_ref(1)?.as_blob().ok(), CHARGES)?;
            each(row.get(0)?, body)?;
        }
        Ok(())
    }

    /// The files of sessions and agents, of some roots, by path.
    pub fn charged_files(
        &self,
        roots: &[String],
        session: Option<&str>,
    ) -> Result<Vec<ChargedFile>, IndexError> {
        let own = if session.is_some() { " AND session_id = ?1" } else { "" };
        let sql = format!(
            "SELECT file, path, session_id, project, folder, NULL, NULL, output_is_lower_bound, root FROM sessions WHERE 1{own}
             UNION ALL SELECT file, path, session_id, project, folder, agent_id, purpose, 0, root FROM agents WHERE 1{own}"
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        let mut rows = match session {
            Some(session) => statement.query([session])?,
            None => statement.query([])?,
        };
        let mut files = Vec::new();
        let (mut project, mut folder, mut purpose) = (None, None, None);
        while let Some(row) = rows.next()? {
            let own = row.get_ref(8)?;
            let Some(root) = roots.iter().position(|root| own.as_str() == Ok(root)) else { continue };
            files.push(ChargedFile {
                file: row.get(0)?,
                root: root as u32,
                path: row.get(1)?,
                session_id: row.get(2)?,
                project: shared(row, 3, &mut project)?,
                folder: shared(row, 4, &mut folder)?.unwrap_or_default(),
                agent_id: row.get(5)?,
                purpose: shared(row, 6, &mut purpose)?,
                is_lower_bound: row.get(7)?,
            });
        }
        // What holds for a session's own file holds for its agents': the same client wrote them.
        let sessions = files.iter().filter(|file: &&ChargedFile| file.is_lower_bound);
        let low: FxHashSet<String> = sessions.map(|file| file.session_id.clone()).collect();
        for file in files.iter_mut().filter(|file| file.agent_id.is_some()) {
            file.is_lower_bound = low.contains(&file.session_id);
        }
        // They come in two runs that are in order as good as always, which this way of sorting makes use of.
        files.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(files)
    }

    /// The name with this number.
    pub fn name(&self, name: u32) -> Result<Option<String>, IndexError> {
        let mut statement = self.connection.prepare_cached("SELECT text FROM names WHERE name = ?1")?;
        Ok(rusqlite::OptionalExtension::optional(statement.query_row([name], |row| row.get(0)))?)
    }

    /// The tools that each message calls: file, message and the number of the tool's name.
    pub fn each_tool(&self, mut each: impl FnMut(u32, u32, u32)) -> Result<(), IndexError> {
        let sql = "SELECT file, message, tool FROM call_rows WHERE message IS NOT NULL";
        let mut statement = self.connection.prepare_cached(sql)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            each(row.get::<_, i64>(0)? as u32, row.get(1)?, row.get(2)?);
        }
        Ok(())
    }
}

/// A text of a row: the very one of the row before, if it is the same.
fn shared(
    row: &rusqlite::Row<'_>,
    at: usize,
    last: &mut Option<Arc<str>>,
) -> Result<Option<Arc<str>>, IndexError> {
    let text = row.get_ref(at)?.as_str_or_null().map_err(|_| IndexError::Damaged("a text is none"))?;
    if last.as_deref() != text {
        *last = text.map(Arc::from);
    }
    Ok(last.clone())
}
