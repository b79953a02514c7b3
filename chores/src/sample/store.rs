//! The sample in memory: path to content, and the archive made of it.

use std::collections::BTreeMap;
use std::io::Write;

use flate2::{Compression, GzBuilder};

/// 2026-11-15T18:00:00Z in seconds: every file of the archive has this time, so that it is always the same bytes.
const MTIME: u64 = 1_794_765_600;

/// Files by path relative to the store's root. A path that ends in `/` is an empty folder.
#[derive(Debug, Default)]
pub struct Store {
    files: BTreeMap<String, Vec<u8>>,
    history: Vec<(i64, Vec<u8>)>,
}

impl Store {
    /// Puts a file.
    pub fn put(&mut self, path: &str, bytes: Vec<u8>) {
        self.files.insert(path.to_owned(), bytes);
    }

    /// Adds bytes to a file, or begins it.
    pub fn append(&mut self, path: &str, bytes: &[u8]) {
        self.files.entry(path.to_owned()).or_default().extend_from_slice(bytes);
    }

    /// Adds a line of the prompt history; the lines are put in order of time at the end.
    pub fn history(&mut self, at: i64, line: Vec<u8>) {
        self.history.push((at, line));
    }

    /// All files, sorted by path.
    pub fn finish(mut self) -> BTreeMap<String, Vec<u8>> {
        self.history.sort();
        let lines = self.history.into_iter().flat_map(|(_, line)| line).collect();
        self.files.insert("history.jsonl".to_owned(), lines);
        self.files
    }
}

/// Packs files as `tar.gz`: sorted, owned by nobody, all of one time.
pub fn pack(files: &BTreeMap<String, Vec<u8>>) -> std::io::Result<Vec<u8>> {
    let mut archive = tar::Builder::new(Vec::new());
    for (path, bytes) in files {
        let mut header = tar::Header::new_gnu();
        let folder = path.ends_with('/');
        header.set_entry_type(if folder { tar::EntryType::Directory } else { tar::EntryType::Regular });
        header.set_mode(if folder { 0o700 } else { 0o600 });
        header.set_mtime(MTIME);
        header.set_uid(0);
        header.set_gid(0);
        header.set_size(bytes.len() as u64);
        archive.append_data(&mut header, path, bytes.as_slice())?;
    }
    let tar = archive.into_inner()?;
    let mut gzip = GzBuilder::new().mtime(0).operating_system(255).write(Vec::new(), Compression::best());
    gzip.write_all(&tar)?;
    gzip.finish()
}
