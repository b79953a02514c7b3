//! Calls to the operating system, one method each, every one through the [gate](crate::gate).
//!
//! The one room of the writer that changes a disk. It decides nothing: what is written where, in which order and with
//! which check before, is told in [`crate::write`] and [`crate::journal`].

#![allow(clippy::disallowed_methods, reason = "the one room through which the tree is changed")]

use std::ffi::OsString;
use std::fs::{self, DirBuilder, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::gate::{DiskCall, Gate, Permission};
use crate::platform;
use crate::write_error::{FileState, WriteError};

type Done<T> = Result<T, WriteError>;

/// The disk, as the writer sees it.
#[derive(Debug, Clone, Default)]
pub struct Disk {
    gate: Option<Arc<dyn Gate>>,
}

/// An open file that knows its path.
#[derive(Debug)]
pub struct Handle {
    file: File,
    path: PathBuf,
}

impl Handle {
    /// Where it was opened.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Disk {
    /// The disk itself.
    pub fn real() -> Self {
        Self::default()
    }

    /// The disk behind a gate.
    pub fn behind(gate: Arc<dyn Gate>) -> Self {
        Self { gate: Some(gate) }
    }

    fn call<T>(
        &self,
        name: &'static str,
        path: &Path,
        changes: bool,
        make: impl FnOnce(bool) -> io::Result<T>,
        skipped: impl FnOnce() -> Option<T>,
    ) -> Done<T> {
        let fail =
            |source| WriteError::Io { doing: name, path: path.to_owned(), source, state: FileState::Old };
        let Some(gate) = &self.gate else { return make(true).map_err(fail) };
        match gate.pass(&DiskCall { name, path, changes }) {
            Permission::Go => make(true).map_err(fail),
            Permission::Skip => match skipped() {
                Some(value) => Ok(value),
                None => make(true).map_err(fail),
            },
            Permission::Fail(error) => Err(fail(error)),
            Permission::Half => {
                if name == "write" {
                    let _ = make(false);
                }
                Err(fail(io::Error::other("cut in half")))
            }
        }
    }

    fn change(&self, name: &'static str, path: &Path, make: impl FnOnce() -> io::Result<()>) -> Done<()> {
        self.call(name, path, true, |_| make(), || Some(()))
    }

    fn ask<T>(&self, name: &'static str, path: &Path, make: impl FnOnce() -> io::Result<T>) -> Done<T> {
        self.call(name, path, false, |_| make(), || None)
    }

    /// What is at a path, a link itself and not what it leads to; none if nothing is. Nothing is where nothing could be: below what
    /// is no folder, and under a name that is longer than the disk takes.
    pub fn look(&self, path: &Path) -> Done<Option<Metadata>> {
        self.ask("look at", path, || match fs::symlink_metadata(path) {
            Ok(meta) => Ok(Some(meta)),
            Err(error) if is_nothing(&error) => Ok(None),
            Err(error) => Err(error),
        })
    }

    /// Is this path, or its last name, longer than the disk takes? The folder that it is in has to exist, otherwise this is unknown.
    pub fn is_too_long(&self, path: &Path) -> Done<bool> {
        self.ask("look at", path, || match fs::symlink_metadata(path) {
            Err(error) if error.kind() == ErrorKind::InvalidFilename => Ok(true),
            Err(error) if !is_nothing(&error) => Err(error),
            _ => Ok(false),
        })
    }

    /// What an open file is.
    pub fn look_at(&self, handle: &Handle) -> Done<Metadata> {
        self.ask("look at", &handle.path, || handle.file.metadata())
    }

    /// The path without links.
    pub fn real_path(&self, path: &Path) -> Done<PathBuf> {
        self.ask("resolve", path, || fs::canonicalize(path))
    }

    /// Where a link leads.
    pub fn read_link(&self, path: &Path) -> Done<PathBuf> {
        self.ask("read the link", path, || fs::read_link(path))
    }

    /// The names in a folder, sorted.
    pub fn list(&self, path: &Path) -> Done<Vec<OsString>> {
        self.ask("list", path, || {
            let names: io::Result<Vec<_>> = fs::read_dir(path)?.map(|entry| Ok(entry?.file_name())).collect();
            let mut names = names?;
            names.sort();
            Ok(names)
        })
    }

    /// Opens a file or folder to read it, never through a link.
    pub fn open(&self, path: &Path) -> Done<Handle> {
        let file =
            self.ask("open", path, || platform::no_follow(OpenOptions::new().read(true)).open(path))?;
        Ok(Handle { file, path: path.to_owned() })
    }

    /// Opens a file to read and to add to, never through a link. It is not made.
    pub fn open_append(&self, path: &Path) -> Done<Handle> {
        let mut options = OpenOptions::new();
        options.read(true).append(true);
        let file = self.ask("open", path, || platform::no_follow(&mut options).open(path))?;
        Ok(Handle { file, path: path.to_owned() })
    }

    /// Opens a file to cut it, never through a link.
    pub fn open_write(&self, path: &Path) -> Done<Handle> {
        let mut options = OpenOptions::new();
        options.read(true).write(true);
        let file = self.ask("open", path, || platform::no_follow(&mut options).open(path))?;
        Ok(Handle { file, path: path.to_owned() })
    }

    /// Makes a file that was not there, for the user alone.
    pub fn create(&self, path: &Path) -> Done<Handle> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create_new(true);
        platform::private(&mut options);
        let file = self.call("create", path, true, |_| options.open(path), || None)?;
        Ok(Handle { file, path: path.to_owned() })
    }

    /// Reads into a buffer; 0 at the end.
    pub fn read(&self, handle: &mut Handle, buffer: &mut [u8]) -> Done<usize> {
        let Handle { file, path } = handle;
        self.ask("read", path, || {
            loop {
                match file.read(buffer) {
                    Err(error) if error.kind() == ErrorKind::Interrupted => {}
                    other => return other,
                }
            }
        })
    }

    /// Goes to an offset of the file.
    pub fn seek(&self, handle: &mut Handle, offset: u64) -> Done<()> {
        let Handle { file, path } = handle;
        self.ask("seek in", path, || file.seek(SeekFrom::Start(offset)).map(|_| ()))
    }

    /// One write; how much of it the disk took.
    pub fn write(&self, handle: &mut Handle, bytes: &[u8]) -> Done<usize> {
        let Handle { file, path } = handle;
        let len = bytes.len();
        let make = |whole: bool| {
            let bytes = if whole { bytes } else { &bytes[..len / 2] };
            loop {
                match file.write(bytes) {
                    Err(error) if error.kind() == ErrorKind::Interrupted => {}
                    other => return other,
                }
            }
        };
        self.call("write", path, true, make, || Some(len))
    }

    /// Writes until everything is written.
    pub fn write_all(&self, handle: &mut Handle, mut bytes: &[u8]) -> Done<()> {
        while !bytes.is_empty() {
            let taken = self.write(handle, bytes)?;
            if taken == 0 {
                return Err(WriteError::io("write", handle.path(), ErrorKind::WriteZero.into()));
            }
            bytes = &bytes[taken..];
        }
        Ok(())
    }

    /// Waits until the file is on the disk.
    pub fn sync(&self, handle: &Handle) -> Done<()> {
        self.change("sync", &handle.path, || handle.file.sync_all())
    }

    /// Waits until the names in a folder are on the disk.
    pub fn sync_dir(&self, path: &Path) -> Done<()> {
        self.change("sync", path, || platform::sync_dir(path))
    }

    /// Sets the mode, where there are modes.
    pub fn set_mode(&self, handle: &Handle, mode: u32) -> Done<()> {
        self.change("set the mode of", &handle.path, || platform::set_mode(&handle.file, mode))
    }

    /// Sets the modification time, in nanoseconds since 1970.
    pub fn set_mtime(&self, handle: &Handle, mtime_ns: i64) -> Done<()> {
        self.change("set the time of", &handle.path, || handle.file.set_modified(system_time(mtime_ns)))
    }

    /// Cuts a file to a length, if it has exactly the length that is expected; false if not. Look and cut are two
    /// calls with nothing in between: what another process writes exactly there is lost, and nothing can prevent it.
    pub fn cut(&self, handle: &Handle, expected: u64, to: u64) -> Done<bool> {
        let make = |_| {
            if handle.file.metadata()?.len() != expected {
                return Ok(false);
            }
            handle.file.set_len(to).map(|()| true)
        };
        self.call("cut", &handle.path, true, make, || Some(true))
    }

    /// Gives a file or folder another name; what has that name is replaced.
    pub fn rename(&self, from: &Path, to: &Path) -> Done<()> {
        self.change("rename to", to, || fs::rename(from, to))
    }

    /// Gives a file or folder another name, which must be free.
    pub fn rename_new(&self, from: &Path, to: &Path) -> Done<()> {
        let done = self.change("rename to", to, || platform::rename_new(from, to));
        done.map_err(|error| match error {
            WriteError::Io { path, source, .. } if source.kind() == ErrorKind::AlreadyExists => {
                WriteError::Exists { path }
            }
            other => other,
        })
    }

    /// A second name for a file. False: this disk has no such thing.
    pub fn link(&self, from: &Path, to: &Path) -> Done<bool> {
        let make = |_| match fs::hard_link(from, to) {
            Ok(()) => Ok(true),
            Err(error) if matches!(error.kind(), ErrorKind::PermissionDenied | ErrorKind::Unsupported) => {
                Ok(false)
            }
            Err(error) => Err(error),
        };
        self.call("link", to, true, make, || Some(true))
    }

    /// Makes a link, as one was.
    pub fn symlink(&self, target: &Path, path: &Path) -> Done<()> {
        self.change("link", path, || platform::symlink(target, path))
    }

    /// Makes a folder that was not there, for the user alone.
    pub fn make_dir(&self, path: &Path) -> Done<()> {
        self.change("make", path, || platform::private_dir(&mut DirBuilder::new()).create(path))
    }

    /// Makes a folder with everything above it that is missing, for the user alone.
    pub fn make_dirs(&self, path: &Path) -> Done<()> {
        self.change("make", path, || platform::private_dir(DirBuilder::new().recursive(true)).create(path))
    }

    /// Removes a file or a link, if it is there.
    pub fn remove_file(&self, path: &Path) -> Done<()> {
        self.change("remove", path, || gone(fs::remove_file(path)))
    }

    /// Removes an empty folder, if it is there.
    pub fn remove_dir(&self, path: &Path) -> Done<()> {
        self.change("remove", path, || gone(fs::remove_dir(path)))
    }

    /// Are two existing places on one device, so that a rename can lead from one to the other?
    pub fn same_device(&self, one: &Path, other: &Path) -> Done<bool> {
        let device = |path: &Path| self.ask("look at", path, || platform::device(path));
        let really = device(one)? == device(other)?;
        Ok(self.gate.as_ref().map_or(really, |gate| gate.same_device(one, other, really)))
    }
}

fn gone(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if is_nothing(&error) => Ok(()),
        other => other,
    }
}

/// Does the error say that nothing is there?
fn is_nothing(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::InvalidFilename)
}

fn system_time(ns: i64) -> SystemTime {
    let distance = Duration::from_nanos(ns.unsigned_abs());
    if ns < 0 { UNIX_EPOCH - distance } else { UNIX_EPOCH + distance }
}
