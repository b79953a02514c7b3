//! Words: the text of a block, read from the line that it comes from, or what the client makes up.

use scrollback_format::content::{Block, Content};
use scrollback_format::entry::Entry;
use scrollback_format::json::{Text, Value};
use scrollback_format::kind::{AttachmentKind, Kind, SystemKind};
use scrollback_model::resume::outcome::{BlockSource, Made};

/// What a client says by itself, word for word.
const NO_RESPONSE: &str = "No response requested.";
const CONTINUE: &str = "Continue from where you left off.";
const NO_CONTENT: &str = "(no content)";
const TOOL_LOADED: &str = "Tool loaded.";
const INTERRUPTED: &str = "[Tool call interrupted: the session ended before this call's result was recorded, so its \
    outcome is unknown. Check whether it took effect before relying on it or running it again.]";

/// The text of a block that is in no line. `entry`: the line that it was made up for.
pub fn made(made: Made, prompt: &str, entry: Option<&Entry<'_>>) -> String {
    match made {
        Made::NoResponse => NO_RESPONSE.to_owned(),
        Made::Continue => CONTINUE.to_owned(),
        Made::NoContent(_) => NO_CONTENT.to_owned(),
        Made::ToolLoaded(_) => TOOL_LOADED.to_owned(),
        Made::InterruptedCall => INTERRUPTED.to_owned(),
        Made::Prompt => prompt.to_owned(),
        Made::KilledTask(_) => entry.map(killed_task).unwrap_or_default(),
    }
}

/// The beginning of the notification; the rest is the client's own and was not recorded.
fn killed_task(entry: &Entry<'_>) -> String {
    let field =
        |key: &str| entry.envelope.tool_use_result.and_then(|result| result.get(key)).and_then(Value::text);
    let text = |key: &str| field(key).map(|text| text.decode().into_owned()).unwrap_or_default();
    if field("agentId").is_none() {
        let (task, call) = (text("backgroundTaskId"), answered(entry).unwrap_or_default());
        return format!(
            "<task-notification>\n<task-id>{task}</task-id>\n<tool-use-id>{call}</tool-use-id>\n<status>stopped</status>\n<summary>…"
        );
    }
    format!(
        "<task-notification>\n<task-id>{}</task-id>\n<output-file>{}</output-file>\n<status>…",
        text("agentId"),
        text("outputFile")
    )
}

/// The call that a line holds the result of.
fn answered(entry: &Entry<'_>) -> Option<String> {
    let blocks = entry.envelope.message?.get("content")?.items();
    let call = |item: Value<'_>| match Block::of(item) {
        Block::ToolResult(result) => result.tool_use_id().map(|id| id.decode().into_owned()),
        _ => None,
    };
    blocks.into_iter().find_map(call)
}

/// The text of a block of a line.
pub fn stored(source: BlockSource, entry: &Entry<'_>) -> String {
    match source {
        BlockSource::Rendered(_, at) => rendered(entry, at as usize).unwrap_or_else(|| block(entry, 0)),
        BlockSource::Line(_, at) => block(entry, at as usize),
        BlockSource::Made(_) => String::new(),
    }
}

/// What the client stored for sending, without the reminder around it.
fn rendered(entry: &Entry<'_>, at: usize) -> Option<String> {
    let part = entry.object.get("rendered")?.items().nth(at)?;
    let text = part.get("content").and_then(Value::text)?.decode().into_owned();
    let inner =
        text.strip_prefix("<system-reminder>").and_then(|text| text.strip_suffix("</system-reminder>"));
    Some(inner.map(|inner| inner.trim().to_owned()).unwrap_or(text))
}

fn block(entry: &Entry<'_>, at: usize) -> String {
    let content = match entry.kind {
        Kind::System(Some(SystemKind::LocalCommand)) => entry.object.get("content"),
        Kind::Attachment(AttachmentKind::QueuedCommand) => {
            entry.envelope.attachment.and_then(|attachment| attachment.get("prompt"))
        }
        Kind::Attachment(_) => None,
        _ => entry.envelope.message.and_then(|message| message.get("content")),
    };
    match content.and_then(Content::of) {
        Some(Content::Text(text)) if at == 0 => text.decode().into_owned(),
        Some(Content::Blocks(list)) => list.items().nth(at).map(of_block).unwrap_or_default(),
        _ => String::new(),
    }
}

fn of_block(value: Value<'_>) -> String {
    let text = |text: Option<Text<'_>>| text.map(|text| text.decode().into_owned()).unwrap_or_default();
    match Block::of(value) {
        Block::Text(block) => text(block.text()),
        Block::Thinking(block) => text(block.thinking()),
        Block::ToolResult(result) => result.content().map(of_result).unwrap_or_default(),
        _ => String::new(),
    }
}

/// The texts of a result, one a line; what is no text stands there by the name of its type.
fn of_result(content: Content<'_>) -> String {
    let Content::Blocks(list) = content else {
        return content.first_text().map(|text| text.decode().into_owned()).unwrap_or_default();
    };
    let of_item = |item: Value<'_>| match Block::of(item) {
        Block::Text(block) => block.text().map(|text| text.decode().into_owned()).unwrap_or_default(),
        _ => {
            let kind = item.get("type").and_then(Value::text);
            format!("<{}>", kind.map(|kind| kind.decode().into_owned()).unwrap_or_default())
        }
    };
    list.items().map(of_item).collect::<Vec<_>>().join("\n")
}
