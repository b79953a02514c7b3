//! Refreshing: only what changed since the catalogue was last written is read.

use std::sync::mpsc;

use rustc_hash::FxHashSet;
use scrollback_format::stamp::FileChange;
use scrollback_format::time::Time;
use scrollback_index::catalogue::{Catalogue, Digest};
use scrollback_index::error::IndexError;
use scrollback_index::plan::{self, Known, RefreshPlan};
use scrollback_index::tally::Tally;
use scrollback_store::work;
use scrollback_store::{ReadError, stamp};

use super::digest::{self, KnownFile};
use super::{Index, Survey};
use crate::load::Loader;

/// A batch is written once it holds this many bytes of files: the most that an interruption can cost.
const BATCH_BYTES: u64 = 256 << 20;
const BATCH_FILES: usize = 2000;
/// How many digests may wait for the writer: they are small beside the files, but not nothing.
const WAITING: usize = 8;

/// A file to be read.
struct Job {
    /// Its place in the survey.
    seen: usize,
    /// What the catalogue knows of it.
    known: Option<Known>,
    /// It lies elsewhere now: what its folder and what stands beside it say of it is told anew.
    moved: bool,
    size: u64,
}

/// What became of a job.
enum Done {
    /// Put this in its place.
    Digest(Box<Digest>),
    /// The bytes are the same: only the stamp is another.
    Touched { seen: usize, known: Known },
    /// It was rewritten: the old one is forgotten first.
    Rewritten { old: i64, digest: Box<Digest> },
    /// It is gone since the survey.
    Gone { old: Option<i64> },
}

impl Index {
    /// Has nothing changed? Told without comparing file by file, unless they are few.
    pub(super) fn is_current(&self, survey: &Survey) -> Result<bool, IndexError> {
        if survey.only.is_some() {
            return Ok(self.plan(survey)?.is_empty());
        }
        for (number, root) in self.roots.iter().enumerate() {
            let seen = survey.seen.iter().zip(&survey.files).filter(|(_, file)| file.root == number);
            if Tally::of(seen.map(|(seen, _)| seen)) != self.db.tally(&root.own)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// What has changed.
    pub(super) fn plan(&self, survey: &Survey) -> Result<RefreshPlan, IndexError> {
        Ok(plan::plan(&self.known(survey)?, &survey.seen))
    }

    /// What was seen before of all that the survey looked at.
    fn known(&self, survey: &Survey) -> Result<Vec<Known>, IndexError> {
        if let Some(session) = &survey.only {
            let mut known = self.db.known_of(session)?;
            // Files of the same session that lie elsewhere are not what was asked about, as long as they are there.
            let seen: FxHashSet<&str> = survey.seen.iter().map(|seen| seen.path.as_str()).collect();
            known.retain(|file| seen.contains(file.path.as_str()) || !self.given_path(&file.path).exists());
            return Ok(known);
        }
        let mut known = Vec::new();
        for root in &self.roots {
            known.extend(self.db.known(&root.own)?);
        }
        Ok(known)
    }

    /// Notes which files are told as of before: those that changed, those that are new, and those that lie elsewhere now.
    pub(super) fn note_stale(&mut self, survey: &Survey, plan: &RefreshPlan) -> Result<(), IndexError> {
        let known = self.known(survey)?;
        let here = plan.changed.iter().chain(&plan.moved);
        self.stale_files = here.clone().map(|(before, _)| known[*before].file).collect();
        let seen = here.map(|(_, now)| *now).chain(plan.new.iter().copied());
        self.stale = seen.map(|now| survey.files[now].path.clone()).collect();
        Ok(())
    }

    /// Brings the catalogue up to date. Nothing is written if nothing has changed.
    pub(super) fn refresh(
        &mut self,
        survey: &Survey,
        now: Time,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<(), IndexError> {
        // Read under the lock: another process may have done the work meanwhile.
        let known = self.known(survey)?;
        let plan = plan::plan(&known, &survey.seen);
        let whole = survey.only.is_none();
        self.as_of = if whole { Some(now) } else { self.db.meta("refreshed")?.map(Time) };
        if plan.is_empty() {
            return Ok(());
        }
        let changed = plan.changed.iter().map(|(before, seen)| Job {
            seen: *seen,
            known: Some(known[*before].clone()),
            moved: false,
            size: survey.seen[*seen].size.saturating_sub(known[*before].stamp.size),
        });
        let moved = plan.moved.iter().map(|(before, seen)| Job {
            seen: *seen,
            known: Some(known[*before].clone()),
            moved: true,
            size: 0,
        });
        let new = plan.new.iter().map(|seen| Job {
            seen: *seen,
            known: None,
            moved: false,
            size: survey.seen[*seen].size,
        });
        let mut jobs: Vec<Job> = changed.chain(moved).chain(new).collect();
        // The largest first, so that no thread is left alone with one at the end.
        jobs.sort_by_key(|job| std::cmp::Reverse(job.size));
        let mut writer = Writer { db: &self.db, batch: Some(self.db.batch()?), bytes: 0, files: 0 };
        for (before, seen) in &plan.moved {
            let file = &survey.files[*seen];
            let (root, _) = &survey.roots[file.root];
            writer.batch()?.relocate(known[*before].file, root, &file.folder, &survey.seen[*seen].path)?;
        }
        for before in &plan.gone {
            writer.batch()?.forget(known[*before].file)?;
        }
        let path = self.dir.as_ref().map(|dir| dir.catalogue());
        let (send, receive) = mpsc::sync_channel::<(Done, u64)>(WAITING);
        let result = std::thread::scope(|scope| {
            let jobs = &jobs;
            let path = path.as_deref();
            scope.spawn(move || {
                let state = || (Loader::new(), None::<Catalogue>);
                work::each(jobs, work::threads(), state, |(loader, db), job| {
                    if db.is_none() && job.known.is_some() {
                        *db = path.and_then(|path| Catalogue::open(path).ok());
                    }
                    let done = run(loader, db.as_ref(), survey, job);
                    // The writer has given up: so does this.
                    let _ = send.send((done, job.size));
                });
            });
            for (done, size) in receive {
                writer.take(done, survey)?;
                progress(size);
            }
            Ok::<(), IndexError>(())
        });
        result?;
        writer.finish(whole.then_some(now))
    }
}

/// Looks what became of a file, and reads what is new in it.
fn run(loader: &mut Loader, db: Option<&Catalogue>, survey: &Survey, job: &Job) -> Done {
    match try_run(loader, db, survey, job) {
        Ok(done) => done,
        Err(_) => Done::Gone { old: job.known.as_ref().map(|known| known.file) },
    }
}

fn try_run(
    loader: &mut Loader,
    db: Option<&Catalogue>,
    survey: &Survey,
    job: &Job,
) -> Result<Done, ReadError> {
    let file = &survey.files[job.seen];
    let seen = &survey.seen[job.seen];
    let (root, _) = &survey.roots[file.root];
    let place = (root.as_str(), seen.path.as_str());
    let Some(known) = &job.known else {
        let digest = digest::digest(loader, file, place, seen.side, KnownFile::default())?;
        return Ok(Done::Digest(Box::new(digest)));
    };
    let change = stamp::compare(&file.path, &known.stamp).ok().flatten().unwrap_or(FileChange::Rewritten);
    // Written to without growing: its end alone does not tell that the rest is the same. Nor if it is another file of
    // the same time, which is what our own edits leave.
    let other = seen.mtime_ns != known.stamp.mtime_ns || seen.inode != known.stamp.inode;
    let change = match change {
        FileChange::None if seen.size == known.stamp.size && other => FileChange::Rewritten,
        change => change,
    };
    if change == FileChange::None && known.side == seen.side && !job.moved {
        return Ok(Done::Touched { seen: job.seen, known: known.clone() });
    }
    let skeleton = db.and_then(|db| db.skeleton(known.file).ok().flatten());
    let prompts = db.and_then(|db| db.prompts_of(known.file).ok());
    match (change, skeleton, prompts) {
        (FileChange::None | FileChange::Grown { .. }, Some(skeleton), Some(mut prompts)) => {
            // What was told of a line without an end is read again with the line.
            prompts.retain(|(line, _)| u64::from(*line) <= skeleton.resume_lines);
            let before = KnownFile { file: Some(known.file), skeleton: Some(skeleton), prompts };
            let digest = digest::digest(loader, file, place, seen.side, before)?;
            Ok(Done::Digest(Box::new(digest)))
        }
        _ => {
            let digest = digest::digest(loader, file, place, seen.side, KnownFile::default())?;
            Ok(Done::Rewritten { old: known.file, digest: Box::new(digest) })
        }
    }
}

/// Writes digests, a batch at a time.
struct Writer<'c> {
    db: &'c Catalogue,
    batch: Option<scrollback_index::catalogue::Batch<'c>>,
    bytes: u64,
    files: usize,
}

impl<'c> Writer<'c> {
    fn batch(&mut self) -> Result<&mut scrollback_index::catalogue::Batch<'c>, IndexError> {
        if self.batch.is_none() {
            self.batch = Some(self.db.batch()?);
        }
        self.batch.as_mut().ok_or(IndexError::Damaged("a batch was lost"))
    }

    fn take(&mut self, done: Done, survey: &Survey) -> Result<(), IndexError> {
        self.files += 1;
        match done {
            Done::Digest(digest) => {
                self.bytes += digest.stamp.size;
                self.batch()?.put(&digest)?;
            }
            Done::Rewritten { old, digest } => {
                self.bytes += digest.stamp.size;
                let batch = self.batch()?;
                batch.forget(old)?;
                batch.put(&digest)?;
            }
            Done::Touched { seen, known } => {
                let now = &survey.seen[seen];
                let mut stamp = known.stamp;
                (stamp.mtime_ns, stamp.inode) = (now.mtime_ns, now.inode);
                self.batch()?.touch(known.file, &stamp, now.side)?;
            }
            Done::Gone { old: Some(old) } => self.batch()?.forget(old)?,
            Done::Gone { old: None } => {}
        }
        if (self.bytes > BATCH_BYTES || self.files >= BATCH_FILES)
            && let Some(batch) = self.batch.take()
        {
            batch.commit()?;
            (self.bytes, self.files) = (0, 0);
        }
        Ok(())
    }

    fn finish(mut self, whole: Option<Time>) -> Result<(), IndexError> {
        if let Some(now) = whole {
            self.batch()?.set_meta("refreshed", now.0)?;
        }
        match self.batch.take() {
            Some(batch) => batch.commit(),
            None => Ok(()),
        }
    }
}
