//! Restoring files: a plan of what is put where, made through the journal into a directory of the user's.
//!
//! Nothing is ever put outside of that directory. A recorded path only says which file it was; where it goes is its path below the
//! project, or below `outside/` if it was elsewhere. In place, files outside of the project are left alone unless one is
//! named by itself. Links that lead out of the directory are not followed.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use scrollback_format::time::Time;
use scrollback_store::journal::{ByteSource as Bytes, Make, Op};
use scrollback_store::{Disk, Place, Transaction, WriteError, guard, stamp};

use super::body::FileBody;
use super::moment::At;
use super::path::{self, Renamed};
use super::transcripts::TranscriptSet;
use super::version::{Certainty, ContentState, Version};
use scrollback_edit::EditPlan;
use scrollback_session::error::{AppError, refuse};

/// What new files of the user's are given where their backup does not tell.
const MODE: u32 = 0o644;

/// Where files outside of the project go, below the directory that is restored to.
const OUTSIDE: &str = "outside";

/// Where files are put.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RestoreTarget {
    /// Below this directory, which need not be there.
    Into(PathBuf),
    /// Where they were.
    InPlace,
}

/// What is restored.
#[derive(Debug, Clone)]
pub struct Restore {
    /// These files, by their paths as they are called now.
    pub paths: Vec<String>,
    /// Which state of each.
    pub at: At,
    /// To where.
    pub target: RestoreTarget,
    /// The project that the files belong to, as it was recorded.
    pub project: Option<String>,
    /// The file was named by itself, so it may be anywhere.
    pub named: bool,
    /// Directories that have another name now.
    pub renamed: Vec<Renamed>,
    /// Restore also what is known only in part.
    pub partial: bool,
    /// What it does, for people.
    pub title: String,
    /// The words of the command.
    pub command: Vec<String>,
    /// The time that restored files get.
    pub now: Time,
}

/// Plans a restore from what a shelf tells.
pub fn plan(shelf: &Arc<TranscriptSet>, restore: &Restore) -> Result<EditPlan, AppError> {
    let (root, prefix) = ground(restore)?;
    let transaction =
        Transaction::in_tree(&root, restore.title.clone()).command(restore.command.iter().cloned());
    let mut planning = Planning {
        shelf,
        restore,
        root,
        prefix,
        plan: EditPlan::new(transaction),
        used: Vec::new(),
        same: 0,
    };
    for path in &restore.paths {
        planning.file(path)?;
    }
    let Planning { mut plan, same, .. } = planning;
    if same > 0 {
        plan.note(match same {
            1 => "1 file is unchanged".to_owned(),
            same => format!("{same} files are unchanged"),
        });
    }
    Ok(plan)
}

/// The directory that everything is put below, which is there, and what is put before each path in it.
fn ground(restore: &Restore) -> Result<(PathBuf, Option<String>), AppError> {
    let wanted = match (&restore.target, restore.named, restore.paths.first()) {
        (RestoreTarget::Into(directory), ..) => directory.clone(),
        (RestoreTarget::InPlace, true, Some(path)) => {
            // The file's own folder: it may be anywhere, since the user said so.
            let path = PathBuf::from(Renamed::now(&restore.renamed, path));
            path.parent().map(Path::to_owned).unwrap_or(path)
        }
        (RestoreTarget::InPlace, ..) => {
            let project = restore.project.as_deref().ok_or_else(|| {
                refuse(
                    "the session does not record its directory",
                    "restore its files into another directory",
                )
            })?;
            let project = PathBuf::from(Renamed::now(&restore.renamed, project));
            if !project.is_dir() {
                let why = format!("the project directory {} does not exist", project.display());
                return Err(refuse(
                    why,
                    "restore into another directory, or give its new name with --renamed OLD=NEW",
                ));
            }
            project
        }
    };
    let mut above = wanted.as_path();
    let real = loop {
        match std::fs::canonicalize(above) {
            Ok(real) if real.is_dir() => break real,
            Ok(real) => {
                return Err(refuse(format!("{} is not a directory", real.display()), "choose another one"));
            }
            Err(_) => match above.parent() {
                Some(parent) if !parent.as_os_str().is_empty() => above = parent,
                _ => {
                    return Err(refuse(
                        format!("{} does not exist", wanted.display()),
                        "choose another directory",
                    ));
                }
            },
        }
    };
    let rest = wanted.strip_prefix(above).unwrap_or(Path::new(""));
    let rest: Option<Vec<&str>> = rest.iter().map(|part| part.to_str()).collect();
    let (Some(rest), Some(_)) = (rest, real.to_str()) else {
        return Err(refuse(format!("{} is not UTF-8", wanted.display()), "choose another directory"));
    };
    let prefix = rest.join("/");
    Ok((real, (!prefix.is_empty()).then_some(prefix)))
}

struct Planning<'p> {
    shelf: &'p Arc<TranscriptSet>,
    restore: &'p Restore,
    root: PathBuf,
    prefix: Option<String>,
    plan: EditPlan,
    used: Vec<Place>,
    same: u64,
}

impl Planning<'_> {
    fn file(&mut self, path: &str) -> Result<(), AppError> {
        let place = match self.place(path) {
            Ok(place) => place,
            Err(why) => {
                self.plan.warn(format!("{path} is skipped: {why}"));
                return Ok(());
            }
        };
        let trail = self.shelf.trail(path, &|_| false);
        let chosen = match self.restore.at.choose(path, &trail) {
            Ok(chosen) => chosen,
            Err(error) if self.restore.named => return Err(error),
            Err(AppError::NoSuchVersion { why, .. }) => {
                self.plan.warn(format!("{path} is skipped: {why}"));
                return Ok(());
            }
            Err(error) => return Err(error),
        };
        let version = &trail.versions[chosen.version - 1];
        let unseen = trail.versions.get(chosen.version).is_some_and(|next| next.unseen);
        if unseen && !chosen.later && self.restore.at != At::Newest {
            self.plan
                .note(format!("{path}: changed outside of tools after that version, at an unknown time"));
        }
        for problem in &version.problems {
            self.plan.warn(format!("{path}: {problem}"));
        }
        let mut what =
            format!("v{} of {}, {}", version.number, trail.versions.len(), version.certainty.name());
        if chosen.later {
            what.push_str(", found later");
        }
        self.put(path, place, version, &what)
    }

    /// Where a file goes, below the root; why it goes nowhere.
    fn place(&self, recorded: &str) -> Result<Place, String> {
        let now = Renamed::now(&self.restore.renamed, recorded);
        let project =
            self.restore.project.as_deref().map(|project| Renamed::now(&self.restore.renamed, project));
        let below = project.as_deref().and_then(|project| path::below(&now, project));
        let rest = match (&self.restore.target, self.restore.named, below) {
            (RestoreTarget::InPlace, true, _) => path::name(&now).to_owned(),
            (_, _, Some(below)) => below.to_owned(),
            (RestoreTarget::InPlace, false, None) => {
                return Err("it is outside the project; restore it by its own path".to_owned());
            }
            (RestoreTarget::Into(_), true, None) => path::name(&now).to_owned(),
            (RestoreTarget::Into(_), false, None) => {
                format!("{OUTSIDE}/{}", now.trim_start_matches('/').replacen(':', "", 1))
            }
        };
        let whole = match &self.prefix {
            Some(prefix) => format!("{prefix}/{rest}"),
            None => rest,
        };
        let place = Place::new(&whole).map_err(|error| error.to_string())?;
        if !place.fits(&Disk::real(), &self.root).map_err(|error| error.to_string())? {
            return Err("a name in its path is too long for the disk".to_owned());
        }
        self.through_links(place)
    }

    /// The place that a name stands for: a link is followed as long as it stays below the root.
    fn through_links(&self, place: Place) -> Result<Place, String> {
        let at = match place.resolve(&Disk::real(), &self.root) {
            Ok(at) => at,
            Err(WriteError::Outside { link, .. }) => {
                return Err(format!("the link {} points outside of {}", link.display(), self.root.display()));
            }
            Err(error) => return Err(error.to_string()),
        };
        if !stamp::is_link(&at) {
            return Ok(place);
        }
        let real = std::fs::canonicalize(&at).map_err(|_| "it is a broken link".to_owned())?;
        Place::below(&self.root, &real)
            .map_err(|_| format!("it is a link that points outside of {}", self.root.display()))
    }

    fn put(&mut self, path: &str, place: Place, version: &Version, what: &str) -> Result<(), AppError> {
        let at = self.root.join(place.as_str());
        if let Some(why) = self.in_the_way(&place, &at) {
            self.plan.warn(format!("{path} is skipped: {why}"));
            return Ok(());
        }
        self.used.push(place.clone());
        let there = stamp::is_there(&at);
        let known = match &version.state {
            ContentState::Absent => return self.remove(path, place, &at, there, what),
            ContentState::Lost => Err("its content is lost".to_owned()),
            ContentState::Part(part) if self.restore.partial => {
                Ok(format!("{what}, lines {}", part.ranges()))
            }
            ContentState::Part(part) => {
                Err(format!("only lines {} are known; --partial restores those", part.ranges()))
            }
            _ if version.certainty == Certainty::Partial && !self.restore.partial => {
                Err("its content is only partly known; --partial restores what is known".to_owned())
            }
            _ => Ok(what.to_owned()),
        };
        let what = match known {
            Ok(what) => what,
            Err(why) => {
                self.plan.warn(format!("{path} is skipped: {why}"));
                return Ok(());
            }
        };
        let content =
            Content { shelf: Arc::clone(self.shelf), path: path.to_owned(), version: version.number };
        if there && content.is_at(&at) {
            self.same += 1;
            return Ok(());
        }
        self.plan.detail(&place, what);
        let mode = match &version.state {
            ContentState::Held(FileBody::Blob { mode, .. }) => mode.unwrap_or(MODE),
            _ => MODE,
        };
        let source = Bytes::Stream { bytes: version.bytes.unwrap_or_default(), make: content.make() };
        let mtime_ns = self.restore.now.0.checked_mul(1_000_000);
        if there {
            let expected = stamp::take(&at)?;
            self.plan.transaction.push(Op::Replace { path: place, expected, source, mtime_ns });
        } else {
            self.plan.transaction.folders_for(&place);
            self.plan.transaction.push(Op::Create { path: place, source, mode: Some(mode), mtime_ns });
        }
        Ok(())
    }

    /// What keeps a file from being put at a place.
    fn in_the_way(&self, place: &Place, at: &Path) -> Option<String> {
        if at.is_dir() {
            return Some("a directory has that name".to_owned());
        }
        if let Some(other) = self.used.iter().find(|other| place.is_in(other) || other.is_in(place)) {
            return Some(format!("another file is restored to {other}"));
        }
        let mut above = place.parent();
        while let Some(place) = above {
            let folder = self.root.join(place.as_str());
            if stamp::is_there(&folder) && !folder.is_dir() {
                return Some(format!("{} is not a directory", folder.display()));
            }
            above = place.parent();
        }
        None
    }

    /// A file that was not there then goes to the trash; in a directory of its own it is simply not put.
    fn remove(
        &mut self,
        path: &str,
        place: Place,
        at: &Path,
        there: bool,
        what: &str,
    ) -> Result<(), AppError> {
        match (&self.restore.target, there) {
            (RestoreTarget::InPlace, true) => {
                let expected = Some(stamp::take(at)?);
                self.plan.weighs(&place, 1, expected.map_or(0, |stamp| stamp.size));
                self.plan.detail(&place, format!("{what}: there was no file"));
                self.plan.transaction.push(Op::Remove { path: place, expected });
            }
            (RestoreTarget::InPlace, false) => self.same += 1,
            (RestoreTarget::Into(_), _) => self.plan.note(format!("{path} did not exist then")),
        }
        Ok(())
    }
}

/// The content of a version. It is replayed when it is needed, so that a restore of many files holds one of them at a time.
#[derive(Debug, Clone)]
struct Content {
    shelf: Arc<TranscriptSet>,
    path: String,
    version: usize,
}

impl Content {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let trail = self.shelf.trail(&self.path, &|number| number == self.version);
        let gone = || io::Error::other("its transcript or its backup has changed in the meantime");
        match trail.versions.get(self.version - 1).map(|version| &version.state) {
            Some(ContentState::Held(body)) => {
                let mut failed = Ok(());
                let told = body.each(|part| {
                    failed = out.write_all(part);
                    if failed.is_ok() { Ok(()) } else { Err(AppError::NothingToEdit(String::new())) }
                });
                failed.and_then(|()| told.map_err(|_| gone()))
            }
            Some(ContentState::Part(part)) => out.write_all(format!("{}\n", part.text()).as_bytes()),
            _ => Err(gone()),
        }
    }

    fn make(&self) -> Make {
        let content = self.clone();
        Arc::new(move |out| content.write(out))
    }

    /// Is this what a file holds? Compared part by part.
    fn is_at(&self, at: &Path) -> bool {
        let Ok(file) = guard::open(at) else { return false };
        let mut compare = Compare { file: io::BufReader::new(file), differs: false };
        let same = self.write(&mut compare).is_ok() && !compare.differs;
        same && matches!(compare.file.read(&mut [0]), Ok(0))
    }
}

/// Takes bytes and compares them with a file's.
struct Compare {
    file: io::BufReader<File>,
    differs: bool,
}

impl Write for Compare {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut own = vec![0; bytes.len()];
        if self.file.read_exact(&mut own).is_err() || own != bytes {
            self.differs = true;
            return Err(io::Error::other("other bytes"));
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
