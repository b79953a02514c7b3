//! Project folders: which are renamed whole, which are taken apart, and what stands in the way.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use scrollback_compose::relocate::Relocation;
use scrollback_format::area::ProjectFile;
use scrollback_store::journal::Op;
use scrollback_store::{FolderFile, Place, Root, stamp, walk, work};

use super::SESSIONS_INDEX;
use super::indexes::Indexes;
use super::rewrite::Rewrite;
use super::survey::Leaving;
use super::{change, refuse};
use crate::plan::EditPlan;
use scrollback_session::error::AppError;

/// The mode of a folder that a client would make.
const FOLDER_MODE: u32 = 0o700;

/// Folders on their way.
pub(super) struct Moves<'r> {
    root: &'r Root,
    relocation: &'r Relocation,
    /// Folders that are free once the changes so far are made.
    left: BTreeSet<String>,
    /// Folders that the changes so far make.
    made: BTreeSet<String>,
    /// Paths that the changes so far put there.
    put: BTreeSet<String>,
    /// Where files go that move: old path to place.
    places: BTreeMap<PathBuf, Place>,
    indexes: Indexes<'r>,
}

/// An order in which no folder is moved to where another one still is.
pub(super) fn order(all: &[Leaving<'_>]) -> Vec<usize> {
    let mut rest: Vec<usize> = (0..all.len()).collect();
    let mut order = Vec::new();
    while !rest.is_empty() {
        let waits = |at: &usize| {
            let goes =
                |name: &String| all[*at].whole.iter().chain(all[*at].names.values()).any(|to| to == name);
            rest.iter().any(|other| other != at && goes(&all[*other].folder.name))
        };
        let next = rest.iter().position(|at| !waits(at)).unwrap_or(0);
        order.push(rest.remove(next));
    }
    order
}

impl<'r> Moves<'r> {
    pub fn new(root: &'r Root, relocation: &'r Relocation) -> Self {
        let (left, made, put) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        let indexes = Indexes::new(root, relocation);
        Self { root, relocation, left, made, put, places: BTreeMap::new(), indexes }
    }

    /// Moves what leaves a folder: the folder itself if everything does and nobody has its new name.
    pub fn folder(&mut self, plan: &mut EditPlan, leaving: &Leaving<'_>) -> Result<(), AppError> {
        for guard in &leaving.guards {
            plan.transaction.guard(guard.clone());
        }
        let name = leaving.folder.name.as_str();
        let source = plan.transaction.place(&leaving.folder.path)?;
        match &leaving.whole {
            Some(target) if target == name => {}
            Some(target) if !self.is_there(target) => {
                let target_place = folder_place(target)?;
                plan.transaction.move_to(source.clone(), target_place.clone());
                self.left.insert(name.to_owned());
                self.made.insert(target.clone());
                for found in &leaving.folder.files {
                    let own = plan.transaction.place(&found.path)?;
                    let rest = own.as_str().strip_prefix(source.as_str()).unwrap_or_default();
                    let place = Place::new(&format!("{target_place}{rest}"))?;
                    self.places.insert(found.path.clone(), place);
                }
                return self.indexes.renamed(plan, leaving, target);
            }
            _ => {}
        }
        self.names(plan, leaving)
    }

    /// Moves the names that leave, one by one, into folders that may be there already.
    fn names(&mut self, plan: &mut EditPlan, leaving: &Leaving<'_>) -> Result<(), AppError> {
        let name = leaving.folder.name.as_str();
        let mut taken = Vec::new();
        for (item, target) in &leaving.names {
            if target == name || item == SESSIONS_INDEX {
                continue;
            }
            if !self.is_there(target) {
                plan.transaction.push(Op::MakeDir { path: folder_place(target)?, mode: FOLDER_MODE });
                self.made.insert(target.clone());
            }
            let from = leaving.folder.path.join(item);
            self.merge(plan, &from, target, item, &mut taken)?;
        }
        if !taken.is_empty() {
            let several = if taken.len() == 1 { "exists" } else { "exist" };
            return Err(refuse(
                format!("{} {several} in both folders; nothing was moved", taken.join(", ")),
                "remove or rename one of them first",
            ));
        }
        for found in &leaving.folder.files {
            let Some(relative) = relative(found, leaving) else { continue };
            let Some(target) = relative.split('/').next().and_then(|item| leaving.names.get(item)) else {
                continue;
            };
            let place = Place::new(&format!("projects/{target}/{relative}"))?;
            self.places.entry(found.path.clone()).or_insert(place);
        }
        if leaving.staying > 0 {
            plan.note(format!(
                "{} of folder {name} belong to another directory and stay, as do shared files (memory)",
                if leaving.staying == 1 {
                    "1 session".to_owned()
                } else {
                    format!("{} sessions", leaving.staying)
                }
            ));
        } else if leaving.is_emptied() {
            plan.note(format!("the empty folder {name} is kept"));
        }
        self.indexes.parted(plan, leaving, &self.left)
    }

    /// Moves a file or folder; into a folder that is there already, what is in it.
    fn merge(
        &mut self,
        plan: &mut EditPlan,
        from: &Path,
        target: &str,
        item: &str,
        taken: &mut Vec<String>,
    ) -> Result<(), AppError> {
        let place = Place::new(&format!("projects/{target}/{item}"))?;
        let old = self.root.projects().join(target).join(item);
        let there = !self.left.contains(target) && stamp::is_there(&old) || self.put.contains(place.as_str());
        if !there {
            let source = plan.transaction.place(from)?;
            self.put.insert(place.as_str().to_owned());
            plan.transaction.move_to(source, place);
            return Ok(());
        }
        // Memory is the one folder that two projects both have; a session's own has a name of its own.
        if item.split('/').next() == Some("memory") && from.is_dir() && old.is_dir() {
            for (name, _) in walk::names_in(from) {
                self.merge(plan, &from.join(&name), target, &format!("{item}/{name}"), taken)?;
            }
        } else {
            taken.push(item.to_owned());
        }
        Ok(())
    }

    /// Writes the indexes, and rewrites the lines of every transcript that moves; how many.
    pub fn rewrite(&mut self, plan: &mut EditPlan, all: &[Leaving<'_>]) -> Result<u64, AppError> {
        self.indexes.write(plan);
        let change = change(self.relocation, Relocation::line);
        let transcript = |found: &&FolderFile| {
            matches!(
                found.file,
                ProjectFile::Session(_)
                    | ProjectFile::FlatAgent(_)
                    | ProjectFile::Agent { .. }
                    | ProjectFile::SetAside(_)
            )
        };
        let files = all.iter().flat_map(|leaving| {
            leaving.folder.files.iter().filter(transcript).filter_map(|found| {
                let place = self.places.get(&found.path)?;
                Some((found.path.clone(), place.clone()))
            })
        });
        let files: Vec<(PathBuf, Place)> = files.collect();
        let read = work::each(&files, work::threads(), || (), |(), (path, _)| Rewrite::of(path, &change));
        let mut lines = 0;
        for ((_, place), rewrite) in files.into_iter().zip(read) {
            if let Some(rewrite) = rewrite? {
                lines += rewrite.lines;
                plan.transaction.push(rewrite.at(place));
            }
        }
        Ok(lines)
    }

    fn is_there(&self, folder: &str) -> bool {
        let there = stamp::is_there(&self.root.projects().join(folder));
        self.made.contains(folder) || there && !self.left.contains(folder)
    }
}

fn folder_place(name: &str) -> Result<Place, AppError> {
    Ok(Place::new(&format!("projects/{name}"))?)
}

/// A file's path in its folder.
fn relative(found: &FolderFile, leaving: &Leaving<'_>) -> Option<String> {
    let relative = found.path.strip_prefix(&leaving.folder.path).ok()?;
    let parts: Option<Vec<&str>> = relative.iter().map(|part| part.to_str()).collect();
    Some(parts?.join("/"))
}
