//! The corpus on disk: writes files below a root, making folders as needed.

use std::collections::HashSet;
use std::fs;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use super::scribe::File;

/// Where the files go. Shared by the threads that write.
pub struct Shelf {
    root: PathBuf,
    /// Folders that are known to be there: asking the system again for each file would cost more than the file.
    folders: Mutex<HashSet<PathBuf>>,
    written: AtomicU64,
    expected: u64,
    talks: bool,
}

impl Shelf {
    /// An empty shelf; whatever was there is removed.
    pub fn new(root: &Path, expected: u64) -> Result<Self, String> {
        if root.exists() {
            fs::remove_dir_all(root).map_err(|error| told(root, &error))?;
        }
        fs::create_dir_all(root).map_err(|error| told(root, &error))?;
        let talks = std::io::stderr().is_terminal();
        Ok(Self {
            root: root.to_owned(),
            folders: Mutex::new(HashSet::new()),
            written: AtomicU64::new(0),
            expected,
            talks,
        })
    }

    /// Writes one file.
    pub fn put(&self, file: &File) -> Result<(), String> {
        let path = self.root.join(&file.path);
        if let Some(parent) = path.parent() {
            self.folder(parent)?;
        }
        let mut handle = fs::File::create(&path).map_err(|error| told(&path, &error))?;
        // One write of the whole file: a buffer in between would only copy it.
        handle.write_all(&file.bytes).map_err(|error| told(&path, &error))?;
        self.tell(file.bytes.len() as u64);
        Ok(())
    }

    /// Makes an empty folder.
    pub fn empty_folder(&self, path: &str) -> Result<(), String> {
        self.folder(&self.root.join(path))
    }

    fn folder(&self, path: &Path) -> Result<(), String> {
        let mut folders = self.folders.lock().map_err(|_| "another thread failed".to_owned())?;
        if folders.insert(path.to_owned()) {
            fs::create_dir_all(path).map_err(|error| told(path, &error))?;
        }
        Ok(())
    }

    fn tell(&self, bytes: u64) {
        let before = self.written.fetch_add(bytes, Ordering::Relaxed);
        let step = |bytes: u64| bytes / 100_000_000;
        if self.talks && step(before) != step(before + bytes) {
            eprint!("\r{} of about {} MB", (before + bytes) / 1_000_000, self.expected / 1_000_000);
        }
    }

    /// Ends the line of the progress.
    pub fn done(&self) {
        if self.talks {
            eprintln!();
        }
    }
}

fn told(path: &Path, error: &std::io::Error) -> String {
    format!("{}: {error}", path.display())
}
