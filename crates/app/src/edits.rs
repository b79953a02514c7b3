//! Edits at the desk: planned, shown, applied, undone. What was interrupted is rolled back before anything is planned, so
//! that no edit is made of what is rolled back later; a reader is notified once.
//!
//! ```text
//! EditRequest ──► Desk::plan ──► Plan ──► Desk::preview ──► the user says yes ──► Desk::apply ──► Edited
//!                    └─ recovers first      Desk::dry_run recovers nothing and changes nothing
//! ```

use std::path::PathBuf;

use schemars::JsonSchema;
use scrollback_edit::{self as edit, EditPlan, Editor, Preview, RecordView, RecoveredView};
use scrollback_session::error::{AppError, refuse};
use scrollback_session::library::{Library, SessionFiles};
use scrollback_session::resume::command::ResumeCommand;
use serde::{Deserialize, Serialize};

use crate::desk::{Desk, whole};
use crate::notice::{Notice, Work};

/// An edit that can be asked for.
pub trait EditRequest {
    /// Plans it, of what is in the store now. Changes nothing. Fronts call [`Desk::plan`] or [`Desk::dry_run`].
    fn plan(&self, desk: &Desk) -> Result<EditPlan, AppError>;
}

/// An edit, planned or made.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Edited {
    /// Were the changes made?
    pub applied: bool,
    /// What they are.
    pub preview: Preview,
    /// The record of the journal, if they were made.
    pub record: Option<RecordView>,
    /// Interrupted edits that were rolled back before this one was planned.
    pub recovered: Vec<RecoveredView>,
    /// For each session afterwards, the command line that resumes it.
    pub resume: Vec<String>,
}

impl Desk {
    /// Plans an edit, after rolling back what was interrupted.
    pub fn plan(&self, request: &impl EditRequest) -> Result<EditPlan, AppError> {
        let recovered = self.recover()?;
        let mut plan = request.plan(self)?;
        plan.recovered = recovered;
        Ok(plan)
    }

    /// Plans an edit that will only be looked at: nothing is rolled back, and nothing is changed.
    pub fn dry_run(&self, request: &impl EditRequest) -> Result<EditPlan, AppError> {
        request.plan(self)
    }

    /// What a plan would change, and who works in its sessions now.
    pub fn preview(&self, plan: &EditPlan) -> Edited {
        let preview = plan.preview(&self.watch());
        let recovered = plan.recovered.clone();
        let client = self.client();
        let resume = preview.after.iter().map(|load| {
            let directory = load.directory.as_ref().map(Into::into);
            ResumeCommand::at(&load.session_id, directory, &preview.root, &client).line
        });
        Edited { applied: false, resume: resume.collect(), preview, record: None, recovered }
    }

    /// Makes the changes of a plan, all or none.
    pub fn apply(&self, plan: &EditPlan) -> Result<Edited, AppError> {
        if self.is_sample && !plan.transaction.is_tree() {
            return Err(refuse(
                "the built-in sample cannot be changed",
                "`scrollback sample DIR` writes a copy; edit it with --root DIR",
            ));
        }
        let preview = self.preview(plan);
        let record = self.changing(|editor| editor.apply(plan))?;
        Ok(Edited { applied: true, record: Some(record), ..preview })
    }

    /// Rolls back what a process that died has left incomplete, and reports it.
    pub fn recover(&self) -> Result<Vec<RecoveredView>, AppError> {
        if self.data.is_none() || self.is_sample {
            return Ok(Vec::new());
        }
        let recovered = self.changing(|editor| editor.recover())?;
        self.report_recovered(&recovered);
        if self.stop.is_set() { Err(AppError::Stopped) } else { Ok(recovered) }
    }

    /// Does something that changes the store, and that is not to be cut off meanwhile.
    pub(crate) fn changing<T>(
        &self,
        work: impl FnOnce(&Editor) -> Result<T, AppError>,
    ) -> Result<T, AppError> {
        let editor = Editor {
            data: self.data()?.to_owned(),
            watch: self.watch(),
            stop: edit::JournalStop::sharing(self.stop.flag()),
            command: self.command.clone(),
        };
        let _changes = self.progress(Work::Changes, 0);
        work(&editor)
    }

    /// Reports interrupted edits that were rolled back.
    pub(crate) fn report_recovered(&self, recovered: &[RecoveredView]) {
        recovered.iter().for_each(|one| self.notice(&Notice::Recovered(one.clone())));
    }

    /// Reports an edit that was interrupted and is incomplete: what is read may be half changed. Once for each desk.
    pub(crate) fn report_interrupted(&self) {
        let Some(data) = self.data.as_deref().filter(|_| !self.is_sample) else { return };
        if !self.interrupted.is_first() {
            return;
        }
        if let Some(RecordView { number, title, .. }) = edit::interrupted(data) {
            self.notice(&Notice::Interrupted { number, title });
        }
    }

    /// Opens whole sessions that are to be edited, each once, with no look at others.
    pub(crate) fn subjects(&self, command: &str, wanted: &[&str]) -> Result<Subjects, AppError> {
        let mut libraries = Vec::new();
        let mut paths: Vec<PathBuf> = Vec::new();
        for wanted in wanted {
            whole(wanted, command)?;
            let library = self.resolve(wanted)?.library;
            let missing = || AppError::NoSuchSession { wanted: (*wanted).to_owned(), near: Vec::new() };
            paths.push(library.only.clone().ok_or_else(missing)?);
            libraries.push(library);
        }
        Ok(Subjects { library: Library::joined(libraries), paths })
    }
}

/// Sessions that are to be edited.
#[derive(Debug)]
pub(crate) struct Subjects {
    /// A library of them and their folders.
    pub library: Library,
    paths: Vec<PathBuf>,
}

impl Subjects {
    /// The sessions, in the order in which they were named.
    pub fn files(&self) -> Result<Vec<SessionFiles<'_>>, AppError> {
        let missing =
            |path: &PathBuf| AppError::NoSuchSession { wanted: path.display().to_string(), near: Vec::new() };
        self.paths.iter().map(|path| self.library.at_path(path).ok_or_else(|| missing(path))).collect()
    }

    /// The one session that was named.
    pub fn one(&self) -> Result<SessionFiles<'_>, AppError> {
        let missing = || AppError::NoSuchSession { wanted: String::new(), near: Vec::new() };
        self.files()?.into_iter().next().ok_or_else(missing)
    }
}
