//! What is known of each root as a whole, kept true by every batch: the tally of its files, and how many are agents'.

use rusqlite::{OptionalExtension, params};

use super::{Batch, Catalogue};
use crate::error::IndexError;
use crate::plan::SeenFile;
use crate::tally::Tally;

/// A root as a whole.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Whole {
    tally: Tally,
    agents: u64,
}

impl Catalogue {
    /// The tally of a root's files, as they were last seen.
    pub fn tally(&self, root: &str) -> Result<Tally, IndexError> {
        Ok(self.whole(root)?.tally)
    }

    /// How many agents' files a root has.
    pub fn agents_in(&self, root: &str) -> Result<u64, IndexError> {
        Ok(self.whole(root)?.agents)
    }

    fn whole(&self, root: &str) -> Result<Whole, IndexError> {
        let sql = "SELECT files, agents, sum FROM roots WHERE root = ?1";
        let number = |row: &rusqlite::Row<'_>, at: usize| row.get::<_, i64>(at).map(|number| number as u64);
        let found = self.connection.prepare_cached(sql)?.query_row([root], |row| {
            let tally = Tally { files: number(row, 0)?, sum: number(row, 2)? };
            Ok(Whole { tally, agents: number(row, 1)? })
        });
        Ok(found.optional()?.unwrap_or_default())
    }

    /// Are these all the roots that there are files of?
    pub fn are_all_roots(&self, roots: &[String]) -> Result<bool, IndexError> {
        let mut statement = self.connection.prepare_cached("SELECT root FROM roots WHERE files > 0")?;
        let mut known = statement.query([])?;
        while let Some(row) = known.next()? {
            let root: String = row.get(0)?;
            if !roots.contains(&root) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl Batch<'_> {
    /// A file is about to change or to go: its root is told without it.
    pub(super) fn tally_out(&mut self, file: i64) -> Result<(), IndexError> {
        self.change_whole(file, |whole, seen, agents| {
            whole.tally.remove(seen);
            whole.agents = whole.agents.saturating_sub(agents);
        })
    }

    /// A file is in the catalogue as it is now.
    pub(super) fn tally_in(&mut self, file: i64) -> Result<(), IndexError> {
        self.change_whole(file, |whole, seen, agents| {
            whole.tally.add(seen);
            whole.agents += agents;
        })
    }

    fn change_whole(&mut self, file: i64, change: fn(&mut Whole, &SeenFile, u64)) -> Result<(), IndexError> {
        let sql = "SELECT root, path, size, mtime_ns, inode, side, agent FROM files WHERE file = ?1";
        let found = self.catalogue().connection.prepare_cached(sql)?.query_row([file], |row| {
            let seen = SeenFile {
                path: row.get(1)?,
                size: row.get::<_, i64>(2)? as u64,
                mtime_ns: row.get(3)?,
                inode: row.get::<_, i64>(4)? as u64,
                side: row.get(5)?,
            };
            Ok((row.get::<_, String>(0)?, seen, u64::from(row.get::<_, bool>(6)?)))
        });
        let Some((root, seen, agents)) = found.optional()? else { return Ok(()) };
        if !self.roots.contains_key(&root) {
            let known = self.catalogue().whole(&root)?;
            self.roots.insert(root.clone(), known);
        }
        if let Some(whole) = self.roots.get_mut(&root) {
            change(whole, &seen, agents);
        }
        Ok(())
    }

    /// Writes down what has changed of roots.
    pub(super) fn settle_roots(&mut self) -> Result<(), IndexError> {
        for (root, Whole { tally, agents }) in std::mem::take(&mut self.roots) {
            let sql = "INSERT OR REPLACE INTO roots VALUES (?1, ?2, ?3, ?4)";
            let row = params![root, tally.files as i64, agents as i64, tally.sum as i64];
            self.catalogue().connection.prepare_cached(sql)?.execute(row)?;
        }
        Ok(())
    }
}
