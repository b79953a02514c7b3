//! The lines of answers as they stand in the files, each with the charge that it went into.

use std::ops::ControlFlow;
use std::path::PathBuf;

use rustc_hash::FxHashMap;
use scrollback_format::body::message::AssistantMessage;
use scrollback_format::entry::Entry;
use scrollback_format::json::Value;
use scrollback_format::kind::{Kind, ProgressKind};
use scrollback_format::shape::Shaped;
use scrollback_index::charge::{self, ChargeRow};
use scrollback_index::error::IndexError;
use scrollback_model::charge::{Marks, request_number};
use scrollback_model::tokens::Tokens;
use scrollback_model::usage::message_number;
use scrollback_store::{Chunk, Start, work};

use super::super::Book;
use crate::catalogue::Index;
use crate::load::Loader;

/// A file of the book, to be read.
#[derive(Debug)]
struct Source {
    path: PathBuf,
    size: u64,
    /// Its charges, as the catalogue keeps them.
    charges: Vec<u8>,
}

/// The lines of all files of a book.
#[derive(Debug, Default)]
pub struct Raw {
    sources: Vec<Source>,
    /// By the places of the files in the book.
    pub files: Vec<RawFile>,
}

/// The lines of one file.
#[derive(Debug, Default)]
pub struct RawFile {
    /// Its charges with the tokens of all their lines together.
    pub charges: Vec<(ChargeRow, Tokens)>,
    /// Lines beside the first one of their charge.
    pub repeated: Vec<RawLine>,
}

/// A line of a charge that has others.
#[derive(Debug, Clone, Copy)]
pub struct RawLine {
    /// Its number.
    pub line: u32,
    /// The place of the charge in the file.
    pub charge: u32,
    /// Output tokens on it.
    pub output: u64,
}

impl Raw {
    /// What is to be read for a book, with the session that it is of.
    pub fn of(index: &Index, book: &Book, session: Option<&str>) -> Result<Self, IndexError> {
        let mut bodies: FxHashMap<i64, Vec<u8>> = FxHashMap::default();
        index.catalogue().each_body(session, |file, body| {
            bodies.insert(file, body.to_vec());
            Ok(())
        })?;
        let source = |file: &scrollback_index::catalogue::ChargedFile| {
            let path = index.given_path(&file.path);
            let size = scrollback_store::stamp::look(&path).map_or(0, |look| look.size);
            Source { path, size, charges: bodies.remove(&file.file).unwrap_or_default() }
        };
        Ok(Self { sources: book.files.iter().map(source).collect(), files: Vec::new() })
    }

    /// How many bytes are to be read.
    pub fn bytes(&self) -> u64 {
        self.sources.iter().map(|source| source.size).sum()
    }

    /// Reads them. Lines that have come since the catalogue looked are left out.
    pub fn read(mut self, progress: &(dyn Fn(u64) + Sync)) -> Self {
        self.files = work::each(&self.sources, work::threads(), Loader::new, |loader, source| {
            let mut lines = Lines::of(&source.charges);
            let _ = loader.chunks(&source.path, Start::default(), |parser, chunk| {
                if let Chunk::Line(line) = chunk {
                    parser.each(line, |piece| {
                        if let Some(entry) = piece.entry() {
                            lines.entry(entry, piece.line);
                        }
                    });
                }
                ControlFlow::Continue(())
            });
            progress(source.size);
            lines.file
        });
        self
    }
}

/// The lines of one file, while it is read.
struct Lines {
    file: RawFile,
    /// Charges by the number of their message, and whether it is a progress line's.
    by_message: FxHashMap<(u64, bool), Vec<u32>>,
    seen: Vec<bool>,
}

impl Lines {
    fn of(charges: &[u8]) -> Self {
        let mut lines = Self { file: RawFile::default(), by_message: FxHashMap::default(), seen: Vec::new() };
        // What is damaged has been told to whoever made the book.
        let _ = charge::unpack(0, charges, |row| {
            let key = (row.copy.message, row.copy.marks.has(Marks::PROGRESS));
            lines.by_message.entry(key).or_default().push(lines.file.charges.len() as u32);
            lines.file.charges.push((row, Tokens::default()));
        });
        lines.seen = vec![false; lines.file.charges.len()];
        lines
    }

    fn entry(&mut self, entry: &Entry<'_>, line: u64) {
        let Some(found) = answer(entry) else { return };
        let id = found.message.id().or(entry.envelope.uuid);
        let Some(id) = id else { return };
        let number = message_number(id.decode().as_bytes());
        let Some(charges) = self.by_message.get(&(number, found.is_progress)) else { return };
        // One with another request is a charge of its own.
        let same = |at: &&u32| self.file.charges[**at as usize].0.copy.request == found.request;
        let Some(&charge) = charges.iter().find(same).or_else(|| charges.first()) else { return };
        let tokens = found.message.usage().map(Tokens::of).unwrap_or_default();
        self.file.charges[charge as usize].1 += tokens;
        if std::mem::replace(&mut self.seen[charge as usize], true) {
            let line = u32::try_from(line).unwrap_or(u32::MAX);
            self.file.repeated.push(RawLine { line, charge, output: tokens.output });
        }
    }
}

/// A message on a line.
struct Found<'a> {
    message: AssistantMessage<'a>,
    request: u32,
    is_progress: bool,
}

/// The message of an answer, or of an agent's that a progress line repeats.
fn answer<'a>(entry: &Entry<'a>) -> Option<Found<'a>> {
    let (message, request, is_progress) = match entry.kind {
        Kind::Assistant => (entry.envelope.message?, entry.envelope.request_id, false),
        Kind::Progress(ProgressKind::Agent) => {
            let inner = entry.envelope.data?.get("message")?;
            (inner.get("message")?, inner.get("requestId").and_then(Value::text), true)
        }
        _ => return None,
    };
    Some(Found { message: AssistantMessage::over(message), request: request_number(request), is_progress })
}
