//! The client's own lock on `.claude.json`: a *directory* `.claude.json.lock` beside it.
//!
//! Making a directory succeeds for one process alone. Its modification time says that the holder is alive: who holds it
//! sets it anew every few seconds ([`ClientLock::refresh`]), and one that is older than [`STALE_MS`] is taken over. The
//! clock is the caller's, and so is waiting: this tries once.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use scrollback_format::time::Time;

use crate::disk::Disk;
use crate::stamp::mtime_ns;
use crate::write_error::WriteError;

/// After this long without a sign of life a lock is stale.
pub const STALE_MS: i64 = 10_000;

/// The lock, held. Given back when dropped; if the process dies, it becomes stale.
#[derive(Debug)]
pub struct ClientLock {
    disk: Disk,
    path: PathBuf,
    mtime_ns: i64,
    held: bool,
}

/// Why there is no lock.
#[derive(Debug)]
#[non_exhaustive]
pub enum LockError {
    /// Someone holds it, and gave a sign of life at this time.
    Held {
        /// The directory.
        path: PathBuf,
        /// When.
        at: Time,
    },
    /// It was held, and someone else has taken it over since: what it guarded may not be written.
    Lost {
        /// The directory.
        path: PathBuf,
    },
    /// The disk said no.
    Write(WriteError),
}

impl From<WriteError> for LockError {
    fn from(error: WriteError) -> Self {
        Self::Write(error)
    }
}

impl std::fmt::Display for LockError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Held { path, .. } => write!(f, "a client holds {}", path.display()),
            Self::Lost { path } => write!(f, "{} was taken over by a client", path.display()),
            Self::Write(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for LockError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Write(error) => Some(error),
            _ => None,
        }
    }
}

impl ClientLock {
    /// Takes the lock of a file, or says who has it.
    pub fn take(disk: &Disk, file: &Path, now: Time) -> Result<Self, LockError> {
        let mut name = file.as_os_str().to_owned();
        name.push(".lock");
        let path = PathBuf::from(name);
        // Twice: the second time after a stale one was cleared.
        for _ in 0..2 {
            match disk.make_dir(&path) {
                Ok(()) => {
                    let mut lock = Self { disk: disk.clone(), path, mtime_ns: 0, held: true };
                    lock.touch(now)?;
                    return Ok(lock);
                }
                Err(WriteError::Io { source, .. }) if source.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error.into()),
            }
            let Some(meta) = disk.look(&path)? else { continue };
            let at = Time(mtime_ns(&meta) / 1_000_000);
            if at.0 >= now.0 - STALE_MS {
                return Err(LockError::Held { path, at });
            }
            disk.remove_dir(&path)?;
        }
        Err(LockError::Held { path, at: now })
    }

    /// A sign of life; to be given at least every five seconds. An error if the lock is no longer ours.
    pub fn refresh(&mut self, now: Time) -> Result<(), LockError> {
        let theirs = self.disk.look(&self.path)?.map(|meta| mtime_ns(&meta));
        if theirs != Some(self.mtime_ns) {
            self.held = false;
            return Err(LockError::Lost { path: self.path.clone() });
        }
        self.touch(now)
    }

    /// Gives it back.
    pub fn release(mut self) -> Result<(), LockError> {
        self.held = false;
        Ok(self.disk.remove_dir(&self.path)?)
    }

    fn touch(&mut self, now: Time) -> Result<(), LockError> {
        let handle = self.disk.open(&self.path)?;
        self.disk.set_mtime(&handle, now.0 * 1_000_000)?;
        // As the disk keeps it: some keep whole seconds.
        self.mtime_ns = mtime_ns(&self.disk.look_at(&handle)?);
        Ok(())
    }
}

impl Drop for ClientLock {
    fn drop(&mut self) {
        if self.held {
            let _ = self.disk.remove_dir(&self.path);
        }
    }
}
