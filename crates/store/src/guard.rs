//! The one door through which files are opened to be read. Credentials do not get through it.
//!
//! What is judged is the real file, since a link may give it any name: its path free of links, and, where a file has
//! several names (hard links), its device and inode against those of the credentials of every [`crate::Root`] at hand.
//! An ordinary file costs no call to the system but a look at what is open. Rules for what else is not to be read
//! belong in `judge`, which sees path and metadata of every file.
//!
//! The writer has a door of its own ([`crate::disk`]): it never follows a link in the last place, refuses credentials by
//! name ([`crate::Place`]), and shows nobody what it reads.

use std::borrow::Cow;
use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::{PoisonError, RwLock};

use scrollback_format::area::{Area, is_secret};

use crate::error::{ReadError, ReadRefusal};
use crate::platform;

/// What a secret file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Secret {
    /// An editor's lock: a token beside fields that are none.
    IdeLock,
    /// Anything else.
    Whole,
}

/// Opens a file to read it, through links, unless it is refused.
pub fn open(path: &Path) -> Result<File, ReadError> {
    open_unless(path, |_| true).map_err(ReadError::at(path))
}

/// The same for an editor's lock, for the one reader that leaves its token where it is.
pub(crate) fn open_ide_lock(path: &Path) -> Result<File, ReadError> {
    open_unless(path, |secret| secret != Secret::IdeLock).map_err(ReadError::at(path))
}

/// A store at hand.
#[derive(Debug, Clone)]
struct Known {
    /// Its path as it was given.
    given: PathBuf,
    /// The same, free of links.
    real: PathBuf,
}

/// The stores whose credentials may have other names.
static ROOTS: RwLock<Vec<Known>> = RwLock::new(Vec::new());

/// From now on the credentials of this store are refused by any name.
pub(crate) fn protect(root: &Path) {
    if with_roots(|roots| roots.iter().any(|known| known.given == root)) {
        return;
    }
    let real = fs::canonicalize(root).unwrap_or_else(|_| root.to_owned());
    let mut roots = ROOTS.write().unwrap_or_else(PoisonError::into_inner);
    roots.push(Known { given: root.to_owned(), real });
}

fn with_roots<T>(ask: impl FnOnce(&[Known]) -> T) -> T {
    ask(&ROOTS.read().unwrap_or_else(PoisonError::into_inner))
}

fn open_unless(path: &Path, refused: impl Fn(Secret) -> bool) -> io::Result<File> {
    let path = below_real_root(path);
    // Most paths have no link, and then tell the real file. Only the system can say so without a race.
    let is_plain = path.is_absolute() && !path.components().any(|part| part == Component::ParentDir);
    let without_links = if is_plain { platform::open_without_links(&path) } else { None };
    if let Some(file) = without_links {
        let meta = file.metadata()?;
        judge(&path, Some(&meta), platform::has_other_names(&meta), refused)?;
        return Ok(file);
    }
    let real = fs::canonicalize(&path)?;
    // Judged before it is opened, too: even opening it is more than is wanted.
    judge(&real, None, false, &refused)?;
    let file = platform::open_no_follow(&real)?;
    let meta = file.metadata()?;
    let may_be_other = *real != *path || platform::has_other_names(&meta);
    judge(&real, Some(&meta), may_be_other, refused)?;
    Ok(file)
}

/// The path with the store's own taken for what it is: a store that is a link must not make all its files look odd.
fn below_real_root(path: &Path) -> Cow<'_, Path> {
    with_roots(|roots| {
        let moved = roots.iter().filter(|root| root.real != root.given);
        let mut below = moved.filter_map(|root| Some(root.real.join(path.strip_prefix(&root.given).ok()?)));
        below.next().map_or(Cow::Borrowed(path), Cow::Owned)
    })
}

/// May this file be read? The path is free of links; `by_identity`: it may not be the only one of this file.
fn judge(
    real: &Path,
    meta: Option<&Metadata>,
    by_identity: bool,
    refused: impl Fn(Secret) -> bool,
) -> io::Result<()> {
    let same = || meta.filter(|_| by_identity).and_then(same_as_secret);
    match secret_by_path(real).or_else(same) {
        Some(secret) if refused(secret) => {
            Err(io::Error::new(io::ErrorKind::PermissionDenied, ReadRefusal::Credentials))
        }
        _ => Ok(()),
    }
}

/// What a path says. Some names are secret anywhere, others only at their place below a store.
fn secret_by_path(real: &Path) -> Option<Secret> {
    let name = real.file_name()?.to_string_lossy().to_ascii_lowercase();
    if is_secret(&name) {
        return Some(Secret::Whole);
    }
    let folders = || real.components().filter_map(|part| part.as_os_str().to_str());
    if !folders().any(|part| part.eq_ignore_ascii_case("auth") || part.eq_ignore_ascii_case("ide")) {
        return None;
    }
    let below = real.ancestors().skip(1).find_map(|above| {
        let path = relative(above, real)?;
        (is_secret(&path) && is_root(above)).then_some(path)
    })?;
    Some(kind(&below))
}

fn kind(path: &str) -> Secret {
    if Area::of(path).area == Area::Ide { Secret::IdeLock } else { Secret::Whole }
}

/// The path below another, as [`is_secret`] takes it. Small letters: some file systems do not tell them from others.
fn relative(above: &Path, path: &Path) -> Option<String> {
    let parts = path.strip_prefix(above).ok()?.iter().map(|part| part.to_string_lossy().to_ascii_lowercase());
    Some(parts.collect::<Vec<_>>().join("/"))
}

/// Is this folder a store: one at hand, or by its looks?
fn is_root(folder: &Path) -> bool {
    folder.file_name().is_some_and(|name| name.eq_ignore_ascii_case(".claude"))
        || fs::symlink_metadata(folder.join(".credentials.json")).is_ok()
        || with_roots(|roots| roots.iter().any(|root| root.real == folder))
}

/// Is this the same file as one of the credentials of the stores at hand?
///
/// They are looked up each time, since a client writes them anew; files with several names are rare.
fn same_as_secret(meta: &Metadata) -> Option<Secret> {
    let own = platform::identity(meta)?;
    let roots = with_roots(|roots| roots.iter().map(|root| root.real.clone()).collect::<Vec<_>>());
    roots.iter().find_map(|root| {
        let secrets = secrets(root);
        // A credential may be a link itself; what it leads to is the file that counts.
        let same =
            |path: &&PathBuf| fs::metadata(path).is_ok_and(|meta| platform::identity(&meta) == Some(own));
        let found = secrets.iter().find(same)?;
        Some(kind(&relative(root, found)?))
    })
}

/// The credentials of a store, at the places where clients keep them.
fn secrets(root: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for folder in ["", "sessions", "daemon", "ide"] {
        list(root, &root.join(folder), &mut found, 0);
    }
    list(root, &root.join("daemon/auth"), &mut found, 8);
    found
}

/// The secret files in a folder and in those below it, so many levels deep.
fn list(root: &Path, folder: &Path, found: &mut Vec<PathBuf>, depth: usize) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && depth > 0 => list(root, &path, found, depth - 1),
            Ok(_) if relative(root, &path).is_some_and(|path| is_secret(&path)) => found.push(path),
            _ => {}
        }
    }
}
