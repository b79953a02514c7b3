//! The texts of units: the searchable words of a line, by class. docs/search.md is the contract.
//!
//! Lines are fed one after the other in file order; a unit is handed out once its last line was fed. Nothing is
//! read here: what a tool's result left in a file of its own is only named.

use rustc_hash::FxHashMap;
use scrollback_format::content::{Block, Content};
use scrollback_format::entry::Entry;
use scrollback_format::json::{Text, Type, Value};
use scrollback_format::time::Time;
use scrollback_format::tool::ToolInput;

use crate::role::Role;
use crate::row::RowIndex;
use crate::symbol::Symbol;
use crate::transcript::{ToolCall, Transcript};
use crate::unit::{self, UnitKey, UnitKind, Units};

/// Where in a unit a text stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum TextClass {
    /// Words of a person.
    Prompts,
    /// Words of the model.
    Answers,
    /// Its thoughts.
    Thinking,
    /// What a tool was given.
    Input,
    /// What it gave back.
    Output,
    /// A session's title.
    Titles,
}

impl TextClass {
    /// All classes; the place is the class's number.
    pub const ALL: [Self; 6] =
        [Self::Prompts, Self::Answers, Self::Thinking, Self::Input, Self::Output, Self::Titles];

    /// Its name in queries and in output that programs read.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Prompts => "prompts",
            Self::Answers => "answers",
            Self::Thinking => "thinking",
            Self::Input => "input",
            Self::Output => "output",
            Self::Titles => "titles",
        }
    }
}

/// A unit with its texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnitText {
    /// Its name in its file.
    pub key: UnitKey,
    /// What it is.
    pub kind: UnitKind,
    /// Its rows so far, in order.
    pub rows: Vec<RowIndex>,
    /// When its first line was written.
    pub time: Option<Time>,
    /// The model that made it.
    pub model: Option<String>,
    /// The tool that it calls.
    pub tool: Option<String>,
    /// The file that the call reads or writes.
    pub path: Option<String>,
    /// Did the tool, or the API, fail?
    pub is_error: bool,
    /// Its texts, each with its class.
    pub texts: Vec<(TextClass, String)>,
    /// Names of files in the session's `tool-results/` that hold more of its output.
    pub spilled: Vec<String>,
    account: Vec<String>,
}

impl UnitText {
    fn new(key: UnitKey, kind: UnitKind) -> Self {
        Self {
            key,
            kind,
            rows: Vec::new(),
            time: None,
            model: None,
            tool: None,
            path: None,
            is_error: false,
            texts: Vec::new(),
            spilled: Vec::new(),
            account: Vec::new(),
        }
    }

    /// The unit that a session's title is.
    pub fn title(text: &str, time: Option<Time>) -> Self {
        let mut unit = Self::new(UnitKey::Title, UnitKind::Title);
        unit.time = time;
        unit.texts.push((TextClass::Titles, text.to_owned()));
        unit
    }

    fn put(&mut self, class: TextClass, text: Text<'_>) {
        if !looks_like_base64(text.raw()) {
            self.texts.push((class, text.decode().into_owned()));
        }
    }

    /// Adds what stands only in the tool's own account, now that all else is known.
    fn settle(&mut self) {
        self.texts.retain(|(_, text)| !text.trim().is_empty());
        // The first text of a call is the tool's name, which says nothing about what was told.
        let name = usize::from(self.tool.is_some());
        let mut budget = self.texts.iter().map(|(_, text)| text.len()).sum::<usize>().saturating_mul(64);
        for own in std::mem::take(&mut self.account) {
            let told = self.texts.iter().skip(name).any(|(_, text)| {
                budget = budget.saturating_sub(text.len());
                budget > 0 && text.len() >= own.len() && contains(text, &own)
            });
            if !told {
                self.texts.push((TextClass::Output, own));
            }
        }
    }
}

/// Is a part in a text? Parts are mostly as long as the text, or not in it: its beginning tells that, and is prepared to be
/// looked for in no time, which the whole is not.
fn contains(text: &str, part: &str) -> bool {
    const BEGINNING: usize = 32;
    const TRIES: usize = 16;
    let (text, part) = (text.as_bytes(), part.as_bytes());
    let beginning = &part[..part.len().min(BEGINNING)];
    let finder = memchr::memmem::Finder::new(beginning);
    let mut from = 0;
    for _ in 0..TRIES {
        let Some(at) = finder.find(&text[from..]) else { return false };
        if text[from + at..].starts_with(part) {
            return true;
        }
        from += at + 1;
    }
    memchr::memmem::find(&text[from..], part).is_some()
}

/// Longer than this, text has a space, a dot or a bracket somewhere.
const LONGEST_WORD: usize = 512;

fn looks_like_base64(raw: &[u8]) -> bool {
    raw.len() > LONGEST_WORD
        && raw
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'_' | b'-'))
}

/// Keys of a tool's own account whose strings are no text of their own.
const MUTE: [&str; 7] = ["structuredPatch", "base64", "data", "signature", "agentId", "type", "mode"];

/// Every string in a value, at any depth, except below the keys that `mute` says.
fn strings<'a>(value: Value<'a>, mute: &dyn Fn(&str) -> bool, visit: &mut dyn FnMut(Text<'a>)) {
    match value.kind() {
        Type::String => value.text().into_iter().for_each(visit),
        Type::Array => value.items().for_each(|item| strings(item, mute, visit)),
        Type::Object => {
            for (key, field) in value.fields() {
                if !mute(&key.decode()) {
                    strings(field, mute, visit);
                }
            }
        }
        Type::Null | Type::Bool | Type::Number => {}
    }
}

/// Puts units together, line by line.
#[derive(Debug)]
pub struct UnitAssembler<'t> {
    transcript: &'t Transcript,
    units: &'t Units,
    open: FxHashMap<UnitKey, UnitText>,
    /// Prompts in the queue wait for the end: a later line with the same words stands for them.
    queued: Vec<UnitText>,
    /// Where each call stands.
    calls: FxHashMap<Symbol, &'t ToolCall>,
}

impl<'t> UnitAssembler<'t> {
    /// Tells these units of this transcript.
    pub fn new(transcript: &'t Transcript, units: &'t Units) -> Self {
        let wanted = transcript.calls.iter().filter(|call| units.last_row(UnitKey::Call(call.id)).is_some());
        let calls = wanted.map(|call| (call.id, call)).collect();
        Self { transcript, units, open: FxHashMap::default(), queued: Vec::new(), calls }
    }

    /// Tells a line, and gives every unit that is whole with it.
    pub fn row(&mut self, index: RowIndex, entry: &Entry<'_>, emit: &mut dyn FnMut(UnitText)) {
        let keys = self.units.on(index);
        if keys.is_empty() {
            return;
        }
        let role = self.transcript.row(index).role;
        for &key in keys {
            if matches!(key, UnitKey::Row(_) | UnitKey::Message(_)) {
                self.own(key, index, role, entry);
            }
        }
        match role {
            Role::Answer | Role::ApiError | Role::Synthetic => self.calls(index, entry),
            Role::ToolResult => self.results(index, entry),
            _ => {}
        }
        for &key in keys {
            if self.units.last_row(key) == Some(index)
                && let Some(mut unit) = self.open.remove(&key)
            {
                unit.settle();
                self.drop_queued(&unit);
                if !unit.texts.is_empty() {
                    emit(unit);
                }
            }
        }
    }

    /// Gives what waited for the end of the file.
    pub fn finish(self, emit: &mut dyn FnMut(UnitText)) {
        let mut left: Vec<UnitText> = self.open.into_values().chain(self.queued).collect();
        left.sort_by_key(|unit| unit.key);
        for mut unit in left {
            unit.settle();
            if !unit.texts.is_empty() {
                emit(unit);
            }
        }
    }

    /// A prompt that becomes a line of its own is told there.
    fn drop_queued(&mut self, unit: &UnitText) {
        if unit.kind == UnitKind::Prompt {
            self.queued.retain(|queued| queued.texts != unit.texts);
        }
    }

    fn open(&mut self, key: UnitKey, kind: UnitKind, index: RowIndex) -> &mut UnitText {
        let time = self.transcript.row(index).time();
        let unit = self.open.entry(key).or_insert_with(|| UnitText::new(key, kind));
        if unit.rows.is_empty() {
            unit.time = time;
        }
        if unit.rows.last() != Some(&index) {
            unit.rows.push(index);
        }
        unit
    }

    fn own(&mut self, key: UnitKey, index: RowIndex, role: Role, entry: &Entry<'_>) {
        let Some(kind) = unit::of_role(role) else { return self.enqueued(key, index, entry) };
        let content = match role {
            Role::QueuedPrompt => entry.envelope.attachment.and_then(|attached| attached.get("prompt")),
            Role::Notification if entry.envelope.attachment.is_some() => {
                entry.envelope.attachment.and_then(|attached| attached.get("prompt"))
            }
            _ => content(entry),
        };
        let unit = self.open(key, kind, index);
        unit.is_error |= role == Role::ApiError;
        match kind {
            UnitKind::Answer => answer(unit, entry, content),
            UnitKind::Prompt => texts(unit, TextClass::Prompts, content),
            UnitKind::Summary => texts(unit, TextClass::Answers, content),
            UnitKind::Output | UnitKind::Call | UnitKind::Title => texts(unit, TextClass::Output, content),
        }
    }

    fn enqueued(&mut self, key: UnitKey, index: RowIndex, entry: &Entry<'_>) {
        let content = entry.object.get("content").and_then(Content::of);
        let notifies =
            content.and_then(Content::first_text).is_some_and(|text| text.starts_with("<task-notification>"));
        if content.is_none() || notifies {
            return;
        }
        let mut unit = UnitText::new(key, UnitKind::Prompt);
        unit.time = self.transcript.row(index).time();
        unit.rows.push(index);
        texts(&mut unit, TextClass::Prompts, entry.object.get("content"));
        if !unit.texts.is_empty() {
            self.queued.push(unit);
        }
    }

    /// The call with this id, if it is a unit that is told on this row.
    fn wanted_call(&self, index: RowIndex, id: &str) -> Option<Symbol> {
        self.units.on(index).iter().find_map(|key| match key {
            UnitKey::Call(symbol) if self.transcript.text(*symbol) == id => Some(*symbol),
            _ => None,
        })
    }

    fn calls(&mut self, index: RowIndex, entry: &Entry<'_>) {
        let model = model(entry);
        for block in content(entry).and_then(Content::of).into_iter().flat_map(Content::blocks) {
            let Block::ToolUse(call) = block else { continue };
            let (Some(id), Some(name)) = (call.id(), call.name()) else { continue };
            let Some(symbol) = self.wanted_call(index, &id.decode()) else { continue };
            let key = UnitKey::Call(symbol);
            // Of a call that stands twice the later line counts.
            if self.calls.get(&symbol).is_none_or(|known| known.row != index) {
                continue;
            }
            let unit = self.open(key, UnitKind::Call, index);
            unit.kind = UnitKind::Call;
            unit.model.clone_from(&model);
            let tool = name.decode().into_owned();
            let input = call.input();
            let typed = input.map(|input| ToolInput::of(tool.as_bytes(), input));
            unit.path = typed.and_then(ToolInput::file_path).map(|path| path.decode().into_owned());
            let mut given = vec![(TextClass::Input, tool.clone())];
            unit.tool = Some(tool);
            let mut put = |text: Text<'_>| {
                if !looks_like_base64(text.raw()) {
                    given.push((TextClass::Input, text.decode().into_owned()));
                }
            };
            if let Some(input) = input {
                strings(input, &|_| false, &mut put);
            }
            // What came back may stand before the call; the tool's name is the first text all the same.
            given.append(&mut unit.texts);
            unit.texts = given;
        }
    }

    fn results(&mut self, index: RowIndex, entry: &Entry<'_>) {
        let mut account = entry.envelope.tool_use_result;
        for block in content(entry).and_then(Content::of).into_iter().flat_map(Content::blocks) {
            let Block::ToolResult(result) = block else { continue };
            let Some(id) = result.tool_use_id() else { continue };
            let own = account.take();
            let Some(symbol) = self.wanted_call(index, &id.decode()) else { continue };
            let key = UnitKey::Call(symbol);
            let call = self.calls.get(&symbol);
            let reads = call.is_some_and(|call| self.transcript.text(call.tool) == "Read");
            let kind = if call.is_some() { UnitKind::Call } else { UnitKind::Output };
            let unit = self.open(key, kind, index);
            unit.is_error |= result.is_error() == Some(true);
            for text in result.content().into_iter().flat_map(Content::texts) {
                if looks_like_base64(text.raw()) {
                    continue;
                }
                let text = text.decode();
                unit.spilled.extend(spilled_name(&text));
                unit.texts
                    .push((TextClass::Output, if reads { unnumbered(&text) } else { text.into_owned() }));
            }
            if let Some(own) = own {
                if let Some(path) = own.get("persistedOutputPath").and_then(Value::text) {
                    unit.spilled.extend(file_name(&path.decode()));
                }
                let mut put = |text: Text<'_>| {
                    if !text.raw().trim_ascii().is_empty() && !looks_like_base64(text.raw()) {
                        unit.account.push(text.decode().into_owned());
                    }
                };
                strings(own, &|key| MUTE.contains(&key), &mut put);
            }
            unit.spilled.dedup();
        }
    }
}

fn content<'a>(entry: &Entry<'a>) -> Option<Value<'a>> {
    let message = entry.envelope.message.and_then(|message| message.get("content"));
    message.or_else(|| entry.object.get("content"))
}

fn model(entry: &Entry<'_>) -> Option<String> {
    let model = entry.envelope.message?.get("model")?.text()?;
    Some(model.decode().into_owned())
}

fn texts(unit: &mut UnitText, class: TextClass, content: Option<Value<'_>>) {
    for text in content.and_then(Content::of).into_iter().flat_map(Content::texts) {
        unit.put(class, text);
    }
}

fn answer(unit: &mut UnitText, entry: &Entry<'_>, content: Option<Value<'_>>) {
    if unit.model.is_none() {
        unit.model = model(entry);
    }
    let Some(content) = content.and_then(Content::of) else { return };
    if let Content::Text(text) = content {
        unit.put(TextClass::Answers, text);
    }
    for block in content.blocks() {
        match block {
            Block::Text(block) => {
                block.text().into_iter().for_each(|text| unit.put(TextClass::Answers, text));
            }
            Block::Thinking(block) => {
                block.thinking().into_iter().for_each(|text| unit.put(TextClass::Thinking, text));
            }
            Block::ServerToolUse(call) => {
                call.name().into_iter().for_each(|name| unit.put(TextClass::Input, name));
                if let Some(input) = call.input() {
                    strings(input, &|_| false, &mut |text| unit.put(TextClass::Input, text));
                }
            }
            Block::ServerToolResult(result) => {
                let secret = |key: &str| key.starts_with("encrypted") || key == "type";
                if let Some(content) = result.content() {
                    strings(content, &secret, &mut |text| unit.put(TextClass::Output, text));
                }
            }
            _ => {}
        }
    }
}

/// A read file without the numbers that the client puts before its lines.
fn unnumbered(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let after = line.trim_start();
        let digits = after.len() - after.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let rest = &after[digits..];
        let own = rest.strip_prefix('→').or_else(|| rest.strip_prefix('\t')).filter(|_| digits > 0);
        out.push_str(own.unwrap_or(line));
    }
    out
}

/// The files in `tool-results/` to which the output of this entry's results was saved.
pub fn spilled_names(entry: &Entry<'_>) -> Vec<String> {
    let mut names = Vec::new();
    for block in content(entry).and_then(Content::of).into_iter().flat_map(Content::blocks) {
        let Block::ToolResult(result) = block else { continue };
        let texts = result.content().into_iter().flat_map(Content::texts);
        names.extend(texts.filter_map(|text| spilled_name(&text.decode())));
    }
    let own = entry.envelope.tool_use_result.and_then(|own| own.get("persistedOutputPath")?.text());
    names.extend(own.and_then(|path| file_name(&path.decode())));
    names.sort();
    names.dedup();
    names
}

/// The name of the file that the whole output was saved to, as the text tells it.
fn spilled_name(text: &str) -> Option<String> {
    const MARK: &str = "Full output saved to: ";
    let head = text.get(..4096).unwrap_or(text);
    let from = head.find(MARK)? + MARK.len();
    file_name(text[from..].lines().next()?.trim())
}

fn file_name(path: &str) -> Option<String> {
    let name = path.rsplit(['/', '\\']).next()?;
    (!name.is_empty() && name != "." && name != "..").then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_part_is_found_wherever_it_begins() {
        let check = |text: &str, part: &str| {
            assert_eq!(super::contains(text, part), text.contains(part), "{part} in {text}");
        };
        let many = "a".repeat(100);
        for count in [0, 1, 31, 32, 33, 40, 60, 99] {
            check(&many, &"a".repeat(count));
            check(&format!("{many}b"), &format!("{}b", "a".repeat(count)));
            check(&format!("{many}b"), &format!("{}c", "a".repeat(count)));
        }
        check("", "");
        check("short", "longer than it");
    }

    use super::{spilled_name, unnumbered};

    #[test]
    fn line_numbers_of_read_files_are_no_words() {
        assert_eq!(unnumbered("     1→fn main() {\n     2→}\nplain 3\n"), "fn main() {\n}\nplain 3\n");
        assert_eq!(unnumbered("12\tx\n7 y"), "x\n7 y");
    }

    #[test]
    fn spilled_output_is_known_by_its_name() {
        let text = "<persisted-output>\nOutput too large (60 KB). Full output saved to: /a/b/tool-results/x1.txt\n\nPreview";
        assert_eq!(spilled_name(text).as_deref(), Some("x1.txt"));
        assert_eq!(spilled_name("nothing"), None);
    }
}
