//! Getting ready: every check, every byte that needs room on a disk, and the plan, before anything in the tree changes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::bench::Bench;
use super::op::ByteSource;
use super::origin::{Origin, carried, origin, replaced, rewritten, touched};
use super::plan::{Draft, JournalStep, StepVerb, name, store};
use super::progress::Progress;
use super::task::{Expected, Task};
use crate::disk::{Disk, Handle};
use crate::journal_error::JournalError;
use crate::place::Place;
use crate::shape::{PathKind, PathShape, hex, read_from, sha256_of};
use crate::write::{copy_tree, joint};
use crate::write_error::WriteError;

/// Why a path is refused that no rename could lead to.
const TOO_LONG: &str = "a name in it is longer than the disk takes";

/// Makes the steps of the tasks, with all that they need standing ready.
pub(super) fn prepare(bench: &Bench, tasks: Vec<Task>, own: bool) -> Result<Vec<JournalStep>, JournalError> {
    let disk = &bench.disk;
    let tasks = over_devices(bench, tasks)?;
    let works = works(bench, &tasks)?;
    let outside: BTreeSet<String> =
        works.iter().flat_map(|(work, away)| [work, away]).flatten().cloned().collect();
    if !outside.is_empty() {
        store(disk, &bench.dir.join(name::DRAFT), &Draft { work: outside.iter().cloned().collect() })?;
    }
    for work in &outside {
        disk.make_dir(Path::new(work))?;
    }
    disk.make_dir(&bench.work())?;
    disk.make_dir(&bench.dir.join(name::SAVED))?;
    let mut steps = Vec::new();
    for (task, (work, away)) in tasks.into_iter().zip(works) {
        bench.go_on()?;
        let step = Preparing { bench, steps: &steps, work, away, own }.step(task)?;
        steps.push(step);
    }
    for work in &outside {
        disk.sync_dir(Path::new(work))?;
    }
    Progress::create(bench, steps.len())?;
    disk.sync_dir(&bench.work())?;
    disk.sync_dir(&bench.dir.join(name::SAVED))?;
    disk.sync_dir(&bench.dir)?;
    Ok(steps)
}

/// Is everything still as the steps found it? Asked once more right before the first of them.
pub(super) fn recheck(bench: &Bench, steps: &[JournalStep]) -> Result<(), JournalError> {
    for (index, step) in steps.iter().enumerate() {
        let Some(before) = &step.before else { continue };
        let earlier = &steps[..index];
        let path = match step.verb {
            StepVerb::Restore => bench.source(step)?,
            _ => {
                let place = Place::new(step.from.as_ref().unwrap_or(&step.path))?;
                match origin(earlier, &place) {
                    Origin::At(place) => place.resolve(&bench.disk, &bench.root)?,
                    _ => continue,
                }
            }
        };
        let place = Place::new(&step.path)?;
        let moves = matches!(step.verb, StepVerb::Move | StepVerb::Carry | StepVerb::Restore);
        let now = PathShape::of(&bench.disk, &path)?;
        let other = step.from.as_deref().is_some_and(|from| replaced(earlier, from).is_some());
        let same = |now: &PathShape| match touched(earlier, &place) || moves {
            true => now.kind == before.kind && (other || now.inode == before.inode || before.inode == 0),
            false => now.is(before),
        };
        if !now.as_ref().is_some_and(same) {
            return Err(WriteError::Changed { path }.into());
        }
    }
    Ok(())
}

/// A rename cannot lead to another device: what is moved there is carried, what is restored there is copied.
fn over_devices(bench: &Bench, tasks: Vec<Task>) -> Result<Vec<Task>, JournalError> {
    let mut all = Vec::new();
    for task in tasks {
        match task {
            Task::Move { from, to, expected } => {
                let old = nearest(&bench.disk, &bench.root.join(from.as_str()))?;
                let new = nearest(&bench.disk, &bench.root.join(to.as_str()))?;
                all.push(match bench.disk.same_device(&old, &new)? {
                    true => Task::Move { from, to, expected },
                    false => Task::Carry { from, to, expected },
                });
            }
            Task::Restore { saved, path } => {
                let target = nearest(&bench.disk, &bench.root.join(path.as_str()))?;
                if bench.disk.same_device(&bench.journal, &target)? {
                    all.push(Task::Restore { saved, path });
                } else {
                    all.push(Task::copy(bench.journal.join(saved), path));
                }
            }
            other => all.push(other),
        }
    }
    Ok(all)
}

/// Folders outside of the record: for what stands ready, and for what is carried away.
type Works = (Option<String>, Option<String>);

/// For each task, the folders outside of the record where its things stand ready, and where what it carries away stays
/// for a while: none if the record is on that device.
fn works(bench: &Bench, tasks: &[Task]) -> Result<Vec<Works>, JournalError> {
    let mut known: BTreeMap<PathBuf, Option<String>> = BTreeMap::new();
    let mut work_of = |place: &Place| -> Result<Option<String>, JournalError> {
        let above = nearest(&bench.disk, &place.resolve(&bench.disk, &bench.root)?)?;
        if let Some(work) = known.get(&above) {
            return Ok(work.clone());
        }
        let work = work(bench, &above)?;
        known.insert(above, work.clone());
        Ok(work)
    };
    let mut works = Vec::new();
    for task in tasks {
        let away = match task {
            Task::Carry { from, .. } => work_of(from)?,
            _ => None,
        };
        works.push((work_of(task.path())?, away));
    }
    Ok(works)
}

fn work(bench: &Bench, above: &Path) -> Result<Option<String>, JournalError> {
    if bench.disk.same_device(&bench.dir, above)? {
        return Ok(None);
    }
    // As far up as the device goes: neither a client nor our walk looks at such a folder beside `projects`.
    let mut top = above.to_owned();
    while top != bench.root
        && top.starts_with(&bench.root)
        && let Some(parent) = top.parent()
        && bench.disk.same_device(parent, &top)?
    {
        top = parent.to_owned();
    }
    let record = bench.dir.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let work = top.join(format!(".scrollback-{record}"));
    match work.to_str() {
        Some(work) => Ok(Some(work.to_owned())),
        None => Err(JournalError::Plan { path: work.display().to_string(), why: "its name is not UTF-8" }),
    }
}

/// The nearest folder above that is there.
fn nearest(disk: &Disk, path: &Path) -> Result<PathBuf, WriteError> {
    let mut above = path.parent().unwrap_or(path);
    while disk.look(above)?.is_none() {
        match above.parent() {
            Some(parent) => above = parent,
            None => break,
        }
    }
    Ok(above.to_owned())
}

/// One step in the making.
struct Preparing<'a> {
    bench: &'a Bench,
    steps: &'a [JournalStep],
    work: Option<String>,
    away: Option<String>,
    /// An undo, whose order is right by itself.
    own: bool,
}

impl Preparing<'_> {
    fn step(self, task: Task) -> Result<JournalStep, JournalError> {
        let step = JournalStep {
            verb: StepVerb::Create,
            path: task.path().as_str().to_owned(),
            from: None,
            bytes: 0,
            before: None,
            after: None,
            sha256: None,
            mtime_ns: None,
            work: self.work.clone(),
            away: self.away.clone(),
        };
        match task {
            Task::Create { path, source, mode, mtime_ns } => {
                self.free(&path)?;
                self.ready(step, Some(&source), mode, mtime_ns)
            }
            Task::Make { path, mode } => {
                self.free(&path)?;
                self.ready(JournalStep { verb: StepVerb::Make, ..step }, None, Some(mode), None)
            }
            Task::Replace { path, expected, source, mode, mtime_ns } => {
                let (at, before) = self.there(&path, &expected)?;
                self.save(&at)?;
                let mode = Some(mode.unwrap_or(before.mode));
                self.ready(
                    JournalStep { verb: StepVerb::Replace, before: Some(before), ..step },
                    Some(&source),
                    mode,
                    mtime_ns,
                )
            }
            Task::Append { path, expected, bytes, mtime_ns } => self.adding(
                JournalStep { verb: StepVerb::Append, mtime_ns, ..step },
                &path,
                &expected,
                &bytes,
            ),
            Task::Cut { path, bytes, sha256, mtime_ns } => {
                let step = JournalStep { verb: StepVerb::Cut, mtime_ns: Some(mtime_ns), ..step };
                self.cutting(step, &path, bytes, sha256.as_deref())
            }
            Task::Move { from, to, expected } => {
                self.moving(JournalStep { verb: StepVerb::Move, ..step }, &from, &to, &expected)
            }
            Task::Carry { from, to, expected } => {
                self.moving(JournalStep { verb: StepVerb::Carry, ..step }, &from, &to, &expected)
            }
            Task::Restore { saved, path } => {
                self.free(&path)?;
                self.restoring(JournalStep { verb: StepVerb::Restore, ..step }, saved)
            }
            Task::Remove { path, expected } => {
                self.unmade(&path)?;
                let (at, before) = self.there(&path, &expected)?;
                self.save(&at)?;
                Ok(JournalStep { verb: StepVerb::Remove, bytes: before.bytes, before: Some(before), ..step })
            }
        }
    }

    fn adding(
        &self,
        step: JournalStep,
        path: &Place,
        expected: &Expected,
        lines: &[u8],
    ) -> Result<JournalStep, JournalError> {
        let (at, before) = self.there(path, expected)?;
        let joint = joint(&self.bench.disk, &mut self.bench.disk.open(&at)?, before.bytes)?;
        self.tail(JournalStep { before: Some(before), ..step }, &[joint, lines].concat())
    }

    fn cutting(
        &self,
        step: JournalStep,
        path: &Place,
        bytes: u64,
        sha256: Option<&str>,
    ) -> Result<JournalStep, JournalError> {
        let (at, before) = self.there(path, &Expected::Any)?;
        let end = before.bytes.saturating_sub(bytes);
        let tail = read_from(&self.bench.disk, &mut self.bench.disk.open(&at)?, end, bytes)?;
        let step = self.tail(JournalStep { before: Some(before), ..step }, &tail)?;
        if step.sha256.as_deref() == sha256 { Ok(step) } else { Err(WriteError::Changed { path: at }.into()) }
    }

    fn restoring(&self, step: JournalStep, saved: String) -> Result<JournalStep, JournalError> {
        let at = self.bench.journal.join(&saved);
        let before = PathShape::of(&self.bench.disk, &at)?
            .ok_or(WriteError::Missing { path: at, wanted: "a saved original" })?;
        Ok(JournalStep { from: Some(saved), bytes: before.bytes, before: Some(before), ..step })
    }

    fn moving(
        &self,
        step: JournalStep,
        from: &Place,
        to: &Place,
        expected: &Expected,
    ) -> Result<JournalStep, JournalError> {
        self.free(to)?;
        self.unmade(from)?;
        let (_, mut before) = self.there(from, expected)?;
        // An undo gives a file its old content before it moves it back: that file is what the step will find.
        if let Some(after) = replaced(self.steps, from.as_str()) {
            before.inode = after.inode;
        }
        let from = Some(from.as_str().to_owned());
        Ok(JournalStep { from, bytes: before.bytes, before: Some(before), ..step })
    }

    /// Nothing has this name when the step's turn comes, and there is a folder for it.
    fn free(&self, path: &Place) -> Result<(), JournalError> {
        let Bench { disk, root, .. } = self.bench;
        let at = path.resolve(disk, root)?;
        if !path.fits(disk, root)? {
            return Err(WriteError::Name { name: path.to_string(), why: TOO_LONG }.into());
        }
        let there = match origin(self.steps, path) {
            Origin::Made => true,
            Origin::Gone | Origin::Within => false,
            Origin::At(place) => disk.look(&place.resolve(disk, root)?)?.is_some(),
        };
        if there {
            return Err(WriteError::Exists { path: at }.into());
        }
        let Some(parent) = path.parent() else { return Ok(()) };
        let folder = match origin(self.steps, &parent) {
            Origin::Made | Origin::Within => true,
            Origin::Gone => false,
            Origin::At(place) => {
                let at = place.resolve(disk, root)?;
                disk.look(&at)?.is_some_and(|meta| meta.is_dir() || meta.is_symlink() && at.is_dir())
            }
        };
        if folder {
            return Ok(());
        }
        Err(WriteError::Missing { path: root.join(parent.as_str()), wanted: "a folder" }.into())
    }

    /// What is there, as expected; and where it is now, before any step.
    fn there(&self, path: &Place, expected: &Expected) -> Result<(PathBuf, PathShape), JournalError> {
        let Bench { disk, root, .. } = self.bench;
        let Origin::At(place) = origin(self.steps, path) else {
            let why = "an earlier step of the same transaction has made or taken it";
            return Err(JournalError::Plan { path: path.to_string(), why });
        };
        let changes_content = matches!(expected, Expected::Stamp(_));
        if changes_content && !self.own && rewritten(self.steps, path) {
            let why = "an earlier step of the same transaction has changed it";
            return Err(JournalError::Plan { path: path.to_string(), why });
        }
        let at = place.resolve(disk, root)?;
        let wanted = if changes_content { "a file" } else { "a file or a folder" };
        let mut now = PathShape::of(disk, &at)?.ok_or(WriteError::Missing { path: at.clone(), wanted })?;
        if let Expected::Stamp(stamp) = expected
            && !now.is_stamped(stamp)
            && now.kind == PathKind::File
        {
            return Err(WriteError::Changed { path: at }.into());
        }
        if carried(self.steps, path) {
            now.inode = 0;
        }
        match expected {
            Expected::Stamp(_) if now.kind != PathKind::File => {
                Err(WriteError::Missing { path: at, wanted }.into())
            }
            Expected::Any | Expected::Stamp(_) => Ok((at, now)),
            Expected::Shape(shape) => Ok((at, (**shape).clone())),
        }
    }

    /// What moves or goes is as it was: an earlier step that had changed it could not be taken back by itself.
    fn unmade(&self, path: &Place) -> Result<(), JournalError> {
        if !self.own && touched(self.steps, path) {
            let why = "a step may not move or remove what an earlier one has made or changed";
            return Err(JournalError::Plan { path: path.to_string(), why });
        }
        Ok(())
    }

    fn index(&self) -> usize {
        self.steps.len()
    }

    /// On another device the original is copied before; on the same one it is moved when its turn comes.
    fn save(&self, at: &Path) -> Result<(), JournalError> {
        if self.work.is_some() {
            copy_tree(&self.bench.disk, at, &self.bench.saved(self.index()))?;
        }
        Ok(())
    }

    /// Puts ready what is going to be put in place. Without a source it is an empty folder.
    fn ready(
        &self,
        mut step: JournalStep,
        source: Option<&ByteSource>,
        mode: Option<u32>,
        mtime_ns: Option<i64>,
    ) -> Result<JournalStep, JournalError> {
        let disk = &self.bench.disk;
        let fresh = self.bench.fresh(self.index(), &step);
        match source {
            None => disk.make_dir(&fresh)?,
            Some(ByteSource::Bytes(bytes)) => disk.write_all(&mut disk.create(&fresh)?, bytes)?,
            Some(ByteSource::Copy { path, .. }) => copy_tree(disk, path, &fresh)?,
            Some(ByteSource::Stream { make, .. }) => {
                let mut sink = Sink { disk, handle: disk.create(&fresh)?, error: None };
                let made = make(&mut sink);
                if let Some(error) = sink.error {
                    return Err(error.into());
                }
                made.map_err(|error| WriteError::io("make", &fresh, error))?;
            }
        }
        // A copy of a link has neither mode nor time of its own.
        if let Some(meta) = disk.look(&fresh)?.filter(|meta| !meta.is_symlink()) {
            let handle = if meta.is_dir() { disk.open(&fresh)? } else { disk.open_write(&fresh)? };
            if let Some(mode) = mode {
                disk.set_mode(&handle, mode)?;
            }
            if let Some(mtime_ns) = mtime_ns {
                disk.set_mtime(&handle, mtime_ns)?;
            }
            disk.sync(&handle)?;
        }
        let after = PathShape::of(disk, &fresh)?
            .ok_or(WriteError::Missing { path: fresh.clone(), wanted: "a file" })?;
        step.sha256 = (after.kind == PathKind::File).then(|| sha256_of(disk, &fresh)).transpose()?;
        step.bytes = after.bytes;
        step.mtime_ns = mtime_ns;
        step.after = Some(after);
        Ok(step)
    }

    /// Puts the bytes ready that are going to be added or cut.
    fn tail(&self, mut step: JournalStep, bytes: &[u8]) -> Result<JournalStep, JournalError> {
        let disk = &self.bench.disk;
        let mut handle = disk.create(&self.bench.fresh(self.index(), &step))?;
        disk.write_all(&mut handle, bytes)?;
        disk.sync(&handle)?;
        step.sha256 = Some(hex(&Sha256::digest(bytes)));
        step.bytes = bytes.len() as u64;
        Ok(step)
    }
}

/// Hands bytes through to the disk, and remembers what the disk said.
struct Sink<'a> {
    disk: &'a Disk,
    handle: Handle,
    error: Option<WriteError>,
}

impl std::io::Write for Sink<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.disk.write_all(&mut self.handle, bytes).map(|()| bytes.len()).map_err(|error| {
            self.error = Some(error);
            std::io::Error::other("the disk said no")
        })
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
