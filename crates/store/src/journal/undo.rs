//! Taking a record back: the opposite of each step, last one first, as a transaction of its own.

use std::path::Path;

use scrollback_format::area::ProjectFile;

use super::Journal;
use super::apply::Heading;
use super::bench::Bench;
use super::op::ByteSource;
use super::plan::{JournalStep, StepVerb, Undoes, name};
use super::record::{Record, RecordState};
use super::task::{Expected, Task};
use crate::journal_error::{JournalError, TreeOutcome};
use crate::live::{EditedSession, LiveCheck};
use crate::place::Place;
use crate::shape::{PathKind, PathShape, hex, read_from};
use crate::write_error::WriteError;

impl Journal {
    /// Takes a record back, byte for byte, with modes, times and folders; all or nothing. Refused if anything that it
    /// touched has moved on since. A record is taken back once.
    pub fn undo(&mut self, number: u64, watch: &LiveCheck) -> Result<Record, JournalError> {
        self.undo_steps(number, watch, |_| true)
    }

    /// Takes back only the steps at these places and in them: one session out of a record that removed several.
    pub fn undo_at(
        &mut self,
        number: u64,
        places: &[Place],
        watch: &LiveCheck,
    ) -> Result<Record, JournalError> {
        let inside =
            |path: &str| Place::new(path).is_ok_and(|path| places.iter().any(|place| path.is_in(place)));
        self.undo_steps(number, watch, |step| inside(&step.path) || step.from.as_deref().is_some_and(inside))
    }

    /// Is all that a record touched still what it left? Changes nothing; an error says why it cannot be taken back now.
    pub fn check_undo(&self, number: u64) -> Result<(), JournalError> {
        self.opposites(&self.record(number)?, |_| true).map(|_| ())
    }

    /// The steps of a record that are to be taken back, and what does it, the last one first.
    fn opposites(
        &self,
        record: &Record,
        wanted: impl Fn(&JournalStep) -> bool,
    ) -> Result<(Vec<usize>, Vec<Task>), JournalError> {
        let number = record.number;
        if let Some(why) = record.why_not_undoable() {
            return Err(JournalError::NotUndoable { number, why });
        }
        let left = |index: &usize| record.steps.get(*index).is_some_and(|step| !step.undone);
        let chosen: Vec<usize> = (0..record.plan.steps.len())
            .filter(left)
            .filter(|index| wanted(&record.plan.steps[*index]))
            .collect();
        if chosen.is_empty() {
            return Err(JournalError::NotUndoable { number, why: "it has nothing to undo at these paths" });
        }
        let bench = Bench {
            disk: self.disk.clone(),
            root: record.root.clone(),
            journal: self.dir.clone(),
            dir: record.dir.clone(),
            stop: self.stop.clone(),
        };
        let opposite = Opposite { bench: &bench, record };
        let tasks: Result<Vec<_>, _> = chosen.iter().rev().map(|index| opposite.task(*index)).collect();
        Ok((chosen, tasks?))
    }

    fn undo_steps(
        &mut self,
        number: u64,
        watch: &LiveCheck,
        wanted: impl Fn(&JournalStep) -> bool,
    ) -> Result<Record, JournalError> {
        let record = self.record(number)?;
        let (chosen, tasks) = self.opposites(&record, wanted)?;
        let whole = record.state == RecordState::Committed && chosen.len() == record.steps.len();
        let title = format!("undo {}{number}: {}", if whole { "" } else { "part of " }, record.title);
        let command = match self.command.as_slice() {
            [] => vec!["undo".to_owned(), number.to_string()],
            typed => typed.to_vec(),
        };
        let heading = Heading {
            root: &record.root,
            tree: record.plan.tree,
            title: &title,
            command: &command,
            sessions: &sessions(&record),
            undoes: Some(Undoes { number, steps: chosen }),
        };
        // Every file is what we left, so that it was written to a moment ago says nothing.
        let undo = self.run(&heading, tasks, watch, &|_, _| true);
        undo.map_err(|error| match error {
            JournalError::Write {
                error: WriteError::Changed { path },
                outcome: TreeOutcome::Unchanged | TreeOutcome::RolledBack,
            } => JournalError::ModifiedSince { number, path },
            other => other,
        })
    }
}

/// Sessions that nobody may be working in while a record is undone: those that it names, and those whose files it made or
/// moved, where they are now. A client may have opened them since.
fn sessions(record: &Record) -> Vec<EditedSession> {
    let mut sessions = record.plan.sessions.clone();
    let steps = record.plan.steps.iter();
    for step in steps.filter(|step| matches!(step.verb, StepVerb::Create | StepVerb::Move | StepVerb::Carry))
    {
        let at = |path: &str, id: &str| EditedSession {
            id: id.to_owned(),
            file: record.root.join(path),
            directories: Vec::new(),
        };
        sessions.extend(session_of(&step.path).map(|id| at(&step.path, id)));
        for session in &record.plan.sessions {
            // A folder that was moved: the session is in it by the same name.
            let name = session.file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let folder = session.file.parent().and_then(|folder| folder.file_name()?.to_str());
            let moved = step.from.as_deref().and_then(|from| from.strip_prefix("projects/"));
            if folder.is_some() && folder == moved {
                sessions.push(at(&format!("{}/{name}", step.path), &session.id));
            }
        }
    }
    sessions
}

/// The session whose file a path below the root is: `projects/<folder>/<id>.jsonl`.
fn session_of(path: &str) -> Option<&str> {
    let (_, name) = path.strip_prefix("projects/")?.split_once('/')?;
    match ProjectFile::of(name) {
        ProjectFile::Session(_) => name.strip_suffix(".jsonl"),
        _ => None,
    }
}

struct Opposite<'a> {
    bench: &'a Bench,
    record: &'a Record,
}

impl Opposite<'_> {
    /// What takes a step back, if its path is still what the record left.
    fn task(&self, index: usize) -> Result<Task, JournalError> {
        let step = &self.record.plan.steps[index];
        let target = self.bench.target(step)?;
        let path = Place::new(&step.path)?;
        let now = PathShape::of(&self.bench.disk, &target)?;
        match step.verb {
            StepVerb::Create | StepVerb::Make => {
                let now = now.ok_or_else(|| self.moved_on(&target))?;
                self.is_end(index, &target, &now)?;
                // A folder is what it was when it was put there, once what came into it later is out again.
                let expected = match &step.after {
                    Some(after) if after.kind == PathKind::Folder => after.clone(),
                    _ => now,
                };
                Ok(Task::Remove { path, expected: Expected::Shape(Box::new(expected)) })
            }
            StepVerb::Replace => {
                let now = now.ok_or_else(|| self.moved_on(&target))?;
                self.is_end(index, &target, &now)?;
                let before = step.before.as_ref().ok_or_else(|| self.moved_on(&target))?;
                let source = ByteSource::Copy { path: self.bench.saved(index), bytes: before.bytes };
                let (mode, mtime_ns) = (Some(before.mode), Some(before.mtime_ns));
                let expected = Expected::Shape(Box::new(now));
                Ok(Task::Replace { path, expected, source, mode, mtime_ns })
            }
            StepVerb::Append => self.cut(index, path, &target, now),
            StepVerb::Move | StepVerb::Carry => {
                let now = now.ok_or_else(|| self.moved_on(&target))?;
                self.is_end(index, &target, &now)?;
                let from = Place::new(step.from.as_deref().unwrap_or_default())?;
                Ok(Task::Move { from: path, to: from, expected: Expected::Any })
            }
            StepVerb::Remove if now.is_some() => Err(self.moved_on(&target)),
            StepVerb::Remove => {
                let dir = self.bench.dir.file_name().unwrap_or_default().to_string_lossy();
                Ok(Task::Restore { saved: format!("{dir}/{}/{index}", name::SAVED), path })
            }
            StepVerb::Cut | StepVerb::Restore => {
                Err(JournalError::NotUndoable { number: self.record.number, why: "it is itself an undo" })
            }
        }
    }

    fn cut(
        &self,
        index: usize,
        path: Place,
        target: &Path,
        now: Option<PathShape>,
    ) -> Result<Task, JournalError> {
        let disk = &self.bench.disk;
        let step = &self.record.plan.steps[index];
        let (Some(now), Some(before)) = (now, &step.before) else { return Err(self.moved_on(target)) };
        if now.kind != PathKind::File || now.bytes != before.bytes + step.bytes {
            return Err(self.moved_on(target));
        }
        let tail = read_from(disk, &mut disk.open(target)?, before.bytes, step.bytes)?;
        let sha256 = Some(hex(&<sha2::Sha256 as sha2::Digest>::digest(&tail)));
        if sha256 != step.sha256 {
            return Err(self.moved_on(target));
        }
        Ok(Task::Cut { path, bytes: step.bytes, sha256, mtime_ns: before.mtime_ns })
    }

    /// Is it still what the record left there, the very same or at least the same bytes?
    fn is_end(&self, index: usize, path: &Path, now: &PathShape) -> Result<(), JournalError> {
        let step = &self.record.plan.steps[index];
        let end = self.record.ends.get(index).and_then(Option::as_ref);
        // The undo of a later change may have put it back as another file: all but its inode has to be as it was.
        let known = end.is_some_and(|end| {
            now.is(&PathShape { inode: 0, ..end.clone() }) || now.kind == PathKind::Link && now.holds(end)
        });
        // A folder that was made is judged when its turn comes: what others have put into it stands in the way then.
        let made =
            step.verb == StepVerb::Make && step.after.as_ref().is_some_and(|after| after.inode == now.inode);
        if known || made || self.bench.is_after(path, now, step)? { Ok(()) } else { Err(self.moved_on(path)) }
    }

    fn moved_on(&self, path: &Path) -> JournalError {
        JournalError::ModifiedSince { number: self.record.number, path: path.to_owned() }
    }
}
