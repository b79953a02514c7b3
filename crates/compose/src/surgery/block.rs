//! Taking blocks out of messages: calls with their results, thinking, images.

use std::collections::{BTreeMap, BTreeSet};

use scrollback_format::json::{Type, Value};

use super::Script;
use super::line::{Name, ScriptLine, content, raw};

/// What stands where an image stood: a result or prompt of nothing is refused by the API.
const NO_IMAGE: &[u8] = br#"{"type":"text","text":"[image removed]"}"#;

/// Kinds of blocks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct BlockKinds {
    /// Calls and their results.
    pub tools: bool,
    /// Thinking, redacted or not.
    pub thinking: bool,
    /// Images, in prompts and in results. Words stand in their place.
    pub images: bool,
}

impl Script {
    /// Takes blocks out; a line that has none left is marked to go. Gives how many blocks went.
    pub fn drop_blocks(&mut self, blocks: BlockKinds) -> u64 {
        let mut gone = 0;
        let mut messages = BTreeSet::new();
        for line in self.kept_mut().filter(|line| line.is_object) {
            let had_calls = !line.calls.is_empty();
            let taken = line.take_blocks(|block| {
                let kind = block.get("type").and_then(raw).unwrap_or_default();
                match &*kind {
                    b"thinking" | b"redacted_thinking" if blocks.thinking => Fate::Gone,
                    b"image" if blocks.images => Fate::Other(NO_IMAGE.to_vec()),
                    kind if blocks.tools && is_tool(kind) => Fate::Gone,
                    b"tool_result" if blocks.images => without_images(block),
                    _ => Fate::Kept,
                }
            });
            gone += taken;
            if taken > 0 && blocks.images {
                line.remove(&["toolUseResult", "file", "base64"]);
            }
            if had_calls && (line.gone || line.calls.is_empty()) {
                messages.extend(line.message.clone());
            }
        }
        gone + self.drop_bare_thinking(&messages)
    }

    /// Takes out calls whose results are all marked to go, results whose calls are, and what tells of their progress.
    /// What had no other half before stays as it is.
    pub(super) fn pair(&mut self) -> u64 {
        let all = |names: fn(&ScriptLine) -> &Vec<Name>, kept: bool| -> BTreeSet<Name> {
            let lines = self.lines.iter().filter(|line| !kept || !line.gone);
            lines.flat_map(names).cloned().collect()
        };
        let lost = |names: fn(&ScriptLine) -> &Vec<Name>| -> BTreeSet<Name> {
            all(names, false).difference(&all(names, true)).cloned().collect()
        };
        let (calls, results) = (lost(|line| &line.calls), lost(|line| &line.results));
        if calls.is_empty() && results.is_empty() {
            return 0;
        }
        let mut gone = 0;
        let mut messages = BTreeSet::new();
        for line in self.kept_mut().filter(|line| line.is_object) {
            if &*line.kind == b"progress" {
                let of = [line.name(&["parentToolUseID"]), line.name(&["toolUseID"])];
                line.gone = of.iter().flatten().any(|name| calls.contains(name));
                continue;
            }
            let loses_call = line.calls.iter().any(|call| results.contains(call));
            let loses_result = line.results.iter().any(|call| calls.contains(call));
            if !loses_call && !loses_result {
                continue;
            }
            if loses_call {
                messages.extend(line.message.clone());
            }
            gone += line.take_blocks(|block| {
                let id = |key: &str| block.get(key).and_then(raw);
                let is_lost = id("id").is_some_and(|call| results.contains(&call))
                    || id("tool_use_id").is_some_and(|call| calls.contains(&call));
                if is_lost { Fate::Gone } else { Fate::Kept }
            });
        }
        gone + self.drop_bare_thinking(&messages)
    }

    /// Thinking at the end of a message that has lost its call is refused by the API, so it goes too.
    fn drop_bare_thinking(&mut self, messages: &BTreeSet<Name>) -> u64 {
        let mut last: BTreeMap<Name, Vec<usize>> = BTreeMap::new();
        for (at, line) in self.lines.iter().enumerate().filter(|(_, line)| !line.gone) {
            if let Some(message) = line.message.as_ref().filter(|message| messages.contains(*message)) {
                last.entry(message.clone()).or_default().push(at);
            }
        }
        let is_thinking = |kind: &[u8]| matches!(kind, b"thinking" | b"redacted_thinking");
        let mut gone = 0;
        for at in last.into_values().flat_map(|lines| lines.into_iter().rev().collect::<Vec<_>>()) {
            let line = &mut self.lines[at];
            let kinds: Vec<Name> = line
                .read(|root| content(root).filter_map(|block| block.get("type").and_then(raw)).collect())
                .unwrap_or_default();
            let bare = kinds.iter().rev().take_while(|kind| is_thinking(kind)).count();
            // Lines of one message are met last one first; but only while nothing else follows.
            if bare == 0 || self.follows(at) {
                continue;
            }
            let mut left = kinds.len() - bare;
            gone += self.lines[at].take_blocks(|_| match left {
                0 => Fate::Gone,
                _ => {
                    left -= 1;
                    Fate::Kept
                }
            });
        }
        gone
    }

    /// Does a later line of the same message stay?
    fn follows(&self, at: usize) -> bool {
        let message = &self.lines[at].message;
        self.lines[at + 1..].iter().any(|line| !line.gone && line.message == *message)
    }
}

enum Fate {
    Kept,
    Gone,
    Other(Vec<u8>),
}

impl ScriptLine {
    /// Asks for each block what becomes of it. Gives how many are no longer what they were.
    fn take_blocks(&mut self, mut fate: impl FnMut(Value<'_>) -> Fate) -> u64 {
        let told = self.read(|root| {
            let mut taken = 0;
            let mut left: Vec<Vec<u8>> = Vec::new();
            for block in content(root) {
                match fate(block) {
                    Fate::Kept => left.push(block.raw().to_vec()),
                    Fate::Gone => taken += 1,
                    Fate::Other(bytes) => {
                        taken += 1;
                        left.push(bytes);
                    }
                }
            }
            (taken, left)
        });
        let Some((taken, left)) = told.filter(|(taken, _)| *taken > 0) else { return 0 };
        if left.is_empty() {
            self.gone = true;
            return taken;
        }
        self.replace(&["message", "content"], &list(&left));
        if self.results.is_empty() {
            self.remove(&["toolUseResult"]);
        }
        taken
    }
}

fn list(items: &[Vec<u8>]) -> Vec<u8> {
    [b"[".to_vec(), items.join(&b','), b"]".to_vec()].concat()
}

fn is_tool(kind: &[u8]) -> bool {
    kind.ends_with(b"tool_use") || kind.ends_with(b"tool_result")
}

/// A result with words in place of its images.
fn without_images(block: Value<'_>) -> Fate {
    let Some(inner) = block.get("content").filter(|inner| inner.kind() == Type::Array) else {
        return Fate::Kept;
    };
    let is_image = |item: &Value<'_>| item.get("type").and_then(raw).as_deref() == Some(b"image");
    if !inner.items().any(|item| is_image(&item)) {
        return Fate::Kept;
    }
    let items: Vec<Vec<u8>> = inner
        .items()
        .map(|item| if is_image(&item) { NO_IMAGE.to_vec() } else { item.raw().to_vec() })
        .collect();
    match scrollback_format::json::replace_field(block.raw(), &["content"], &list(&items)) {
        Ok(bytes) => Fate::Other(bytes),
        Err(_) => Fate::Kept,
    }
}
