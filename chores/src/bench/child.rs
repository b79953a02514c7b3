//! What the benchmark measures of the library, in a process of its own: lines, entries, facts. One thread.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use scrollback_app::load::Loader;
use scrollback_format::content::{Block, Content};
use scrollback_format::entry::Body;
use scrollback_format::generation::Generation;
use scrollback_format::piece::Parser;
use scrollback_model::facts::{Anatomy, TranscriptFacts};
use scrollback_model::tokens::Tokens;
use scrollback_model::transcript::FileKind;
use scrollback_store::{Chunk, LineReader, Start};

/// Does one kind of work over a list of files and prints a sum, so that nothing is optimised away.
pub fn run(name: &str, list: &Path) -> Result<(), String> {
    if let Some((store, cache)) = list.to_str().and_then(|both| both.split_once('\n')) {
        let (store, cache) = (Path::new(store), Path::new(cache));
        return match name {
            "queries" => super::query::time_all(store, cache),
            _ => super::query::print_some(store, cache, 20),
        };
    }
    let bytes = std::fs::read(list).map_err(|error| error.to_string())?;
    let files: Vec<PathBuf> = bytes
        .split(|byte| *byte == 0)
        .filter(|path| !path.is_empty())
        .map(|path| PathBuf::from(String::from_utf8_lossy(path).as_ref()))
        .collect();
    let sum = match name {
        "lines" => lines(&files),
        "entries" => entries(&files),
        "facts" => facts(&files),
        other => return Err(format!("there is no child {other}")),
    };
    println!("{sum}");
    Ok(())
}

fn lines(files: &[PathBuf]) -> u64 {
    let mut reader = LineReader::new();
    let mut count = 0;
    for path in files {
        let _ = reader.read(path, Start::default(), |chunk| {
            if let Chunk::Line(line) = chunk {
                count += u64::from(!line.bytes.is_empty());
            }
            ControlFlow::Continue(())
        });
    }
    count
}

/// Every line to its entry, envelope and typed body, its blocks and its token counts.
fn entries(files: &[PathBuf]) -> u64 {
    let mut reader = LineReader::new();
    let mut parser = Parser::new();
    let mut sum = 0;
    for path in files {
        let _ = reader.read(path, Start::default(), |chunk| {
            if let Chunk::Line(line) = chunk {
                parser.each(line, |piece| {
                    if let Some(entry) = piece.entry() {
                        sum += u64::from(entry.id().is_some()) + u64::from(entry.time().is_some());
                        sum += body(entry.body());
                    }
                });
            }
            ControlFlow::Continue(())
        });
    }
    sum
}

fn body(body: Body<'_>) -> u64 {
    let blocks = |content: Option<Content<'_>>| {
        let texts = content.into_iter().flat_map(Content::blocks).map(|block| match block {
            Block::Text(text) => text.text().map_or(0, |text| text.raw().len()),
            Block::Thinking(thinking) => thinking.thinking().map_or(0, |text| text.raw().len()),
            Block::ToolUse(call) => {
                call.id().map_or(0, |id| id.raw().len()) + call.name().map_or(0, |name| name.raw().len())
            }
            Block::ToolResult(result) => result.tool_use_id().map_or(0, |id| id.raw().len()),
            _ => 1,
        });
        texts.sum::<usize>() as u64
    };
    match body {
        Body::User(user) => blocks(user.message().and_then(|message| message.content())),
        Body::Assistant(assistant) => {
            let Some(message) = assistant.message() else { return 0 };
            let tokens = message.usage().map(Tokens::of).unwrap_or_default();
            blocks(message.content()) + tokens.total() + u64::from(message.stop_reason().is_some())
        }
        _ => 1,
    }
}

fn facts(files: &[PathBuf]) -> u64 {
    let mut loader = Loader::new();
    let mut sum = 0;
    for path in files {
        if let Ok(transcript) = loader.transcript(path, FileKind::Session) {
            let anatomy = Anatomy::of(&transcript, Generation::NEWEST);
            sum += TranscriptFacts::of(&transcript, &anatomy, None, None).turns;
        }
    }
    sum
}
