//! The catalogue in use: opened, brought up to date with the files, asked. The refresh loop lives here.
//!
//! ```text
//! survey (names, stamps) ──► plan ──► digests on every core ──► one writer, a batch at a time
//! ```
//!
//! It is a cache. Where there is no place for one, or another process is at work in it, every question is still
//! answered: from a catalogue of this process alone, or as of the last refresh, and a remark says so.

mod digest;
mod kept;
mod owners;
mod refresh;
mod single;
mod survey;
mod text;
mod view;

use std::path::{Path, PathBuf};

use rustc_hash::{FxHashMap, FxHashSet};
use scrollback_format::time::Time;
use scrollback_index::catalogue::Catalogue;
use scrollback_index::error::IndexError;
use scrollback_store::{CacheDir, CacheLock};
use serde::{Deserialize, Serialize};

use crate::library::Library;

use kept::Kept;

pub use digest::facts_of;
pub use owners::Owners;
pub use survey::Survey;
pub use text::TextReport;
pub use text::{collect_rows, copy_id, whole_transcript};
pub use view::NEWEST;

/// Where the catalogue may be kept.
#[derive(Debug, Clone)]
pub enum CachePlace {
    /// In this directory.
    Cache(PathBuf),
    /// Nowhere: the sample's, or there is no such directory.
    Nowhere,
}

/// What a user should know about how an answer came about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Remark {
    /// In words.
    pub text: String,
    /// Is the answer older than the files?
    pub stale: bool,
}

/// The root of a store, as the catalogue calls it and as the user does.
#[derive(Debug, Clone)]
struct RootName {
    own: String,
    given: PathBuf,
}

/// An open catalogue of some roots.
#[derive(Debug)]
pub struct Index {
    db: Catalogue,
    dir: Option<CacheDir>,
    roots: Vec<RootName>,
    /// Paths that are not UTF-8, by what they read as.
    odd: FxHashMap<String, PathBuf>,
    kept: Kept,
    /// Files that the catalogue has an outdated state of, because it could not be refreshed.
    pub stale: Vec<PathBuf>,
    /// The numbers of those that the catalogue knows.
    pub stale_files: FxHashSet<i64>,
    /// What the user should know.
    pub remarks: Vec<Remark>,
    /// When the catalogue was last known to be as the files; as all of them, where one session alone was looked at.
    pub as_of: Option<Time>,
    /// Files of the one session that was looked at, as the catalogue has them now, by their paths.
    single: FxHashMap<PathBuf, i64>,
}

/// How the catalogue stands.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct IndexStatus {
    /// Where it is; none if there is no place for it.
    #[serde(with = "crate::view::maybe_path")]
    #[schemars(with = "Option<String>")]
    pub path: Option<PathBuf>,
    /// Files that it knows, of these roots.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Files whose text is not in the text index as they are.
    pub text_behind: u64,
    /// Bytes of those that have to be read.
    pub text_behind_bytes: u64,
    /// Is there a text index?
    pub has_text: bool,
    /// Bytes of the catalogue.
    pub catalogue_bytes: u64,
    /// Bytes of the text index.
    pub text_bytes: u64,
    /// When it was last refreshed.
    #[serde(with = "crate::view::time")]
    #[schemars(with = "Option<String>")]
    pub refreshed: Option<Time>,
    /// What is worth knowing.
    pub remarks: Vec<Remark>,
}

impl Index {
    /// Opens the catalogue and brings it up to date. `now` is noted as the time of the refresh; `progress` is told
    /// after each file how many bytes were read.
    pub fn open(
        library: &Library,
        place: &CachePlace,
        now: Time,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Self, IndexError> {
        let survey = Survey::of(library);
        Self::of_survey(&survey, place, now, progress)
    }

    /// The same for a survey that was made before.
    pub fn of_survey(
        survey: &Survey,
        place: &CachePlace,
        now: Time,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Self, IndexError> {
        let mut remarks = Vec::new();
        if let CachePlace::Cache(path) = place {
            let inside = survey.roots.iter().any(|(own, _)| real(path).starts_with(own));
            let opened = if inside {
                Err("it is inside the store".to_owned())
            } else {
                Self::in_cache(path, survey, now, progress, &mut remarks)
            };
            match opened {
                Ok(index) => return Ok(Self { remarks, ..index }),
                Err(why) => remarks.push(Remark {
                    text: format!(
                        "cannot keep an index in {}: {why}; reading the files instead",
                        path.display()
                    ),
                    stale: false,
                }),
            }
        }
        let mut index = Self::over(Catalogue::private()?, None, survey);
        index.refresh(survey, now, progress)?;
        index.remarks = remarks;
        Ok(index)
    }

    fn over(db: Catalogue, dir: Option<CacheDir>, survey: &Survey) -> Self {
        let roots =
            survey.roots.iter().map(|(own, given)| RootName { own: own.clone(), given: given.clone() });
        Self {
            db,
            dir,
            roots: roots.collect(),
            odd: survey.odd.clone(),
            kept: Kept::default(),
            stale: Vec::new(),
            stale_files: FxHashSet::default(),
            remarks: Vec::new(),
            as_of: None,
            single: FxHashMap::default(),
        }
    }

    fn in_cache(
        path: &Path,
        survey: &Survey,
        now: Time,
        progress: &(dyn Fn(u64) + Sync),
        remarks: &mut Vec<Remark>,
    ) -> Result<Self, String> {
        let dir = CacheDir::open(path).map_err(|error| error.source.to_string())?;
        let mut again = false;
        loop {
            let tried = Self::open_once(&dir, survey, now, progress, remarks);
            match tried {
                Ok(index) => return Ok(index),
                Err(error) if error.is_damage() && !again => {
                    again = true;
                    let Some(lock) = dir.try_lock().map_err(|error| error.to_string())? else {
                        return Err("another process is at work in one that this version cannot use".into());
                    };
                    remarks.push(Remark { text: format!("{error}; rebuilding it"), stale: false });
                    dir.clear_catalogue(&lock).map_err(|error| error.to_string())?;
                    dir.clear_text(&lock).map_err(|error| error.to_string())?;
                }
                Err(error) => return Err(error.to_string()),
            }
        }
    }

    fn open_once(
        dir: &CacheDir,
        survey: &Survey,
        now: Time,
        progress: &(dyn Fn(u64) + Sync),
        remarks: &mut Vec<Remark>,
    ) -> Result<Self, IndexError> {
        let mut index = Self::over(Catalogue::open(&dir.catalogue())?, Some(dir.clone()), survey);
        if index.is_current(survey)? {
            index.as_of = Some(now);
            return Ok(index);
        }
        match index.lock()? {
            Some(_lock) => index.refresh(survey, now, progress)?,
            None => {
                let plan = index.plan(survey)?;
                if plan.is_empty() {
                    index.as_of = Some(now);
                    return Ok(index);
                }
                index.note_stale(survey, &plan)?;
                index.as_of = index.db.meta("refreshed")?.map(Time);
                let count = index.stale.len();
                remarks.push(Remark {
                    text: format!("another scrollback process is refreshing the index; {count} changed files are shown as of the last refresh"),
                    stale: true,
                });
            }
        }
        Ok(index)
    }

    /// Takes the lock of the cache; none if another process has it.
    fn lock(&self) -> Result<Option<CacheLock>, IndexError> {
        let Some(dir) = &self.dir else { return Ok(None) };
        dir.try_lock().map_err(|error| IndexError::Locked(error.to_string()))
    }

    /// The names of the roots in the catalogue.
    pub fn root_names(&self) -> Vec<String> {
        self.roots.iter().map(|root| root.own.clone()).collect()
    }

    /// The file of the catalogue, if it is kept in one.
    pub fn catalogue_path(&self) -> Option<PathBuf> {
        self.dir.as_ref().map(CacheDir::catalogue)
    }

    /// The catalogue itself.
    pub fn catalogue(&self) -> &Catalogue {
        &self.db
    }

    /// Is it kept in a cache?
    pub fn is_kept(&self) -> bool {
        self.dir.is_some()
    }

    /// How it stands.
    pub fn status(&self) -> Result<IndexStatus, IndexError> {
        let (mut files, mut bytes, mut behind) = (0, 0, (0, 0));
        for root in &self.roots {
            let known = self.db.known(&root.own)?;
            files += known.len() as u64;
            bytes += known.iter().map(|file| file.stamp.size).sum::<u64>();
            let of_root = self.db.text_behind(&root.own)?;
            behind = (behind.0 + of_root.0, behind.1 + of_root.1);
        }
        let (catalogue_bytes, text_bytes) = self.dir.as_ref().map(CacheDir::sizes).unwrap_or_default();
        Ok(IndexStatus {
            path: self.dir.as_ref().map(|dir| dir.path().to_owned()),
            files,
            bytes,
            text_behind: behind.0,
            text_behind_bytes: behind.1,
            has_text: self.text_index()?.is_some(),
            catalogue_bytes,
            text_bytes,
            refreshed: self.db.meta("refreshed")?.map(Time),
            remarks: self.remarks.clone(),
        })
    }

    /// Where a file of the catalogue is, in the user's words.
    pub fn given_path(&self, path: &str) -> PathBuf {
        if let Some(odd) = self.odd.get(path) {
            return odd.clone();
        }
        let within = self.roots.iter().find_map(|root| {
            let rest = Path::new(path).strip_prefix(&root.own).ok()?;
            Some(root.given.join(rest))
        });
        within.unwrap_or_else(|| PathBuf::from(path))
    }

    /// The root as the user gave it.
    pub fn given_root(&self, root: &str) -> PathBuf {
        let found = self.roots.iter().find(|known| known.own == root);
        found.map_or_else(|| PathBuf::from(root), |known| known.given.clone())
    }
}

/// A path as the file system has it, as far as it exists.
fn real(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let known = path.ancestors().find_map(|above| Some((above, std::fs::canonicalize(above).ok()?)));
    match known {
        Some((above, real)) => path.strip_prefix(above).map_or(real.clone(), |rest| real.join(rest)),
        None => path,
    }
}

/// What became of a cache that was to be thrown away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cleared {
    /// It was there, and is gone.
    Gone(PathBuf),
    /// There was none.
    None,
    /// Another process is at work in it.
    Busy,
}

/// Throws a cache away.
pub fn clear(path: &Path) -> Result<Cleared, scrollback_store::ReadError> {
    let Some(dir) = CacheDir::find(path) else { return Ok(Cleared::None) };
    match dir.try_lock()? {
        Some(lock) => {
            let path = dir.path().to_owned();
            dir.clear(lock)?;
            Ok(Cleared::Gone(path))
        }
        None => Ok(Cleared::Busy),
    }
}
