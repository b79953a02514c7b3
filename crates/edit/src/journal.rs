//! Making a plan's changes, undoing them, rolling back what was interrupted, and listing all of it.

use std::path::{Path, PathBuf};

use scrollback_format::time::Time;
use scrollback_store::journal::{self, JournalStop, Record, RecordState, RecordStep};
use scrollback_store::live::LiveCheck;
use scrollback_store::{DataDir, Journal, JournalError, Root};
use serde::{Deserialize, Serialize};

use super::lock;
use super::plan::EditPlan;
use super::recovered::RecoveredView;
use super::verb::ChangeVerb;
use scrollback_session::error::{AppError, refuse};

/// What became of an edit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum EditState {
    /// All of its changes are made.
    Committed,
    /// Some of its changes were undone.
    PartlyUndone,
    /// All of its changes were undone.
    Undone,
    /// Its changes failed or were interrupted, and were rolled back.
    RolledBack,
    /// A process is making its changes.
    Open,
    /// The process that was making its changes has ended: it is incomplete.
    Interrupted,
}

impl EditState {
    /// For people.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Committed => "committed",
            Self::PartlyUndone => "partly undone",
            Self::Undone => "undone",
            Self::RolledBack => "rolled back",
            Self::Open => "open",
            Self::Interrupted => "interrupted",
        }
    }
}

impl From<RecordState> for EditState {
    fn from(state: RecordState) -> Self {
        match state {
            RecordState::Committed => Self::Committed,
            RecordState::PartlyUndone => Self::PartlyUndone,
            RecordState::Undone => Self::Undone,
            RecordState::RolledBack => Self::RolledBack,
            RecordState::Open => Self::Open,
        }
    }
}

/// One record of the journal.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct RecordView {
    /// Its number, which `undo` takes.
    pub number: u64,
    /// When.
    #[serde(with = "scrollback_session::view::time")]
    #[schemars(with = "Option<String>")]
    pub time: Option<Time>,
    /// What it does.
    pub title: String,
    /// The command as it was typed, word by word, without the name of the program.
    pub command: Vec<String>,
    /// The store, or the directory that files were restored to.
    #[serde(with = "scrollback_session::view::path")]
    #[schemars(with = "String")]
    pub root: PathBuf,
    /// `committed`, `partly_undone`, `undone`, `rolled_back`, `open` (a process is making its changes) or `interrupted`
    /// (incomplete: the process has ended).
    pub state: EditState,
    /// The record that it undoes, if it is an undo.
    pub undoes: Option<u64>,
    /// Can it be undone, as far as the record itself tells?
    pub undoable: bool,
    /// Its originals are deleted.
    pub emptied: bool,
    /// Bytes that it wrote.
    pub bytes: u64,
    /// Bytes of originals that the journal keeps for it.
    pub saved: u64,
    /// Its steps.
    pub steps: Vec<RecordStepView>,
    /// Paths that someone else had changed meanwhile, and that were left as they are when it was undone.
    pub kept: Vec<String>,
}

/// One step of a record.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct RecordStepView {
    /// `create`, `append`, `replace`, `move`, `remove`, `make` (a folder), `cut` or `restore`.
    pub verb: ChangeVerb,
    /// Where, below the root; of a move, to where.
    pub path: String,
    /// Of a move, from where.
    pub from: Option<String>,
    /// Bytes that it writes, moves, cuts or removes.
    pub bytes: u64,
    /// It was undone.
    pub undone: bool,
}

/// What an undo has done.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct UndoneView {
    /// The record of the undo; if an interrupted edit was rolled back instead, the record of that one. Nothing if that one was
    /// interrupted before it had changed anything.
    #[serde(flatten)]
    pub record: Option<RecordView>,
    /// Interrupted edits that were rolled back first.
    pub recovered: Vec<RecoveredView>,
    /// If nothing else was undone: the edit that the next undo would undo.
    pub next: Option<RecordView>,
}

impl UndoneView {
    /// The record of the undo; none if an interrupted edit was rolled back and nothing else was touched.
    pub fn made(&self) -> Option<&RecordView> {
        self.record.as_ref().filter(|record| record.state != EditState::RolledBack)
    }
}

/// What a front brings for changes: where the journal is, how to look, when to stop, and what was typed.
#[derive(Debug, Clone)]
pub struct Editor {
    /// Our own directory.
    pub data: PathBuf,
    /// A look at who works in sessions.
    pub watch: LiveCheck,
    /// Set when changes are to be stopped: they are rolled back then.
    pub stop: JournalStop,
    /// The command as it was typed, for the record of an undo. Plans bring their own.
    pub command: Vec<String>,
}

impl Editor {
    /// An editor that cannot be stopped.
    pub fn new(data: &Path, watch: &LiveCheck) -> Self {
        Self {
            data: data.to_owned(),
            watch: watch.clone(),
            stop: JournalStop::default(),
            command: Vec::new(),
        }
    }

    /// Rolls back what a process that died has left half made. To be asked before an edit is planned, so that nothing is read
    /// that is rolled back later. Costs next to nothing where there is nothing; an error while another process is at work.
    pub fn recover(&self) -> Result<Vec<RecoveredView>, AppError> {
        if !journal::is_unended(&self.data)? {
            return Ok(Vec::new());
        }
        Ok(recovered(&self.journal()?))
    }

    /// Makes the changes of a plan, all or none. Refused if an interrupted edit was rolled back only now: the plan was made of
    /// what it had left.
    pub fn apply(&self, plan: &EditPlan) -> Result<RecordView, AppError> {
        let mut journal = self.journal()?;
        if let Some(found) = journal.recovered().first() {
            let why = format!(
                "edit {} ({}) was interrupted and has been rolled back; this edit was planned before that",
                found.number, found.title
            );
            return Err(refuse(why, "run the same command again"));
        }
        let paths = plan.transaction.ops().iter().map(|op| op.path().as_str());
        lock::holding(plan.transaction.root(), paths, &self.watch, || {
            Ok(RecordView::of(&journal.apply(&plan.transaction, &self.watch)?))
        })
    }

    /// Undoes an edit, all or nothing. Without a number, an edit that was interrupted is rolled back and nothing else is
    /// touched; if there is none, the last one that can be is undone.
    pub fn undo(&self, number: Option<u64>) -> Result<UndoneView, AppError> {
        self.undo_noting(number, &mut Vec::new())
    }

    /// The same. What was rolled back first is noted even if the undo fails.
    pub fn undo_noting(
        &self,
        number: Option<u64>,
        noted: &mut Vec<RecoveredView>,
    ) -> Result<UndoneView, AppError> {
        if !self.data.is_dir() {
            return Err(number.map_or_else(nothing, |number| JournalError::NoSuchRecord(number).into()));
        }
        let mut journal = self.journal()?;
        let recovered = recovered(&journal);
        noted.clone_from(&recovered);
        // Only now: which one is the last depends on what was rolled back.
        let records = journal.records()?;
        let last = records.iter().rev().find(|record| record.is_undoable());
        let settled = match number {
            Some(number) => recovered.iter().find(|one| one.number == number),
            None => recovered.first(),
        };
        if let Some(settled) = settled {
            let record = records.iter().find(|record| record.number == settled.number);
            let next = last.map(RecordView::of);
            return Ok(UndoneView { record: record.map(RecordView::of), recovered, next });
        }
        let number = number.or_else(|| last.map(|record| record.number)).ok_or_else(nothing)?;
        let record = journal.record(number)?;
        let paths = record.steps.iter().map(|step| step.path.as_str());
        let undone = lock::holding(&Root::new(&record.root), paths, &self.watch, || {
            Ok(RecordView::of(&journal.undo(number, &self.watch)?))
        })?;
        Ok(UndoneView { record: Some(undone), recovered, next: None })
    }

    /// The journal, open for editing; what was half made is rolled back.
    pub(super) fn journal(&self) -> Result<Journal, AppError> {
        let journal = Journal::open(&DataDir::open(&self.data)?)?;
        Ok(journal.stopping_at(self.stop.clone()).asked_by(&self.command))
    }
}

/// What opening the journal has rolled back or cleared, the newest first.
pub(super) fn recovered(journal: &Journal) -> Vec<RecoveredView> {
    let rolled_back = journal.recovered().iter().map(|found| RecoveredView {
        number: found.number,
        title: Some(found.title.clone()),
        kept: found.kept.clone(),
    });
    let cleared = journal.discarded().iter().map(|number| RecoveredView {
        number: *number,
        title: None,
        kept: Vec::new(),
    });
    let mut all: Vec<RecoveredView> = rolled_back.chain(cleared).collect();
    all.sort_by_key(|one| std::cmp::Reverse(one.number));
    all
}

/// The edit that a process which died has left half made, if there is one. For those who only read: it is cheap, changes
/// nothing, and an edit that another process is making right now is none.
pub fn interrupted(data: &Path) -> Option<RecordView> {
    // What cannot be read is no reason not to answer: an edit will say what is wrong.
    let record = journal::interrupted(data).ok().flatten()?;
    Some(RecordView { state: EditState::Interrupted, ..RecordView::of(&record) })
}

/// Makes the changes of a plan, all or none. `data` is our own directory.
pub fn apply(plan: &EditPlan, data: &Path, watch: &LiveCheck) -> Result<RecordView, AppError> {
    Editor::new(data, watch).apply(plan)
}

/// Undoes an edit, all or nothing; as [`Editor::undo`] does if no number is given.
pub fn undo(number: Option<u64>, data: &Path, watch: &LiveCheck) -> Result<RecordView, AppError> {
    Editor::new(data, watch).undo(number)?.record.ok_or_else(nothing)
}

/// The newest record before this one that can be undone now, if any.
pub fn undoable_before(number: u64, data: &Path) -> Result<Option<RecordView>, AppError> {
    let journal = Journal::open(&DataDir::open(data)?)?;
    let older = journal.records()?.into_iter().rev().filter(|record| record.number < number);
    let found = older.filter(Record::is_undoable).find(|record| journal.check_undo(record.number).is_ok());
    Ok(found.as_ref().map(RecordView::of))
}

fn nothing() -> AppError {
    AppError::NothingToEdit("nothing to undo".into())
}

/// All records, the oldest first. Makes no directory.
pub fn list(data: &Path) -> Result<Vec<RecordView>, AppError> {
    if !data.is_dir() {
        return Ok(Vec::new());
    }
    let records = journal::list(&DataDir::open(data)?)?;
    let mut views: Vec<RecordView> = records.iter().map(RecordView::of).collect();
    let is_open = |view: &RecordView| view.state == EditState::Open;
    if views.iter().any(is_open) && !journal::is_at_work(data) {
        views
            .iter_mut()
            .filter(|view| view.state == EditState::Open)
            .for_each(|view| view.state = EditState::Interrupted);
    }
    Ok(views)
}

impl RecordView {
    /// The view of a record.
    pub fn of(record: &Record) -> Self {
        Self {
            number: record.number,
            time: Some(record.time),
            title: record.title.clone(),
            command: record.command.clone(),
            root: record.root.clone(),
            state: record.state.into(),
            undoes: record.undoes,
            undoable: record.is_undoable(),
            emptied: record.emptied,
            bytes: record.bytes(),
            saved: record.saved(),
            steps: record.steps.iter().map(RecordStepView::of).collect(),
            kept: record.kept.clone(),
        }
    }
}

impl RecordStepView {
    fn of(step: &RecordStep) -> Self {
        Self {
            verb: step.verb.into(),
            path: step.path.clone(),
            from: step.from.clone(),
            bytes: step.bytes,
            undone: step.undone,
        }
    }
}
