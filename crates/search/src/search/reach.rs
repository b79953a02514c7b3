//! The reach of a search: the files that the text index answers for, those that have to be scanned, and what is known
//! of each. Mostly the index has them all and nothing is asked of files: then none of them is looked at.

use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use scrollback_index::error::IndexError;
use scrollback_index::filter::{self, FileFacts};
use scrollback_index::query::Filter;
use scrollback_index::text::{FileScope, TextIndex};

use super::scan::ScanTarget;
use scrollback_session::catalogue::Index;

/// Where a search looks.
pub(super) struct Reach {
    /// The text index, if it is to be asked.
    pub(super) text: Option<Rc<TextIndex>>,
    /// What it is asked about.
    pub(super) scope: Arc<FileScope>,
    /// The files that it does not have as they are.
    pub(super) targets: Vec<ScanTarget>,
    /// What is known of files, by number; none if nothing is asked of them.
    facts: Option<Arc<FxHashMap<i64, FileFacts>>>,
}

impl Reach {
    /// For a query with these filters.
    pub(super) fn of(index: &Index, filters: &[&Filter]) -> Result<Self, IndexError> {
        let text = index.text_index()?;
        let asks = filter::asks_of_files(filters) || filter::asks_of_threads(filters);
        if text.is_some() && !asks && index.has_all_text()? {
            return Ok(Self { text, scope: Arc::default(), targets: Vec::new(), facts: None });
        }
        let known = Arc::new(index.catalogue().file_facts(&index.root_names(), filters)?);
        let behind = if text.is_some() { Some(index.text_behind()?) } else { None };
        let (mut by_index, mut targets) = (Vec::new(), Vec::new());
        for (file, facts) in known.iter().filter(|(file, _)| !index.stale_files.contains(file)) {
            if behind.as_ref().is_none_or(|behind| behind.files.contains(file)) {
                targets.extend(target(index, *file, facts)?);
            } else {
                by_index.push(*file);
            }
        }
        let files = (text.is_some() && !index.has_all_text()?).then(|| by_index.into_iter().collect());
        let scope = Arc::new(FileScope::new(known.clone(), files));
        Ok(Self { text, scope, targets, facts: Some(known) })
    }

    /// The text index turned out to be damaged: everything is scanned.
    pub(super) fn without_text(index: &Index, filters: &[&Filter]) -> Result<Vec<ScanTarget>, IndexError> {
        let mut targets = Vec::new();
        for (file, facts) in index.catalogue().file_facts(&index.root_names(), filters)? {
            if !index.stale_files.contains(&file) {
                targets.extend(target(index, file, &facts)?);
            }
        }
        Ok(targets)
    }

    /// What is known of a file; none if it is not looked into.
    pub(super) fn facts(&self, file: i64) -> Option<FileFacts> {
        match &self.facts {
            Some(facts) => facts.get(&file).cloned(),
            None => Some(FileFacts::default()),
        }
    }
}

fn target(index: &Index, file: i64, facts: &FileFacts) -> Result<Option<ScanTarget>, IndexError> {
    Ok(index.path_of(file)?.map(|path| ScanTarget { file, path, facts: facts.clone() }))
}
