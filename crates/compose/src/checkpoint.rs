//! File history: which backups hold the files as they were before each prompt.
//!
//! The backups themselves are files below `file-history/<session>/`; [`crate::place::backup`] names them.

use scrollback_format::digest;
use scrollback_format::generation::Generation;

use crate::clock::Moment;
use crate::id::Id;
use crate::json::{Json, Object};
use crate::session::SessionAuthor;
use crate::source::IdSource;

/// A tracked file at one version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Backup {
    /// Path relative to the working directory, or absolute outside of it.
    pub path: String,
    /// The absolute path, which names the backup.
    pub absolute: String,
    /// Counts up with each change.
    pub version: u64,
    /// False when there was no file yet: then there is no backup either.
    pub existed: bool,
    /// When it was taken.
    pub at: Moment,
}

impl Backup {
    /// The backup's file name, if there is one.
    pub fn name(&self) -> Option<String> {
        self.existed.then(|| digest::backup_name(&self.absolute, self.version))
    }

    fn object(&self) -> Object {
        Object::new()
            .str_or_null("backupFileName", self.name().as_deref())
            .num("version", self.version)
            .str("backupTime", &self.at.to_string())
    }
}

impl<S: IdSource> SessionAuthor<S> {
    /// The state of all tracked files at a prompt.
    pub fn snapshot(&mut self, prompt: &Id, backups: &[Backup]) {
        let at = self.source.now();
        self.write_snapshot(prompt, prompt, backups, at, false);
    }

    /// A file is about to change within a turn: an update of the prompt's snapshot, in the newest client a delta.
    pub fn snapshot_update(&mut self, answer: &Id, prompt: &Id, backups: &[Backup], changed: &Backup) {
        if !self.newest() {
            let at = self.source.now();
            self.write_snapshot(answer, prompt, backups, at, true);
            return;
        }
        let at = self.now();
        let folder = changed.absolute.rsplit_once('/').map_or("/", |(folder, _)| folder);
        let line = Object::new()
            .str("type", "file-history-delta")
            .str("messageId", answer.as_str())
            .str("snapshotMessageId", prompt.as_str())
            .str("trackingPath", &changed.path)
            .put("backup", &changed.object().str("realParentDir", folder).done())
            .str("timestamp", &at.to_string());
        self.sheet.line("file-history-delta", line);
    }

    fn write_snapshot(&mut self, message: &Id, prompt: &Id, backups: &[Backup], at: Moment, update: bool) {
        // 1.x kept no file history.
        if !self.since(Generation::V2_0_29) {
            return;
        }
        let tracked = backups
            .iter()
            .fold(Object::new(), |tracked, backup| tracked.put(&backup.path, &backup.object().done()));
        let snapshot = Object::new()
            .str("messageId", prompt.as_str())
            .put("trackedFileBackups", &tracked.done())
            .str("timestamp", &at.to_string())
            .done();
        let line = Object::new()
            .str("type", "file-history-snapshot")
            .str("messageId", message.as_str())
            .put("snapshot", &snapshot)
            .bool("isSnapshotUpdate", update);
        self.sheet.line("file-history-snapshot", line);
    }

    /// The id that the next prompt will have is not known yet, but its snapshot comes first in the file:
    /// writes the prompt, then puts the snapshot before it.
    pub fn prompt_with_snapshot(&mut self, content: &Json, backups: &[Backup]) -> Id {
        let before = std::mem::take(&mut self.sheet);
        let prompt = self.prompt_with(content);
        let written = std::mem::replace(&mut self.sheet, before);
        self.snapshot(&prompt, backups);
        self.sheet.append(written);
        prompt
    }
}
