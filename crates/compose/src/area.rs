//! The contents of files outside `projects/`: prompt history, tasks, sidecars, the sessions index.

use scrollback_format::digest;
use scrollback_format::generation::Generation;

use crate::clock::Moment;
use crate::id::Id;
use crate::json::{Json, Object};

/// A prompt in `history.jsonl`.
#[derive(Debug, Clone)]
pub struct HistoryPrompt<'a> {
    /// What the user typed, with a placeholder for what was pasted.
    pub display: &'a str,
    /// What was pasted.
    pub pasted: Option<&'a str>,
    /// When.
    pub at: Moment,
    /// The working directory.
    pub project: &'a str,
    /// The session.
    pub session: &'a Id,
}

/// A line of `history.jsonl`, with its `\n`.
pub fn history_line(generation: Generation, history: &HistoryPrompt<'_>) -> Vec<u8> {
    // Only from 2.1.9 on is a paste kept, by the hash of its text.
    let pasted = history.pasted.filter(|_| generation >= Generation::V2_1_9).map(|pasted| {
        let name = digest::paste_name(pasted.as_bytes());
        let hash = name.strip_suffix(".txt").unwrap_or(&name);
        let paste = Object::new().num("id", 1).str("type", "text").str("contentHash", hash).done();
        Object::new().put("1", &paste).done()
    });
    let line = Object::new()
        .str("display", history.display)
        .put("pastedContents", pasted.as_ref().unwrap_or(&Json::empty()))
        .num("timestamp", u64::try_from(history.at.millis()).unwrap_or(0))
        .str("project", history.project)
        .when(generation >= Generation::V2_0_55, |line| line.str("sessionId", history.session.as_str()));
    let mut bytes = line.done().as_bytes().to_vec();
    bytes.push(b'\n');
    bytes
}

/// Where a paste goes, `paste-cache/<hash>.txt`.
pub fn paste_path(pasted: &str) -> String {
    format!("paste-cache/{}", digest::paste_name(pasted.as_bytes()))
}

/// A task's file: the client indents this one.
pub fn task_file(number: u64, subject: &str, description: &str, active: &str, status: &str) -> Vec<u8> {
    let task = serde_json::json!({
        "id": number.to_string(),
        "subject": subject,
        "description": description,
        "activeForm": active,
        "status": status,
        "blocks": [],
        "blockedBy": [],
    });
    pretty(&task)
}

/// The sidecar of a title (2.1.325).
pub fn title_sidecar(title: &str) -> Vec<u8> {
    Object::new().str("customTitle", title).done().as_bytes().to_vec()
}

/// An entry of 2.1.9's `sessions-index.json`.
#[derive(Debug, Clone)]
pub struct Indexed<'a> {
    /// The session.
    pub session: &'a Id,
    /// Its file, absolute.
    pub path: &'a str,
    /// Its working directory.
    pub cwd: &'a str,
    /// Its first prompt.
    pub first_prompt: &'a str,
    /// How many messages it has.
    pub messages: u64,
    /// When it began and ended.
    pub span: (Moment, Moment),
}

/// The whole `sessions-index.json`.
pub fn sessions_index(entries: &[Indexed<'_>]) -> Vec<u8> {
    let entries: Vec<_> = entries
        .iter()
        .map(|entry| {
            serde_json::json!({
                "sessionId": entry.session.as_str(),
                "fullPath": entry.path,
                "fileMtime": entry.span.1.millis(),
                "firstPrompt": entry.first_prompt,
                "messageCount": entry.messages,
                "created": entry.span.0.to_string(),
                "modified": entry.span.1.to_string(),
                "gitBranch": "main",
                "projectPath": entry.cwd,
                "isSidechain": false,
            })
        })
        .collect();
    pretty(&serde_json::json!({ "version": 1, "entries": entries }))
}

/// Indented by two, without a newline at the end, as the client writes its smaller files.
pub fn pretty(value: &serde_json::Value) -> Vec<u8> {
    format!("{value:#}").into_bytes()
}
