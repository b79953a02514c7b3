//! Making the changes: get ready, plan, look once more, step by step, mark. Whatever fails is taken back.

use std::path::{Path, PathBuf};

use scrollback_format::time::Time;
use sha2::{Digest, Sha256};

use super::bench::Bench;
use super::plan::{Committed, FORMAT, RolledBack, UndoPlan, Undoes, Undone, name, store};
use super::progress::{Mark, Progress};
use super::step::{Taken, make, take_back};
use super::task::Task;
use super::transaction::Transaction;
use super::{Journal, Record, prepare, record};
use crate::journal_error::{JournalError, TreeOutcome};
use crate::live::{self, EditedSession, LiveCheck};
use crate::root::Root;
use crate::shape::{PathShape, hex};
use crate::write::remove_tree;
use crate::write_error::{FileState, WriteError};

/// What a record says about itself.
pub(super) struct Heading<'a> {
    pub root: &'a Path,
    pub tree: bool,
    pub title: &'a str,
    pub command: &'a [String],
    pub sessions: &'a [EditedSession],
    pub undoes: Option<Undoes>,
}

impl Journal {
    /// Makes the changes of a transaction, all or none. An error says what the tree is now.
    pub fn apply(&mut self, transaction: &Transaction, watch: &LiveCheck) -> Result<Record, JournalError> {
        let heading = Heading {
            root: transaction.root().path(),
            tree: transaction.is_tree(),
            title: transaction.title(),
            command: transaction.words(),
            sessions: transaction.sessions(),
            undoes: None,
        };
        let tasks = transaction.ops().iter().map(Task::from).collect();
        let ours = |journal: &Self, session: &EditedSession| journal.wrote(session);
        self.run(&heading, tasks, watch, &ours)
    }

    /// One record by its number.
    pub fn record(&self, number: u64) -> Result<Record, JournalError> {
        let dir = record::find_dir(&self.disk, self.records_dir(), number)?;
        record::read(&self.disk, &dir)?.ok_or(JournalError::NoSuchRecord(number))
    }

    pub(super) fn run(
        &mut self,
        heading: &Heading<'_>,
        tasks: Vec<Task>,
        watch: &LiveCheck,
        ours: &dyn Fn(&Self, &EditedSession) -> bool,
    ) -> Result<Record, JournalError> {
        if self.unsettled {
            self.settle()?;
        }
        let root = self.disk.real_path(heading.root)?;
        self.apart(heading, &root, &tasks)?;
        self.nobody(heading, watch, ours)?;
        self.unsettled = true;
        let (number, bench) = self.begin(heading, watch.now, root)?;
        let undo = heading.undoes.is_some();
        let planned = prepare::prepare(&bench, tasks, undo).and_then(|steps| {
            let plan = UndoPlan {
                format: FORMAT,
                number,
                id: id_of(&bench.dir),
                time: watch.now,
                title: heading.title.to_owned(),
                command: heading.command.to_vec(),
                root: text(&bench.root)?,
                tree: heading.tree,
                sessions: heading.sessions.to_vec(),
                undoes: heading.undoes.clone(),
                steps,
            };
            self.nobody(heading, watch, ours)?;
            prepare::recheck(&bench, &plan.steps)?;
            bench.go_on()?;
            store(&self.disk, &bench.dir.join(name::PLAN), &plan)?;
            Ok(plan)
        });
        let plan = planned.inspect_err(|_| {
            // Nothing in the tree has changed. What this leaves, the next opening clears.
            self.unsettled = discard(&bench).is_err();
        })?;
        let committed = self.carry_out(&bench, &plan).inspect_err(|error| {
            self.unsettled = error.outcome() == TreeOutcome::Unfinished;
        })?;
        self.unsettled = false;
        // Not read back: a disk that fails only now must not make it look as if nothing was done.
        Ok(Record::assemble(plan, Some(committed), None, &Undone::default(), false, &bench.dir))
    }

    /// Do the changes keep away from the journal itself? A store may neither hold it nor lie in it. A tree of the user's may hold
    /// it, as a home directory does.
    fn apart(&self, heading: &Heading<'_>, root: &Path, tasks: &[Task]) -> Result<(), JournalError> {
        let data = self.dir.parent().unwrap_or(&self.dir);
        let inside = || JournalError::Inside { data: self.dir.clone(), root: root.to_owned() };
        if root.starts_with(data) || (!heading.tree && data.starts_with(root)) {
            return Err(inside());
        }
        for task in tasks.iter().filter(|_| data.starts_with(root)) {
            // By its text and free of links: what leads there by a link is no better.
            let at = task.path().resolve(&self.disk, root)?;
            let parent = at.parent().and_then(|parent| self.disk.real_path(parent).ok());
            if at.starts_with(data)
                || data.starts_with(&at)
                || parent.is_some_and(|parent| parent.starts_with(data))
            {
                return Err(inside());
            }
        }
        Ok(())
    }

    /// Are the sessions not in use?
    fn nobody(
        &self,
        heading: &Heading<'_>,
        watch: &LiveCheck,
        ours: &dyn Fn(&Self, &EditedSession) -> bool,
    ) -> Result<(), JournalError> {
        for session in heading.sessions {
            let ours = ours(self, session);
            let liveness = live::look(&Root::new(heading.root), session, watch, ours);
            if let Some(held) = liveness.held.into_iter().next() {
                return Err(JournalError::Live(held));
            }
        }
        Ok(())
    }

    /// Is a session's file, as it is now, what one of the last records left?
    fn wrote(&self, session: &EditedSession) -> bool {
        let Ok(Some(now)) = PathShape::of(&self.disk, &session.file) else { return false };
        record::last_ends(&self.disk, &self.dir).into_iter().any(|end| end.is(&now))
    }

    /// A folder for a new record.
    fn begin(&self, heading: &Heading<'_>, now: Time, root: PathBuf) -> Result<(u64, Bench), JournalError> {
        let number = record::last_number(&self.disk, &self.dir)? + 1;
        let seed = format!("{number} {} {} {:?}", now.0, heading.title, heading.command);
        let id: String = hex(&Sha256::digest(seed.as_bytes())).chars().take(6).collect();
        let dir = self.path_of(&format!("{number:06}-{id}"));
        let (disk, journal, stop) = (self.disk.clone(), self.dir.clone(), self.stop.clone());
        let bench = Bench { disk, root, journal, dir, stop };
        let made = self.disk.make_dir(&bench.dir).and_then(|()| self.disk.sync_dir(&self.dir));
        made.inspect_err(|_| {
            let _ = discard(&bench);
        })?;
        Ok((number, bench))
    }

    fn carry_out(&self, bench: &Bench, plan: &UndoPlan) -> Result<Committed, JournalError> {
        let failed = |error| {
            let outcome = match take_back_all(bench, plan) {
                Ok(kept) => {
                    // The tree is as it was, whether or not there is room for the note of it.
                    let _ = finish(bench, plan, &kept);
                    if kept.is_empty() {
                        TreeOutcome::RolledBack
                    } else {
                        TreeOutcome::RolledBackExcept(kept)
                    }
                }
                Err(_) => TreeOutcome::Unfinished,
            };
            JournalError::Write { error, outcome }
        };
        let committed = steps(bench, plan).map_err(failed)?;
        match store(&self.disk, &bench.dir.join(name::COMMITTED), &committed) {
            Ok(()) => {
                // What these leave undone, the next opening of the journal does.
                if self.mark_undone(plan).is_ok() {
                    let _ = clean(bench, plan, plan.undoes.is_some());
                }
                Ok(committed)
            }
            // The mark has its name; only the disk has not confirmed it.
            Err(JournalError::Write { error, .. }) if error.state() == FileState::New => {
                Err(JournalError::Write { error, outcome: TreeOutcome::Done })
            }
            Err(JournalError::Write { error, .. }) => Err(failed(error)),
            Err(other) => Err(other),
        }
    }
}

/// The steps one by one, each noted before it begins; what they left.
fn steps(bench: &Bench, plan: &UndoPlan) -> Result<Committed, WriteError> {
    let mut progress = Progress::open(bench, plan.steps.len())?;
    for (index, step) in plan.steps.iter().enumerate() {
        bench.go_on()?;
        progress.set(bench, index, Mark::Begun)?;
        make(bench, index, step)?;
    }
    let ends: Result<_, WriteError> =
        plan.steps.iter().map(|step| PathShape::of(&bench.disk, &bench.target(step)?)).collect();
    Ok(Committed { ends: ends? })
}

/// Takes back the steps that were begun, last one first; which paths had to be left. Goes on where it stopped: a step may
/// have been taken back from a place that is gone by now, so it is noted before the one before it is looked at.
pub(super) fn take_back_all(bench: &Bench, plan: &UndoPlan) -> Result<Vec<String>, WriteError> {
    let mut progress = Progress::open(bench, plan.steps.len())?;
    for (index, step) in plan.steps.iter().enumerate().rev() {
        if progress.of(index) == Mark::Begun {
            let mark = match take_back(bench, index, step)? {
                Taken::Back => Mark::Back,
                Taken::Kept => Mark::Kept,
            };
            progress.set(bench, index, mark)?;
        }
    }
    let kept = plan.steps.iter().enumerate().filter(|(index, _)| progress.of(*index) == Mark::Kept);
    Ok(kept.map(|(_, step)| step.path.clone()).collect())
}

/// Marks a record whose steps are taken back, and clears what stood ready, unless something had to be left.
pub(super) fn finish(bench: &Bench, plan: &UndoPlan, kept: &[String]) -> Result<(), JournalError> {
    store(&bench.disk, &bench.dir.join(name::ROLLED_BACK), &RolledBack { kept: kept.to_vec() })?;
    if kept.is_empty() { Ok(clean(bench, plan, true)?) } else { Ok(()) }
}

/// Clears what stood ready; with `all`, the originals too. The folders in the store go first, the note of them last.
pub(super) fn clean(bench: &Bench, plan: &UndoPlan, all: bool) -> Result<(), WriteError> {
    for work in plan.steps.iter().flat_map(|step| [step.work.as_deref(), step.away.as_deref()]).flatten() {
        remove_tree(&bench.disk, Path::new(work))?;
    }
    if all {
        remove_tree(&bench.disk, &bench.dir.join(name::SAVED))?;
    }
    bench.disk.remove_file(&bench.dir.join(name::PROGRESS))?;
    bench.disk.remove_file(&bench.dir.join(name::DRAFT))?;
    remove_tree(&bench.disk, &bench.work())
}

/// Throws away a record that has no plan yet.
pub(super) fn discard(bench: &Bench) -> Result<(), JournalError> {
    let draft: Option<super::plan::Draft> =
        super::plan::load(&bench.disk, &bench.dir.join(name::DRAFT)).unwrap_or_default();
    for work in draft.unwrap_or_default().work {
        remove_tree(&bench.disk, Path::new(&work))?;
    }
    // The note of the folders in the store goes last.
    for name in bench.disk.list(&bench.dir).unwrap_or_default() {
        if name != name::DRAFT {
            remove_tree(&bench.disk, &bench.dir.join(name))?;
        }
    }
    Ok(remove_tree(&bench.disk, &bench.dir)?)
}

fn id_of(dir: &Path) -> String {
    let name = dir.file_name().unwrap_or_default().to_string_lossy();
    name.split_once('-').map(|(_, id)| id.to_owned()).unwrap_or_default()
}

fn text(path: &Path) -> Result<String, JournalError> {
    path.to_str().map(str::to_owned).ok_or_else(|| JournalError::Plan {
        path: path.display().to_string(),
        why: "files whose path is not valid UTF-8 cannot be edited",
    })
}
