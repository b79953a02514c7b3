//! Message content: a string, or a list of blocks.

use crate::json::{ListItems, Text, Type, Value};
use crate::shape::{Shape, Shaped, view};

/// Content of a message, a tool result or a queued prompt: the client writes a string or a list everywhere.
#[derive(Debug, Clone, Copy)]
pub enum Content<'a> {
    /// Plain text.
    Text(Text<'a>),
    /// A list of blocks.
    Blocks(Value<'a>),
}

impl<'a> Content<'a> {
    /// The content that this value is, if it is a string or a list.
    pub fn of(value: Value<'a>) -> Option<Self> {
        match value.kind() {
            Type::String => value.text().map(Self::Text),
            Type::Array => Some(Self::Blocks(value)),
            _ => None,
        }
    }

    /// The blocks; plain text is no block and gives none (see [`Content::texts`]).
    pub fn blocks(self) -> Blocks<'a> {
        match self {
            Self::Text(_) => Blocks(None),
            Self::Blocks(list) => Blocks(Some(list.items())),
        }
    }

    /// The texts in it, whether it is a string or a list with text blocks.
    pub fn texts(self) -> impl Iterator<Item = Text<'a>> {
        let plain = match self {
            Self::Text(text) => Some(text),
            Self::Blocks(_) => None,
        };
        plain.into_iter().chain(self.blocks().filter_map(|block| match block {
            Block::Text(block) => block.text(),
            _ => None,
        }))
    }

    /// The first text in it.
    pub fn first_text(self) -> Option<Text<'a>> {
        self.texts().next()
    }
}

/// The blocks of a content list. Items that are no objects come as [`Block::Unknown`].
#[derive(Clone)]
pub struct Blocks<'a>(Option<ListItems<'a>>);

impl<'a> Iterator for Blocks<'a> {
    type Item = Block<'a>;

    fn next(&mut self) -> Option<Block<'a>> {
        self.0.as_mut()?.next().map(Block::of)
    }
}

view! {
    /// Words.
    TextBlock "text" closed {
        kind: "type" text, text: "text" text, citations: "citations" any, cache_control: "cache_control" any,
    }
    /// The model's thinking. From 2.1.91 on the text is empty and only the signature is stored.
    ThinkingBlock "thinking" closed {
        kind: "type" text, thinking: "thinking" text, signature: "signature" text,
        estimated_tokens: "estimated_tokens" u64,
    }
    /// Thinking that only the API can read.
    RedactedThinkingBlock "redacted_thinking" closed { kind: "type" text, data: "data" text }
    /// A call of a tool.
    ToolUseBlock "tool_use" closed {
        kind: "type" text, id: "id" text, name: "name" text, input: "input" any, caller: "caller" object(Caller),
        cache_control: "cache_control" any,
    }
    /// Who called a tool.
    Caller "caller" closed { kind: "type" text, tool_id: "tool_id" text }
    /// What a tool gave back.
    ToolResultBlock "tool_result" closed {
        kind: "type" text, tool_use_id: "tool_use_id" text, content: "content" content, is_error: "is_error" bool,
        cache_control: "cache_control" any,
    }
    /// A picture.
    ImageBlock "image" closed { kind: "type" text, source: "source" object(Source), cache_control: "cache_control" any }
    /// A document, such as a PDF.
    DocumentBlock "document" closed {
        kind: "type" text, source: "source" object(Source), title: "title" text, context: "context" text,
        citations: "citations" any, cache_control: "cache_control" any,
    }
    /// Where a picture or document comes from.
    Source "source" closed {
        kind: "type" text, media_type: "media_type" text, data: "data" text, url: "url" text,
        file_id: "file_id" text, content: "content" content,
    }
    /// A tool that the API itself runs.
    ServerToolUseBlock "server_tool_use" closed {
        kind: "type" text, id: "id" text, name: "name" text, input: "input" any, caller: "caller" object(Caller),
    }
    /// The result of such a tool.
    ServerToolResultBlock "web_search_tool_result" closed {
        kind: "type" text, tool_use_id: "tool_use_id" text, content: "content" any,
    }
    /// A tool that a search for tools found.
    ToolReferenceBlock "tool_reference" closed { kind: "type" text, tool_name: "tool_name" text }
}

/// One block of content.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Block<'a> {
    /// `text`
    Text(TextBlock<'a>),
    /// `thinking`
    Thinking(ThinkingBlock<'a>),
    /// `redacted_thinking`
    RedactedThinking(RedactedThinkingBlock<'a>),
    /// `tool_use`
    ToolUse(ToolUseBlock<'a>),
    /// `tool_result`
    ToolResult(ToolResultBlock<'a>),
    /// `image`
    Image(ImageBlock<'a>),
    /// `document`
    Document(DocumentBlock<'a>),
    /// `server_tool_use`
    ServerToolUse(ServerToolUseBlock<'a>),
    /// `web_search_tool_result` and the results of other server tools
    ServerToolResult(ServerToolResultBlock<'a>),
    /// `tool_reference`
    ToolReference(ToolReferenceBlock<'a>),
    /// A block of a type that is not known, or no object at all.
    Unknown(Value<'a>),
}

impl<'a> Block<'a> {
    /// The block that this item of a content list is.
    pub fn of(value: Value<'a>) -> Self {
        let Some(kind) = value.get("type").and_then(Value::text) else { return Self::Unknown(value) };
        match kind.raw() {
            b"text" => Self::Text(TextBlock::over(value)),
            b"thinking" => Self::Thinking(ThinkingBlock::over(value)),
            b"redacted_thinking" => Self::RedactedThinking(RedactedThinkingBlock::over(value)),
            b"tool_use" => Self::ToolUse(ToolUseBlock::over(value)),
            b"tool_result" => Self::ToolResult(ToolResultBlock::over(value)),
            b"image" => Self::Image(ImageBlock::over(value)),
            b"document" => Self::Document(DocumentBlock::over(value)),
            b"server_tool_use" => Self::ServerToolUse(ServerToolUseBlock::over(value)),
            b"web_search_tool_result" | b"web_fetch_tool_result" | b"advisor_tool_result" => {
                Self::ServerToolResult(ServerToolResultBlock::over(value))
            }
            b"tool_reference" => Self::ToolReference(ToolReferenceBlock::over(value)),
            _ => Self::Unknown(value),
        }
    }

    /// Its shape, if its type is known.
    pub fn shape(self) -> Option<&'static Shape> {
        Some(match self {
            Self::Text(_) => TextBlock::SHAPE,
            Self::Thinking(_) => ThinkingBlock::SHAPE,
            Self::RedactedThinking(_) => RedactedThinkingBlock::SHAPE,
            Self::ToolUse(_) => ToolUseBlock::SHAPE,
            Self::ToolResult(_) => ToolResultBlock::SHAPE,
            Self::Image(_) => ImageBlock::SHAPE,
            Self::Document(_) => DocumentBlock::SHAPE,
            Self::ServerToolUse(_) => ServerToolUseBlock::SHAPE,
            Self::ServerToolResult(_) => ServerToolResultBlock::SHAPE,
            Self::ToolReference(_) => ToolReferenceBlock::SHAPE,
            Self::Unknown(_) => return None,
        })
    }
}
