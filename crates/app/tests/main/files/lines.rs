//! A session written line by line, so that it can say what no client would.

#![allow(
    clippy::needless_pass_by_value,
    reason = "a value made where it is given reads better without a reference"
)]

use scrollback_app::files::trail::FileTrail;
use scrollback_app::files::transcripts::TranscriptSet;
use scrollback_testkit::home::Store;
use serde_json::{Value, json};

use crate::editing::library;

pub(crate) const ID: &str = "aaaa1111-0000-4000-8000-000000000001";

/// Lines of a session, one minute after the other.
pub(crate) struct Lines {
    cwd: String,
    lines: Vec<String>,
}

impl Lines {
    pub(crate) fn new(cwd: &str) -> Self {
        let mut lines = Self { cwd: cwd.to_owned(), lines: Vec::new() };
        lines.message("user", json!("go"), None);
        lines
    }

    fn time(&self) -> String {
        let at = self.lines.len();
        format!("2026-11-01T{:02}:{:02}:00.000Z", 8 + at / 60, at % 60)
    }

    fn message(&mut self, kind: &str, content: Value, result: Option<Value>) {
        let at = self.lines.len();
        let parent = (at > 0).then(|| format!("{:08}-0000-4000-8000-000000000000", at - 1));
        let mut line = json!({
            "parentUuid": parent, "isSidechain": false, "userType": "external", "cwd": self.cwd, "sessionId": ID,
            "version": "2.1.325", "type": kind, "message": {"role": kind, "id": format!("msg_{at}"), "content": content},
            "uuid": format!("{at:08}-0000-4000-8000-000000000000"), "timestamp": self.time(),
        });
        if let Some(result) = result {
            line["toolUseResult"] = result;
        }
        self.lines.push(line.to_string());
    }

    pub(crate) fn call(mut self, tool: &str, input: Value, result: Option<Value>) -> Self {
        let id = format!("toolu_{}", self.lines.len());
        self.message(
            "assistant",
            json!([{"type": "tool_use", "id": id, "name": tool, "input": input}]),
            None,
        );
        let block = json!([{"type": "tool_result", "tool_use_id": id, "content": "done"}]);
        self.message("user", block, result);
        self
    }

    pub(crate) fn write(self, path: &str, content: &str) -> Self {
        self.call("Write", json!({"file_path": path, "content": content}), None)
    }

    pub(crate) fn edit(self, path: &str, old: &str, new: &str) -> Self {
        self.call("Edit", json!({"file_path": path, "old_string": old, "new_string": new}), None)
    }

    /// A checkpoint; `backup` is `backupFileName` as it stands there.
    pub(crate) fn checkpoint(mut self, path: &str, backup: Value, version: u64) -> Self {
        let time = self.time();
        let line = json!({"type": "file-history-snapshot", "messageId": "m", "isSnapshotUpdate": false, "snapshot": {
            "messageId": "m", "timestamp": time,
            "trackedFileBackups": {path: {"backupFileName": backup, "version": version, "backupTime": time}},
        }});
        self.lines.push(line.to_string());
        self
    }

    pub(crate) fn raw(mut self, line: impl Into<String>) -> Self {
        self.lines.push(line.into());
        self
    }

    pub(crate) fn put(&self, store: &Store) {
        store.put(format!("projects/-x/{ID}.jsonl"), self.lines.join("\n") + "\n");
    }
}

/// What the one session of a store tells.
pub(crate) fn shelf(store: &Store) -> TranscriptSet {
    let library = library(store.root());
    let files = library.sessions().next().unwrap();
    TranscriptSet::of_session(&library, &files).unwrap()
}

/// The states of a trail in words: number, state, certainty, first evidence, text.
pub(crate) fn told(shelf: &TranscriptSet, path: &str) -> Vec<String> {
    let trail: FileTrail = shelf.trail(path, &|_| true);
    let views = shelf.views(&trail);
    let text = |version: &scrollback_app::files::version::Version| match &version.state {
        scrollback_app::files::version::ContentState::Held(body) => {
            let bytes = body.load().map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
            format!("{:?}", bytes.unwrap_or_else(|| "too large".into()))
        }
        scrollback_app::files::version::ContentState::Part(part) => {
            format!("{:?} ({})", part.text(), part.ranges())
        }
        _ => String::new(),
    };
    let line = |(view, version): (&scrollback_app::files::view::VersionView, &_)| {
        let by: Vec<&str> = view.evidence.iter().map(|evidence| evidence.by.name()).collect();
        let unseen = if view.unseen { "unseen" } else { "" };
        let (by, text) = (by.join("+"), text(version));
        let problems = view.problems.iter().map(|problem| format!("!{problem}"));
        let words = [view.state.name(), view.certainty.name(), unseen, &by, &text]
            .map(str::to_owned)
            .into_iter()
            .chain(problems);
        words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
    };
    views.iter().zip(&trail.versions).map(line).collect()
}
