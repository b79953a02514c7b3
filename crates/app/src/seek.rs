//! Seeking: the one session that a name means, found without a look at all of them.
//!
//! An id, the beginning of one and a path are told by names of files alone, `last` by the files of the current directory's
//! project. A title is looked up in the catalogue as it stands, and the session that has it is looked at. What cannot be
//! told so is left to [`crate::resolve`], which looks at everything.

use std::path::{Path, PathBuf};

use scrollback_format::folder;
use scrollback_format::generation::Generation;
use scrollback_format::time::Time;
use scrollback_model::transcript::FileKind;
use scrollback_store::walk::narrow;
use scrollback_store::{Look, Root, stamp};

use crate::catalogue::{Index, Place};
use crate::error::AppError;
use crate::library::{self, Library, Loaded, SessionFiles};
use crate::load::Loader;

/// A session that was found.
#[derive(Debug)]
pub struct Sought {
    /// Its library: it alone, with its folder.
    pub library: Library,
    /// It was found by a title in the catalogue, which for all other sessions is as of then.
    pub as_of: Option<Time>,
}

/// So many files of a project are read to find the one that was spoken in last; if that is not enough, all are asked.
const LAST: usize = 8;

/// The session that `wanted` means; none if that cannot be told without a look at all of them. `cwd` is where `last` is
/// looked for.
pub fn seek(
    roots: Vec<Root>,
    wanted: &str,
    cwd: Option<&Path>,
    place: &Place,
    now: Time,
) -> Result<Option<Sought>, AppError> {
    let roots = library::distinct(roots)?;
    let wanted = wanted.trim();
    if wanted.is_empty() {
        return Ok(None);
    }
    if wanted.eq_ignore_ascii_case("last") {
        return found(&roots, last(&roots, cwd), None);
    }
    let named = by_path(&roots, wanted).or_else(|| by_id(&roots, wanted));
    match named {
        Some(Named::One(path)) => found(&roots, Some(path), None),
        Some(Named::Several) => Ok(None),
        None => by_title(&roots, wanted, place, now),
    }
}

/// What a name means.
enum Named {
    One((usize, PathBuf)),
    Several,
}

fn found(
    roots: &[Root],
    file: Option<(usize, PathBuf)>,
    as_of: Option<Time>,
) -> Result<Option<Sought>, AppError> {
    let Some((root, path)) = file else { return Ok(None) };
    let library = Library::of_session(roots.to_vec(), root, &path)?;
    Ok(Some(Sought { library, as_of }))
}

fn by_path(roots: &[Root], wanted: &str) -> Option<Named> {
    let own = std::fs::canonicalize(wanted).ok().filter(|path| path.is_file())?;
    let (number, root) = roots.iter().enumerate().find(|(_, root)| {
        std::fs::canonicalize(root.projects()).is_ok_and(|projects| own.starts_with(projects))
    })?;
    let projects = std::fs::canonicalize(root.projects()).ok()?;
    let inside = own.strip_prefix(projects).ok()?;
    // Two names: a folder and a session in it. An agent's file lies deeper, and is no session.
    (inside.components().count() == 2).then(|| Named::One((number, root.projects().join(inside))))
}

fn by_id(roots: &[Root], wanted: &str) -> Option<Named> {
    let numbered = || roots.iter().enumerate();
    let exact = numbered()
        .flat_map(|(at, root)| narrow::with_id(root, wanted).into_iter().map(move |path| (at, path)));
    // The same id in several roots or folders: the file that was written last is the one in use.
    if let Some(newest) = newest(exact) {
        return Some(Named::One(newest));
    }
    if wanted.len() < 2 {
        return None;
    }
    let begun: Vec<(usize, (String, PathBuf))> = numbered()
        .flat_map(|(at, root)| narrow::with_prefix(root, wanted).into_iter().map(move |found| (at, found)))
        .collect();
    let (_, (first, _)) = begun.first()?;
    if begun.iter().any(|(_, (id, _))| id != first) {
        return Some(Named::Several);
    }
    newest(begun.into_iter().map(|(at, (_, path))| (at, path))).map(Named::One)
}

fn newest(files: impl Iterator<Item = (usize, PathBuf)>) -> Option<(usize, PathBuf)> {
    files.max_by_key(|(_, path)| stamp::look(path).map(|look| look.mtime_ns))
}

/// The conversation with the latest line in the current directory's project. Nothing is written to a file after its last
/// line but by who writes the file, so that a line is never later than its file: the files are read from the newest on,
/// until no other can have a later line.
fn last(roots: &[Root], cwd: Option<&Path>) -> Option<(usize, PathBuf)> {
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

/// The one session that has a title as the catalogue stands, if it still has it.
fn by_title(roots: &[Root], wanted: &str, place: &Place, now: Time) -> Result<Option<Sought>, AppError> {
    let Some(index) = Index::as_it_stands(roots, place) else { return Ok(None) };
    let titled = index.titled(wanted)?;
    let [(_, path)] = titled.as_slice() else { return Ok(None) };
    let root = roots.iter().position(|root| path.starts_with(root.path()));
    let Some(root) = root.filter(|_| path.is_file()) else { return Ok(None) };
    let as_of = index.as_of;
    drop(index);
    let library = Library::of_session(roots.to_vec(), root, path)?;
    let Some(index) = Index::of_session(&library, place, now) else { return Ok(None) };
    let Some(files) = only(&library) else { return Ok(None) };
    let loaded = library.load_with(&files, Generation::NEWEST, Some(&index))?;
    let has = |title: &str| title.to_lowercase().contains(&wanted.to_lowercase());
    let still = loaded.facts.title.as_ref().is_some_and(|title| has(&title.text));
    Ok(still.then_some(Sought { library, as_of }))
}

/// The session of a library that was opened for one.
pub fn only(library: &Library) -> Option<SessionFiles<'_>> {
    let path = library.only.as_ref()?;
    library.sessions().find(|files| files.found.path == *path)
}
