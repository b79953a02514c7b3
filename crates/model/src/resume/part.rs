//! Parts: what the simulator knows of one entry beyond its row. Kinds and ids of its blocks, no text.

use scrollback_format::content::{Block, Content, ToolResultBlock};
use scrollback_format::entry::Entry;
use scrollback_format::envelope::Envelope;
use scrollback_format::id::EntryId;
use scrollback_format::json::{Text, Value};
use scrollback_format::kind::{AttachmentKind, Kind, SystemKind};

use crate::symbol::{Symbol, Symbols};

/// What a block is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum BitKind {
    /// Words.
    Text,
    /// Thinking.
    Thinking,
    /// Thinking that only the API can read.
    RedactedThinking,
    /// A tool call.
    ToolUse,
    /// A tool result.
    ToolResult,
    /// A picture.
    Image,
    /// A document.
    Document,
    /// Anything else.
    Other,
}

impl BitKind {
    /// Its name in the API.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Thinking => "thinking",
            Self::RedactedThinking => "redacted_thinking",
            Self::ToolUse => "tool_use",
            Self::ToolResult => "tool_result",
            Self::Image => "image",
            Self::Document => "document",
            Self::Other => "other",
        }
    }

    /// Is it the model's thinking, readable or not?
    pub const fn is_thinking(self) -> bool {
        matches!(self, Self::Thinking | Self::RedactedThinking)
    }
}

/// One block of an entry.
#[derive(Debug, Clone, Copy)]
pub struct Bit {
    /// What it is.
    pub kind: BitKind,
    /// The call that it makes or answers.
    pub call: Option<Symbol>,
    /// The tool that it calls.
    pub tool: Option<Symbol>,
    /// Did the tool fail?
    pub is_error: bool,
    /// Is it nothing but white space?
    pub blank: bool,
    /// About how many characters it has.
    pub chars: u32,
}

/// The lines that a compaction kept: `preservedSegment`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kept {
    /// The first.
    pub head: EntryId,
    /// The line that they are spliced in after.
    pub anchor: EntryId,
    /// The last.
    pub tail: EntryId,
}

/// What is known of one entry.
#[derive(Debug, Clone, Default)]
pub struct EntryPart {
    /// Its blocks; a plain text counts as one.
    pub bits: Vec<Bit>,
    /// The model that made it.
    pub model: Option<Symbol>,
    /// What a boundary says was kept.
    pub kept: Option<Kept>,
    /// The agent or shell command that its result says was started and left running.
    pub launched: Option<Symbol>,
    /// The agent or shell command that it is about.
    pub told: Option<Symbol>,
    /// It says itself that the client wrote it in the user's name (`origin`); older clients did not.
    pub says_origin: bool,
    /// It is for the transcript and not for the model: nothing is made up after it (`queueTranscriptOnly`).
    pub is_transcript_only: bool,
    /// Its result is nothing but names of tools that the model may use from here on.
    pub loads_tools: bool,
    /// Of a prompt or a notification taken into a running turn: how many parts it was sent in, if the client sent it in its own name.
    pub told_in_parts: u32,
}

impl EntryPart {
    /// What is worth knowing of an entry.
    pub fn of(entry: &Entry<'_>, symbols: &mut Symbols) -> Self {
        let mut part = Self {
            says_origin: entry.object.get("origin").is_some(),
            is_transcript_only: entry.object.get("queueTranscriptOnly").and_then(Value::bool) == Some(true),
            ..Self::default()
        };
        match entry.kind {
            Kind::User | Kind::Assistant => part.message(&entry.envelope, symbols),
            Kind::System(Some(SystemKind::CompactBoundary)) => {
                part.kept = entry.object.get("compactMetadata").and_then(kept);
            }
            Kind::System(Some(SystemKind::LocalCommand)) => {
                part.bits.extend(entry.object.get("content").and_then(Value::text).map(text));
            }
            Kind::Attachment(kind) => {
                part.attachment(kind, &entry.envelope, symbols);
                part.told_in_parts = told_in_parts(entry);
            }
            _ => {}
        }
        part
    }

    fn message(&mut self, envelope: &Envelope<'_>, symbols: &mut Symbols) {
        let Some(message) = envelope.message else { return };
        self.model = message.get("model").and_then(Value::text).map(|name| intern(symbols, name));
        match message.get("content").and_then(Content::of) {
            Some(Content::Text(words)) => {
                self.bits.push(text(words));
                self.told = told(words, symbols);
            }
            Some(Content::Blocks(list)) => {
                self.bits.extend(list.items().map(|item| Bit::of(Block::of(item), item, symbols)));
                self.loads_tools = list.items().any(loads_tools);
            }
            None => {}
        }
        self.launched = envelope.tool_use_result.and_then(launched).map(|task| intern(symbols, task));
    }

    fn attachment(&mut self, kind: AttachmentKind, envelope: &Envelope<'_>, symbols: &mut Symbols) {
        let Some(attachment) = envelope.attachment else { return };
        match kind {
            AttachmentKind::QueuedCommand => {
                for words in
                    attachment.get("prompt").and_then(Content::of).into_iter().flat_map(Content::texts)
                {
                    self.told = self.told.or_else(|| told(words, symbols));
                    self.bits.push(text(words));
                }
            }
            AttachmentKind::File => {
                let content = attachment.get("content");
                let is_image = content.and_then(|content| content.get("type")).and_then(Value::text);
                if is_image.is_some_and(|kind| kind.is("image")) {
                    self.bits.push(Bit::plain(BitKind::Image, 0));
                }
            }
            _ => {}
        }
    }

    /// Gives tools the names that they have by now.
    pub fn rename_tools(&mut self, names: &[(&str, &str)], symbols: &mut Symbols) {
        for tool in self.bits.iter_mut().filter_map(|bit| bit.tool.as_mut()) {
            let text = symbols.text(*tool);
            if let Some((_, new)) = names.iter().find(|(old, _)| *old == text) {
                *tool = symbols.intern(new.as_bytes());
            }
        }
    }

    /// Does it hold a tool result?
    pub fn has_result(&self) -> bool {
        self.bits.iter().any(|bit| bit.kind == BitKind::ToolResult)
    }
}

impl Bit {
    fn plain(kind: BitKind, chars: usize) -> Self {
        let chars = u32::try_from(chars).unwrap_or(u32::MAX);
        Self { kind, call: None, tool: None, is_error: false, blank: false, chars }
    }

    fn of(block: Block<'_>, item: Value<'_>, symbols: &mut Symbols) -> Self {
        match block {
            Block::Text(block) => {
                block.text().map_or_else(|| Self { blank: true, ..Self::plain(BitKind::Text, 0) }, text)
            }
            Block::Thinking(block) => {
                Self::plain(BitKind::Thinking, block.thinking().map_or(0, |text| text.raw().len()))
            }
            Block::RedactedThinking(block) => {
                Self::plain(BitKind::RedactedThinking, block.data().map_or(0, |text| text.raw().len()))
            }
            Block::ToolUse(call) => Self {
                call: call.id().map(|id| intern(symbols, id)),
                tool: call.name().map(|name| intern(symbols, name)),
                ..Self::plain(BitKind::ToolUse, call.input().map_or(0, |input| input.raw().len()))
            },
            Block::ToolResult(result) => Self {
                call: result.tool_use_id().map(|id| intern(symbols, id)),
                is_error: result.is_error() == Some(true),
                ..Self::plain(BitKind::ToolResult, result_chars(result))
            },
            // What a picture costs has nothing to do with how many characters it takes to write it down.
            Block::Image(_) => Self::plain(BitKind::Image, 0),
            Block::Document(_) => Self::plain(BitKind::Document, 0),
            _ => Self::plain(BitKind::Other, item.raw().len()),
        }
    }
}

fn text(words: Text<'_>) -> Bit {
    let blank = match words.plain() {
        Some(plain) => plain.iter().all(u8::is_ascii_whitespace),
        None => words.decode().trim().is_empty(),
    };
    Bit { blank, ..Bit::plain(BitKind::Text, words.raw().len()) }
}

fn result_chars(result: ToolResultBlock<'_>) -> usize {
    result.content().into_iter().flat_map(Content::texts).map(|text| text.raw().len()).sum()
}

fn kept(metadata: Value<'_>) -> Option<Kept> {
    let segment = metadata.get("preservedSegment")?;
    let id = |key: &str| segment.get(key).and_then(Value::text).and_then(EntryId::of);
    Some(Kept { head: id("headUuid")?, anchor: id("anchorUuid")?, tail: id("tailUuid")? })
}

/// What a result says was started and left running: an agent, or a shell command.
fn launched(result: Value<'_>) -> Option<Text<'_>> {
    let is_async = result.get("isAsync").and_then(Value::bool) == Some(true);
    let agent = result.get("agentId").filter(|_| is_async);
    agent.or_else(|| result.get("backgroundTaskId")).and_then(Value::text)
}

/// Is the item a result of nothing but `tool_reference` blocks?
fn loads_tools(item: Value<'_>) -> bool {
    let Block::ToolResult(result) = Block::of(item) else { return false };
    let Some(Content::Blocks(list)) = result.content() else { return false };
    let mut kinds = list.items().map(|item| item.get("type").and_then(Value::text)).peekable();
    kinds.peek().is_some() && kinds.all(|kind| kind.is_some_and(|kind| kind.is("tool_reference")))
}

/// How many parts a notification was sent in that a running turn took in; none for what a person typed.
fn told_in_parts(entry: &Entry<'_>) -> u32 {
    let mode =
        entry.envelope.attachment.and_then(|attachment| attachment.get("commandMode")).and_then(Value::text);
    let role = entry.object.get("renderedRole").and_then(Value::text);
    if !mode.is_some_and(|mode| mode.is("task-notification")) || !role.is_some_and(|role| role.is("system")) {
        return 0;
    }
    entry
        .object
        .get("rendered")
        .map_or(0, |rendered| u32::try_from(rendered.items().count()).unwrap_or(u32::MAX))
}

/// The task that a notification is about.
fn told(words: Text<'_>, symbols: &mut Symbols) -> Option<Symbol> {
    if !words.starts_with("<task-notification>") {
        return None;
    }
    let head = words.head(1024);
    let agent = crate::fold::between(&head, "<task-id>", "</task-id>")?;
    Some(symbols.intern(agent.as_bytes()))
}

fn intern(symbols: &mut Symbols, text: Text<'_>) -> Symbol {
    match text.plain() {
        Some(plain) => symbols.intern(plain),
        None => symbols.intern(text.decode().as_bytes()),
    }
}
