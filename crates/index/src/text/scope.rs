//! The scope of a question to the text index: which files it looks into, and what is known of them.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::filter::FileFacts;
use crate::query::Filter;

/// A set of file numbers, one bit each.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FileSet(Vec<u64>);

impl FromIterator<i64> for FileSet {
    fn from_iter<I: IntoIterator<Item = i64>>(files: I) -> Self {
        let mut set = Self::default();
        for file in files {
            let Ok(file) = usize::try_from(file) else { continue };
            if set.0.len() <= file / 64 {
                set.0.resize(file / 64 + 1, 0);
            }
            set.0[file / 64] |= 1 << (file % 64);
        }
        set
    }
}

impl FileSet {
    /// Is the file one of them?
    pub fn has(&self, file: i64) -> bool {
        self.0.get(file as usize / 64).is_some_and(|word| word >> (file as usize % 64) & 1 == 1)
    }
}

/// The files that a search looks into by the index.
#[derive(Debug, Default)]
pub struct FileScope {
    /// What is known of files, as far as filters ask.
    facts: Arc<FxHashMap<i64, FileFacts>>,
    /// The files; none: whatever is in the index.
    files: Option<FileSet>,
}

impl FileScope {
    /// These files; none: whatever is in the index.
    pub fn new(facts: Arc<FxHashMap<i64, FileFacts>>, files: Option<FileSet>) -> Self {
        Self { facts, files }
    }

    /// Is it everything that is in the index?
    pub(super) fn is_everything(&self) -> bool {
        self.files.is_none()
    }

    /// Is the file looked into?
    pub(super) fn has(&self, file: i64) -> bool {
        self.files.as_ref().is_none_or(|files| files.has(file))
    }

    /// The files for which a filter holds.
    pub(super) fn passing(&self, filter: &Filter) -> FileSet {
        let passing = self.facts.iter().filter(|(_, facts)| facts.passes(filter, None) == Some(true));
        passing.map(|(file, _)| *file).collect()
    }

    /// Does a filter hold for a row of a file?
    pub(super) fn row_passes(&self, file: i64, row: u32, filter: &Filter) -> bool {
        self.facts.get(&file).is_some_and(|facts| facts.passes(filter, Some(row)) == Some(true))
    }
}
