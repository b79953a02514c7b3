//! A root: the directory that the client calls `CLAUDE_CONFIG_DIR`, mostly `~/.claude`.

use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::error::ReadError;
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

    /// Is there a directory that can be read? One that is there and cannot be is not the same as none.
    pub fn exists(&self) -> Result<bool, ReadError> {
        match fs::read_dir(&self.0) {
            Ok(_) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(ReadError::at(&self.0)(error)),
        }
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
