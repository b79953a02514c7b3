//! What goes beside a session: titles, backups, todos, tasks, spilled results, the history of prompts.
//!
//! What a generation does not have is not written; the methods then do nothing.

use scrollback_compose::area::{HistoryPrompt, history_line, paste_path, task_file};
use scrollback_compose::checkpoint::Backup;
use scrollback_compose::note::title_file;
use scrollback_compose::tool::task::{Todo, list};
use scrollback_compose::{Id, IdSource, WrittenCall, place};
use scrollback_format::generation::Generation;
use scrollback_format::stamp::Stamp;
use scrollback_store::{Place, stamp};

use super::Author;
use crate::plan::EditPlan;
use scrollback_session::error::AppError;

/// A file beside the session.
#[derive(Debug)]
pub(super) struct Piece {
    place: Place,
    bytes: Vec<u8>,
    how: How,
}

/// What becomes of a file that is there already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    /// It stands in the way.
    New,
    /// It is named by what it holds, so it stays.
    Same,
    /// It is replaced.
    Over,
    /// The lines are put at its end.
    After,
    /// The same, if it is still what was read.
    Onto(Stamp),
}

impl Piece {
    pub(super) fn new(place: Place, bytes: Vec<u8>, how: How) -> Self {
        Self { place, bytes, how }
    }

    /// Adds it to a plan.
    pub(super) fn put(self, plan: &mut EditPlan) -> Result<(), AppError> {
        let path = plan.transaction.root().path().join(self.place.as_str());
        let is_there = stamp::look(&path).is_some();
        match self.how {
            How::Same if is_there => {}
            How::Over if is_there => plan.transaction.replace(self.place, stamp::take(&path)?, self.bytes),
            How::After if is_there => plan.transaction.append(self.place, stamp::take(&path)?, self.bytes),
            How::Onto(stamp) => plan.transaction.append(self.place, stamp, self.bytes),
            _ => {
                plan.transaction.folders_for(&self.place);
                plan.transaction.create(self.place, self.bytes);
            }
        }
        Ok(())
    }
}

impl<S: IdSource> Author<S> {
    /// Gives the session a title: the lines, and the sidecar of the newest clients. Old clients list a summary.
    pub fn title(&mut self, title: &str) -> Result<(), AppError> {
        let generation = self.session.settings.generation;
        if let Some(leaf) = self.session.tail().cloned().filter(|_| generation < Generation::V2_1_9) {
            self.session.summary(title, &leaf);
        }
        self.session.custom_title(title);
        match place::title_sidecar(generation, &self.session.settings.cwd, self.session.id()) {
            Some(path) => {
                let path = self.inside(&path)?;
                self.add(path, title_file(title), How::Over);
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// Keeps a file as it was before a change. `Session::snapshot` writes the line that names it.
    pub fn back_up(&mut self, backup: &Backup, content: &[u8]) -> Result<(), AppError> {
        match place::backup(self.session.id(), backup) {
            Some(path) => self.put(&path, content.to_vec(), How::New),
            None => Ok(()),
        }
    }

    /// The todo list as it is now, of clients that keep one.
    pub fn todos(&mut self, todos: &[Todo]) -> Result<(), AppError> {
        if self.session.settings.generation >= Generation::V2_1_80 {
            return Ok(());
        }
        let path = place::todos(self.session.id(), self.session.id());
        self.put(&path, list(todos).as_bytes().to_vec(), How::Over)
    }

    /// A task as it is now.
    pub fn task(
        &mut self,
        number: u64,
        subject: &str,
        description: &str,
        status: &str,
    ) -> Result<(), AppError> {
        let path = place::task(self.session.id(), number);
        self.put(&path, task_file(number, subject, description, subject, status), How::Over)
    }

    /// What a tool gave back, where it is too long for a line. Tells whether the generation keeps such files.
    pub fn spill(&mut self, call: &WrittenCall, shell: &Id, output: &str) -> Result<bool, AppError> {
        let settings = &self.session.settings;
        let path = place::tool_result(settings.generation, &settings.cwd, self.session.id(), &call.id, shell);
        let Some(path) = path else { return Ok(false) };
        let path = self.inside(&path)?;
        self.add(path, output.as_bytes().to_vec(), How::New);
        Ok(true)
    }

    /// A line in the history of all prompts, with what was pasted.
    pub fn remember(&mut self, display: &str, pasted: Option<&str>) -> Result<(), AppError> {
        let generation = self.session.settings.generation;
        let history = HistoryPrompt {
            display,
            pasted,
            at: self.session.source.now(),
            project: &self.session.settings.cwd,
            session: self.session.id(),
        };
        let line = history_line(generation, &history);
        if let Some(pasted) = pasted.filter(|_| generation >= Generation::V2_1_9) {
            self.put(&paste_path(pasted), pasted.as_bytes().to_vec(), How::Same)?;
        }
        self.put("history.jsonl", line, How::After)
    }

    fn put(&mut self, path: &str, bytes: Vec<u8>, how: How) -> Result<(), AppError> {
        self.add(Place::new(path)?, bytes, how);
        Ok(())
    }

    /// One file is changed once: a later state replaces an earlier one, later lines follow earlier ones.
    fn add(&mut self, place: Place, bytes: Vec<u8>, how: How) {
        match self.beside.iter_mut().find(|piece| piece.place == place) {
            Some(piece) if how == How::After => piece.bytes.extend(bytes),
            Some(piece) => piece.bytes = bytes,
            None => self.beside.push(Piece::new(place, bytes, how)),
        }
    }
}
