//! Resolving what a user calls a session: an id, a unique prefix of one, a path, a title, or `last`. One rule each.
//!
//! An id, the start of one and a path are told by names of files alone, `last` by the files of the current directory's
//! project. A title is looked up in the catalogue as it stands, and the session that has it is looked at. What cannot be
//! told so is asked of the catalogue, brought up to date with all sessions.

use std::path::{Path, PathBuf};

use scrollback_format::folder;
use scrollback_format::generation::Generation;
use scrollback_format::time::Time;
use scrollback_index::catalogue::Brief;
use scrollback_model::facts::SessionKind;
use scrollback_model::transcript::FileKind;
use scrollback_store::walk::narrow;
use scrollback_store::{Look, Root, stamp};

use crate::catalogue::{CachePlace, Index};
use crate::error::{AppError, Candidate, Noun};
use crate::library::{self, Library};
use crate::load::Loader;
use crate::loaded::Loaded;

/// A session, or an agent of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionArg {
    /// The session.
    pub session: String,
    /// The agent: `SESSION/AGENT`.
    pub agent: Option<String>,
}

impl SessionArg {
    /// Takes apart what was typed. A path is left whole.
    pub fn parse(text: &str) -> Self {
        let whole = || Self { session: text.to_owned(), agent: None };
        if text.ends_with(".jsonl") || text.starts_with(['/', '.', '~']) {
            return whole();
        }
        match text.split_once('/') {
            Some((session, agent))
                if !session.is_empty() && !agent.is_empty() && !agent.contains([' ', '/']) =>
            {
                let agent = agent.strip_prefix("agent-").unwrap_or(agent);
                Self { session: session.to_owned(), agent: Some(agent.to_owned()) }
            }
            _ => whole(),
        }
    }
}

/// What a name is resolved against.
pub struct Resolver<'r> {
    /// The roots that were asked for.
    pub roots: &'r [Root],
    /// Were they asked for by name? If not, a path to a file elsewhere names the store that it lies in.
    pub roots_are_named: bool,
    /// The current directory, where `last` is looked for first.
    pub cwd: Option<&'r Path>,
    /// Where the catalogue is kept.
    pub place: &'r CachePlace,
    /// The present.
    pub now: Time,
    /// Brings the catalogue of a whole library up to date. Called only where names of files are not enough.
    pub refresh: &'r dyn Fn(&Library) -> Result<Index, AppError>,
}

/// A session that was found.
#[derive(Debug)]
pub struct Resolved {
    /// A library of it alone, with its folder: [`Library::the_one`] gives it.
    pub library: Library,
    /// It was found by a title in the catalogue, which for all other sessions is as of then.
    pub as_of: Option<Time>,
}

/// How many files of a project are read to find the one with the latest line; if that is not enough, the catalogue is asked.
const LAST: usize = 8;
/// Maximum number of candidates named where several match.
const CANDIDATES: usize = 12;

/// What file names alone reveal.
enum Named {
    One((usize, PathBuf)),
    /// Several ids begin so.
    Several,
    Nothing,
}

impl Resolver<'_> {
    /// The session that `wanted` names.
    pub fn resolve(&self, wanted: &str) -> Result<Resolved, AppError> {
        let wanted = wanted.trim();
        if let Some(path) = self.outside(wanted) {
            return Ok(Resolved { library: Library::of_file(path)?, as_of: None });
        }
        let roots = library::distinct(self.roots.to_vec())?;
        if wanted.is_empty() {
            return Err(AppError::NoSuchSession { wanted: wanted.to_owned(), near: Vec::new() });
        }
        let is_last = wanted.eq_ignore_ascii_case("last");
        let named = if is_last {
            last_in_project(&roots, self.cwd).map_or(Named::Nothing, Named::One)
        } else {
            match by_path(&roots, wanted) {
                Some(path) => Named::One(path),
                None => by_id(&roots, wanted),
            }
        };
        match named {
            Named::One((root, path)) => return self.one(roots, root, &path),
            Named::Nothing if !is_last => {
                if let Some(found) = self.by_standing_title(&roots, wanted)? {
                    return Ok(found);
                }
            }
            _ => {}
        }
        let several = matches!(named, Named::Several);
        self.by_catalogue(roots, wanted, is_last, several)
    }

    /// The file that is named by its path, if no store was asked for: it tells by itself which one it is in.
    fn outside<'s>(&self, wanted: &'s str) -> Option<&'s Path> {
        let path = Path::new(wanted);
        let is_session = path.extension().is_some_and(|extension| extension == "jsonl") && path.is_file();
        (!self.roots_are_named && is_session).then_some(path)
    }

    fn one(&self, roots: Vec<Root>, root: usize, path: &Path) -> Result<Resolved, AppError> {
        Ok(Resolved { library: Library::of_session(roots, root, path)?, as_of: None })
    }

    /// The one session that has a title as the catalogue stands, if it still has it.
    fn by_standing_title(&self, roots: &[Root], wanted: &str) -> Result<Option<Resolved>, AppError> {
        let Some(index) = Index::as_it_stands(roots, self.place) else { return Ok(None) };
        let titled = index.titled(wanted)?;
        let [(_, path)] = titled.as_slice() else { return Ok(None) };
        let root = roots.iter().position(|root| path.starts_with(root.path()));
        let Some(root) = root.filter(|_| path.is_file()) else { return Ok(None) };
        let as_of = index.as_of;
        drop(index);
        let library = Library::of_session(roots.to_vec(), root, path)?;
        let Some(index) = Index::of_session(&library, self.place, self.now) else { return Ok(None) };
        let Some(files) = library.the_one() else { return Ok(None) };
        let loaded = library.load_with(&files, Generation::NEWEST, Some(&index))?;
        let has = |title: &str| title.to_lowercase().contains(&wanted.to_lowercase());
        let still = loaded.facts.title.as_ref().is_some_and(|title| has(&title.text));
        Ok(still.then_some(Resolved { library, as_of }))
    }

    /// Asks the catalogue, brought up to date.
    fn by_catalogue(
        &self,
        roots: Vec<Root>,
        wanted: &str,
        is_last: bool,
        several: bool,
    ) -> Result<Resolved, AppError> {
        let library = Library::open(roots)?;
        let briefs = (self.refresh)(&library)?.briefs()?;
        let path = if is_last {
            last(self.cwd, &briefs)?
        } else if several {
            return Err(ambiguous(
                wanted,
                briefs.iter().filter(|(brief, _)| brief.session_id.starts_with(wanted)),
            ));
        } else {
            by_title(wanted, &briefs)?
        };
        let found = library.sessions().find(|files| files.found.path == path).map(|files| files.folder);
        let Some(folder) = found else { return Err(none(&briefs, wanted)) };
        let (root, _) = library.folders[folder];
        self.one(library.roots, root, &path)
    }
}

fn by_path(roots: &[Root], wanted: &str) -> Option<(usize, PathBuf)> {
    let own = std::fs::canonicalize(wanted).ok().filter(|path| path.is_file())?;
    let (number, root) = roots.iter().enumerate().find(|(_, root)| {
        std::fs::canonicalize(root.projects()).is_ok_and(|projects| own.starts_with(projects))
    })?;
    let projects = std::fs::canonicalize(root.projects()).ok()?;
    let inside = own.strip_prefix(projects).ok()?;
    // Two names: a folder and a session in it. An agent's file lies deeper, and is no session.
    (inside.components().count() == 2).then(|| (number, root.projects().join(inside)))
}

fn by_id(roots: &[Root], wanted: &str) -> Named {
    let numbered = || roots.iter().enumerate();
    let exact = numbered()
        .flat_map(|(at, root)| narrow::with_id(root, wanted).into_iter().map(move |path| (at, path)));
    // The same id in several roots or folders: the file that was written last is the one in use.
    if let Some(newest) = newest(exact) {
        return Named::One(newest);
    }
    if wanted.len() < 2 {
        return Named::Nothing;
    }
    let begun: Vec<(usize, (String, PathBuf))> = numbered()
        .flat_map(|(at, root)| narrow::with_prefix(root, wanted).into_iter().map(move |found| (at, found)))
        .collect();
    let Some((_, (first, _))) = begun.first() else { return Named::Nothing };
    if begun.iter().any(|(_, (id, _))| id != first) {
        return Named::Several;
    }
    newest(begun.into_iter().map(|(at, (_, path))| (at, path))).map_or(Named::Nothing, Named::One)
}

fn newest(files: impl Iterator<Item = (usize, PathBuf)>) -> Option<(usize, PathBuf)> {
    files.max_by_key(|(_, path)| stamp::look(path).map(|look| look.mtime_ns))
}

/// The conversation with the latest line in the current directory's project. Nothing is written to a file after its last
/// line but by who writes the file, so that a line is never later than its file: the files are read from the newest on,
/// until no other can have a later line.
fn last_in_project(roots: &[Root], cwd: Option<&Path>) -> Option<(usize, PathBuf)> {
    let names = folder::names(cwd?.to_str()?);
    let mut files: Vec<(Look, usize, PathBuf)> = Vec::new();
    for (at, root) in roots.iter().enumerate() {
        for name in &names {
            let sessions = narrow::sessions_in(&root.projects().join(name)).into_iter();
            files.extend(sessions.filter_map(|path| Some((stamp::look(&path)?, at, path))));
        }
    }
    files.sort_by(|a, b| b.0.mtime_ns.cmp(&a.0.mtime_ns).then_with(|| a.2.cmp(&b.2)));
    let mut loader = Loader::new();
    let mut best: Option<(Time, usize, PathBuf)> = None;
    for (read, (look, at, path)) in files.into_iter().enumerate() {
        let latest = Time(look.mtime_ns.div_euclid(1_000_000) + 1);
        if best.as_ref().is_some_and(|(time, ..)| latest < *time) {
            break;
        }
        if read >= LAST {
            return None;
        }
        let Ok(transcript) = loader.transcript(&path, FileKind::Session) else { continue };
        let facts = Loaded::of(transcript).facts;
        let Some((_, time)) = facts.span.filter(|_| facts.kind.is_spoken()) else { continue };
        // Of two that were spoken in at once, the first by its name counts.
        let beats = |(best, _, other): &(Time, usize, PathBuf)| {
            time > *best || time == *best && (path.file_name(), &path) < (other.file_name(), other)
        };
        if best.as_ref().is_none_or(beats) {
            best = Some((time, at, path));
        }
    }
    best.map(|(_, at, path)| (at, path))
}

/// The conversation with the latest line in the current directory's project, else in all.
fn last(cwd: Option<&Path>, briefs: &[(Brief, PathBuf)]) -> Result<PathBuf, AppError> {
    let here = cwd.and_then(Path::to_str).map(folder::names).unwrap_or_default();
    let spoken = |brief: &Brief| SessionKind::find(&brief.kind).is_some_and(SessionKind::is_spoken);
    let newest = briefs.iter().find(|(brief, _)| spoken(brief) && here.contains(&brief.folder));
    let newest = newest.or_else(|| briefs.iter().find(|(brief, _)| spoken(brief)));
    let found = newest.map(|(_, path)| path.clone());
    found.ok_or_else(|| AppError::NoSuchSession { wanted: "last".into(), near: Vec::new() })
}

fn by_title(wanted: &str, briefs: &[(Brief, PathBuf)]) -> Result<PathBuf, AppError> {
    let wanted_lower = wanted.to_lowercase();
    let titled = |test: &dyn Fn(&str) -> bool| -> Vec<&(Brief, PathBuf)> {
        let has = |brief: &Brief| brief.title.as_deref().is_some_and(|title| test(&title.to_lowercase()));
        briefs.iter().filter(|(brief, _)| has(brief)).collect()
    };
    let mut found = titled(&|title| title == wanted_lower);
    if found.is_empty() && wanted.chars().count() >= 3 {
        found = titled(&|title| title.contains(&wanted_lower));
    }
    // In the order of the files, so that an answer does not depend on what was said last.
    found.sort_by(|(_, a), (_, b)| a.cmp(b));
    match found.as_slice() {
        [] => Err(none(briefs, wanted)),
        [(_, path)] => Ok(path.clone()),
        several => Err(ambiguous(wanted, several.iter().copied())),
    }
}

fn ambiguous<'b>(wanted: &str, several: impl Iterator<Item = &'b (Brief, PathBuf)>) -> AppError {
    let candidate = |(brief, _): &(Brief, PathBuf)| Candidate {
        id: brief.session_id.clone(),
        title: brief.title.clone(),
    };
    let mut candidates: Vec<Candidate> = several.map(candidate).collect();
    candidates.sort_by(|a, b| a.id.cmp(&b.id));
    candidates.dedup();
    candidates.truncate(CANDIDATES);
    AppError::Ambiguous { wanted: wanted.to_owned(), what: Noun::Session, candidates }
}

/// Nothing has this name; what is near it is worth a hint.
fn none(names: &[(Brief, PathBuf)], wanted: &str) -> AppError {
    let mut near: Vec<(f64, String)> = Vec::new();
    for (brief, _) in names {
        let by_id = strsim::jaro_winkler(wanted, &brief.session_id);
        let title = brief.title.as_deref().unwrap_or_default();
        let by_title = strsim::jaro_winkler(&wanted.to_lowercase(), &title.to_lowercase());
        if by_id > 0.85 && by_id >= by_title {
            near.push((by_id, brief.session_id.clone()));
        } else if by_title > 0.8 {
            near.push((by_title, format!("{} ({title})", brief.session_id)));
        }
    }
    near.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    let near = near.into_iter().take(3).map(|(_, name)| name).collect();
    AppError::NoSuchSession { wanted: wanted.to_owned(), near }
}

#[cfg(test)]
mod tests {
    use super::SessionArg;

    #[test]
    fn an_agent_is_named_after_a_slash() {
        let check = |text: &str, session: &str, agent: Option<&str>| {
            let expected = SessionArg { session: session.into(), agent: agent.map(Into::into) };
            assert_eq!(SessionArg::parse(text), expected, "{text}");
        };
        check("1a2b", "1a2b", None);
        check("1a2b/a77", "1a2b", Some("a77"));
        check("1a2b/agent-a77", "1a2b", Some("a77"));
        check("/tmp/x.jsonl", "/tmp/x.jsonl", None);
        check("./x", "./x", None);
        check("fix the a/b test", "fix the a/b test", None);
    }
}
