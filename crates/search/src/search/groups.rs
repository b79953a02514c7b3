//! Groups: which session a file belongs to, as a number, for all hits at once.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use scrollback_index::error::IndexError;

use super::scan::Direct;
use scrollback_session::catalogue::{Index, Owners};

/// A session by its number here.
pub(super) type Group = u32;

/// More files than this are asked for in one question, which is then kept: one for each costs more.
const FEW: usize = 64;

/// The sessions of some files.
#[derive(Debug, Default)]
pub(super) struct Groups {
    /// Of files that the catalogue numbers.
    owners: Rc<Owners>,
    /// Sessions that it does not know, numbered on from there.
    strangers: Vec<String>,
    /// Of files that are read directly: their numbers are below zero.
    of_direct: FxHashMap<i64, Group>,
}

impl Groups {
    /// Of these files.
    pub(super) fn of(
        index: &Index,
        direct: &FxHashMap<i64, Direct>,
        files: impl ExactSizeIterator<Item = i64>,
    ) -> Result<Self, IndexError> {
        let owners = if files.len() > FEW || !direct.is_empty() {
            index.owners()?
        } else {
            let mut owners = Owners::default();
            for file in files {
                if let Some((session_id, _, _)) = index.catalogue().owner(file)? {
                    owners.insert(file, &session_id);
                }
            }
            Rc::new(owners)
        };
        let mut groups = Self { owners, ..Self::default() };
        for (file, direct) in direct {
            let group = groups.number(&direct.session_id);
            groups.of_direct.insert(*file, group);
        }
        Ok(groups)
    }

    /// Of files that the catalogue numbers.
    #[cfg(test)]
    pub(super) fn of_owners(owners: Owners) -> Self {
        Self { owners: Rc::new(owners), ..Self::default() }
    }

    fn number(&mut self, session_id: &str) -> Group {
        let known = self.owners.number(session_id);
        let stranger = || self.strangers.iter().position(|known| known == session_id);
        if let Some(number) = known.or_else(|| Some((self.owners.count() + stranger()?) as Group)) {
            return number;
        }
        self.strangers.push(session_id.to_owned());
        (self.count() - 1) as Group
    }

    /// The session of a file.
    pub(super) fn find(&self, file: i64) -> Option<Group> {
        if file < 0 { self.of_direct.get(&file).copied() } else { self.owners.find(file) }
    }

    /// A session's id.
    pub(super) fn name(&self, group: Group) -> &str {
        let known = self.owners.name(group);
        let stranger = || self.strangers.get((group as usize).checked_sub(self.owners.count())?);
        known.or_else(|| stranger().map(String::as_str)).unwrap_or("")
    }

    /// How many numbers were given.
    pub(super) fn count(&self) -> usize {
        self.owners.count() + self.strangers.len()
    }
}
