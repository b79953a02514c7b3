//! `ide/<port>.lock`: an editor that a client can talk to. It holds a token, which is never taken out of it.

use std::path::PathBuf;

use serde_json::Value;

use crate::root::Root;
use crate::{small, walk};

/// An editor's lock.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ide {
    /// The file.
    pub path: PathBuf,
    /// The port, by the file's name.
    pub port: u16,
    /// The editor's process.
    pub pid: Option<u32>,
    /// Its name.
    pub name: Option<String>,
    /// The folders that it has open.
    pub folders: Vec<PathBuf>,
    /// Was the file no whole JSON?
    pub torn: bool,
}

/// All editors' locks of a root.
pub(super) fn read_all(root: &Root) -> Vec<Ide> {
    let dir = root.path().join("ide");
    let names = walk::names_in(&dir).into_iter().filter(|(_, is_dir)| !is_dir);
    names.filter_map(|(name, _)| read(dir.join(name))).collect()
}

fn read(path: PathBuf) -> Option<Ide> {
    let port = path.file_name()?.to_str()?.strip_suffix(".lock")?.parse().ok()?;
    let read: Option<Value> =
        small::read_ide_lock(&path, 64 << 10).ok().and_then(|(bytes, _)| serde_json::from_slice(&bytes).ok());
    let torn = !read.as_ref().is_some_and(Value::is_object);
    let value = read.unwrap_or_default();
    let folders = value.get("workspaceFolders").and_then(Value::as_array).into_iter().flatten();
    Some(Ide {
        port,
        pid: value.get("pid").and_then(Value::as_u64).and_then(|pid| u32::try_from(pid).ok()),
        name: value.get("ideName").and_then(Value::as_str).map(str::to_owned),
        folders: folders.filter_map(Value::as_str).map(PathBuf::from).collect(),
        torn,
        path,
    })
}
