//! The tool calls of a file: which tool a result came from. Read only where a result matches and its tool matters.

use std::ops::ControlFlow;
use std::path::Path;

use rustc_hash::FxHashMap;
use scrollback_format::content::{Block, Content};
use scrollback_format::piece::{Parser, Piece};
use scrollback_store::{LineReader, ReadPart};

use super::block;
use super::sieve::Sieve;

/// Names of tools by the ids of their calls.
#[derive(Debug, Default)]
pub struct Calls(FxHashMap<Box<str>, Box<str>>);

impl Calls {
    /// The calls in a file; none if it cannot be read, which whoever searches it tells.
    pub fn of(path: &Path, reader: &mut LineReader, parser: &mut Parser) -> Self {
        let mut calls = Self::default();
        let sieve = Sieve::raw(b"tool_use\"", "server_tool_use");
        let _ = reader.read_blocks(path, |part| {
            if let ReadPart::Block(block) = part {
                let _ = block::each_candidate(&block, sieve.as_ref(), |line| {
                    parser.each(line, |piece| calls.piece(&piece));
                    ControlFlow::Continue(())
                });
            }
            ControlFlow::Continue(())
        });
        calls
    }

    fn piece(&mut self, piece: &Piece<'_>) {
        let content = piece.entry().and_then(|entry| entry.envelope.message?.get("content"));
        for block in content.and_then(Content::of).into_iter().flat_map(Content::blocks) {
            let (id, name) = match block {
                Block::ToolUse(call) => (call.id(), call.name()),
                Block::ServerToolUse(call) => (call.id(), call.name()),
                _ => continue,
            };
            if let (Some(id), Some(name)) = (id, name) {
                self.0.insert(id.decode().into(), name.decode().into());
            }
        }
    }

    /// The tool of a call.
    pub fn tool(&self, id: &str) -> Option<&str> {
        self.0.get(id).map(AsRef::as_ref)
    }
}
