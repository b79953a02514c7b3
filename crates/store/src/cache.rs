//! Our own cache directory: for the user alone, safe to delete, never inside a store.
//!
//! ```text
//! <cache>/catalogue.db    the catalogue (SQLite; `-wal` and `-shm` beside it)
//! <cache>/text/           the text index (tantivy)
//! <cache>/lock            held while one process refreshes either
//! <cache>/CACHEDIR.TAG    what says that the directory is ours, and that backups may leave it out
//! ```
//!
//! A directory that is there already and is not ours is left as it is: ours is then made inside it.

#![allow(clippy::disallowed_methods, reason = "the cache is ours: this is where it is made and cleared")]

use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};

use crate::error::ReadError;

/// The cache directory.
#[derive(Debug, Clone)]
pub struct CacheDir {
    path: PathBuf,
}

/// Held while the cache is written. Given back when dropped, or when the process ends, however it ends.
#[derive(Debug)]
pub struct CacheLock {
    _file: File,
}

impl CacheDir {
    /// Opens the directory, made for the user alone if it is not there.
    pub fn open(path: &Path) -> Result<Self, ReadError> {
        let path = own(path);
        make(&path).map_err(ReadError::at(&path))?;
        let tag = path.join(TAG);
        if !tag.exists() {
            fs::write(&tag, TAG_TEXT).map_err(ReadError::at(&tag))?;
        }
        Ok(Self { path })
    }

    /// The directory if it is there, without making anything.
    pub fn find(path: &Path) -> Option<Self> {
        let path = own(path);
        is_own(&path).then_some(Self { path })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The catalogue's file.
    pub fn catalogue(&self) -> PathBuf {
        self.path.join("catalogue.db")
    }

    /// The text index's folder.
    pub fn text(&self) -> PathBuf {
        self.path.join("text")
    }

    /// Takes the lock; none if another process has it.
    pub fn try_lock(&self) -> Result<Option<CacheLock>, ReadError> {
        let path = self.path.join("lock");
        let file = OpenOptions::new().create(true).append(true).open(&path).map_err(ReadError::at(&path))?;
        match file.try_lock() {
            Ok(()) => Ok(Some(CacheLock { _file: file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(ReadError::at(&path)(error)),
        }
    }

    /// Throws the catalogue away. Whoever has it open keeps what it sees.
    pub fn clear_catalogue(&self, _lock: &CacheLock) -> Result<(), ReadError> {
        for name in ["catalogue.db-wal", "catalogue.db-shm", "catalogue.db"] {
            gone(&self.path.join(name), fs::remove_file)?;
        }
        Ok(())
    }

    /// Throws the text index away, and leaves an empty folder for the next one.
    pub fn clear_text(&self, _lock: &CacheLock) -> Result<PathBuf, ReadError> {
        let text = self.text();
        gone(&text, fs::remove_dir_all)?;
        make(&text).map_err(ReadError::at(&text))?;
        Ok(text)
    }

    /// Throws everything away, the directory included if nothing else is in it.
    pub fn clear(&self, lock: CacheLock) -> Result<(), ReadError> {
        self.clear_catalogue(&lock)?;
        gone(&self.text(), fs::remove_dir_all)?;
        drop(lock);
        gone(&self.path.join("lock"), fs::remove_file)?;
        gone(&self.path.join(TAG), fs::remove_file)?;
        // What else is in there is not ours.
        let _ = fs::remove_dir(&self.path);
        Ok(())
    }

    /// Bytes of the catalogue and of the text index.
    pub fn sizes(&self) -> (u64, u64) {
        let names = ["catalogue.db", "catalogue.db-wal"];
        let size = |path: PathBuf| fs::metadata(path).map_or(0, |meta| meta.len());
        let catalogue = names.iter().map(|name| size(self.path.join(name))).sum();
        let entries = fs::read_dir(self.text()).into_iter().flatten().flatten();
        (catalogue, entries.map(|entry| size(entry.path())).sum())
    }
}

const TAG: &str = "CACHEDIR.TAG";
const TAG_TEXT: &str = "Signature: 8a477f597d28d172789f06886806bc55
# This is the cache of scrollback. It can be deleted at any time; nothing is lost with it.
";

/// The directory that is ours: the one that was named, or one inside it if that belongs to another user.
fn own(path: &Path) -> PathBuf {
    if !path.exists() || is_own(path) || is_free(path) { path.to_owned() } else { path.join("scrollback") }
}

fn is_own(path: &Path) -> bool {
    let tagged = fs::read_to_string(path.join(TAG)).is_ok_and(|text| text.contains("scrollback"));
    tagged || path.join("catalogue.db").is_file()
}

/// Is nothing in it, and nobody else let in?
fn is_free(path: &Path) -> bool {
    let empty = fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_none());
    empty && fs::metadata(path).is_ok_and(|meta| is_private(&meta))
}

#[cfg(unix)]
fn is_private(meta: &fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    meta.permissions().mode() & 0o777 == 0o700
}

#[cfg(not(unix))]
fn is_private(_meta: &fs::Metadata) -> bool {
    true
}

fn gone(path: &Path, remove: impl FnOnce(PathBuf) -> std::io::Result<()>) -> Result<(), ReadError> {
    match remove(path.to_owned()) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(ReadError::at(path)(error)),
        _ => Ok(()),
    }
}

#[cfg(unix)]
fn make(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}

#[cfg(not(unix))]
fn make(path: &Path) -> std::io::Result<()> {
    DirBuilder::new().recursive(true).create(path)
}
