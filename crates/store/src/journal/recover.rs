//! What a process that died has left: half done, taken back; done, cleared.

use std::path::Path;

use super::Journal;
use super::apply::{clean, discard, finish, take_back_all};
use super::bench::Bench;
use super::plan::{RolledBack, UndoPlan, Undone, load, load_plan, name, store};
use super::record::{dirs, find_dir};
use super::stop::JournalStop;
use crate::journal_error::JournalError;
use crate::write::remove_tree;

/// A record that was found half done, and taken back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recovered {
    /// Its number.
    pub number: u64,
    /// What it was about to do.
    pub title: String,
    /// Paths that someone else had changed meanwhile, and that were left as they are.
    pub kept: Vec<String>,
}

/// What a process left of a record.
enum Left {
    /// It has an end.
    Ended,
    /// It had no plan yet, and has changed nothing.
    Unplanned,
    /// It was half made.
    HalfMade(Recovered),
}

impl Journal {
    /// Rolls back what is half made, and clears what never began. So only the newest record can ever be open.
    pub(super) fn settle(&mut self) -> Result<(), JournalError> {
        // The newest first: a later record may stand on an earlier one.
        for (number, dir) in dirs(&self.disk, &self.dir)?.into_iter().rev() {
            match self.recover_one(&dir)? {
                Left::Ended => {}
                Left::Unplanned => self.discarded.push(number),
                Left::HalfMade(found) => self.recovered.push(found),
            }
        }
        self.unsettled = false;
        Ok(())
    }

    fn recover_one(&self, dir: &Path) -> Result<Left, JournalError> {
        let disk = &self.disk;
        let names = disk.list(dir)?;
        let has = |name: &str| names.iter().any(|other| other == name);
        let ended = has(name::COMMITTED) || has(name::ROLLED_BACK);
        let tidy = !has(name::WORK) && !has(name::PROGRESS) && !has(name::DRAFT);
        if has(name::EMPTIED) {
            remove_tree(disk, &dir.join(name::SAVED))?;
        }
        for temp in names.iter().filter(|name| name.to_string_lossy().ends_with(".scrollback-tmp")) {
            disk.remove_file(&dir.join(temp))?;
        }
        if ended && tidy {
            return Ok(Left::Ended);
        }
        let bench = Bench {
            disk: disk.clone(),
            root: dir.to_owned(),
            journal: self.dir.clone(),
            dir: dir.to_owned(),
            // Rolling back is not stopped.
            stop: JournalStop::default(),
        };
        let Some(plan) = load_plan(disk, dir)? else {
            discard(&bench)?;
            return Ok(Left::Unplanned);
        };
        let bench = Bench { root: plan.root.clone().into(), ..bench };
        if has(name::COMMITTED) {
            self.mark_undone(&plan)?;
            clean(&bench, &plan, plan.undoes.is_some())?;
            return Ok(Left::Ended);
        }
        if has(name::ROLLED_BACK) {
            let mark: RolledBack = load(disk, &dir.join(name::ROLLED_BACK))?.unwrap_or_default();
            if mark.kept.is_empty() {
                clean(&bench, &plan, true)?;
            }
            return Ok(Left::Ended);
        }
        let kept = take_back_all(&bench, &plan)?;
        finish(&bench, &plan, &kept)?;
        Ok(Left::HalfMade(Recovered { number: plan.number, title: plan.title, kept }))
    }

    /// Notes in a record that this one has taken it back, and lets go of the originals that are in the tree again.
    pub(super) fn mark_undone(&self, plan: &UndoPlan) -> Result<(), JournalError> {
        let Some(undoes) = &plan.undoes else { return Ok(()) };
        let dir = find_dir(&self.disk, &self.dir, undoes.number)?;
        let path = dir.join(name::UNDONE);
        let mut undone: Undone = load(&self.disk, &path)?.unwrap_or_default();
        undone.steps.extend(&undoes.steps);
        undone.steps.sort_unstable();
        undone.steps.dedup();
        store(&self.disk, &path, &undone)?;
        for step in &undoes.steps {
            remove_tree(&self.disk, &dir.join(name::SAVED).join(step.to_string()))?;
        }
        Ok(())
    }
}
