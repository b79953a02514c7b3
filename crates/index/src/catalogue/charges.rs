//! Charges: every row of every message, and the files that they stand in.

use scrollback_format::time::Time;
use scrollback_model::charge::{Grade, Marks};
use scrollback_model::tokens::Tokens;
use scrollback_model::usage::{Copy, message_number};

use super::Catalogue;
use crate::error::IndexError;

/// A row of a message or charge.
#[derive(Debug, Clone, Copy)]
pub struct ChargeRow {
    /// The charge. Its file is the catalogue's number, its model the number of a name.
    pub copy: Copy,
    /// Its place in the file.
    pub number: u32,
    /// The number of the branch's name.
    pub branch: Option<u32>,
    /// Its first line.
    pub line: u32,
}

/// A file that charges stand in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChargedFile {
    /// Its number.
    pub file: i64,
    /// Where it is.
    pub path: String,
    /// The session that it is, or belongs to.
    pub session_id: String,
    /// The directory of the session or agent.
    pub project: Option<String>,
    /// The folder below `projects/`.
    pub folder: String,
    /// The agent that it is.
    pub agent_id: Option<String>,
    /// What the agent is for.
    pub purpose: Option<String>,
    /// Are its output counts only a lower bound?
    pub is_lower_bound: bool,
}

impl Catalogue {
    /// Gives every charge of the catalogue to `each`, or of the files of one session and its agents.
    pub fn each_charge(
        &self,
        session: Option<&str>,
        mut each: impl FnMut(ChargeRow),
    ) -> Result<(), IndexError> {
        let columns =
            "SELECT file, number, message_id, model, time, line, input_tokens, output_tokens, cache_read,
            cache_write, cache_write_1h, request, searches, branch, terms FROM message_rows";
        let of_session = " WHERE file IN (SELECT file FROM sessions WHERE session_id = ?1
            UNION SELECT file FROM agents WHERE session_id = ?1)";
        let sql = format!("{columns}{}", if session.is_some() { of_session } else { "" });
        let mut statement = self.connection.prepare_cached(&sql)?;
        let mut rows = match session {
            Some(session) => statement.query([session])?,
            None => statement.query([])?,
        };
        while let Some(row) = rows.next()? {
            let count = |at: usize| row.get::<_, i64>(at).map(|count| count as u64);
            let write = count(9)?;
            let hour = count(10)?;
            let how: i64 = row.get(14)?;
            let id = row.get_ref(2)?.as_bytes().unwrap_or_default();
            each(ChargeRow {
                copy: Copy {
                    message: message_number(id),
                    request: row.get::<_, i64>(11)? as u32,
                    file: row.get::<_, i64>(0)? as u32,
                    time: row.get::<_, Option<i64>>(4)?.map(Time),
                    model: row.get::<_, Option<u32>>(3)?.unwrap_or(u32::MAX),
                    tokens: Tokens {
                        input: count(6)?,
                        output: count(7)?,
                        cache_read: count(8)?,
                        cache_write: write,
                        cache_write_5m: write.saturating_sub(hour),
                        cache_write_1h: hour,
                    },
                    searches: row.get::<_, i64>(12)? as u32,
                    grade: Grade::from_bits((how >> 8) as u8),
                    marks: Marks::from_bits(how as u8),
                },
                number: row.get(1)?,
                branch: row.get(13)?,
                line: row.get(5)?,
            });
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
             UNION ALL SELECT file, path, session_id, project, folder, agent_id, purpose, 0, root FROM agents WHERE 1{own}
             ORDER BY path"
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        let mut rows = match session {
            Some(session) => statement.query([session])?,
            None => statement.query([])?,
        };
        let mut files = Vec::new();
        while let Some(row) = rows.next()? {
            if !roots.iter().any(|root| row.get_ref(8).is_ok_and(|own| own.as_str() == Ok(root))) {
                continue;
            }
            files.push(ChargedFile {
                file: row.get(0)?,
                path: row.get(1)?,
                session_id: row.get(2)?,
                project: row.get(3)?,
                folder: row.get(4)?,
                agent_id: row.get(5)?,
                purpose: row.get(6)?,
                is_lower_bound: row.get(7)?,
            });
        }
        Ok(files)
    }

    /// The name with this number.
    pub fn name(&self, name: u32) -> Result<Option<String>, IndexError> {
        let mut statement = self.connection.prepare_cached("SELECT text FROM names WHERE name = ?1")?;
        Ok(rusqlite::OptionalExtension::optional(statement.query_row([name], |row| row.get(0)))?)
    }

    /// The tools that each message calls: file, message and the number of the tool's name, in the order of files and messages.
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
