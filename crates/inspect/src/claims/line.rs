//! Claims about single lines.

use scrollback_format::content::{Block, Content};
use scrollback_format::entry::Entry;
use scrollback_format::json::{Type, Value};
use scrollback_format::kind::{Kind, NoteKind};

use super::scene::{Scene, TranscriptOwner};
use super::sheet::{ClaimCounts, place};

/// Checks what one entry tells by itself, and takes it into the scene.
pub fn check(sheet: &mut ClaimCounts, scene: &mut Scene, entry: &Entry<'_>, line: u64) {
    scene.common(entry, line);
    let mut note = |claim: &'static str, holds: bool, detail: &dyn Fn() -> String| {
        sheet.note(claim, scene.version_name(scene.version()), holds, || place(&scene.path, line, detail()));
    };
    let envelope = &entry.envelope;
    note("lines-compact", is_compact(entry.object.raw()), &|| "a space between tokens".into());
    if let Some(time) = envelope.timestamp {
        note("time-format", is_time(&time.decode()), &|| time.decode().into_owned());
    }
    if let Some(kind) = entry.object.get("userType").and_then(Value::text) {
        note("user-type-external", kind.is("external"), &|| kind.decode().into_owned());
    }
    let chained = entry.kind.is_chained();
    if let (Some(id), TranscriptOwner::Session(own)) = (envelope.session_id, &scene.owner) {
        note("session-is-file", id.is(own), &|| format!("sessionId {}", id.decode()));
    }
    if chained {
        let has = envelope.uuid.is_some() && entry.object.get("parentUuid").is_some();
        note("tree-has-uuid", has, &|| entry.kind_name());
        message(&mut note, entry);
        let agent = matches!(scene.owner, TranscriptOwner::Agent { .. });
        note("agent-sidechain", envelope.is_sidechain == agent, &|| {
            format!("isSidechain is {}", envelope.is_sidechain)
        });
        scene.node(entry, line);
    } else if entry.kind.is_known() {
        let none = envelope.uuid.is_none() && entry.object.get("parentUuid").is_none();
        note("notes-have-none", none, &|| entry.kind_name());
        side_note(sheet, scene, entry, line);
    }
}

/// What a message of the assistant or a result tells.
fn message(note: &mut impl FnMut(&'static str, bool, &dyn Fn() -> String), entry: &Entry<'_>) {
    let envelope = &entry.envelope;
    let Some(message) = envelope.message else { return };
    let blocks = || message.get("content").and_then(Content::of).map(Content::blocks);
    if entry.kind == Kind::Assistant {
        let count = message.get("content").map_or(0, |content| content.items().count());
        note("one-block-a-line", count == 1, &|| format!("{count} blocks"));
        let synthetic =
            message.get("model").and_then(Value::text).is_some_and(|model| model.is("<synthetic>"));
        if envelope.is_api_error_message {
            note("api-error-synthetic", synthetic, &|| "another model".into());
        }
        if synthetic {
            let usage = message.get("usage");
            let tokens = |key: &str| usage.and_then(|usage| usage.get(key)?.u64()).unwrap_or(0);
            let all = tokens("input_tokens") + tokens("output_tokens");
            note("synthetic-is-free", all == 0, &|| format!("{all} tokens"));
        }
        return;
    }
    let failed =
        |block: Block<'_>| matches!(block, Block::ToolResult(result) if result.is_error() == Some(true));
    if let Some(result) = envelope.tool_use_result
        && blocks().is_some_and(|mut blocks| blocks.any(failed))
    {
        note("failed-result-is-text", result.kind() == Type::String, &|| result.kind().name().into());
    }
}

/// What a side note names.
fn side_note(sheet: &mut ClaimCounts, scene: &mut Scene, entry: &Entry<'_>, line: u64) {
    let text = |key: &str| entry.object.get(key).and_then(Value::text);
    match entry.kind {
        Kind::Queue(_) => match entry.envelope.operation {
            Some(operation) if operation.is("enqueue") => scene.queue.0 += 1,
            _ => scene.queue.1 += 1,
        },
        Kind::Note(NoteKind::Summary) => {
            let (version, holds) = (scene.version_name(scene.version()).to_owned(), line == 1);
            sheet.note("summary-first", &version, holds, || {
                place(&scene.path, line, format!("on line {line}"))
            });
            scene.names_line("summary-leaf-here", line, text("leafUuid"));
        }
        Kind::Note(NoteKind::LastPrompt) => scene.names_line("last-prompt-leaf", line, text("leafUuid")),
        Kind::Note(NoteKind::FileHistorySnapshot) => {
            scene.names_line("snapshot-of-line", line, text("messageId"));
            let tracked = entry.object.get("snapshot").and_then(|shot| shot.get("trackedFileBackups"));
            for (path, backup) in tracked.into_iter().flat_map(Value::fields) {
                scene.backup(line, path, backup);
            }
        }
        Kind::Note(NoteKind::FileHistoryDelta) => {
            scene.names_line("snapshot-of-line", line, text("messageId"));
            if let (Some(path), Some(backup)) = (text("trackingPath"), entry.object.get("backup")) {
                scene.backup(line, path, backup);
            }
        }
        _ => {}
    }
}

/// Is there no white space outside of strings?
fn is_compact(object: &[u8]) -> bool {
    let (mut inside, mut escaped) = (false, false);
    for byte in object {
        match (inside, byte) {
            (true, _) if escaped => escaped = false,
            (true, b'\\') => escaped = true,
            (_, b'"') => inside = !inside,
            (false, b' ' | b'\t' | b'\r' | b'\n') => return false,
            _ => {}
        }
    }
    true
}

/// Is it `2026-11-15T18:00:00.000Z`, digit for digit?
fn is_time(text: &str) -> bool {
    let pattern = b"0000-00-00T00:00:00.000Z";
    text.len() == pattern.len()
        && text
            .bytes()
            .zip(pattern)
            .all(|(byte, form)| if *form == b'0' { byte.is_ascii_digit() } else { byte == *form })
}

#[cfg(test)]
mod tests {
    use super::{is_compact, is_time};

    #[test]
    fn spaces_count_outside_of_strings_alone() {
        for compact in [r#"{"a":"b c","d":[1,2]}"#, r#"{"a":"\" :","b":"\\"}"#] {
            assert!(is_compact(compact.as_bytes()), "{compact}");
        }
        for spaced in [r#"{"a": 1}"#, r#"{"a":1, "b":2}"#, r#"{"a":"\\" }"#] {
            assert!(!is_compact(spaced.as_bytes()), "{spaced}");
        }
    }

    #[test]
    fn a_time_has_milliseconds_and_a_z() {
        assert!(is_time("2026-11-15T18:00:00.000Z"));
        for other in ["2026-11-15T18:00:00Z", "2026-11-15T18:00:00.000+00:00", "", "2026-11-15 18:00:00.000Z"]
        {
            assert!(!is_time(other), "{other}");
        }
    }
}
