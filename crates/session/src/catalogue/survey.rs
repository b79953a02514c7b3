//! The survey: every transcript of the roots with its stamp, without opening any.

use std::path::{Path, PathBuf};

use rustc_hash::{FxHashMap, FxHashSet};
use scrollback_format::area::ProjectFile;
use scrollback_index::plan::SeenFile;
use scrollback_store::Look;

use crate::library::Library;

/// What is a transcript's own, by its name.
#[derive(Debug, Clone)]
pub struct Surveyed {
    /// Where it is, as the walk found it.
    pub path: PathBuf,
    /// What it is, by its name.
    pub file: ProjectFile,
    /// The root, as the catalogue calls it.
    pub root: usize,
    /// The folder below `projects/`.
    pub folder: String,
}

/// The transcripts of some roots as they are now.
#[derive(Debug, Default)]
pub struct Survey {
    /// The roots: as the catalogue calls them, as the user does.
    pub roots: Vec<(String, PathBuf)>,
    /// Stamps, in the same order as `files`.
    pub seen: Vec<SeenFile>,
    /// What they are.
    pub files: Vec<Surveyed>,
    /// Paths that are not UTF-8, by what they read as.
    pub odd: FxHashMap<String, PathBuf>,
    /// The session that alone was looked at, with its agents.
    pub only: Option<String>,
}

impl Survey {
    /// Looks at every transcript of a library. One that was opened for one session has no look at others.
    pub fn of(library: &Library) -> Self {
        let roots: Vec<(String, PathBuf)> = library
            .roots
            .iter()
            .map(|root| {
                let own = std::fs::canonicalize(root.path()).unwrap_or_else(|_| root.path().to_owned());
                (own.to_string_lossy().into_owned(), root.path().to_owned())
            })
            .collect();
        let mut files = Vec::new();
        let mut beside: FxHashMap<&[u8], Look> = FxHashMap::default();
        for (root, folder) in &library.folders {
            for found in &folder.files {
                // What vanished while the walk was at it is not there.
                let Some(look) = found.look else { continue };
                match &found.file {
                    ProjectFile::Session(_) | ProjectFile::Agent { .. } | ProjectFile::FlatAgent(_) => {
                        let (path, file) = (found.path.clone(), found.file.clone());
                        let folder = folder.name.clone();
                        files.push((Surveyed { path, file, root: *root, folder }, look));
                    }
                    ProjectFile::CustomTitle(_) | ProjectFile::AgentMeta { .. } => {
                        beside.insert(stem(&found.path), look);
                    }
                    _ => {}
                }
            }
        }
        let looked = files.iter().map(|(file, look)| seen(file, *look, &beside, &roots));
        let looked: Vec<SeenFile> = looked.collect();
        let only = library.only.as_ref().and_then(|path| path.file_stem());
        let only = only.map(|stem| stem.to_string_lossy().into_owned());
        let mut survey = Self { roots, only, ..Self::default() };
        // Two roots may be the same place, and two odd names may read the same: the first one is told. A walk of one root
        // gives no name twice.
        let may_repeat = survey.roots.len() > 1 || files.iter().any(|(file, _)| file.path.to_str().is_none());
        let mut known = FxHashSet::default();
        for ((file, _), seen) in files.into_iter().zip(looked) {
            if may_repeat && !known.insert(seen.path.clone()) {
                continue;
            }
            if file.path.to_str().is_none() {
                survey.odd.insert(seen.path.clone(), file.path.clone());
            }
            survey.seen.push(seen);
            survey.files.push(file);
        }
        survey
    }

    /// All bytes.
    pub fn bytes(&self) -> u64 {
        self.seen.iter().map(|seen| seen.size).sum()
    }
}

fn seen(
    file: &Surveyed,
    look: Look,
    beside: &FxHashMap<&[u8], Look>,
    roots: &[(String, PathBuf)],
) -> SeenFile {
    let (own, given) = &roots[file.root];
    let text = file.path.to_string_lossy();
    // Everything below a root begins with its very text: no need to take paths apart.
    let path = match text.strip_prefix(given.to_string_lossy().as_ref()) {
        Some(rest) if rest.starts_with(['/', '\\']) => format!("{own}{rest}"),
        _ => text.into_owned(),
    };
    let side =
        beside.get(stem(&file.path)).map_or(0, |look| look.mtime_ns ^ (look.size as i64).rotate_left(48) | 1);
    SeenFile { path, size: look.size, mtime_ns: look.mtime_ns, inode: look.inode, side }
}

/// What a transcript and what stands beside it have in common: `X.jsonl` has the title `X/custom-title.json`, or tells in
/// `X.meta.json` what an agent is for. Bytes of the paths themselves, since there are thousands of them.
fn stem(path: &Path) -> &[u8] {
    let path = path.as_os_str().as_encoded_bytes();
    let title = path.strip_suffix(b"custom-title.json").and_then(|dir| dir.split_last()).map(|(_, dir)| dir);
    let other = || path.strip_suffix(b".meta.json").or_else(|| path.strip_suffix(b".jsonl"));
    title.or_else(other).unwrap_or(path)
}
