//! The history of one file over all sessions of a catalogue, found by its path, by its path under a root that was renamed,
//! or by its path below any project.

use serde::{Deserialize, Serialize};

use super::event::Wanted;
use super::moment::At;
use super::path::{self, Renamed};
use super::trail::FileTrail;
use super::transcripts::TranscriptSet;
use super::version::{ContentState, Version};
use super::view::VersionView;
use scrollback_session::catalogue::{Index, Remark};
use scrollback_session::error::{AppError, Candidate, Noun};

/// Which file.
#[derive(Debug, Clone, Default)]
pub struct FileQuery {
    /// Its path as it was typed.
    pub path: String,
    /// The directory that a relative path is relative to.
    pub directory: Option<String>,
    /// Directories that have another name now.
    pub renamed: Vec<Renamed>,
    /// Take every file that has this path below its project for the same one.
    pub any_project: bool,
}

/// A file, with all transcripts that mention it.
#[derive(Debug)]
pub struct FileHistory {
    /// Its path: as it is called now.
    pub path: String,
    /// The paths under which it was recorded.
    pub recorded: Vec<String>,
    /// What tells of it.
    pub shelf: TranscriptSet,
}

/// One state of a file that was asked for.
#[derive(Debug)]
pub struct Picked {
    /// The file.
    pub path: String,
    /// The version.
    pub version: VersionView,
    /// How many versions there are.
    pub versions: u64,
    /// It was found later than was asked for: nothing is known of the file at that time.
    pub later: bool,
    /// Something other than a tool changed the file afterwards, at an unknown time.
    pub unseen_after: bool,
    /// What it held.
    pub state: ContentState,
    /// The newest version whose whole content is known.
    pub newest_known: Option<u64>,
}

/// A version of a file, with its text.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct FileShown {
    /// The file.
    pub path: String,
    /// Number of versions.
    pub versions: u64,
    /// The version.
    pub version: VersionView,
    /// It was found later than was asked for: nothing is known of the file at that time.
    pub later: bool,
    /// Something other than a tool changed the file afterwards, at an unknown time.
    pub unseen_after: bool,
    /// Its text; none if it is not text, or unknown. Without `--json` the bytes are printed as they are.
    pub text: Option<String>,
    /// Of a version of which only some lines are known: which.
    pub lines: Option<String>,
}

impl Picked {
    /// Why there is nothing to show of it: there was no file, or its content is lost.
    pub fn missing(&self) -> Option<AppError> {
        match &self.state {
            ContentState::Held(_) | ContentState::Part(_) => None,
            ContentState::Absent => {
                let why = "the file did not exist then".to_owned();
                Some(AppError::NoSuchVersion { path: self.path.clone(), why })
            }
            ContentState::Lost | ContentState::Let(_) => Some(self.lost()),
        }
    }

    /// Its content is lost.
    pub(super) fn lost(&self) -> AppError {
        let problem = self.version.problems.first().map_or("no session recorded it", String::as_str);
        let known = self.newest_known.map(|known| format!("; v{known} is the newest version that is known"));
        let number = self.version.version;
        let why = format!("the content of v{number} is lost: {problem}{}", known.unwrap_or_default());
        AppError::NoSuchVersion { path: self.path.clone(), why }
    }

    /// What `--json` prints of it.
    pub fn shown(self) -> FileShown {
        let (text, lines) = match &self.state {
            ContentState::Held(body) => {
                (body.load().and_then(|bytes| String::from_utf8(bytes.to_vec()).ok()), None)
            }
            ContentState::Part(part) => (Some(part.text()), Some(part.ranges())),
            _ => (None, None),
        };
        let Self { path, version, versions, later, unseen_after, .. } = self;
        FileShown { path, versions, version, later, unseen_after, text, lines }
    }
}

/// Every state of a file.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct FileLog {
    /// Its path.
    pub path: String,
    /// The paths under which it was recorded, where it had others.
    pub recorded: Vec<String>,
    /// Number of sessions that touched it.
    pub sessions: u64,
    /// Number of versions, those beyond the limit included.
    pub total: u64,
    /// Its versions, newest first.
    pub versions: Vec<VersionView>,
    /// What could not be read.
    pub problems: Vec<String>,
    /// Is every session up to date in it?
    pub complete: bool,
    /// What the answer rests on.
    pub remarks: Vec<Remark>,
}

/// Names that are looked at where a path is only an end of one.
const MOST: usize = 2000;

/// Maximum number of files of the same name to suggest.
const NEAR: usize = 6;

impl FileHistory {
    /// Finds a file and everything that tells of it.
    pub fn find(index: &Index, query: &FileQuery) -> Result<Self, AppError> {
        if query.any_project {
            return Self::in_any_project(index, query);
        }
        let Some(own) = path::absolute(&query.path, query.directory.as_deref()) else {
            return Err(none(index, query)?);
        };
        let then = Renamed::then(&query.renamed, &own);
        let names: Vec<String> = then.iter().flat_map(|path| path::names(path)).collect();
        let is = |path: &str, _: &super::source::FileTranscript| then.iter().any(|then| then == path);
        let shelf =
            TranscriptSet::touching(index, &names, &Wanted { is: &is, needle: Wanted::needle(&own) })?;
        if !shelf.files.is_empty() {
            return Ok(Self::joined(own, shelf));
        }
        if path::is_absolute(&query.path) {
            return Err(none(index, query)?);
        }
        Self::by_end(index, query)
    }

    /// All files that have this path below the project of their session.
    fn in_any_project(index: &Index, query: &FileQuery) -> Result<Self, AppError> {
        let own = path::absolute(&query.path, query.directory.as_deref());
        let here = query.directory.as_deref();
        let below = match (path::is_absolute(&query.path), &own) {
            (true, Some(own)) => here.and_then(|here| path::below(own, here)).map(str::to_owned),
            _ => relative(&query.path),
        };
        let Some(below) = below else {
            return Err(AppError::NoSuchFile { wanted: query.path.clone(), near: Vec::new() });
        };
        let names = index.catalogue().names_ending(&below, MOST)?;
        let is = |path: &str, source: &super::source::FileTranscript| {
            source.directories().iter().any(|project| path::below(path, project) == Some(below.as_str()))
        };
        let shelf =
            TranscriptSet::touching(index, &names, &Wanted { is: &is, needle: Wanted::needle(&below) })?;
        if shelf.files.is_empty() {
            return Err(none(index, query)?);
        }
        Ok(Self::joined(own.unwrap_or(below), shelf))
    }

    /// The one file whose path ends so.
    fn by_end(index: &Index, query: &FileQuery) -> Result<Self, AppError> {
        let Some(end) = relative(&query.path) else { return Err(none(index, query)?) };
        let names = index.catalogue().names_ending(&end, MOST)?;
        let whole = format!("/{end}");
        let is = |path: &str, _: &super::source::FileTranscript| path.ends_with(&whole);
        let shelf =
            TranscriptSet::touching(index, &names, &Wanted { is: &is, needle: Wanted::needle(&end) })?;
        let paths: Vec<&String> = shelf.files.keys().collect();
        match paths.as_slice() {
            [] => Err(none(index, query)?),
            [one] => {
                let own = Renamed::now(&query.renamed, one);
                Ok(Self::joined(own, shelf))
            }
            several => Err(AppError::Ambiguous {
                wanted: query.path.clone(),
                what: Noun::File,
                candidates: several
                    .iter()
                    .take(12)
                    .map(|path| Candidate { id: (*path).clone(), title: None })
                    .collect(),
            }),
        }
    }

    fn joined(path: String, mut shelf: TranscriptSet) -> Self {
        let recorded: Vec<String> = shelf.files.keys().cloned().collect();
        if recorded != [path.clone()] {
            shelf.join(&path);
        }
        Self { path, recorded, shelf }
    }

    /// Its states; `keep` says which of them keep their bytes.
    pub fn trail(&self, keep: &dyn Fn(usize) -> bool) -> FileTrail {
        self.shelf.trail(&self.path, keep)
    }

    /// One state of it, with its bytes.
    pub fn at(&self, at: At) -> Result<Picked, AppError> {
        let keep = |number: usize| at == At::Version(number);
        let mut trail = self.trail(&keep);
        let chosen = at.choose(&self.path, &trail)?;
        let held =
            |trail: &FileTrail| !matches!(trail.versions[chosen.version - 1].state, ContentState::Let(_));
        if !held(&trail) {
            trail = self.trail(&|number| number == chosen.version);
        }
        let versions = trail.versions.len() as u64;
        let unseen_after = trail.versions.get(chosen.version).is_some_and(|next| next.unseen);
        let is_known =
            |version: &&Version| matches!(version.state, ContentState::Held(_) | ContentState::Let(_));
        let newest_known = trail.versions.iter().rev().find(is_known).map(|known| known.number as u64);
        let version = trail.versions.swap_remove(chosen.version - 1);
        Ok(Picked {
            path: self.path.clone(),
            version: self.shelf.view(&version),
            versions,
            later: chosen.later,
            unseen_after,
            state: version.state,
            newest_known,
        })
    }

    /// Its newest versions; all if there is no limit.
    pub fn log(&self, index: &Index, limit: Option<usize>) -> FileLog {
        let trail = self.trail(&|_| false);
        let mut versions = self.shelf.views(&trail);
        versions.reverse();
        let mut sessions: Vec<&str> = versions
            .iter()
            .flat_map(|version| &version.evidence)
            .flat_map(|evidence| std::iter::once(&evidence.session_id).chain(&evidence.also_in))
            .map(String::as_str)
            .collect();
        sessions.sort_unstable();
        sessions.dedup();
        let (sessions, total) = (sessions.len() as u64, versions.len() as u64);
        versions.truncate(limit.unwrap_or(usize::MAX));
        FileLog {
            sessions,
            total,
            path: self.path.clone(),
            recorded: self.recorded.iter().filter(|path| **path != self.path).cloned().collect(),
            problems: self.shelf.troubles.iter().chain(&trail.troubles).cloned().collect(),
            complete: index.stale.is_empty(),
            remarks: index.remarks.clone(),
            versions,
        }
    }
}

/// A relative path without `.`, `..` and doubled separators.
fn relative(text: &str) -> Option<String> {
    path::absolute(text, Some("/")).map(|path| path.trim_start_matches('/').to_owned())
}

/// No transcript names the file; some name files that are called the same elsewhere.
fn none(index: &Index, query: &FileQuery) -> Result<AppError, AppError> {
    let name = path::name(&query.path);
    let mut near = if name.is_empty() { Vec::new() } else { index.catalogue().names_ending(name, MOST)? };
    near.retain(|near| path::is_absolute(near));
    // The catalogue may hold other stores: what only they name was not asked for.
    let roots = index.root_names();
    let mut known = Vec::new();
    for name in near {
        if known.len() < NEAR && !index.catalogue().touching(&roots, std::slice::from_ref(&name))?.is_empty()
        {
            known.push(name);
        }
    }
    let near = known;
    Ok(AppError::NoSuchFile { wanted: query.path.clone(), near })
}
