//! Titles that `summary` lines give: to any session of their folder that holds the line they name. The last one counts,
//! by path of the file and place in it.

use rusqlite::params;
use rustc_hash::FxHashMap;
use scrollback_model::skeleton;

use super::{Batch, SKELETON};
use crate::error::IndexError;

/// A root and a folder below its `projects/`.
type ProjectKey = (String, String);

/// The titles of a folder.
#[derive(Debug, Default)]
struct Titles {
    texts: Vec<String>,
    /// The last of them for each line that one is for.
    by_leaf: FxHashMap<[u8; 16], usize>,
}

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
        if sessions.is_empty() {
            return Ok(());
        }
        let titles = self.titles()?;
        for file in sessions {
            let sql = "SELECT root, folder FROM sessions WHERE file = ?1";
            let mut statement = self.catalogue().connection.prepare_cached(sql)?;
            let place: ProjectKey = statement.query_row([file], |row| Ok((row.get(0)?, row.get(1)?)))?;
            self.settle(file, titles.get(&place))?;
        }
        Ok(())
    }

    /// The titles of every folder that has any.
    fn titles(&self) -> Result<FxHashMap<ProjectKey, Titles>, IndexError> {
        let sql = "SELECT f.root, f.folder, s.leaf, s.text FROM summaries s JOIN files f ON f.file = s.file
            WHERE NOT f.agent AND s.leaf IS NOT NULL ORDER BY f.path, s.number";
        let mut statement = self.catalogue().connection.prepare_cached(sql)?;
        let mut rows = statement.query([])?;
        let mut titles: FxHashMap<ProjectKey, Titles> = FxHashMap::default();
        while let Some(row) = rows.next()? {
            let (leaf, text): (Vec<u8>, String) = (row.get(2)?, row.get(3)?);
            let Ok(leaf) = leaf.try_into() else { continue };
            if !text.trim().is_empty() {
                let own = titles.entry((row.get(0)?, row.get(1)?)).or_default();
                own.by_leaf.insert(leaf, own.texts.len());
                own.texts.push(text);
            }
        }
        Ok(titles)
    }

    fn settle(&self, file: i64, titles: Option<&Titles>) -> Result<(), IndexError> {
        let title = match titles {
            Some(titles) => self.title(file, titles)?,
            None => None,
        };
        let sql = "UPDATE sessions SET title = coalesce(?2, first_prompt),
            title_source = CASE WHEN ?2 IS NOT NULL THEN 'summary' WHEN first_prompt IS NOT NULL THEN 'first_prompt' END
            WHERE file = ?1 AND (title IS NOT coalesce(?2, first_prompt))";
        self.catalogue().connection.prepare_cached(sql)?.execute(params![file, title])?;
        Ok(())
    }

    /// The last title that is for a line of this file.
    fn title(&self, file: i64, titles: &Titles) -> Result<Option<String>, IndexError> {
        let sql = "SELECT body FROM skeletons WHERE file = ?1";
        let mut statement = self.catalogue().connection.prepare_cached(sql)?;
        let mut rows = statement.query([file])?;
        let Some(row) = rows.next()? else { return Ok(None) };
        let body = row.get_ref(0)?.as_blob().ok();
        let ids = self.catalogue().sound(body.and_then(skeleton::ids), SKELETON)?;
        let last = ids.iter().filter_map(|id| titles.by_leaf.get(&id.to_bytes())).max();
        Ok(last.map(|at| titles.texts[*at].split_whitespace().collect::<Vec<_>>().join(" ")))
    }
}
