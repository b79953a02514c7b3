//! Forks and branches: a session's lines copied under a new id.
//!
//! `--fork-session` leaves no mark, `/branch` (2.1.80 and later) names the origin on every line. The uuids stay
//! the same in both files. Side notes are not copied. Which lines get the new session id differs by generation.

use std::collections::BTreeMap;

use scrollback_format::generation::Generation;
use serde_json::{Map, Value};

use crate::clock::Moment;
use crate::id::Id;

/// How to copy.
#[derive(Debug, Clone)]
pub struct CopySpec<'a> {
    /// The layout to write in.
    pub generation: Generation,
    /// The session that is copied.
    pub from: &'a Id,
    /// The new session.
    pub to: &'a Id,
    /// Mark each line with `forkedFrom`, as `/branch` does.
    pub branch: bool,
    /// When it was forked: 2.0.29 stamps the copies with it.
    pub at: Moment,
}

/// A copied conversation.
#[derive(Debug, Clone, Default)]
pub struct Copied {
    /// The lines.
    pub bytes: Vec<u8>,
    /// How many of each `type`.
    pub kinds: BTreeMap<String, u64>,
    /// The last line's uuid.
    pub tail: Option<Id>,
}

/// Copies the lines of the tree. Lines that are no JSON object are left out, as the client would.
pub fn fork(lines: &[u8], fork: &CopySpec<'_>) -> Copied {
    let mut copied = Copied::default();
    for line in lines.split(|byte| *byte == b'\n') {
        let Ok(Value::Object(entry)) = serde_json::from_slice::<Value>(line) else { continue };
        let Some(uuid) = entry.get("uuid").and_then(Value::as_str).map(Id::from) else { continue };
        let kind = kind(&entry);
        let entry = rewrite(entry, &uuid, fork);
        copied.bytes.extend_from_slice(Value::Object(entry).to_string().as_bytes());
        copied.bytes.push(b'\n');
        *copied.kinds.entry(kind).or_default() += 1;
        copied.tail = Some(uuid);
    }
    copied
}

fn kind(entry: &Map<String, Value>) -> String {
    let text = |key: &str| entry.get(key).and_then(Value::as_str).unwrap_or("").to_owned();
    let part = |key: &str| entry.get(key).and_then(|value| value.get("type")).and_then(Value::as_str);
    match text("type").as_str() {
        "system" => format!("system/{}", text("subtype")),
        "attachment" => format!("attachment/{}", part("attachment").unwrap_or("")),
        "progress" => format!("progress/{}", part("data").unwrap_or("")),
        other => other.to_owned(),
    }
}

fn rewrite(mut entry: Map<String, Value>, uuid: &Id, fork: &CopySpec<'_>) -> Map<String, Value> {
    let from_user = entry.get("type").is_some_and(|kind| kind == "user");
    let half = matches!(fork.generation, Generation::V2_0_55 | Generation::V2_1_9);
    if !(half && from_user) {
        replace(&mut entry, "sessionId", fork.to.as_str());
    }
    if fork.generation == Generation::V2_0_29 {
        replace(&mut entry, "timestamp", &fork.at.to_string());
        entry.shift_remove("requestId");
        spell_out(&mut entry);
    }
    if fork.branch && fork.generation >= Generation::V2_1_80 {
        let origin = serde_json::json!({ "sessionId": fork.from.as_str(), "messageUuid": uuid.as_str() });
        entry.insert("forkedFrom".to_owned(), origin);
    }
    entry
}

/// Replaces a string where it stands, so that the order of keys stays.
fn replace(entry: &mut Map<String, Value>, key: &str, text: &str) {
    if let Some(value) = entry.get_mut(key) {
        *value = Value::from(text);
    }
}

/// 2.0.29 turned a prompt's string into a list of one text block.
fn spell_out(entry: &mut Map<String, Value>) {
    let content = entry.get_mut("message").and_then(|message| message.get_mut("content"));
    if let Some(content) = content
        && let Some(text) = content.as_str()
    {
        *content = serde_json::json!([{ "type": "text", "text": text }]);
    }
}

#[cfg(test)]
mod tests {
    use scrollback_format::generation::Generation;

    use super::{CopySpec, fork};
    use crate::clock::Moment;
    use crate::id::Id;

    const LINE: &[u8] = b"{\"type\":\"mode\",\"sessionId\":\"old\"}\n{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"hi\"},\"uuid\":\"u\",\"sessionId\":\"old\"}\n";

    fn copy(generation: Generation, branch: bool) -> String {
        let (from, to) = (Id::from("old"), Id::from("new"));
        let copied =
            fork(LINE, &CopySpec { generation, from: &from, to: &to, branch, at: Moment::from_millis(0) });
        String::from_utf8_lossy(&copied.bytes).into_owned()
    }

    #[test]
    fn a_branch_names_its_origin_and_a_fork_does_not() {
        let marked = r#"{"type":"user","message":{"role":"user","content":"hi"},"uuid":"u","sessionId":"new","forkedFrom":{"sessionId":"old","messageUuid":"u"}}"#;
        assert_eq!(copy(Generation::V2_1_200, true), format!("{marked}\n"));
        assert!(!copy(Generation::V2_1_200, false).contains("forkedFrom"));
    }

    #[test]
    fn user_lines_keep_the_old_session_in_the_middle_generations() {
        assert!(copy(Generation::V2_1_9, false).contains(r#""sessionId":"old""#));
        assert!(copy(Generation::V2_0_29, false).contains(r#"[{"type":"text","text":"hi"}]"#));
    }
}
