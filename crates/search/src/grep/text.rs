//! The texts of an entry: every string in it but ids, plumbing and base64. The rule is told in docs/grep.md.

use std::borrow::Cow;
use std::ops::ControlFlow;

use scrollback_format::entry::Entry;
use scrollback_format::json::{Text, Type, Value};
use scrollback_format::kind::{Kind, NoteKind, QueueKind};
use scrollback_model::role::{self, Role};
pub use scrollback_model::unit::Speaker;

/// Who speaks in an entry, tool calls in it aside.
fn speaker_of(entry: &Entry<'_>) -> Speaker {
    match role::of(entry) {
        Role::Prompt | Role::QueuedPrompt | Role::Command | Role::Bash | Role::Teammate => Speaker::User,
        Role::Answer | Role::ApiError | Role::Synthetic | Role::CompactSummary => Speaker::Assistant,
        Role::ToolResult | Role::CommandOutput | Role::BashOutput | Role::Notification => Speaker::Tool,
        Role::Note
            if matches!(entry.kind, Kind::Queue(QueueKind::Enqueue) | Kind::History)
                || entry.kind == Kind::Note(NoteKind::CustomTitle) =>
        {
            Speaker::User
        }
        _ => Speaker::System,
    }
}

/// The tool call that a text belongs to.
#[derive(Debug, Clone, Copy)]
pub enum CallContext<'a> {
    /// It is the call; the name of its tool.
    Of(Text<'a>),
    /// It came back for the call with this id.
    For(Text<'a>),
}

/// What stands at a place: a string, or bytes that are nested too deep to be taken apart.
#[derive(Debug, Clone, Copy)]
pub enum PlaceText<'a> {
    /// A string.
    Text(Text<'a>),
    /// Raw bytes.
    Raw(&'a [u8]),
}

impl<'a> PlaceText<'a> {
    /// The bytes in the file.
    pub fn raw(self) -> &'a [u8] {
        match self {
            Self::Text(text) => text.raw(),
            Self::Raw(bytes) => bytes,
        }
    }

    /// The decoded text.
    pub fn decode(self) -> Cow<'a, str> {
        match self {
            Self::Text(text) => text.decode(),
            Self::Raw(bytes) => String::from_utf8_lossy(bytes),
        }
    }
}

/// Where a text stands and whose it is.
#[derive(Debug, Clone)]
pub struct MatchPlace<'a> {
    steps: Vec<Step<'a>>,
    /// Who speaks.
    pub speaker: Speaker,
    /// The call that it belongs to.
    pub call: Option<CallContext<'a>>,
    /// Is it what a tool gave back as an error?
    pub is_error: bool,
}

#[derive(Debug, Clone, Copy)]
enum Step<'a> {
    Key(Text<'a>),
    Item(usize),
}

impl MatchPlace<'_> {
    /// The way to it: `message.content[0].text`.
    pub fn field(&self) -> String {
        let mut path = String::new();
        for step in &self.steps {
            match step {
                Step::Key(key) => {
                    if !path.is_empty() {
                        path.push('.');
                    }
                    path.push_str(&key.decode());
                }
                Step::Item(at) => path.push_str(&format!("[{at}]")),
            }
        }
        path
    }
}

/// Gives each text of an entry to `visit`, in file order, until it says stop.
pub fn each<'a>(entry: &Entry<'a>, visit: impl FnMut(&MatchPlace<'a>, PlaceText<'a>) -> ControlFlow<()>) {
    let place = MatchPlace { steps: Vec::new(), speaker: speaker_of(entry), call: None, is_error: false };
    let _ = Walker { place, visit }.object(entry.object, Zone::Entry);
}

/// Strings longer than this that could be base64 are taken for it.
const LONG: usize = 512;

/// Does a text look like base64: long, and without any character that it does not use?
pub fn is_base64(text: &str) -> bool {
    text.len() > LONG
        && text.bytes().all(
            |byte| matches!(byte, b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'+' | b'/' | b'=' | b'_' | b'-'),
        )
}

/// What a value stands in decides which of its strings are texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Zone {
    /// The entry itself.
    Entry,
    /// An API message.
    Message,
    /// The content of a message or of a result.
    Content,
    /// What a tool was asked: all of it is the user's own.
    Input,
    /// Anything else.
    Data,
}

struct Walker<'a, F> {
    place: MatchPlace<'a>,
    visit: F,
}

impl<'a, F: FnMut(&MatchPlace<'a>, PlaceText<'a>) -> ControlFlow<()>> Walker<'a, F> {
    fn value(&mut self, value: Value<'a>, zone: Zone) -> ControlFlow<()> {
        if value.is_opaque() {
            return (self.visit)(&self.place, PlaceText::Raw(value.raw()));
        }
        match value.kind() {
            Type::String => match value.text() {
                Some(text) => (self.visit)(&self.place, PlaceText::Text(text)),
                None => ControlFlow::Continue(()),
            },
            Type::Array => {
                for (at, item) in value.items().enumerate() {
                    self.place.steps.push(Step::Item(at));
                    self.value(item, zone)?;
                    self.place.steps.pop();
                }
                ControlFlow::Continue(())
            }
            Type::Object if zone == Zone::Content => self.block(value),
            Type::Object => self.object(value, zone),
            Type::Null | Type::Bool | Type::Number => ControlFlow::Continue(()),
        }
    }

    /// An object of a content list: it may be a call, or what came back for one.
    fn block(&mut self, block: Value<'a>) -> ControlFlow<()> {
        let before = (self.place.speaker, self.place.call, self.place.is_error);
        if let Some((call, is_error)) = call_of(block) {
            self.place.speaker = Speaker::Tool;
            self.place.call = Some(call);
            self.place.is_error = is_error;
        }
        self.object(block, Zone::Data)?;
        (self.place.speaker, self.place.call, self.place.is_error) = before;
        ControlFlow::Continue(())
    }

    fn object(&mut self, object: Value<'a>, zone: Zone) -> ControlFlow<()> {
        for (key, value) in object.fields() {
            let name = match key.plain() {
                Some(plain) => Cow::Borrowed(plain),
                None => Cow::Owned(key.decode().into_owned().into_bytes()),
            };
            let Some(inside) = zone_of(object, &name, value, zone) else { continue };
            self.place.steps.push(Step::Key(key));
            if zone == Zone::Entry && *name == *b"toolUseResult" {
                self.account(object, value)?;
            } else {
                self.value(value, inside)?;
            }
            self.place.steps.pop();
        }
        ControlFlow::Continue(())
    }

    /// The tool's own account of its result, which belongs to the first result of the entry.
    fn account(&mut self, entry: Value<'a>, account: Value<'a>) -> ControlFlow<()> {
        let content = entry.get("message").and_then(|message| message.get("content"));
        let mut results = content.into_iter().flat_map(Value::items).filter_map(call_of);
        let first = results.find(|(call, _)| matches!(call, CallContext::For(_)));
        if let Some((call, is_error)) = first {
            self.place.call = Some(call);
            self.place.is_error = is_error;
        }
        self.value(account, Zone::Data)?;
        (self.place.call, self.place.is_error) = (None, false);
        ControlFlow::Continue(())
    }
}

/// The call that a block is or answers, and whether it answers with an error.
fn call_of(block: Value<'_>) -> Option<(CallContext<'_>, bool)> {
    let kind = block.get("type")?.text()?.decode();
    if kind.ends_with("tool_use") {
        return Some((CallContext::Of(block.get("name")?.text()?), false));
    }
    if kind.ends_with("tool_result") {
        let is_error = block.get("is_error").and_then(Value::bool) == Some(true);
        return Some((CallContext::For(block.get("tool_use_id")?.text()?), is_error));
    }
    None
}

/// The zone of a field's value; `None` if nothing in it is a text.
fn zone_of(object: Value<'_>, name: &[u8], value: Value<'_>, zone: Zone) -> Option<Zone> {
    let of_type = |wanted: &dyn Fn(&str) -> bool| {
        object.get("type").and_then(Value::text).is_some_and(|kind| wanted(&kind.decode()))
    };
    match zone {
        Zone::Input => return Some(Zone::Input),
        Zone::Message => return (name == b"content").then_some(Zone::Content),
        Zone::Entry if is_envelope(name) => return None,
        _ => {}
    }
    match name {
        b"type" | b"timestamp" | b"signature" | b"base64" => None,
        b"data" if of_type(&|kind| matches!(kind, "base64" | "redacted_thinking")) => None,
        _ if is_id(name) || name.starts_with(b"encrypted") => None,
        b"message" if value.get("content").is_some() => Some(Zone::Message),
        b"input" if of_type(&|kind| kind.ends_with("tool_use")) => Some(Zone::Input),
        b"content" => Some(Zone::Content),
        _ => Some(Zone::Data),
    }
}

/// Does a key say that its value is an id (or ids)?
fn is_id(name: &[u8]) -> bool {
    const ENDS: [&[u8]; 7] = [b"Id", b"ID", b"_id", b"Uuid", b"UUID", b"_uuid", b"Uuids"];
    matches!(name, b"id" | b"uuid" | b"uuids") || ENDS.iter().any(|end| name.ends_with(end))
}

/// Fields of the entry itself that say where and how it was written.
fn is_envelope(name: &[u8]) -> bool {
    matches!(
        name,
        b"cwd"
            | b"version"
            | b"gitBranch"
            | b"userType"
            | b"entrypoint"
            | b"slug"
            | b"sessionKind"
            | b"subtype"
            | b"operation"
    )
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use scrollback_format::line::Line;
    use scrollback_format::piece::Parser;

    use super::{CallContext, each};

    fn texts(line: &str) -> Vec<String> {
        let mut found = Vec::new();
        Parser::new().each(Line::new(1, 0, line.as_bytes(), true), |piece| {
            each(piece.entry().unwrap(), |place, words| {
                let call = match place.call {
                    Some(CallContext::Of(name)) => format!(" {}", name.decode()),
                    Some(CallContext::For(id)) => format!(" {}", id.decode()),
                    None => String::new(),
                };
                let error = if place.is_error { " error" } else { "" };
                let role = place.speaker.name();
                found.push(format!("{}={} {role}{call}{error}", place.field(), words.decode()));
                ControlFlow::Continue(())
            });
        });
        found
    }

    #[test]
    fn plumbing_is_no_text() {
        let line = r#"{"type":"user","uuid":"u","parentUuid":"p","cwd":"/x","timestamp":"t","sessionId":"s","message":{"role":"user","content":"hi"},"todos":["a",{"id":"1","content":"b"}]}"#;
        assert_eq!(texts(line), ["message.content=hi user", "todos[0]=a user", "todos[1].content=b user"]);
    }

    #[test]
    fn calls_and_results_are_the_tools() {
        let line = r#"{"type":"assistant","message":{"id":"m","model":"x","content":[{"type":"text","text":"a"},{"type":"thinking","thinking":"b","signature":"c"},{"type":"tool_use","id":"t","name":"Bash","input":{"id":"d","type":["e"]}}]}}"#;
        assert_eq!(
            texts(line),
            [
                "message.content[0].text=a assistant",
                "message.content[1].thinking=b assistant",
                "message.content[2].name=Bash tool Bash",
                "message.content[2].input.id=d tool Bash",
                "message.content[2].input.type[0]=e tool Bash",
            ]
        );
        let line = r#"{"type":"user","toolUseResult":{"type":"x","stdout":"a"},"message":{"content":[{"type":"tool_result","tool_use_id":"t","is_error":true,"content":[{"type":"text","text":"b"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"c"}}]},{"type":"text","text":"d"}]}}"#;
        assert_eq!(
            texts(line),
            [
                "toolUseResult.stdout=a tool t error",
                "message.content[0].content[0].text=b tool t error",
                "message.content[0].content[1].source.media_type=image/png tool t error",
                "message.content[1].text=d tool",
            ]
        );
    }

    #[test]
    fn what_is_nested_too_deep_is_raw() {
        let deep = format!("{}\"a\"{}", "[".repeat(200), "]".repeat(200));
        let found = texts(&format!(r#"{{"type":"x","v":{deep}}}"#));
        assert_eq!(found.len(), 1);
        assert!(found[0].contains("[[\"a\"]]"), "{}", found[0]);
    }
}
