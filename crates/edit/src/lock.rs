//! The client's own lock on its settings, held while an edit changes them.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use scrollback_format::time::Time;
use scrollback_store::client_lock::{ClientLock, LockError};
use scrollback_store::live::LiveCheck;
use scrollback_store::{Disk, JournalError, Place, Root};

use scrollback_session::error::{AppError, refuse};

/// The settings in a root; those beside it are [`Place::config_beside`].
pub(super) const CONFIG: &str = ".claude.json";

/// A client holds its lock for some milliseconds: so often it is asked for, this far apart.
const TRIES: u32 = 40;
const PAUSE: Duration = Duration::from_millis(50);

/// A sign of life that often keeps the lock ours.
const SIGN: Duration = Duration::from_secs(3);

/// Does something while the client's lock is held on those settings that are among the paths.
pub(super) fn holding<'p, T>(
    root: &Root,
    paths: impl Iterator<Item = &'p str>,
    watch: &LiveCheck,
    work: impl FnOnce() -> Result<T, AppError>,
) -> Result<T, AppError> {
    let beside = Place::config_beside();
    let disk = Disk::real();
    let mut locks = Vec::new();
    for path in paths.filter(|path| *path == CONFIG || *path == beside.as_str()) {
        let root = disk.real_path(root.path()).map_err(JournalError::from)?;
        let file = Place::new(path)?.resolve(&disk, &root)?;
        locks.push(take(&disk, &file, watch.now)?);
    }
    if locks.is_empty() {
        return work();
    }
    let now = watch.now;
    let (done, ended) = mpsc::channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || refresh(&mut locks, now, &ended));
        let result = work();
        drop(done);
        result
    })
}

/// Gives signs of life until the work is done; the locks are given back with it. One that was lost is nobody's to
/// refresh: the journal itself finds out whether the file was changed.
fn refresh(locks: &mut Vec<ClientLock>, now: Time, ended: &mpsc::Receiver<()>) {
    let mut now = now.0;
    while ended.recv_timeout(SIGN) == Err(RecvTimeoutError::Timeout) {
        now += i64::try_from(SIGN.as_millis()).unwrap_or_default();
        locks.retain_mut(|lock| lock.refresh(Time(now)).is_ok());
    }
    locks.clear();
}

fn take(disk: &Disk, file: &std::path::Path, now: Time) -> Result<ClientLock, AppError> {
    let mut tries = 0;
    loop {
        match ClientLock::take(disk, file, now) {
            Ok(lock) => return Ok(lock),
            Err(LockError::Held { .. }) if tries < TRIES => {
                tries += 1;
                thread::sleep(PAUSE);
            }
            Err(LockError::Write(error)) => return Err(error.into()),
            Err(error) => return Err(refuse(error.to_string(), "try again when the client has finished")),
        }
    }
}
