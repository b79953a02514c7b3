//! Which repository a directory is a worktree of, as git itself notes it.

use std::path::{Path, PathBuf};

use crate::small;

/// The main checkout of the repository that this directory is the top of; none if it is no checkout, or is gone.
///
/// A main checkout has a *folder* `.git`; a linked worktree has a *file* `.git` that says
/// `gitdir: <main>/.git/worktrees/<name>`.
pub fn main_checkout(directory: &Path) -> Option<PathBuf> {
    let mark = directory.join(".git");
    if mark.is_dir() {
        return Some(directory.to_owned());
    }
    let (bytes, _) = small::read(&mark, 4096).ok()?;
    let text = String::from_utf8(bytes).ok()?;
    let gitdir = Path::new(text.strip_prefix("gitdir:")?.trim());
    let worktrees = gitdir.parent()?;
    let git = worktrees.parent()?;
    let is_worktree = worktrees.file_name()? == "worktrees" && git.file_name()? == ".git";
    is_worktree.then(|| git.parent().map(Path::to_owned))?
}
