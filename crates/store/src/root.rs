//! A root: the directory that the client calls `CLAUDE_CONFIG_DIR`, mostly `~/.claude`.

use std::path::{Path, PathBuf};

use crate::guard;

/// One store on disk.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Root(PathBuf);

impl Root {
    /// The store at this path, which need not exist. Its credentials are refused from now on, by any name.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        guard::protect(&path);
        Self(path)
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Is there a directory?
    pub fn exists(&self) -> bool {
        self.0.is_dir()
    }

    /// Where sessions are.
    pub fn projects(&self) -> PathBuf {
        self.0.join("projects")
    }

    /// The prompt history.
    pub fn history(&self) -> PathBuf {
        self.0.join("history.jsonl")
    }

    /// Where background jobs are.
    pub fn jobs(&self) -> PathBuf {
        self.0.join("jobs")
    }
}
