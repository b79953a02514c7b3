//! Asking which transcripts touched a file: by the names that they gave it.

use rusqlite::params_from_iter;

use super::Catalogue;
use crate::error::IndexError;

/// A transcript that touched a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Touching {
    /// Its number.
    pub file: i64,
    /// The store.
    pub root: String,
    /// The session that it is, or belongs to.
    pub session_id: String,
    /// The agent that it is.
    pub agent_id: Option<String>,
    /// The number of the session's own file, if it is known.
    pub session_file: Option<i64>,
}

/// The most texts that one statement takes.
const MOST: usize = 500;

impl Catalogue {
    /// The transcripts of some roots that gave a file one of these names, in the order of their numbers.
    pub fn touching(&self, roots: &[String], names: &[String]) -> Result<Vec<Touching>, IndexError> {
        let mut found = Vec::new();
        for names in names.chunks(MOST) {
            let marks = |count: usize| vec!["?"; count].join(", ");
            // By the names first: there are few rows of one path.
            let sql = format!(
                "SELECT DISTINCT f.file, f.root, coalesce(s.session_id, a.session_id), a.agent_id, o.file
                 FROM names n CROSS JOIN touched_rows t ON t.path = n.name JOIN files f ON f.file = t.file
                 LEFT JOIN sessions s ON s.file = f.file LEFT JOIN agents a ON a.file = f.file
                 LEFT JOIN sessions o ON o.session_id = coalesce(s.session_id, a.session_id) AND o.root = f.root AND o.folder = f.folder
                 WHERE n.text IN ({}) AND f.root IN ({}) ORDER BY f.file",
                marks(names.len()),
                marks(roots.len())
            );
            let mut statement = self.connection.prepare(&sql)?;
            let rows = statement.query_map(params_from_iter(names.iter().chain(roots)), |row| {
                Ok(Touching {
                    file: row.get(0)?,
                    root: row.get(1)?,
                    session_id: row.get::<_, Option<String>>(2)?.unwrap_or_default(),
                    agent_id: row.get(3)?,
                    session_file: row.get(4)?,
                })
            })?;
            found.extend(rows.collect::<Result<Vec<_>, _>>()?);
        }
        found.sort_by_key(|touching| touching.file);
        found.dedup_by_key(|touching| touching.file);
        Ok(found)
    }

    /// The names of files that end in this path, parts for parts, in any root, up to a limit.
    pub fn names_ending(&self, end: &str, most: usize) -> Result<Vec<String>, IndexError> {
        let sql =
            "SELECT n.text FROM names n WHERE (n.text = ?1 OR substr(n.text, -?2) IN ('/' || ?1, '\\' || ?1))
             AND EXISTS (SELECT 1 FROM touched_rows t WHERE t.path = n.name) ORDER BY n.text LIMIT ?3";
        let mut statement = self.connection.prepare_cached(sql)?;
        let length = end.chars().count() as i64 + 1;
        let names = statement.query_map(rusqlite::params![end, length, most as i64], |row| row.get(0))?;
        Ok(names.collect::<Result<_, _>>()?)
    }
}
