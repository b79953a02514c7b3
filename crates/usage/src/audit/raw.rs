//! The lines of answers as they stand in the files, each with the charge that it went into.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;
use scrollback_format::body::message::AssistantMessage;
use scrollback_format::entry::Entry;
use scrollback_format::json::Value;
use scrollback_format::kind::{Kind, ProgressKind};
use scrollback_format::shape::Shaped;
use scrollback_index::catalogue::ChargedFile;
use scrollback_index::charge::{self, ChargeRow};
use scrollback_index::error::IndexError;
use scrollback_model::charge::{ChargeMarks, request_number};
use scrollback_model::tokens::Tokens;
use scrollback_model::usage::message_number;
use scrollback_store::{Chunk, Start, stamp, work};

use super::super::Book;
use scrollback_session::catalogue::Index;
use scrollback_session::load::Loader;

/// A file of the book, to be read.
#[derive(Debug)]
struct RawSource {
    path: PathBuf,
    size: u64,
    /// Its charges, as the catalogue keeps them.
    charges: Vec<u8>,
}

/// The lines of all files of a book, or of those of one session.
#[derive(Debug, Default)]
pub struct Raw {
    sources: Vec<Option<RawSource>>,
    /// By the places of the files in the book; empty for those that nobody asked for.
    pub files: Vec<RawFile>,
}

/// The lines of one file.
#[derive(Debug, Default)]
pub struct RawFile {
    /// Its charges.
    pub charges: Vec<RawCharge>,
    /// Lines beside the one of their charge that counts.
    pub repeated: Vec<RawLine>,
    /// Could the file not be read?
    pub is_unread: bool,
}

/// A charge with its lines.
#[derive(Debug, Clone, Copy)]
pub struct RawCharge {
    /// The charge.
    pub row: ChargeRow,
    /// The tokens of all its lines together.
    pub tokens: Tokens,
    /// The line with the largest counts; 0 if none was found.
    pub line: u32,
    best: Tokens,
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
    /// What is to be read for a book, or for one session of it.
    pub fn of(index: &Index, book: &Book, session: Option<&str>) -> Result<Self, IndexError> {
        let mut bodies: FxHashMap<i64, Vec<u8>> = FxHashMap::default();
        index.catalogue().each_body(session, |file, body| {
            bodies.insert(file, body.to_vec());
            Ok(())
        })?;
        let source = |file: &ChargedFile| {
            let charges = bodies.remove(&file.file)?;
            let path = index.given_path(&file.path);
            let size = stamp::look(&path).map_or(0, |look| look.size);
            Some(RawSource { path, size, charges })
        };
        Ok(Self { sources: book.files.iter().map(source).collect(), files: Vec::new() })
    }

    /// How many bytes are to be read.
    pub fn bytes(&self) -> u64 {
        self.sources.iter().flatten().map(|source| source.size).sum()
    }

    /// Reads them. Lines that have come since the catalogue looked are left out.
    pub fn read(mut self, progress: &(dyn Fn(u64) + Sync)) -> Self {
        self.files = work::each(&self.sources, work::threads(), Loader::new, |loader, source| {
            let Some(source) = source else { return RawFile::default() };
            let mut lines = Lines::of(&source.charges);
            let read = loader.chunks(&source.path, Start::default(), |parser, chunk| {
                if let Chunk::Line(line) = chunk {
                    parser.each(line, |piece| {
                        if let Some(entry) = piece.entry() {
                            lines.entry(entry, piece.line);
                        }
                    });
                }
                ControlFlow::Continue(())
            });
            lines.file.is_unread = read.is_err();
            progress(source.size);
            lines.file
        });
        self
    }

    /// Files that could not be read.
    pub fn unread(&self) -> impl Iterator<Item = &Path> {
        let files = self.sources.iter().zip(&self.files).filter(|(_, file)| file.is_unread);
        files.filter_map(|(source, _)| Some(source.as_ref()?.path.as_path()))
    }
}

/// The lines of one file, while it is read.
struct Lines {
    file: RawFile,
    /// Charges by the number of their message, and whether it is a progress line's.
    by_message: FxHashMap<(u64, bool), Vec<u32>>,
}

impl Lines {
    fn of(charges: &[u8]) -> Self {
        let mut lines = Self { file: RawFile::default(), by_message: FxHashMap::default() };
        // What is damaged has been told to whoever made the book.
        let _ = charge::unpack(0, charges, |row| {
            let key = (row.copy.message, row.copy.marks.has(ChargeMarks::PROGRESS));
            lines.by_message.entry(key).or_default().push(lines.file.charges.len() as u32);
            let none = Tokens::default();
            lines.file.charges.push(RawCharge { row, tokens: none, line: 0, best: none });
        });
        lines
    }

    fn entry(&mut self, entry: &Entry<'_>, line: u64) {
        let Some(found) = answer(entry) else { return };
        let id = found.message.id().or(entry.envelope.uuid);
        let Some(id) = id else { return };
        let number = message_number(id.decode().as_bytes());
        let Some(charges) = self.by_message.get(&(number, found.is_progress)) else { return };
        // One with another request is a charge of its own.
        let same = |at: &&u32| self.file.charges[**at as usize].row.copy.request == found.request;
        let Some(&place) = charges.iter().find(same).or_else(|| charges.first()) else { return };
        let tokens = found.message.usage().map(Tokens::of).unwrap_or_default();
        let charge = &mut self.file.charges[place as usize];
        charge.tokens += tokens;
        let size = |tokens: &Tokens| (tokens.output, tokens.total());
        let line = u32::try_from(line).unwrap_or(u32::MAX);
        let (mut repeated, mut output) = (line, tokens.output);
        if charge.line == 0 || size(&tokens) > size(&charge.best) {
            (repeated, output) = (charge.line, charge.best.output);
            (charge.line, charge.best) = (line, tokens);
        }
        if repeated != 0 {
            self.file.repeated.push(RawLine { line: repeated, charge: place, output });
        }
    }
}

/// A message on a line.
struct Answer<'a> {
    message: AssistantMessage<'a>,
    request: u32,
    is_progress: bool,
}

/// The message of an answer, or of an agent's that a progress line repeats.
fn answer<'a>(entry: &Entry<'a>) -> Option<Answer<'a>> {
    let (message, request, is_progress) = match entry.kind {
        Kind::Assistant => (entry.envelope.message?, entry.envelope.request_id, false),
        Kind::Progress(ProgressKind::Agent) => {
            let inner = entry.envelope.data?.get("message")?;
            (inner.get("message")?, inner.get("requestId").and_then(Value::text), true)
        }
        _ => return None,
    };
    Some(Answer { message: AssistantMessage::over(message), request: request_number(request), is_progress })
}
