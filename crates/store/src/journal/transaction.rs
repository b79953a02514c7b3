//! A list of changes that are made together or not at all. Building one changes nothing; it can be shown before.

use std::path::Path;

use scrollback_format::stamp::Stamp;

use super::op::{ByteSource, Op};
use crate::live::EditedSession;
use crate::place::Place;
use crate::root::Root;
use crate::write::{FILE_MODE, FOLDER_MODE};
use crate::write_error::WriteError;

/// Folders of the user's own trees are readable by others, as those that a shell makes.
const TREE_FOLDER_MODE: u32 = 0o755;

/// Changes to one store, or to a tree of the user's.
#[derive(Debug, Clone)]
pub struct Transaction {
    root: Root,
    tree: bool,
    title: String,
    command: Vec<String>,
    ops: Vec<Op>,
    sessions: Vec<EditedSession>,
}

impl Transaction {
    /// No changes yet. The title says to people what it does.
    pub fn new(root: &Root, title: impl Into<String>) -> Self {
        let root = root.clone();
        let (command, ops, sessions) = (Vec::new(), Vec::new(), Vec::new());
        Self { root, tree: false, title: title.into(), command, ops, sessions }
    }

    /// No changes yet, to a directory that is no store: a working tree of the user's. It may hold our own directory; the
    /// changes may not reach into that.
    pub fn in_tree(directory: &Path, title: impl Into<String>) -> Self {
        Self { tree: true, ..Self::new(&Root::new(directory), title) }
    }

    /// Is it about a directory that is no store?
    pub fn is_tree(&self) -> bool {
        self.tree
    }

    /// The words of the command that made it, for the record.
    pub fn command(mut self, words: impl IntoIterator<Item = String>) -> Self {
        self.command = words.into_iter().collect();
        self
    }

    /// This session must not be in use when the changes are made.
    pub fn guard(&mut self, session: EditedSession) {
        self.sessions.push(session);
    }

    /// A place in this store, from a path as the walk gives it.
    pub fn place(&self, path: &Path) -> Result<Place, WriteError> {
        Place::below(self.root.path(), path)
    }

    /// Adds any change.
    pub fn push(&mut self, op: Op) {
        self.ops.push(op);
    }

    /// A new file for the user alone.
    pub fn create(&mut self, path: Place, source: impl Into<ByteSource>) {
        let mode = Some(FILE_MODE);
        self.push(Op::Create { path, source: source.into(), mode, mtime_ns: None });
    }

    /// A copy of a file or of a folder, with mode and time.
    pub fn copy(&mut self, from: &Path, to: Place, bytes: u64) {
        let source = ByteSource::Copy { path: from.to_owned(), bytes };
        self.push(Op::Create { path: to, source, mode: None, mtime_ns: None });
    }

    /// Whole lines at the end of a file.
    pub fn append(&mut self, path: Place, expected: Stamp, bytes: Vec<u8>) {
        self.push(Op::Append { path, expected, bytes, mtime_ns: None });
    }

    /// New content for a file.
    pub fn replace(&mut self, path: Place, expected: Stamp, source: impl Into<ByteSource>) {
        self.push(Op::Replace { path, expected, source: source.into(), mtime_ns: None });
    }

    /// Another name for a file or folder.
    pub fn move_to(&mut self, from: Place, to: Place) {
        self.push(Op::Move { from, to, expected: None });
    }

    /// A file or folder to the trash.
    pub fn remove(&mut self, path: Place) {
        self.push(Op::Remove { path, expected: None });
    }

    /// The folders above a place that are neither there nor made by an earlier change; in a store, for the user alone.
    pub fn folders_for(&mut self, path: &Place) {
        let mut missing = Vec::new();
        let mut above = path.parent();
        while let Some(place) = above {
            let made = self.ops.iter().any(|op| op.path() == &place);
            if made || self.root.path().join(place.as_str()).exists() {
                break;
            }
            above = place.parent();
            missing.push(place);
        }
        let mode = if self.tree { TREE_FOLDER_MODE } else { FOLDER_MODE };
        self.ops.extend(missing.into_iter().rev().map(|path| Op::MakeDir { path, mode }));
    }

    /// The store.
    pub fn root(&self) -> &Root {
        &self.root
    }

    /// What it does, for people.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The words of the command.
    pub fn words(&self) -> &[String] {
        &self.command
    }

    /// The changes, in order.
    pub fn ops(&self) -> &[Op] {
        &self.ops
    }

    /// The sessions that must not be in use.
    pub fn sessions(&self) -> &[EditedSession] {
        &self.sessions
    }

    /// Bytes that it writes into the tree.
    pub fn bytes(&self) -> u64 {
        self.ops.iter().map(Op::bytes).sum()
    }
}
