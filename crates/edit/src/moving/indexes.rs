//! `sessions-index.json` of the folders that sessions leave and come to. Several folders may give rows to one, so each is read once,
//! changed here, and written once.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use scrollback_compose::relocate::{Relocation, join_index, moved_index, take_from_index};
use scrollback_format::area::ProjectFile;
use scrollback_format::stamp::Stamp;
use scrollback_store::journal::Op;
use scrollback_store::{Place, Root, small, stamp};

use super::SESSIONS_INDEX;
use super::survey::Leaving;
use crate::plan::EditPlan;
use scrollback_session::error::AppError;

/// An index of sessions is small; a larger file of its name is none.
const LARGEST: u64 = 64 << 20;

/// The indexes of folders, by the names that the folders have in the end.
pub(super) struct Indexes<'r> {
    root: &'r Root,
    relocation: &'r Relocation,
    all: BTreeMap<String, Index>,
}

/// An index on its way.
struct Index {
    place: Place,
    /// The file as it was read; none if it is to be made.
    stamp: Option<Stamp>,
    old: Vec<u8>,
    new: Vec<u8>,
    /// Nothing is left that it could list.
    goes: bool,
}

impl Index {
    fn read(place: Place, path: &Path) -> Result<Option<Self>, AppError> {
        let stamp = Some(stamp::take(path)?);
        let (old, more) = small::read(path, LARGEST)?;
        let new = old.clone();
        Ok((!more).then_some(Self { place, stamp, old, new, goes: false }))
    }
}

impl<'r> Indexes<'r> {
    pub fn new(root: &'r Root, relocation: &'r Relocation) -> Self {
        Self { root, relocation, all: BTreeMap::new() }
    }

    /// A folder gets another name, with all that is in it.
    pub fn renamed(&mut self, plan: &EditPlan, leaving: &Leaving<'_>, target: &str) -> Result<(), AppError> {
        let Some(mut index) = self.own(plan, leaving)? else { return Ok(()) };
        index.new = moved_index(&index.new, self.relocation, &|id| leaving.sessions.get(id).cloned());
        index.place = place(target)?;
        self.all.insert(target.to_owned(), index);
        Ok(())
    }

    /// Sessions leave a folder: their rows go to the index of their new one, which is made if there is none.
    ///
    /// `left` are the folders that have lost what was in them.
    pub fn parted(
        &mut self,
        plan: &EditPlan,
        leaving: &Leaving<'_>,
        left: &BTreeSet<String>,
    ) -> Result<(), AppError> {
        let name = leaving.folder.name.as_str();
        let Some(mut index) = self.own(plan, leaving)? else { return Ok(()) };
        let folder = |id: &str| leaving.sessions.get(id).cloned();
        let stays = |id: &str| folder(id).is_none_or(|target| target == name);
        let changed = moved_index(&index.new, self.relocation, &folder);
        let targets: BTreeSet<&String> = leaving.sessions.values().filter(|target| *target != name).collect();
        for target in targets {
            let goes_there = |id: &str| leaving.sessions.get(id) == Some(target);
            let rows = take_from_index(&changed, goes_there).entries;
            if rows.is_empty() {
                continue;
            }
            let path = self.root.projects().join(target).join(SESSIONS_INDEX);
            let is_there = self.all.contains_key(target) || !left.contains(target) && stamp::is_there(&path);
            if !is_there {
                let new = take_from_index(&changed, |id| !goes_there(id)).rest;
                let new = new.unwrap_or_else(|| changed.clone());
                let place = place(target)?;
                let made = Index { place, stamp: None, old: Vec::new(), new, goes: false };
                self.all.insert(target.clone(), made);
                continue;
            }
            if !self.all.contains_key(target)
                && let Some(index) = Index::read(plan.transaction.place(&path)?, &path)?
            {
                self.all.insert(target.clone(), index);
            }
            if let Some(there) = self.all.get_mut(target)
                && let Some(joined) = join_index(&there.new, &rows)
            {
                there.new = joined;
            }
        }
        let only = moved_index(&index.new, self.relocation, &|id| folder(id).filter(|target| target == name));
        index.new = take_from_index(&only, |id| !stays(id)).rest.unwrap_or(only);
        index.goes = leaving.is_emptied() && !has_rows(&index.new);
        self.all.insert(name.to_owned(), index);
        Ok(())
    }

    /// Adds what has changed to the plan.
    pub fn write(&mut self, plan: &mut EditPlan) {
        for index in std::mem::take(&mut self.all).into_values() {
            match index.stamp {
                None => plan.transaction.create(index.place, index.new),
                Some(stamp) if index.goes => {
                    plan.weighs(&index.place, 1, index.old.len() as u64);
                    plan.transaction.push(Op::Remove { path: index.place, expected: Some(stamp) });
                }
                Some(stamp) if index.new != index.old => plan.rewrite(index.place, stamp, index.new),
                Some(_) => {}
            }
        }
    }

    /// The index of the folder that is left, as far as it is changed already.
    fn own(&mut self, plan: &EditPlan, leaving: &Leaving<'_>) -> Result<Option<Index>, AppError> {
        if let Some(index) = self.all.remove(&leaving.folder.name) {
            return Ok(Some(index));
        }
        let found = leaving.folder.files.iter().find(|found| found.file == ProjectFile::SessionsIndex);
        let Some(found) = found else { return Ok(None) };
        Index::read(plan.transaction.place(&found.path)?, &found.path)
    }
}

fn place(folder: &str) -> Result<Place, AppError> {
    Ok(Place::new(&format!("projects/{folder}/{SESSIONS_INDEX}"))?)
}

/// Does an index list anything?
fn has_rows(bytes: &[u8]) -> bool {
    let text = serde_json::from_slice::<serde_json::Value>(bytes).ok();
    text.is_none_or(|index| index["entries"].as_array().is_none_or(|rows| !rows.is_empty()))
}
