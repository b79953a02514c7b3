//! A plan: the changes, and what is shown before they are made.

use std::collections::BTreeMap;
use std::path::PathBuf;

use scrollback_format::stamp::Stamp;
use scrollback_store::journal::Op;
use scrollback_store::live::{self, LiveCheck};
use scrollback_store::{Place, Transaction};
use serde::{Deserialize, Serialize};

use super::load::SessionLoad;
use super::recovered::RecoveredView;
use super::verb::ChangeVerb;

/// Changes that are not made yet.
#[derive(Debug, Clone)]
pub struct EditPlan {
    /// The changes.
    pub transaction: Transaction,
    /// Interrupted edits that were rolled back before it was planned.
    pub recovered: Vec<RecoveredView>,
    notes: Vec<String>,
    warnings: Vec<String>,
    before: Vec<SessionLoad>,
    after: Vec<SessionLoad>,
    weights: BTreeMap<String, (u64, u64)>,
    details: BTreeMap<String, String>,
}

/// What is shown before changes are made.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Preview {
    /// What it does.
    pub title: String,
    /// The store, or the directory that files are restored to.
    #[serde(with = "scrollback_session::view::path")]
    #[schemars(with = "String")]
    pub root: PathBuf,
    /// The changes, in order.
    pub changes: Vec<ChangeView>,
    /// Bytes that they write.
    pub bytes: u64,
    /// What is worth knowing.
    pub notes: Vec<String>,
    /// What is lost or may surprise.
    pub warnings: Vec<String>,
    /// Who is working in a session that is to be changed: while there is anyone, the changes are refused.
    pub held: Vec<String>,
    /// What a client loads of the sessions now.
    pub before: Vec<SessionLoad>,
    /// What it loads afterwards.
    pub after: Vec<SessionLoad>,
}

/// One change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ChangeView {
    /// `create`, `append`, `replace`, `move`, `remove` or `make` (a folder).
    pub verb: ChangeVerb,
    /// Where, below the root; of a move, to where.
    pub path: String,
    /// Of a move, from where.
    pub from: Option<String>,
    /// Bytes that it writes; of a removal, bytes that it takes.
    pub bytes: u64,
    /// Of a removal, files that it takes.
    pub files: u64,
    /// Of a file that is restored: which version, and how sure it is.
    pub detail: Option<String>,
}

impl EditPlan {
    /// A plan of these changes.
    pub fn new(transaction: Transaction) -> Self {
        let (notes, warnings, before, after) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (weights, details) = (BTreeMap::new(), BTreeMap::new());
        let recovered = Vec::new();
        Self { transaction, recovered, notes, warnings, before, after, weights, details }
    }

    /// Adds what is worth knowing.
    pub fn note(&mut self, text: impl Into<String>) {
        self.notes.push(text.into());
    }

    /// Adds what is lost or may surprise.
    pub fn warn(&mut self, text: impl Into<String>) {
        self.warnings.push(text.into());
    }

    /// Adds new content for a file that keeps its time.
    pub fn rewrite(&mut self, path: Place, expected: Stamp, bytes: Vec<u8>) {
        let mtime_ns = Some(expected.mtime_ns);
        self.transaction.push(Op::Replace { path, expected, source: bytes.into(), mtime_ns });
    }

    /// Says how much a removal takes: files and bytes.
    pub fn weighs(&mut self, path: &Place, files: u64, bytes: u64) {
        self.weights.insert(path.to_string(), (files, bytes));
    }

    /// Says more about the change at a place.
    pub fn detail(&mut self, path: &Place, detail: impl Into<String>) {
        self.details.insert(path.to_string(), detail.into());
    }

    /// Adds what a client loads of a session now.
    pub fn loads_now(&mut self, load: SessionLoad) {
        self.before.push(load);
    }

    /// Adds what a client loads of a session afterwards.
    pub fn loads_then(&mut self, load: SessionLoad) {
        self.after.push(load);
    }

    /// What a client loads afterwards.
    pub fn after(&self) -> &[SessionLoad] {
        &self.after
    }

    /// What is shown before the changes are made. Who holds a session is looked up now.
    pub fn preview(&self, watch: &LiveCheck) -> Preview {
        let root = self.transaction.root();
        let looks = self.transaction.sessions().iter().map(|session| live::look(root, session, watch, false));
        Preview {
            title: self.transaction.title().to_owned(),
            root: root.path().to_owned(),
            changes: self.transaction.ops().iter().map(|op| self.change(op)).collect(),
            bytes: self.transaction.bytes(),
            notes: self.notes.clone(),
            warnings: self.warnings.clone(),
            held: looks.flat_map(|look| look.held).map(|held| held.to_string()).collect(),
            before: self.before.clone(),
            after: self.after.clone(),
        }
    }

    fn change(&self, op: &Op) -> ChangeView {
        let from = match op {
            Op::Move { from, .. } => Some(from.to_string()),
            _ => None,
        };
        let path = op.path().to_string();
        let taken = match op {
            Op::Remove { .. } => self.weights.get(&path).copied().unwrap_or_default(),
            _ => (0, op.bytes()),
        };
        let detail = self.details.get(&path).filter(|_| !matches!(op, Op::MakeDir { .. })).cloned();
        ChangeView { verb: op.into(), path, from, files: taken.0, bytes: taken.1, detail }
    }
}
