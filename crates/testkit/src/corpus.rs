//! The recorded corpus: stores and resume cases of real client versions, unpacked once and shared by all tests.
//!
//! The archives of `corpus/` are unpacked into the target directory, in a folder named by the archive's hash.
//! Test processes may race: each unpacks beside the final place and renames, and the first rename wins.
//! What is handed out is shared, so a test never changes it (see [`crate::home::Store::of_tree`]).

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use flate2::read::GzDecoder;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::workspace;

/// The client versions whose stores were recorded, oldest first.
pub const VERSIONS: [&str; 5] = ["2.0.29", "2.1.9", "2.1.200", "2.1.325", "2.1.327"];

/// The client versions that were asked to resume sessions: those, and one whose store is not kept.
pub const RESUMERS: [&str; 6] = ["2.0.29", "2.1.9", "2.1.80", "2.1.200", "2.1.325", "2.1.327"];

/// Those of them that have judged edits of ours.
pub const JUDGES: [&str; 4] = ["2.0.29", "2.1.9", "2.1.200", "2.1.325"];

/// One resume case: a session file, and what the real client sent when it resumed it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Case {
    /// The case's name, the same over all versions.
    pub name: String,
    /// Its folder: `case.json` (what it is), `session.jsonl` (what was resumed), `sent.json` (what the client sent).
    pub dir: PathBuf,
}

impl Case {
    /// The session file that was resumed.
    pub fn session(&self) -> PathBuf {
        self.dir.join("session.jsonl")
    }

    /// What the client sent, said and wrote.
    pub fn sent(&self) -> Value {
        self.json("sent.json")
    }

    /// What the case is.
    pub fn about(&self) -> Value {
        self.json("case.json")
    }

    fn json(&self, name: &str) -> Value {
        let path = self.dir.join(name);
        let bytes = fs::read(&path).unwrap_or_else(|cause| panic!("{}: {cause}", path.display()));
        serde_json::from_slice(&bytes).unwrap_or_else(|cause| panic!("{}: {cause}", path.display()))
    }
}

/// The folder of all recorded stores, one per version.
pub fn trees() -> PathBuf {
    static PLACE: OnceLock<PathBuf> = OnceLock::new();
    PLACE.get_or_init(|| unpacked("trees")).clone()
}

/// The store that a client version wrote.
pub fn tree(version: &str) -> PathBuf {
    let tree = trees().join(version);
    assert!(tree.is_dir(), "no tree of version {version}; there are {VERSIONS:?}");
    tree
}

/// A cache that an earlier version of the program left: a folder with a catalogue and a text index.
pub fn old_index(version: u32) -> PathBuf {
    let name = format!("index-v{version}");
    unpacked(&name).with_file_name("cache")
}

/// The resume cases of a client version, by name.
pub fn oracle_cases(version: &str) -> Vec<Case> {
    static PLACE: OnceLock<PathBuf> = OnceLock::new();
    cases(&PLACE.get_or_init(|| unpacked("oracle")).join(version))
}

/// The sessions that our own edits left and that this client then resumed, by name.
pub fn edit_cases(version: &str) -> Vec<Case> {
    static PLACE: OnceLock<PathBuf> = OnceLock::new();
    cases(&PLACE.get_or_init(|| unpacked("edits")).join(version))
}

/// The cases of a folder, by name.
pub fn cases(folder: &Path) -> Vec<Case> {
    let entries = fs::read_dir(folder).unwrap_or_else(|cause| panic!("{}: {cause}", folder.display()));
    let mut cases: Vec<Case> = entries
        .map(|entry| entry.expect("the corpus can be listed"))
        .map(|entry| Case { name: entry.file_name().to_string_lossy().into_owned(), dir: entry.path() })
        .collect();
    cases.sort();
    cases
}

/// Every `.jsonl` file below a folder, sorted: for tests that go through all of a tree.
pub fn jsonl_files(below: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![below.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).unwrap_or_else(|cause| panic!("{}: {cause}", folder.display()));
        for path in entries.map(|entry| entry.expect("the corpus can be listed").path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "jsonl") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The unpacked folder of an archive, made when it is not there yet.
fn unpacked(name: &str) -> PathBuf {
    let archive = workspace().join("corpus").join(format!("{name}.tar.gz"));
    let bytes = fs::read(&archive).unwrap_or_else(|cause| panic!("{}: {cause}", archive.display()));
    let hash: String = Sha256::digest(&bytes).iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    let cache = cache_folder();
    let place = cache.join(format!("corpus-{name}-{hash}"));
    if !place.is_dir() {
        unpack(&archive, &cache, &place);
    }
    place.join(name)
}

/// Unpacks beside the final place, then renames: whoever looks sees nothing or all of it.
fn unpack(archive: &Path, cache: &Path, place: &Path) {
    fs::create_dir_all(cache).unwrap_or_else(|cause| panic!("{}: {cause}", cache.display()));
    let fresh = tempfile::Builder::new()
        .prefix("unpacking-")
        .tempdir_in(cache)
        .unwrap_or_else(|cause| panic!("{}: {cause}", cache.display()));
    let file = File::open(archive).unwrap_or_else(|cause| panic!("{}: {cause}", archive.display()));
    tar::Archive::new(GzDecoder::new(file))
        .unpack(fresh.path())
        .unwrap_or_else(|cause| panic!("{}: {cause}", archive.display()));
    // A failed rename means that another process was first; its folder holds the same bytes.
    let renamed = fs::rename(fresh.path(), place);
    assert!(place.is_dir(), "{}: {renamed:?}", place.display());
}

/// `tmp` in the target directory that this program was built into, else the system's temporary directory.
///
/// Found from the program's own path, because the target directory may be moved by an option that a test
/// process does not see. Cargo marks the directory with a `CACHEDIR.TAG`.
fn cache_folder() -> PathBuf {
    let program = std::env::current_exe().unwrap_or_default();
    let target = program.ancestors().find(|folder| folder.join("CACHEDIR.TAG").is_file());
    target.map_or_else(std::env::temp_dir, Path::to_path_buf).join("tmp")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_version_has_a_tree_and_cases() {
        for version in VERSIONS {
            assert!(tree(version).join("projects").is_dir(), "{version}");
            assert!(jsonl_files(&tree(version)).len() > 100, "{version}");
        }
        for version in RESUMERS {
            let cases = oracle_cases(version);
            assert!(cases.len() > 80, "{version}: {}", cases.len());
            assert!(cases.iter().all(|case| case.session().is_file()), "{version}");
        }
    }

    #[test]
    fn racing_unpackers_agree() {
        let cache = tempfile::tempdir().unwrap();
        let archive = workspace().join("corpus/trees.tar.gz");
        let place = cache.path().join("place");
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| unpack(&archive, cache.path(), &place));
            }
        });
        let names: Vec<_> =
            fs::read_dir(cache.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names, ["place"]);
        assert!(place.join("trees/2.1.325/projects").is_dir());
    }
}
