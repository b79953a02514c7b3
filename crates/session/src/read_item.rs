//! Reading items: one line of the file, decoded into what it shows.

use std::path::PathBuf;

use scrollback_format::body::message;
use scrollback_format::body::system;
use scrollback_format::content::{Block, Content, Source};
use scrollback_format::entry::{Body, Entry};
use scrollback_format::json::{Text, Value};
use scrollback_format::kind::Kind;
use scrollback_format::shape::Shaped;
use scrollback_format::tool::{AgentResult, BashResult, EditResult, ReadResult, ToolInput, ToolUseResult};
use scrollback_model::fold::between;
use scrollback_model::role::Role;

use crate::item::{CallItem, ItemKind, Media, MediaKind, OutcomeItem, PatchHunk};

/// What a line shows, its tool calls still without their outcomes.
pub fn read(entry: &Entry<'_>, role: Role) -> Vec<ItemKind> {
    match role {
        Role::Prompt => vec![prompt(content(entry), false)],
        Role::QueuedPrompt => {
            let text = entry.envelope.attachment.and_then(|attachment| attachment.get("prompt"));
            vec![prompt(text.and_then(Content::of), true)]
        }
        Role::Answer => answer(entry),
        Role::ApiError => vec![ItemKind::ApiError { text: joined(content(entry)) }],
        Role::Synthetic => vec![ItemKind::Synthetic { text: joined(content(entry)) }],
        Role::Meta => vec![ItemKind::Meta { text: joined(content(entry)) }],
        Role::Command => vec![command(&any_text(entry))],
        Role::CommandOutput => {
            vec![ItemKind::Output { text: unwrap_tags(&any_text(entry), "local-command-stdout") }]
        }
        Role::Bash => {
            let text = any_text(entry);
            let command = between(&text, "<bash-input>", "</bash-input>").unwrap_or(&text).to_owned();
            vec![ItemKind::Bash { command }]
        }
        Role::BashOutput => vec![ItemKind::Output { text: bash_output(&any_text(entry)) }],
        Role::Notification => vec![notification(&notification_text(entry))],
        Role::Teammate => vec![ItemKind::Teammate { text: any_text(entry) }],
        Role::Interruption => vec![ItemKind::Interruption { text: any_text(entry) }],
        Role::CompactSummary => vec![ItemKind::CompactSummary { text: any_text(entry) }],
        Role::Boundary => vec![boundary(entry)],
        Role::System => vec![remark(entry)],
        Role::Attachment => vec![attachment(entry)],
        Role::Progress => vec![progress(entry)],
        Role::ToolResult => Vec::new(),
        // Side notes, and whatever a newer role is.
        _ => vec![ItemKind::Unknown { kind: entry.kind_name() }],
    }
}

fn content<'a>(entry: &Entry<'a>) -> Option<Content<'a>> {
    entry.envelope.message?.get("content").and_then(Content::of)
}

/// All texts of some content, as paragraphs.
pub fn joined(content: Option<Content<'_>>) -> String {
    let texts: Vec<_> = content.into_iter().flat_map(Content::texts).map(Text::decode).collect();
    texts.join("\n\n")
}

/// The text of a message line or of a system line.
fn any_text(entry: &Entry<'_>) -> String {
    match entry.object.get("content").and_then(Value::text) {
        Some(text) => text.decode().into_owned(),
        None => joined(content(entry)),
    }
}

fn notification_text(entry: &Entry<'_>) -> String {
    let attached = entry.envelope.attachment.and_then(|attachment| attachment.get("prompt"));
    match attached.and_then(Content::of) {
        Some(text) => joined(Some(text)),
        None => any_text(entry),
    }
}

fn prompt(content: Option<Content<'_>>, queued: bool) -> ItemKind {
    ItemKind::Prompt { text: joined(content), media: media(content), queued }
}

fn media(content: Option<Content<'_>>) -> Vec<Media> {
    let of = |kind, source: Option<Source<'_>>| Media {
        kind,
        media_type: source.and_then(|source| source.media_type()).map(|text| text.decode().into_owned()),
        // Four characters of base64 are three bytes.
        bytes: source.and_then(|source| source.data()).map_or(0, |data| data.raw().len() as u64 / 4 * 3),
    };
    content
        .into_iter()
        .flat_map(Content::blocks)
        .filter_map(|block| match block {
            Block::Image(image) => Some(of(MediaKind::Image, image.source())),
            Block::Document(document) => Some(of(MediaKind::Document, document.source())),
            _ => None,
        })
        .collect()
}

fn answer(entry: &Entry<'_>) -> Vec<ItemKind> {
    let Some(message) = message::Assistant::over(entry.object).message() else { return Vec::new() };
    let model = message.model().map(|model| model.decode().into_owned());
    let mut items = Vec::new();
    for block in message.content().into_iter().flat_map(Content::blocks) {
        let model = model.clone();
        let text = |text: Option<Text<'_>>| text.map(|text| text.decode().into_owned()).unwrap_or_default();
        items.push(match block {
            Block::Text(block) => ItemKind::Answer { text: text(block.text()), model },
            Block::Thinking(block) => {
                ItemKind::Thinking { text: text(block.thinking()), model, redacted: false }
            }
            Block::RedactedThinking(_) => ItemKind::Thinking { text: String::new(), model, redacted: true },
            Block::ToolUse(call) => self::call(call.id(), call.name(), call.input(), model),
            Block::ServerToolUse(call) => self::call(call.id(), call.name(), call.input(), model),
            other => ItemKind::Unknown { kind: block_name(other) },
        });
    }
    items
}

fn block_name(block: Block<'_>) -> String {
    match block {
        Block::Unknown(value) => {
            let kind = value.get("type").and_then(Value::text).map(|kind| kind.decode().into_owned());
            format!("block {}", kind.unwrap_or_else(|| "?".into()))
        }
        other => format!("block {}", other.shape().map_or("?", |shape| shape.name)),
    }
}

fn call(
    id: Option<Text<'_>>,
    name: Option<Text<'_>>,
    input: Option<Value<'_>>,
    model: Option<String>,
) -> ItemKind {
    let tool = name.map(|name| name.decode().into_owned()).unwrap_or_default();
    let typed = input.map(|input| ToolInput::of(tool.as_bytes(), input));
    let text = |text: Text<'_>| text.decode().into_owned();
    let raw = input.and_then(|input| {
        serde_json::value::RawValue::from_string(String::from_utf8_lossy(input.raw()).into_owned()).ok()
    });
    ItemKind::Call(Box::new(CallItem {
        tool_use_id: id.map(text).unwrap_or_default(),
        headline: typed.map(headline).unwrap_or_default(),
        file_path: typed.and_then(ToolInput::file_path).map(text),
        tool,
        model,
        input: raw,
        outcome: None,
        agent_ids: Vec::new(),
    }))
}

fn headline(input: ToolInput<'_>) -> String {
    if let ToolInput::Todo(todos) = input {
        let items = || todos.todos().into_iter().flat_map(|list| list.items());
        let done = items().filter(|item| {
            item.get("status").and_then(Value::text).is_some_and(|status| status.is("completed"))
        });
        return format!("{} of {} done", done.count(), items().count());
    }
    input.headline().map(|text| text.decode().into_owned()).unwrap_or_default()
}

/// The outcome that a result line holds for one call.
pub fn outcome(entry: &Entry<'_>, tool_use_id: &str, line: u64) -> Option<OutcomeItem> {
    let result = content(entry)?.blocks().find_map(|block| match block {
        Block::ToolResult(result) if result.tool_use_id().is_some_and(|id| id.is(tool_use_id)) => {
            Some(result)
        }
        _ => None,
    })?;
    let account = entry.envelope.tool_use_result.and_then(ToolUseResult::of);
    let edit = account.and_then(|account| account.as_view::<EditResult<'_>>());
    let spilled = account
        .and_then(|account| account.as_view::<BashResult<'_>>())
        .and_then(|bash| bash.persisted_output_path())
        .map(|path| PathBuf::from(path.decode().as_ref()));
    let bash = account.and_then(|account| account.as_view::<BashResult<'_>>());
    let status =
        account.and_then(|account| account.as_view::<AgentResult<'_>>()).and_then(|agent| agent.status());
    Some(OutcomeItem {
        lines: account.and_then(own_lines),
        status: status.map(|status| status.decode().into_owned()),
        spilled_bytes: bash.and_then(|bash| bash.persisted_output_size()),
        line,
        time: entry.time(),
        is_error: result.is_error() == Some(true),
        text: joined(result.content()),
        media: media(result.content()),
        patch: edit.map(patch).unwrap_or_default(),
        spilled_to: spilled,
    })
}

/// Lines that the tool's own account speaks of: of a file that was read, of what a command printed.
fn own_lines(account: ToolUseResult<'_>) -> Option<u64> {
    let file = account.as_view::<ReadResult<'_>>()?.file();
    if let Some(lines) = file.and_then(|file| file.get("numLines")).and_then(Value::u64) {
        return Some(lines);
    }
    let bash = account.as_view::<BashResult<'_>>()?;
    let lines = |text: Text<'_>| text.decode().lines().count() as u64;
    Some(lines(bash.stdout()?) + bash.stderr().map_or(0, lines))
}

fn patch(edit: EditResult<'_>) -> Vec<PatchHunk> {
    edit.structured_patch()
        .map(|hunk| PatchHunk {
            old_start: hunk.old_start().unwrap_or(1),
            new_start: hunk.new_start().unwrap_or(1),
            lines: hunk
                .lines()
                .into_iter()
                .flat_map(|lines| lines.items())
                .filter_map(|line| line.text().map(|text| text.decode().into_owned()))
                .collect(),
        })
        .collect()
}

fn command(text: &str) -> ItemKind {
    let name = between(text, "<command-name>", "</command-name>").unwrap_or_default();
    let args = between(text, "<command-args>", "</command-args>").unwrap_or_default();
    ItemKind::Command { command: name.trim().to_owned(), args: args.trim().to_owned() }
}

fn unwrap_tags(text: &str, tag: &str) -> String {
    let inner = between(text, &format!("<{tag}>"), &format!("</{tag}>"))
        .or_else(|| between(text, "<local-command-stderr>", "</local-command-stderr>"));
    inner.unwrap_or(text).to_owned()
}

fn bash_output(text: &str) -> String {
    let part = |tag: &str| between(text, &format!("<{tag}>"), &format!("</{tag}>")).unwrap_or_default();
    let (out, err) = (part("bash-stdout"), part("bash-stderr"));
    match (out.is_empty(), err.is_empty()) {
        (_, true) => out.to_owned(),
        (true, false) => err.to_owned(),
        (false, false) => format!("{out}\n{err}"),
    }
}

fn notification(text: &str) -> ItemKind {
    let part = |tag: &str| between(text, &format!("<{tag}>"), &format!("</{tag}>")).map(str::to_owned);
    let summary = part("summary");
    let result = part("result");
    let words = match (summary, result) {
        (Some(summary), Some(result)) => format!("{summary}\n\n{result}"),
        (Some(text), None) | (None, Some(text)) => text,
        (None, None) => text.to_owned(),
    };
    ItemKind::Notification { text: words, task_id: part("task-id"), status: part("status") }
}

fn boundary(entry: &Entry<'_>) -> ItemKind {
    let meta = system::CompactBoundary::over(entry.object).compact_metadata();
    ItemKind::Compaction {
        trigger: meta.and_then(|meta| meta.trigger()).map(|text| text.decode().into_owned()),
        pre_tokens: meta.and_then(|meta| meta.pre_tokens()),
        post_tokens: meta.and_then(|meta| meta.post_tokens()),
    }
}

fn remark(entry: &Entry<'_>) -> ItemKind {
    match entry.body() {
        Body::ApiError(error) => {
            let said = error.error().and_then(|error| {
                let nested = error
                    .get("error")
                    .and_then(|inner| inner.get("error"))
                    .and_then(|inner| inner.get("message"));
                error.get("formatted").or_else(|| error.get("message")).or(nested)?.text()
            });
            ItemKind::Retry {
                text: said.map(|text| text.decode().into_owned()).unwrap_or_default(),
                attempt: error.retry_attempt().unwrap_or(0),
                max: error.max_retries().unwrap_or(0),
            }
        }
        Body::TurnDuration(duration) => ItemKind::System {
            subtype: "turn_duration".into(),
            text: format!("{} ms", duration.duration_ms().unwrap_or(0)),
        },
        Body::StopHookSummary(hooks) => ItemKind::System {
            subtype: "stop_hook_summary".into(),
            text: format!("{} hooks ran at the end of the turn", hooks.hook_count().unwrap_or(0)),
        },
        _ => {
            let subtype = match entry.kind {
                Kind::System(Some(_)) => entry.envelope.subtype.map(|text| text.decode().into_owned()),
                _ => None,
            };
            ItemKind::System { subtype: subtype.unwrap_or_else(|| "system".into()), text: any_text(entry) }
        }
    }
}

fn attachment(entry: &Entry<'_>) -> ItemKind {
    let kind = entry.kind_name();
    let kind = kind.strip_prefix("attachment/").unwrap_or(&kind).to_owned();
    let about = entry.envelope.attachment.and_then(|attachment| {
        let keys = [
            "displayPath",
            "filename",
            "hookName",
            "path",
            "condition",
            "newDate",
            "date",
            "text",
            "content",
        ];
        keys.iter().find_map(|key| attachment.get(key).and_then(Value::text))
    });
    ItemKind::Attachment { kind, text: about.map(|text| text.head(400).into_owned()).unwrap_or_default() }
}

fn progress(entry: &Entry<'_>) -> ItemKind {
    let kind = entry.kind_name();
    let kind = kind.strip_prefix("progress/").unwrap_or(&kind).to_owned();
    let about = entry.envelope.data.and_then(|data| {
        ["hookName", "command", "output", "prompt", "query"]
            .iter()
            .find_map(|key| data.get(key).and_then(Value::text))
    });
    ItemKind::Progress { kind, text: about.map(|text| text.head(400).into_owned()).unwrap_or_default() }
}
