//! What an event tells of a file: its state before, what was done to it, or what was seen of it. Read from the lines, in the
//! client's own words (`toolUseResult`) where it has any: the user may have changed what the model asked for.

use base64::Engine;
use base64::alphabet;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig, NO_PAD};
use scrollback_format::content::{Block, Content};
use scrollback_format::entry::{Dialect, Entry};
use scrollback_format::json::{Tape, Type, Value};
use scrollback_format::kind::AttachmentKind;
use scrollback_format::shape::Shaped;
use scrollback_format::tool::{EditResult, NotebookEditInput, ToolInput};
use scrollback_model::row::RowIndex;
use scrollback_store::ReadError;
use scrollback_store::small::Spans;

use super::body::FileBody;
use super::notebook::CellEdit;
use super::path;
use super::replay::{Hunk, Replacement};
use super::source::FileTranscript;

/// What one event says about the content of a file.
#[derive(Debug, Default)]
pub struct EventContent {
    /// The state before, in the tool's own words.
    pub before: Option<StateBefore>,
    /// What came then.
    pub then: Then,
}

/// A state before a change.
#[derive(Debug)]
pub enum StateBefore {
    /// It held this.
    Held(FileBody),
    /// There was no file.
    Absent,
}

/// What came after the state before.
#[derive(Debug, Default)]
pub enum Then {
    /// Nothing that tells what the file holds.
    #[default]
    Nothing,
    /// It was written whole.
    Written(FileBody),
    /// Something was replaced in it.
    Edited(Vec<Replacement>, Vec<Hunk>),
    /// A cell of a notebook was changed.
    Cell(CellEdit),
    /// It was seen whole.
    Seen(FileBody),
    /// Some of its lines were seen.
    Part(LineExcerpt),
}

/// Some lines of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineExcerpt {
    /// The lines with their numbers, counted from 1.
    pub lines: Vec<(u64, String)>,
    /// How many the file has, if that was told.
    pub total: Option<u64>,
}

impl LineExcerpt {
    /// The lines that are known, one after the other.
    pub fn text(&self) -> String {
        self.lines.iter().map(|(_, line)| line.as_str()).collect::<Vec<_>>().join("\n")
    }

    /// Which lines, for people: `1-20, 40-60 of 90`.
    pub fn ranges(&self) -> String {
        let mut ranges: Vec<(u64, u64)> = Vec::new();
        for (number, _) in &self.lines {
            match ranges.last_mut() {
                Some((_, end)) if *end + 1 == *number => *end = *number,
                _ => ranges.push((*number, *number)),
            }
        }
        let shown = ranges
            .iter()
            .map(|(from, to)| if from == to { from.to_string() } else { format!("{from}-{to}") });
        let shown = shown.collect::<Vec<_>>().join(", ");
        match self.total {
            Some(total) => format!("{shown} of {total}"),
            None => shown,
        }
    }
}

/// Reads lines of one transcript.
pub struct EventContentReader<'s> {
    source: &'s FileTranscript,
    spans: Spans<'s>,
    tape: Tape,
}

impl<'s> EventContentReader<'s> {
    /// Opens the transcript's file.
    pub fn open(source: &'s FileTranscript) -> Result<Self, ReadError> {
        Ok(Self { source, spans: Spans::open(&source.path)?, tape: Tape::new() })
    }

    /// What a tool call did to a file.
    pub fn call(&mut self, call: usize, result: RowIndex, file: &str) -> Result<EventContent, ReadError> {
        let call = self.source.transcript.calls[call];
        let tool = self.source.transcript.text(call.tool).to_owned();
        let id = self.source.transcript.text(call.id).to_owned();
        let told = self.line(result, |entry| of_result(&tool, &id, entry, file))?;
        if let Some(told) = told.flatten() {
            return Ok(told);
        }
        // The client kept no account of its own: what the model asked for was done.
        let told = self.line(call.row, |entry| {
            let content = entry.envelope.message.and_then(|message| message.get("content"));
            let block = content.and_then(|content| content.items().nth(call.block as usize));
            block.and_then(|block| block.get("input")).map(|input| of_input(&tool, input))
        })?;
        Ok(told.flatten().unwrap_or_default())
    }

    /// What an attachment shows of a file.
    pub fn attachment(&mut self, row: RowIndex, kind: AttachmentKind) -> Result<EventContent, ReadError> {
        let told = self.line(row, |entry| {
            let attachment = entry.envelope.attachment?;
            match kind {
                AttachmentKind::EditedTextFile => {
                    let snippet = attachment.get("snippet")?.text()?;
                    numbered(&snippet.decode()).map(Then::Part)
                }
                _ => Some(of_read(attachment.get("content")?)),
            }
        })?;
        Ok(EventContent { before: None, then: told.flatten().unwrap_or_default() })
    }

    fn line<R>(&mut self, row: RowIndex, with: impl FnOnce(&Entry<'_>) -> R) -> Result<Option<R>, ReadError> {
        let row = self.source.transcript.row(row);
        let bytes = self.spans.read(row.offset, row.len as usize)?;
        if self.tape.scan(bytes).is_err() {
            // The file was changed since it was read.
            return Ok(None);
        }
        Ok(self.tape.root(bytes).map(|root| with(&Entry::of(root, Dialect::Session))))
    }
}

/// What the client's account of a call tells; none if it has none, or tells of something else.
fn of_result(tool: &str, id: &str, entry: &Entry<'_>, file: &str) -> Option<EventContent> {
    let content = entry.envelope.message.and_then(|message| message.get("content")).and_then(Content::of);
    let results = || {
        content.into_iter().flat_map(Content::blocks).filter_map(|block| match block {
            Block::ToolResult(result) => Some(result),
            _ => None,
        })
    };
    let account = entry.envelope.tool_use_result.filter(|account| account.kind() == Type::Object);
    // Of several results on one line the account is of one of them, and does not say which.
    let Some(account) = account.filter(|_| results().count() == 1) else {
        if tool != "Read" {
            return None;
        }
        let own = results().find(|result| result.tool_use_id().is_some_and(|own| own.is(id)))?;
        let text = own.content().and_then(Content::first_text)?;
        let then = numbered(&text.decode()).map_or(Then::Nothing, Then::Part);
        return Some(EventContent { before: None, then });
    };
    let named = account.get("filePath").and_then(Value::text).map(|path| path.decode().into_owned());
    if named.is_some_and(|named| {
        path::is_absolute(&named) && path::absolute(&named, None).as_deref() != Some(file)
    }) {
        return None;
    }
    match tool {
        "Read" => Some(EventContent { before: None, then: of_read(account) }),
        "Write" => written(account),
        "Edit" => edited(account),
        "MultiEdit" => several(account),
        "NotebookEdit" => notebook(account),
        _ => None,
    }
}

fn text_of(value: Option<Value<'_>>) -> Option<String> {
    value.and_then(Value::text).map(|text| text.decode().into_owned())
}

/// `originalFile`: a text, or null where there was none.
fn before(original: Option<Value<'_>>, is_new: bool) -> Option<StateBefore> {
    match original {
        Some(value) if value.kind() == Type::String => {
            text_of(Some(value)).map(|text| StateBefore::Held(FileBody::text(text)))
        }
        _ if is_new => Some(StateBefore::Absent),
        _ => None,
    }
}

fn written(account: Value<'_>) -> Option<EventContent> {
    let result = EditResult::over(account);
    let content = result.content()?.decode().into_owned();
    let is_new = result.kind().is_some_and(|kind| kind.is("create"));
    let before = before(account.get("originalFile"), is_new);
    Some(EventContent { before, then: Then::Written(FileBody::text(content)) })
}

fn edited(account: Value<'_>) -> Option<EventContent> {
    let result = EditResult::over(account);
    let step = Replacement {
        old: result.old_string()?.decode().into_owned(),
        new: result.new_string()?.decode().into_owned(),
        all: result.replace_all() == Some(true),
    };
    let is_new = step.old.is_empty() && account.get("originalFile").is_some_and(Value::is_null);
    let before = before(account.get("originalFile"), is_new);
    Some(EventContent { before, then: Then::Edited(vec![step], hunks(account)) })
}

fn several(account: Value<'_>) -> Option<EventContent> {
    let steps = steps(account.get("edits")?)?;
    let original = account.get("originalFileContents").or_else(|| account.get("originalFile"));
    Some(EventContent { before: before(original, false), then: Then::Edited(steps, hunks(account)) })
}

fn steps(edits: Value<'_>) -> Option<Vec<Replacement>> {
    let step = |edit: Value<'_>| {
        Some(Replacement {
            old: text_of(edit.get("old_string"))?,
            new: text_of(edit.get("new_string"))?,
            all: edit.get("replace_all").and_then(Value::bool) == Some(true),
        })
    };
    let steps: Option<Vec<Replacement>> = edits.items().map(step).collect();
    steps.filter(|steps| !steps.is_empty())
}

fn hunks(account: Value<'_>) -> Vec<Hunk> {
    let hunks = EditResult::over(account).structured_patch();
    let texts = |lines: Value<'_>| lines.items().filter_map(|line| text_of(Some(line))).collect();
    hunks
        .filter_map(|hunk| {
            Some(Hunk { new_start: hunk.new_start()?, lines: hunk.lines().map(texts).unwrap_or_default() })
        })
        .collect()
}

fn notebook(account: Value<'_>) -> Option<EventContent> {
    if text_of(account.get("error")).is_some_and(|error| !error.is_empty()) {
        return Some(EventContent::default());
    }
    let before = before(account.get("original_file"), false);
    if let Some(updated) = text_of(account.get("updated_file")) {
        return Some(EventContent { before, then: Then::Written(FileBody::text(updated)) });
    }
    let mode = text_of(account.get("edit_mode")).unwrap_or_else(|| "replace".into());
    let cell = text_of(account.get("cell_id"));
    let insert = mode == "insert";
    // Of a new cell the id is its own, and where it was put stands in the call alone.
    let edit = CellEdit {
        cell: cell.clone().filter(|_| !insert),
        source: text_of(account.get("new_source"))?,
        kind: text_of(account.get("cell_type")),
        mode,
        new_cell: cell.filter(|_| insert),
    };
    (!insert).then_some(EventContent { before, then: Then::Cell(edit) })
}

/// What the model asked for.
fn of_input(tool: &str, input: Value<'_>) -> EventContent {
    let then = match ToolInput::of(tool.as_bytes(), input) {
        ToolInput::Write(write) => {
            write.content().map(|text| Then::Written(FileBody::text(text.decode().into_owned())))
        }
        ToolInput::Edit(edit) => match (edit.old_string(), edit.new_string()) {
            (Some(old), Some(new)) => {
                let all = edit.replace_all() == Some(true);
                let step =
                    Replacement { old: old.decode().into_owned(), new: new.decode().into_owned(), all };
                Some(Then::Edited(vec![step], Vec::new()))
            }
            _ => None,
        },
        ToolInput::MultiEdit(_) => {
            input.get("edits").and_then(steps).map(|steps| Then::Edited(steps, Vec::new()))
        }
        ToolInput::NotebookEdit(edit) => cell(edit, input),
        _ => None,
    };
    EventContent { before: None, then: then.unwrap_or_default() }
}

fn cell(edit: NotebookEditInput<'_>, input: Value<'_>) -> Option<Then> {
    Some(Then::Cell(CellEdit {
        cell: edit.cell_id().map(|id| id.decode().into_owned()),
        source: edit.new_source()?.decode().into_owned(),
        kind: text_of(input.get("cell_type")),
        mode: edit.edit_mode().map_or_else(|| "replace".into(), |mode| mode.decode().into_owned()),
        new_cell: None,
    }))
}

/// What a Read gave: `{type, file}`.
fn of_read(result: Value<'_>) -> Then {
    let (Some(kind), Some(file)) = (text_of(result.get("type")), result.get("file")) else {
        return Then::Nothing;
    };
    match kind.as_str() {
        "text" => of_text(file),
        "image" | "pdf" => of_media(file),
        _ => Then::Nothing,
    }
}

fn of_text(file: Value<'_>) -> Then {
    let Some(content) = text_of(file.get("content")) else { return Then::Nothing };
    let number = |key: &str| file.get(key).and_then(Value::u64);
    let start = number("startLine").unwrap_or(1).max(1);
    let total = number("totalLines");
    let lines = content.split('\n').count() as u64;
    let capped = file.get("truncatedByTokenCap").is_some_and(|capped| capped.bool() != Some(false));
    // Clients count a last line break as the beginning of one more line, or not.
    let whole =
        start == 1 && !capped && total.is_some_and(|total| number("numLines").unwrap_or(lines) >= total);
    if whole {
        return Then::Seen(FileBody::text(content));
    }
    let lines = (start..).zip(content.split('\n').map(str::to_owned)).collect();
    Then::Part(LineExcerpt { lines, total })
}

/// A picture or a document, if it was kept as it was: clients make large pictures smaller.
fn of_media(file: Value<'_>) -> Then {
    let bytes = text_of(file.get("base64")).and_then(|text| decoded(&text));
    let size = file.get("originalSize").and_then(Value::u64);
    match bytes {
        Some(bytes) if Some(bytes.len() as u64) == size => Then::Seen(FileBody::bytes(bytes)),
        _ => Then::Nothing,
    }
}

/// The bytes of a text in base64, of either alphabet, with its padding or without; none if it is not in base64.
fn decoded(text: &str) -> Option<Vec<u8>> {
    const CONFIG: GeneralPurposeConfig = NO_PAD.with_decode_allow_trailing_bits(true);
    let alphabet = if text.contains(['-', '_']) { &alphabet::URL_SAFE } else { &alphabet::STANDARD };
    GeneralPurpose::new(alphabet, CONFIG).decode(text.trim_end_matches('=')).ok()
}

/// Lines as the model sees them: a number, an arrow or a tab, the text. Long ones are cut there, so they tell nothing.
fn numbered(text: &str) -> Option<LineExcerpt> {
    const CUT: usize = 2000;
    let mut lines = Vec::new();
    for line in text.split('\n') {
        let digits = line.trim_start_matches(' ');
        let Some(end) = digits.find(|c: char| !c.is_ascii_digit()).filter(|end| *end > 0) else { break };
        let Ok(number) = digits[..end].parse() else { break };
        let Some(rest) = digits[end..].strip_prefix(['→', '\t']) else { break };
        if rest.len() < CUT {
            lines.push((number, rest.to_owned()));
        }
    }
    (!lines.is_empty()).then_some(LineExcerpt { lines, total: None })
}

#[cfg(test)]
mod tests {
    use super::{decoded, numbered};

    #[test]
    fn base64_is_decoded_in_every_spelling() {
        for (text, bytes) in [
            ("", ""),
            ("Zg==", "f"),
            ("Zm8=", "fo"),
            ("Zm9v", "foo"),
            ("Zm9vYg==", "foob"),
            ("Zm9vYmE", "fooba"),
            ("Zh==", "f"),
        ] {
            assert_eq!(decoded(text).as_deref(), Some(bytes.as_bytes()), "{text}");
        }
        assert_eq!(decoded("+/+/"), Some(vec![0xfb, 0xff, 0xbf]));
        assert_eq!(decoded("-_-_"), decoded("+/+/"));
        for text in ["Zm9v!", "Z", "Zm 9v", "é"] {
            assert_eq!(decoded(text), None, "{text}");
        }
    }

    #[test]
    fn numbered_lines_end_where_the_numbers_do() {
        let text = "     1→alpha\n     2→\n\n<system-reminder>\n3→no\n";
        let part = numbered(text).unwrap();
        assert_eq!(part.lines, [(1, "alpha".to_owned()), (2, String::new())]);
        assert_eq!(numbered("12\tx").unwrap().lines, [(12, "x".to_owned())]);
        assert_eq!(numbered("no numbers"), None);
        assert_eq!(numbered(""), None);
    }
}
