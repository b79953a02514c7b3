//! Other names: the session's id, the ids of lines and agents, the directory, the mark of a branch.

use std::collections::BTreeMap;

use scrollback_format::json::{Type, Value, quoted};

use super::Script;
use super::line::{Name, ScriptLine, quote, raw};
use crate::id::Id;
use crate::source::IdSource;

/// Fields that hold the id of a line.
pub(super) const NAMES: [&[&str]; 13] = [
    &["uuid"],
    &["parentUuid"],
    &["logicalParentUuid"],
    &["leafUuid"],
    &["messageId"],
    &["snapshotMessageId"],
    &["snapshot", "messageId"],
    &["sourceToolAssistantUUID"],
    &["parentLastUuid"],
    &["compactMetadata", "preservedSegment", "headUuid"],
    &["compactMetadata", "preservedSegment", "anchorUuid"],
    &["compactMetadata", "preservedSegment", "tailUuid"],
    &["compactMetadata", "preservedMessages", "anchorUuid"],
];

/// Fields that hold a list of them.
const LISTS: [&[&str]; 3] = [
    &["compactMetadata", "preservedMessages", "uuids"],
    &["compactMetadata", "preservedMessages", "allUuids"],
    &["summarizedTurnPromptUuids"],
];

/// Fields that hold the id of an agent: its own lines, the result of its call, signs of its progress.
const AGENTS: [&[&str]; 4] =
    [&["agentId"], &["toolUseResult", "agentId"], &["toolUseResult", "resumedAgentId"], &["data", "agentId"]];

/// The ids that lines had, and those that they have now.
#[derive(Debug, Clone, Default)]
pub struct FreshIds(BTreeMap<Name, Name>);

impl FreshIds {
    /// Has the line that had this id another one now?
    pub fn had(&self, id: &str) -> bool {
        self.0.contains_key(id.as_bytes())
    }
}

/// A new id for a session.
#[derive(Debug, Clone, Copy)]
pub struct Rename<'a> {
    /// The id that it has.
    pub from: &'a str,
    /// The id that it gets.
    pub to: &'a str,
    /// Name the old one on every line of the tree, as `/branch` does.
    pub mark: bool,
}

impl Script {
    /// Gives every line the new session id, whichever one it had.
    pub fn rename(&mut self, rename: &Rename<'_>) {
        let to = quoted(rename.to);
        for line in self.kept_mut().filter(|line| line.is_object) {
            line.replace(&["sessionId"], &to);
            for other in ["session_id", "parentSessionId"] {
                if line.name(&[other]).as_deref() == Some(rename.from.as_bytes()) {
                    line.replace(&[other], &to);
                }
            }
            if rename.mark
                && let Some(uuid) = line.uuid.clone()
            {
                let from = String::from_utf8_lossy(&quoted(rename.from)).into_owned();
                let uuid = String::from_utf8_lossy(&quote(&uuid)).into_owned();
                let mark = format!(r#"{{"sessionId":{from},"messageUuid":{uuid}}}"#);
                line.set(&["forkedFrom"], mark.as_bytes());
            }
        }
    }

    /// Gives every line of the tree a new id, and every reference to it the same one. Tells which, for files that refer to them.
    pub fn fresh_ids(&mut self, source: &mut impl IdSource) -> FreshIds {
        let mut fresh: BTreeMap<Name, Name> = BTreeMap::new();
        for uuid in self.kept().filter_map(|line| line.uuid.as_ref()) {
            if !fresh.contains_key(uuid) {
                fresh.insert(uuid.clone(), Id::uuid(source).as_str().as_bytes().into());
            }
        }
        self.rename_ids(&fresh);
        FreshIds(fresh)
    }

    /// Refers to lines of another script by the ids that they have now.
    pub fn follow(&mut self, fresh: &FreshIds) {
        self.rename_ids(&fresh.0);
    }

    /// Gives agents other ids, wherever a field names them: from the old one to the new one. Words are not searched.
    pub fn rename_agents(&mut self, agents: &BTreeMap<String, String>) {
        if agents.is_empty() {
            return;
        }
        for line in self.kept_mut().filter(|line| line.is_object) {
            for path in AGENTS {
                let name = line.name(path);
                let new = name.and_then(|name| agents.get(std::str::from_utf8(&name).ok()?));
                if let Some(new) = new {
                    line.replace(path, &quoted(new));
                }
            }
        }
    }

    /// Gives lines other ids, and every reference to them the same ones.
    pub(super) fn rename_ids(&mut self, fresh: &BTreeMap<Name, Name>) {
        if fresh.is_empty() {
            return;
        }
        for line in self.kept_mut().filter(|line| line.is_object) {
            for path in NAMES {
                if let Some(name) = line.name(path).and_then(|name| fresh.get(&name)) {
                    line.rename(path, Some(name));
                }
            }
            for path in LISTS {
                line.rename_list(path, fresh);
            }
        }
    }

    /// Sets the directory on lines that were in `from` or below it.
    pub fn move_to(&mut self, from: &str, to: &str) {
        for line in self.kept_mut().filter(|line| line.is_object) {
            let cwd = line
                .read(|root| root.get("cwd").and_then(Value::text).map(|text| text.decode().into_owned()))
                .flatten();
            let inside = cwd.as_deref().and_then(|cwd| cwd.strip_prefix(from));
            if let Some(rest) = inside.filter(|rest| rest.is_empty() || rest.starts_with('/')) {
                line.replace(&["cwd"], &quoted(&format!("{to}{rest}")));
            }
        }
    }

    /// The id of a line, by its number.
    pub fn id_at(&self, number: u64) -> Option<Id> {
        let line = self.kept().find(|line| line.number == number)?;
        line.uuid.as_ref().map(|name| Id::from(String::from_utf8_lossy(name).into_owned()))
    }

    /// Adds the note that gives a session its title.
    pub fn entitle(&mut self, title: &str, session: &str) {
        let text = |text: &str| String::from_utf8_lossy(&quoted(text)).into_owned();
        let line = format!(
            r#"{{"type":"custom-title","customTitle":{},"sessionId":{}}}"#,
            text(title),
            text(session)
        );
        self.append(line);
    }

    /// Adds the note by which clients without custom titles list a session: what they say of its last entry.
    pub fn summarize(&mut self, title: &str, leaf: &Id) {
        let text = |text: &str| String::from_utf8_lossy(&quoted(text)).into_owned();
        self.append(format!(
            r#"{{"type":"summary","summary":{},"leafUuid":{}}}"#,
            text(title),
            text(leaf.as_str())
        ));
    }

    fn append(&mut self, line: String) {
        let number = self.lines.last().map_or(1, |line| line.number + 1);
        self.lines.push(ScriptLine::new(line.into_bytes(), number));
    }
}

impl ScriptLine {
    fn rename_list(&mut self, path: &[&str], fresh: &BTreeMap<Name, Name>) {
        let items = |root: Value<'_>| -> Option<Vec<Vec<u8>>> {
            let list = path.iter().try_fold(root, |value, key| value.get(key))?;
            let renamed = |item: Value<'_>| {
                let name = raw(item).and_then(|name| fresh.get(&name).cloned());
                name.map_or_else(|| item.raw().to_vec(), |name| quote(&name))
            };
            (list.kind() == Type::Array).then(|| list.items().map(renamed).collect())
        };
        if let Some(items) = self.read(items).flatten() {
            let list = [b"[".to_vec(), items.join(&b','), b"]".to_vec()].concat();
            self.replace(path, &list);
        }
    }
}
