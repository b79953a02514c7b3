//! Loading: a file's lines through the parser into a fold. The one way by which bytes become a transcript.

use std::ops::ControlFlow;
use std::path::Path;

use scrollback_format::entry::Entry;
use scrollback_format::piece::Parser;
use scrollback_format::problem::{Problem, ProblemClass};
use scrollback_model::fold::Fold;
use scrollback_model::transcript::{FileKind, Summary, Transcript};
use scrollback_store::{Chunk, LineReader, ReadEnd, ReadError, Start};

/// Titles are short: a longer line is not a title.
const SUMMARY_LINE: usize = 16 << 10;

/// Loads transcripts. Keep one per thread: it reuses its buffers.
#[derive(Debug, Default)]
pub struct Loader {
    reader: LineReader,
    parser: Parser,
}

impl Loader {
    /// A loader with no buffers yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The transcript of a whole file.
    pub fn transcript(&mut self, path: &Path, kind: FileKind) -> Result<Transcript, ReadError> {
        let mut fold = Fold::new(kind);
        let parser = &mut self.parser;
        let end = self.reader.read(path, Start::default(), |chunk| {
            feed(parser, &mut fold, chunk, |_, _| {});
            ControlFlow::Continue(())
        })?;
        Ok(fold.finish(end.lines, end.offset))
    }

    /// Gives the chunks of a file from `start` on to `visit`, with the parser.
    pub fn chunks(
        &mut self,
        path: &Path,
        start: Start,
        mut visit: impl FnMut(&mut Parser, Chunk<'_>) -> ControlFlow<()>,
    ) -> Result<ReadEnd, ReadError> {
        let parser = &mut self.parser;
        self.reader.read(path, start, |chunk| visit(parser, chunk))
    }

    /// The `summary` lines of a file, wherever they stand. Other lines are not taken apart.
    pub fn summaries(&mut self, path: &Path) -> Result<Vec<Summary>, ReadError> {
        let mut fold = Fold::new(FileKind::Session);
        let parser = &mut self.parser;
        let leaf = memchr::memmem::Finder::new(b"\"leafUuid\"");
        let end = self.reader.read(path, Start::default(), |chunk| {
            if let Chunk::Line(line) = chunk
                && line.bytes.len() < SUMMARY_LINE
                && leaf.find(line.bytes).is_some()
            {
                parser.each(line, |piece| fold.piece(&piece));
            }
            ControlFlow::Continue(())
        })?;
        Ok(fold.finish(end.lines, end.offset).summaries)
    }

    /// The transcript of a file's first lines, up to the first that `enough` says yes to.
    pub fn head(
        &mut self,
        path: &Path,
        kind: FileKind,
        mut enough: impl FnMut(&Transcript) -> bool,
    ) -> Result<Transcript, ReadError> {
        let mut fold = Fold::new(kind);
        let parser = &mut self.parser;
        let end = self.reader.read(path, Start::default(), |chunk| {
            feed(parser, &mut fold, chunk, |_, _| {});
            if enough(fold.so_far()) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        Ok(fold.finish(end.lines, end.offset))
    }
}

/// Takes a chunk into a fold; `each` is called with every entry after it was taken.
pub fn feed(parser: &mut Parser, fold: &mut Fold, chunk: Chunk<'_>, mut each: impl FnMut(&Fold, &Entry<'_>)) {
    match chunk {
        Chunk::Line(line) => parser.each(line, |piece| {
            fold.piece(&piece);
            if let Some(entry) = piece.entry() {
                each(fold, entry);
            }
        }),
        Chunk::Oversize(part) if part.first => {
            fold.problem(&Problem::new(ProblemClass::TooLong, part.number, part.offset));
        }
        Chunk::Oversize(_) => {}
    }
}
