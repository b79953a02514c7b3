//! What is asked about one session: its files, whose a flat agent is, and which other files may be relatives of it.

use rusqlite::{OptionalExtension, params};
use rustc_hash::FxHashSet;
use scrollback_model::lineage;
use scrollback_model::transcript::Transcript;

use super::{Batch, Catalogue, known};
use crate::error::IndexError;
use crate::plan::Known;

impl Catalogue {
    /// The files of the sessions with this id and of their agents, as they were last seen.
    pub fn known_of(&self, session_id: &str) -> Result<Vec<Known>, IndexError> {
        let sql = "SELECT file, path, size, mtime_ns, inode, tail_hash, side FROM files WHERE file IN (
            SELECT file FROM sessions WHERE session_id = ?1 UNION SELECT file FROM agents WHERE session_id = ?1)";
        let mut statement = self.connection.prepare_cached(sql)?;
        let found = statement.query_map([session_id], known)?;
        Ok(found.collect::<Result<_, _>>()?)
    }

    /// The session that the agent of this file belongs to; none if the catalogue does not know the file.
    pub fn session_of_agent(&self, agent_id: &str, path: &str) -> Result<Option<String>, IndexError> {
        let sql = "SELECT session_id FROM agents WHERE agent_id = ?1 AND path = ?2";
        let mut statement = self.connection.prepare_cached(sql)?;
        Ok(statement.query_row(params![agent_id, path], |row| row.get(0)).optional()?)
    }

    /// The session files that have one of these marks.
    pub fn kin(&self, marks: impl IntoIterator<Item = u64>) -> Result<Vec<i64>, IndexError> {
        let mut files = FxHashSet::default();
        // One view of the tables for all questions: each by itself would lock the file and let it go again.
        let reading = self.connection.unchecked_transaction()?;
        let mut statement = reading.prepare_cached("SELECT file FROM kin WHERE mark = ?1")?;
        for mark in marks {
            let mut rows = statement.query([mark as i64])?;
            while let Some(row) = rows.next()? {
                files.insert(row.get::<_, i64>(0)?);
            }
        }
        drop(statement);
        reading.finish()?;
        let mut files: Vec<i64> = files.into_iter().collect();
        files.sort_unstable();
        Ok(files)
    }

    /// The id and the path of a session's file.
    pub fn named(&self, file: i64) -> Result<Option<(String, String, String)>, IndexError> {
        let sql = "SELECT session_id, root, path FROM sessions WHERE file = ?1";
        let mut statement = self.connection.prepare_cached(sql)?;
        Ok(statement.query_row([file], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).optional()?)
    }

    /// The slugs of sessions, each with the session's file.
    pub fn slugs(&self) -> Result<Vec<(String, i64)>, IndexError> {
        let mut statement =
            self.connection.prepare_cached("SELECT slug, file FROM slugs ORDER BY slug, file")?;
        let found = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(found.collect::<Result<_, _>>()?)
    }

    /// The title that a summary of its folder gives a session.
    pub fn summary_of(&self, file: i64) -> Result<Option<String>, IndexError> {
        let sql = "SELECT title FROM sessions WHERE file = ?1 AND title_source = 'summary'";
        Ok(self.connection.prepare_cached(sql)?.query_row([file], |row| row.get(0)).optional()?.flatten())
    }
}

impl Batch<'_> {
    /// Notes what plans of a session are called.
    pub(super) fn slugs(&self, file: i64, transcript: &Transcript) -> Result<(), IndexError> {
        let mut statement =
            self.catalogue().connection.prepare_cached("INSERT INTO slugs VALUES (?1, ?2)")?;
        for (slug, _) in transcript.slugs.iter() {
            statement.execute(params![file, transcript.text(slug)])?;
        }
        Ok(())
    }

    /// Notes by what relatives find a session.
    pub(super) fn marks(&self, file: i64, transcript: &Transcript) -> Result<(), IndexError> {
        let sql = "INSERT OR IGNORE INTO kin VALUES (?1, ?2)";
        let mut statement = self.catalogue().connection.prepare_cached(sql)?;
        for mark in lineage::marks(transcript) {
            statement.execute(params![mark as i64, file])?;
        }
        Ok(())
    }

    /// Forgets by what the files that are gone were found: all at once, since marks are not sorted by file.
    pub(super) fn settle_kin(&mut self) -> Result<(), IndexError> {
        let gone = std::mem::take(&mut self.gone);
        if gone.is_empty() {
            return Ok(());
        }
        let list: Vec<String> = gone.iter().map(i64::to_string).collect();
        let sql = format!("DELETE FROM kin WHERE file IN ({})", list.join(","));
        self.catalogue().connection.execute(&sql, [])?;
        Ok(())
    }
}
