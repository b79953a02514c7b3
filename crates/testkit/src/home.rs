//! A hermetic home: a temporary directory with a `.claude` store in it, gone when dropped.
//!
//! Never touches anything outside its own temporary directory.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::corpus;

/// A store of our own making, in a home of its own.
///
/// ```
/// use scrollback_testkit::home::Store;
///
/// let store = Store::new().file("projects/-a/x.jsonl", "{}\n").folder("projects/-b");
/// assert_eq!(store.read("projects/-a/x.jsonl"), b"{}\n");
/// assert!(store.root().ends_with(".claude"));
/// ```
#[derive(Debug)]
pub struct Store {
    home: TempDir,
    root: PathBuf,
}

impl Default for Store {
    fn default() -> Self {
        Self::new()
    }
}

impl Store {
    /// An empty store: `<temporary home>/.claude`.
    pub fn new() -> Self {
        let home = TempDir::with_prefix("scrollback-").expect("a temporary directory can be made");
        let root = home.path().join(".claude");
        fs::create_dir(&root).unwrap_or_else(|cause| panic!("{}: {cause}", root.display()));
        Self { home, root }
    }

    /// A copy of a recorded tree, for tests that change it. Tests that only read use [`corpus::tree`].
    pub fn of_tree(version: &str) -> Self {
        let store = Self::new();
        copy_folder(&corpus::tree(version), &store.root);
        store
    }

    /// Writes a file, with the folders above it. The path is relative to the store.
    #[must_use]
    pub fn file(self, path: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> Self {
        self.put(path, bytes);
        self
    }

    /// Writes a file of lines, each ended by a newline.
    #[must_use]
    pub fn lines<L: AsRef<str>>(self, path: impl AsRef<Path>, lines: impl IntoIterator<Item = L>) -> Self {
        let text: String =
            lines.into_iter().flat_map(|line| [line.as_ref().to_owned(), "\n".to_owned()]).collect();
        self.file(path, text)
    }

    /// Makes an empty folder.
    #[must_use]
    pub fn folder(self, path: impl AsRef<Path>) -> Self {
        let folder = self.root.join(path);
        fs::create_dir_all(&folder).unwrap_or_else(|cause| panic!("{}: {cause}", folder.display()));
        self
    }

    /// Writes or replaces a file of a store that is already in use.
    pub fn put(&self, path: impl AsRef<Path>, bytes: impl AsRef<[u8]>) {
        let file = self.root.join(path);
        let folder = file.parent().expect("a file of the store has a folder");
        fs::create_dir_all(folder).unwrap_or_else(|cause| panic!("{}: {cause}", folder.display()));
        fs::write(&file, bytes).unwrap_or_else(|cause| panic!("{}: {cause}", file.display()));
    }

    /// Appends to a file of the store, as a running client does.
    pub fn append(&self, path: impl AsRef<Path>, bytes: impl AsRef<[u8]>) {
        let mut whole = fs::read(self.root.join(&path)).unwrap_or_default();
        whole.extend_from_slice(bytes.as_ref());
        self.put(path, whole);
    }

    /// Removes a file of the store.
    pub fn remove(&self, path: impl AsRef<Path>) {
        let file = self.root.join(path);
        fs::remove_file(&file).unwrap_or_else(|cause| panic!("{}: {cause}", file.display()));
    }

    /// The bytes of a file of the store.
    pub fn read(&self, path: impl AsRef<Path>) -> Vec<u8> {
        let file = self.root.join(path);
        fs::read(&file).unwrap_or_else(|cause| panic!("{}: {cause}", file.display()))
    }

    /// The store: what `--root` would name.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The home that holds the store.
    pub fn home(&self) -> &Path {
        self.home.path()
    }

    /// The whole environment for a child process: set these after `Command::env_clear`.
    pub fn environment(&self) -> Vec<(&'static str, OsString)> {
        let below = |name: &str| self.home().join(name).into_os_string();
        vec![
            ("HOME", self.home().into()),
            ("USERPROFILE", self.home().into()),
            ("CLAUDE_CONFIG_DIR", self.root().into()),
            ("XDG_CONFIG_HOME", below(".config")),
            ("XDG_CACHE_HOME", below(".cache")),
            ("XDG_DATA_HOME", below(".local/share")),
            ("XDG_STATE_HOME", below(".local/state")),
            ("TMPDIR", below("tmp")),
            ("TZ", "UTC".into()),
            ("LC_ALL", "C.UTF-8".into()),
            ("TERM", "dumb".into()),
            ("COLUMNS", "100".into()),
        ]
    }
}

/// Copies a folder with everything below it; symbolic links are left out, since no test needs them copied.
fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap_or_else(|cause| panic!("{}: {cause}", to.display()));
    let entries = fs::read_dir(from).unwrap_or_else(|cause| panic!("{}: {cause}", from.display()));
    for entry in entries.map(|entry| entry.expect("a folder of the corpus can be listed")) {
        let kind = entry.file_type().expect("a file of the corpus has a type");
        let target = to.join(entry.file_name());
        if kind.is_dir() {
            copy_folder(&entry.path(), &target);
        } else if kind.is_file() {
            fs::copy(entry.path(), &target).unwrap_or_else(|cause| panic!("{}: {cause}", target.display()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_ended_and_appended() {
        let store = Store::new().lines("projects/-a/s.jsonl", ["{}", "[]"]);
        store.append("projects/-a/s.jsonl", "torn");
        assert_eq!(store.read("projects/-a/s.jsonl"), b"{}\n[]\ntorn");
    }

    #[test]
    fn home_is_gone_when_dropped() {
        let store = Store::new();
        let home = store.home().to_path_buf();
        drop(store);
        assert!(!home.exists());
    }

    #[test]
    fn copied_tree_is_our_own() {
        let store = Store::of_tree("2.1.9");
        store.put(".claude.json", "{}");
        assert_ne!(fs::read(corpus::tree("2.1.9").join(".claude.json")).unwrap(), b"{}");
    }
}
