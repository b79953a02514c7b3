//! What searches ask of the catalogue again and again, kept for the life of an [`Index`]: the catalogue does not change
//! under it, but for what its own refresh of the text index does.

use std::cell::OnceCell;
use std::rc::Rc;

use rustc_hash::FxHashSet;
use scrollback_index::catalogue::Titled;
use scrollback_index::error::IndexError;
use scrollback_index::text::TextIndex;

use super::{Index, Owners};

/// What was asked before.
#[derive(Debug, Default)]
pub(super) struct Kept {
    /// The text index, once it was opened; None if there is no usable one.
    pub(super) text: OnceCell<Option<Rc<TextIndex>>>,
    behind: OnceCell<Rc<StaleText>>,
    all_roots: OnceCell<bool>,
    all_text: OnceCell<bool>,
    titles: OnceCell<Rc<Vec<Titled>>>,
    owners: OnceCell<Rc<Owners>>,
}

/// Files whose current state is not in the text index.
#[derive(Debug, Default)]
pub struct StaleText {
    /// The files.
    pub files: FxHashSet<i64>,
    /// Bytes of them that it has not seen.
    pub bytes: u64,
}

/// The value of a cell, made if it is not there.
fn kept<T: Clone>(cell: &OnceCell<T>, make: impl FnOnce() -> Result<T, IndexError>) -> Result<T, IndexError> {
    if let Some(known) = cell.get() {
        return Ok(known.clone());
    }
    let made = make()?;
    Ok(cell.get_or_init(|| made).clone())
}

impl Index {
    /// The text index, if there is one that fits the catalogue.
    pub fn text_index(&self) -> Result<Option<Rc<TextIndex>>, IndexError> {
        kept(&self.kept.text, || Ok(self.open_text()?.map(Rc::new)))
    }

    /// Files whose text is not in the text index as the catalogue knows them.
    pub fn text_behind(&self) -> Result<Rc<StaleText>, IndexError> {
        kept(&self.kept.behind, || {
            let mut found = StaleText::default();
            for behind in self.behind()? {
                found.bytes += behind.unseen();
                found.files.insert(behind.file);
            }
            Ok(Rc::new(found))
        })
    }

    /// Does the text index hold the files of these roots as they are, all of them and no others?
    pub fn has_all_text(&self) -> Result<bool, IndexError> {
        kept(&self.kept.all_text, || {
            Ok(self.stale.is_empty()
                && self.text_behind()?.files.is_empty()
                && self.db.forgotten()?.is_empty()
                && self.has_all_roots()?)
        })
    }

    /// Are these the only roots that the catalogue has files of? Then nothing has to be asked by root, which spares
    /// it the long rows.
    pub fn has_all_roots(&self) -> Result<bool, IndexError> {
        kept(&self.kept.all_roots, || self.db.are_all_roots(&self.root_names()))
    }

    /// Titles that are more than a first prompt.
    pub fn titles(&self) -> Result<Rc<Vec<Titled>>, IndexError> {
        kept(&self.kept.titles, || Ok(Rc::new(self.db.titles(&self.all()?)?)))
    }

    /// The session that each file is, or belongs to.
    pub fn owners(&self) -> Result<Rc<Owners>, IndexError> {
        kept(&self.kept.owners, || {
            let mut owners = Owners::default();
            self.db.each_owner(|file, session_id| owners.insert(file, session_id))?;
            Ok(Rc::new(owners))
        })
    }
}
