//! Records, as they can be listed. Reading them needs no lock.

use std::path::{Path, PathBuf};

use scrollback_format::time::Time;

use super::plan::{Committed, RolledBack, StepVerb, UndoPlan, Undone, load, load_plan, name};
use crate::disk::Disk;
use crate::journal_error::JournalError;
use crate::own::DataDir;
use crate::shape::PathShape;

/// What became of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordState {
    /// Its changes are made.
    Committed,
    /// Some of its changes were taken back.
    PartlyUndone,
    /// All of its changes were taken back.
    Undone,
    /// Its changes failed, and what was made is taken back.
    RolledBack,
    /// A process is making its changes, or died over them: opening the journal takes them back.
    Open,
}

/// One record.
#[derive(Debug, Clone)]
pub struct Record {
    /// Its number: counts up.
    pub number: u64,
    /// Six digits that distinguish it from another one with that number.
    pub id: String,
    /// When.
    pub time: Time,
    /// What it does, for people.
    pub title: String,
    /// The words of the command.
    pub command: Vec<String>,
    /// The store, or the directory that was changed.
    pub root: PathBuf,
    /// What became of it.
    pub state: RecordState,
    /// Which record it takes back, if that is what it does.
    pub undoes: Option<u64>,
    /// Its originals are deleted: it cannot be taken back any more.
    pub emptied: bool,
    /// Its steps.
    pub steps: Vec<RecordStep>,
    /// Paths that were changed by someone else while it was taken back, and left as they are.
    pub kept: Vec<String>,
    pub(super) plan: UndoPlan,
    pub(super) ends: Vec<Option<PathShape>>,
    pub(super) dir: PathBuf,
}

/// One step of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordStep {
    /// What it does.
    pub verb: StepVerb,
    /// Where, below the root; of a move, to where.
    pub path: String,
    /// Of a move, from where.
    pub from: Option<String>,
    /// Bytes that it writes, moves, cuts or removes.
    pub bytes: u64,
    /// Bytes of the original that the journal keeps.
    pub saved: u64,
    /// It was taken back.
    pub undone: bool,
}

impl Record {
    pub(super) fn assemble(
        plan: UndoPlan,
        committed: Option<Committed>,
        rolled_back: Option<RolledBack>,
        undone: &Undone,
        emptied: bool,
        dir: &Path,
    ) -> Self {
        let state = match (&committed, &rolled_back) {
            (_, Some(_)) => RecordState::RolledBack,
            (None, None) => RecordState::Open,
            (Some(_), None) if undone.steps.is_empty() => RecordState::Committed,
            (Some(_), None) if undone.steps.len() < plan.steps.len() => RecordState::PartlyUndone,
            (Some(_), None) => RecordState::Undone,
        };
        let steps = plan.steps.iter().enumerate().map(|(index, step)| {
            let undone = undone.steps.contains(&index);
            let keeps = matches!(step.verb, StepVerb::Remove | StepVerb::Replace) && plan.undoes.is_none();
            let saved = match &step.before {
                Some(before) if keeps && !undone && !emptied && committed.is_some() => before.bytes,
                _ => 0,
            };
            let (path, from) = (step.path.clone(), step.from.clone());
            RecordStep { verb: step.verb, path, from, bytes: step.bytes, saved, undone }
        });
        Self {
            number: plan.number,
            id: plan.id.clone(),
            time: plan.time,
            title: plan.title.clone(),
            command: plan.command.clone(),
            root: plan.root.clone().into(),
            state,
            undoes: plan.undoes.as_ref().map(|undoes| undoes.number),
            emptied,
            steps: steps.collect(),
            kept: rolled_back.map(|mark| mark.kept).unwrap_or_default(),
            ends: committed.map(|mark| mark.ends).unwrap_or_default(),
            plan,
            dir: dir.to_owned(),
        }
    }

    /// Can it be undone, judging by the record alone?
    pub fn is_undoable(&self) -> bool {
        self.why_not_undoable().is_none()
    }

    pub(super) fn why_not_undoable(&self) -> Option<&'static str> {
        match self.state {
            _ if self.undoes.is_some() => Some("it is itself an undo"),
            _ if self.emptied => Some("its originals were deleted from the trash"),
            RecordState::Undone => Some("it is already undone"),
            RecordState::RolledBack | RecordState::Open => Some("its changes were rolled back"),
            RecordState::Committed | RecordState::PartlyUndone => None,
        }
    }

    /// Bytes that it writes.
    pub fn bytes(&self) -> u64 {
        self.steps.iter().map(|step| step.bytes).sum()
    }

    /// Bytes of originals that the journal keeps for it.
    pub fn saved(&self) -> u64 {
        self.steps.iter().map(|step| step.saved).sum()
    }
}

/// All records of a data directory, the oldest first.
pub fn list(data: &DataDir) -> Result<Vec<Record>, JournalError> {
    read_all(&Disk::real(), &data.journal())
}

/// One record of a data directory.
pub fn find(data: &DataDir, number: u64) -> Result<Record, JournalError> {
    let disk = Disk::real();
    let dir = find_dir(&disk, &data.journal(), number)?;
    read(&disk, &dir)?.ok_or(JournalError::NoSuchRecord(number))
}

pub(super) fn read_all(disk: &Disk, journal: &Path) -> Result<Vec<Record>, JournalError> {
    let mut records = Vec::new();
    for (_, dir) in dirs(disk, journal)? {
        records.extend(read(disk, &dir)?);
    }
    Ok(records)
}

/// A record; none if it has no plan yet.
pub(super) fn read(disk: &Disk, dir: &Path) -> Result<Option<Record>, JournalError> {
    let Some(plan) = load_plan(disk, dir)? else { return Ok(None) };
    let committed: Option<Committed> = load(disk, &dir.join(name::COMMITTED))?;
    let rolled_back: Option<RolledBack> = load(disk, &dir.join(name::ROLLED_BACK))?;
    let undone: Undone = load(disk, &dir.join(name::UNDONE))?.unwrap_or_default();
    let emptied = disk.look(&dir.join(name::EMPTIED))?.is_some();
    Ok(Some(Record::assemble(plan, committed, rolled_back, &undone, emptied, dir)))
}

/// The folders of records with their numbers, in order.
pub(super) fn dirs(disk: &Disk, journal: &Path) -> Result<Vec<(u64, PathBuf)>, JournalError> {
    if disk.look(journal)?.is_none() {
        return Ok(Vec::new());
    }
    let number = |name: &str| name.split_once('-').and_then(|(number, _)| number.parse().ok());
    let mut dirs: Vec<(u64, PathBuf)> = disk
        .list(journal)?
        .into_iter()
        .filter_map(|name| Some((number(name.to_str()?)?, journal.join(&name))))
        .collect();
    dirs.sort();
    Ok(dirs)
}

pub(super) fn find_dir(disk: &Disk, journal: &Path, number: u64) -> Result<PathBuf, JournalError> {
    let found = dirs(disk, journal)?.into_iter().find(|(other, _)| *other == number);
    found.map(|(_, dir)| dir).ok_or(JournalError::NoSuchRecord(number))
}

pub(super) fn last_number(disk: &Disk, journal: &Path) -> Result<u64, JournalError> {
    Ok(dirs(disk, journal)?.last().map_or(0, |(number, _)| *number))
}

/// What the last records left: enough to know our own hand in a file that was written to a moment ago.
pub(super) fn last_ends(disk: &Disk, journal: &Path) -> Vec<PathShape> {
    let dirs = dirs(disk, journal).unwrap_or_default();
    let marks = dirs
        .into_iter()
        .rev()
        .take(16)
        .filter_map(|(_, dir)| load::<Committed>(disk, &dir.join(name::COMMITTED)).ok().flatten());
    marks.flat_map(|mark| mark.ends).flatten().collect()
}
