//! Titles that `summary` lines give: to any session of their folder that holds the line they name. The last one counts,
//! by path of the file and place in it.

use rusqlite::params;
use rustc_hash::FxHashMap;

use super::Batch;
use crate::error::IndexError;

/// The entry that a title is for, and the title.
type Titled = (Vec<u8>, String);

impl Batch<'_> {
    /// Gives sessions without a title of their own the one that a summary of their folder has for them.
    pub(super) fn settle_titles(&mut self) -> Result<(), IndexError> {
        let mut folders = std::mem::take(&mut self.folders);
        folders.sort();
        folders.dedup();
        let mut sessions = std::mem::take(&mut self.untitled);
        for (root, folder) in &folders {
            let sql = "SELECT file FROM sessions WHERE root = ?1 AND folder = ?2 AND takes_summary";
            let mut statement = self.catalogue().connection.prepare_cached(sql)?;
            let found = statement.query_map(params![root, folder], |row| row.get(0))?;
            sessions.extend(found.collect::<Result<Vec<i64>, _>>()?);
        }
        sessions.sort_unstable();
        sessions.dedup();
        let mut known: FxHashMap<(String, String), Vec<Titled>> = FxHashMap::default();
        for file in sessions {
            let sql = "SELECT root, folder FROM sessions WHERE file = ?1";
            let mut statement = self.catalogue().connection.prepare_cached(sql)?;
            let place: (String, String) =
                statement.query_row([file], |row| Ok((row.get(0)?, row.get(1)?)))?;
            let summaries = match known.get(&place) {
                Some(summaries) => summaries,
                None => {
                    let found = self.summaries_of(&place.0, &place.1)?;
                    known.entry(place).or_insert(found)
                }
            };
            self.settle(file, summaries)?;
        }
        Ok(())
    }

    fn summaries_of(&self, root: &str, folder: &str) -> Result<Vec<Titled>, IndexError> {
        let sql = "SELECT s.leaf, s.text FROM summaries s JOIN files f ON f.file = s.file
            WHERE f.root = ?1 AND f.folder = ?2 AND NOT f.agent AND s.leaf IS NOT NULL ORDER BY f.path, s.number";
        let mut statement = self.catalogue().connection.prepare_cached(sql)?;
        let found = statement.query_map(params![root, folder], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(found.collect::<Result<_, _>>()?)
    }

    fn settle(&self, file: i64, summaries: &[Titled]) -> Result<(), IndexError> {
        let mut title = None;
        if !summaries.is_empty()
            && let Some(skeleton) = self.catalogue().skeleton(file)?
        {
            let rows = &skeleton.transcript.rows;
            let ids: rustc_hash::FxHashSet<[u8; 16]> =
                rows.iter().filter_map(|row| row.id).map(|id| id.to_bytes()).collect();
            let has = |leaf: &[u8]| leaf.try_into().is_ok_and(|leaf: [u8; 16]| ids.contains(&leaf));
            let last = summaries.iter().rev().find(|(leaf, text)| !text.trim().is_empty() && has(leaf));
            title = last.map(|(_, text)| text.split_whitespace().collect::<Vec<_>>().join(" "));
        }
        let sql = "UPDATE sessions SET title = coalesce(?2, first_prompt),
            title_source = CASE WHEN ?2 IS NOT NULL THEN 'summary' WHEN first_prompt IS NOT NULL THEN 'first_prompt' END
            WHERE file = ?1 AND (title IS NOT coalesce(?2, first_prompt))";
        self.catalogue().connection.prepare_cached(sql)?.execute(params![file, title])?;
        Ok(())
    }
}
