//! Reading a file through one reused buffer: line by line, or as many whole lines at once as a reading brings.
//!
//! Memory is the line at hand, up to [`MAX_LINE`]; a longer line is handed through in parts that nobody has
//! to hold. Long lines need a permit ([`crate::large`]), which is returned, with the memory, as soon as such a line was
//! handed out. The buffer begins at a page boundary: copying from the page cache is several times faster there.

use std::io::{ErrorKind, Read, Seek, SeekFrom};
use std::ops::ControlFlow;
use std::path::Path;

use scrollback_format::line::{Line, MAX_LINE};

use crate::error::ReadError;
use crate::guard;
use crate::large::{self, LARGE, Permit};

/// How much is read at once: large enough that calls do not count, small enough to stay in the cache.
const CHUNK: usize = 256 << 10;
const PAGE: usize = 4096;
/// The first read is small: many a visitor has seen enough after a line or two.
const FIRST: usize = 16 << 10;

/// What the reader hands out, in file order. All bytes of the file are in exactly one of these.
#[derive(Debug, Clone, Copy)]
pub enum Chunk<'b> {
    /// A line.
    Line(Line<'b>),
    /// Part of a line above the limit.
    Oversize(Oversize<'b>),
}

/// Part of a line that is too long to be held. The line's ending is in the last part's bytes.
#[derive(Debug, Clone, Copy)]
pub struct Oversize<'b> {
    /// The line, counted from 1.
    pub number: u64,
    /// Offset of this part in the file.
    pub offset: u64,
    /// Its bytes.
    pub bytes: &'b [u8],
    /// The first part of its line?
    pub first: bool,
}

/// Whole lines that stand side by side, as many as one reading brought. For those who look at few of them: finding
/// something in a block costs less than taking it apart.
#[derive(Debug, Clone, Copy)]
pub struct LineBlock<'b> {
    /// How many lines of the file stand before it.
    pub before: u64,
    /// Offset of its first byte in the file: the start of a line.
    pub offset: u64,
    /// Its lines with their endings; the file's very last line may have none.
    pub bytes: &'b [u8],
}

/// What reading by blocks hands out, in file order. All bytes of the file are in exactly one of these.
#[derive(Debug, Clone, Copy)]
pub enum ReadPart<'b> {
    /// Whole lines.
    Block(LineBlock<'b>),
    /// Part of a line above the limit.
    Oversize(Oversize<'b>),
    /// No bytes: more are about to be read, and this thread holds no long line now. The one place where a visitor may
    /// wait for other threads, since any of them may be waiting to hold such a line.
    Pause,
}

/// Where to begin: the start, or where an earlier reading stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Start {
    /// Offset of the first byte to read: the start of a line.
    pub offset: u64,
    /// How many lines stand before it.
    pub lines: u64,
}

/// Where a reading stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadEnd {
    /// Offset after the last byte read.
    pub offset: u64,
    /// Lines read, those before the start included; a last line without an ending counts.
    pub lines: u64,
    /// From here an appended tail can be read: the start of the last line if it has no ending, else the end.
    pub resume: Start,
}

/// Reads lines. Keep one per thread.
#[derive(Debug, Default)]
pub struct LineReader {
    buffer: Vec<u8>,
    base: usize,
}

/// The part of the buffer that is filled, and where it lies in the file.
struct Window {
    start: usize,
    end: usize,
    offset: u64,
    number: u64,
    oversize: bool,
}

impl LineReader {
    /// A reader with no buffer yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads a file to its present end and gives each line to `visit`, which may stop it.
    ///
    /// A file that grows while it is read is read as far as it has come; one that is cut short ends where it ends.
    pub fn read(
        &mut self,
        path: &Path,
        from: Start,
        visit: impl FnMut(Chunk<'_>) -> ControlFlow<()>,
    ) -> Result<ReadEnd, ReadError> {
        self.open(path, from, &mut ByLine(visit))
    }

    /// The same from a file's start, as many whole lines at once as a reading brings.
    pub fn read_blocks(
        &mut self,
        path: &Path,
        visit: impl FnMut(ReadPart<'_>) -> ControlFlow<()>,
    ) -> Result<ReadEnd, ReadError> {
        self.open(path, Start::default(), &mut ByBlock(visit))
    }

    fn open(&mut self, path: &Path, from: Start, taker: &mut impl Taker) -> Result<ReadEnd, ReadError> {
        let mut file = guard::open(path)?;
        if from.offset > 0 {
            file.seek(SeekFrom::Start(from.offset)).map_err(ReadError::at(path))?;
        }
        let mut permit = None;
        let end = self.run(&mut file, from, taker, &mut permit).map_err(ReadError::at(path));
        if self.buffer.len() > LARGE {
            self.buffer = Vec::new();
        }
        end
    }

    fn run<T: Taker>(
        &mut self,
        source: &mut impl Read,
        from: Start,
        taker: &mut T,
        permit: &mut Option<Permit>,
    ) -> std::io::Result<ReadEnd> {
        self.prepare(CHUNK);
        let base = self.base;
        let mut window =
            Window { start: base, end: base, offset: from.offset, number: from.lines, oversize: false };
        let mut most = T::FIRST;
        loop {
            if window.end == self.buffer.len() {
                self.make_room(&mut window, permit, taker);
            }
            // Never more, however large the buffer has become: behind a long line there is then little to keep.
            let want = most.min(self.buffer.len() - window.end);
            let read = match source.read(&mut self.buffer[window.end..window.end + want]) {
                Ok(read) => read,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if read == 0 {
                return Ok(self.finish(&window, taker));
            }
            most = CHUNK;
            let fresh = window.end;
            window.end += read;
            let mut flow = taker.fresh(&self.buffer[..window.end], &mut window, fresh);
            if permit.is_some() && window.end - window.start <= CHUNK {
                self.let_go(&mut window);
                *permit = None;
            }
            if flow.is_continue() && !large::is_held() {
                flow = taker.pause();
            }
            if flow.is_break() {
                let resume = Start { offset: window.offset, lines: window.number };
                return Ok(ReadEnd { offset: window.offset, lines: window.number, resume });
            }
        }
    }

    /// A long line was handed out: what is left moves to a buffer of the usual size.
    fn let_go(&mut self, window: &mut Window) {
        let large = std::mem::take(&mut self.buffer);
        let rest = &large[window.start..window.end];
        self.prepare(CHUNK);
        window.start = self.base;
        window.end = self.base + rest.len();
        self.buffer[window.start..window.end].copy_from_slice(rest);
    }

    /// The buffer is full: moves the unfinished line to the front, lets it grow, or hands it out in parts.
    fn make_room(&mut self, window: &mut Window, permit: &mut Option<Permit>, taker: &mut impl Taker) {
        let held = window.end - window.start;
        if window.oversize || held >= MAX_LINE {
            let bytes = &self.buffer[window.start..window.end];
            let first = !window.oversize;
            let part = Oversize { number: window.number + 1, offset: window.offset, bytes, first };
            window.oversize = true;
            // Whether the visitor wants to stop is asked again at the next line.
            let _ = taker.oversize(part);
            window.offset += held as u64;
            window.start = self.base;
            window.end = self.base;
            return;
        }
        if window.start > self.base {
            self.buffer.copy_within(window.start..window.end, self.base);
            window.end -= window.start - self.base;
            window.start = self.base;
        }
        if held > (self.buffer.len() - self.base) / 2 {
            if held >= LARGE / 2 && permit.is_none() {
                *permit = Some(Permit::wait());
            }
            let grown = (held * 2).min(MAX_LINE + CHUNK);
            self.buffer.resize(self.base + grown, 0);
        }
    }

    /// The file is at its end: what is left is a line without an ending.
    fn finish(&self, window: &Window, taker: &mut impl Taker) -> ReadEnd {
        let bytes = &self.buffer[window.start..window.end];
        let at_line = Start { offset: window.offset, lines: window.number };
        let end = window.offset + bytes.len() as u64;
        if window.oversize {
            let number = window.number + 1;
            if !bytes.is_empty() {
                let _ = taker.oversize(Oversize { number, offset: window.offset, bytes, first: false });
            }
            return ReadEnd { offset: end, lines: number, resume: Start { offset: end, lines: number } };
        }
        if bytes.is_empty() {
            return ReadEnd { offset: end, lines: window.number, resume: at_line };
        }
        taker.last(at_line, bytes);
        ReadEnd { offset: end, lines: window.number + 1, resume: at_line }
    }

    fn prepare(&mut self, size: usize) {
        if self.buffer.len() < size + PAGE {
            self.buffer.resize(size + PAGE, 0);
        }
        self.base = self.buffer.as_ptr().align_offset(PAGE).min(PAGE);
    }
}

/// How what was read is handed out.
trait Taker {
    /// How much the first reading takes.
    const FIRST: usize;

    /// Hands out the lines that end in the freshly read bytes: those from `fresh` to the end of `filled`.
    fn fresh(&mut self, filled: &[u8], window: &mut Window, fresh: usize) -> ControlFlow<()>;

    /// Hands out a part of a line above the limit.
    fn oversize(&mut self, part: Oversize<'_>) -> ControlFlow<()>;

    /// Hands out the last line, which has no ending.
    fn last(&mut self, at: Start, bytes: &[u8]);

    /// Says that this thread holds no long line.
    fn pause(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Ends the line above the limit whose last byte stands at `newline`.
fn end_oversize<'b>(filled: &'b [u8], window: &mut Window, newline: usize) -> Oversize<'b> {
    let bytes = &filled[window.start..=newline];
    let part = Oversize { number: window.number + 1, offset: window.offset, bytes, first: false };
    window.oversize = false;
    window.number += 1;
    window.start = newline + 1;
    window.offset += bytes.len() as u64;
    part
}

struct ByLine<F>(F);

impl<F: FnMut(Chunk<'_>) -> ControlFlow<()>> Taker for ByLine<F> {
    const FIRST: usize = FIRST;

    fn fresh(&mut self, filled: &[u8], window: &mut Window, fresh: usize) -> ControlFlow<()> {
        for newline in memchr::memchr_iter(b'\n', &filled[fresh..]).map(|at| fresh + at) {
            if window.oversize {
                let part = end_oversize(filled, window, newline);
                self.oversize(part)?;
                continue;
            }
            let bytes = &filled[window.start..newline];
            let line = Line::new(window.number + 1, window.offset, bytes, true);
            window.number += 1;
            window.start = newline + 1;
            window.offset += bytes.len() as u64 + 1;
            (self.0)(Chunk::Line(line))?;
        }
        ControlFlow::Continue(())
    }

    fn oversize(&mut self, part: Oversize<'_>) -> ControlFlow<()> {
        (self.0)(Chunk::Oversize(part))
    }

    fn last(&mut self, at: Start, bytes: &[u8]) {
        let _ = (self.0)(Chunk::Line(Line::new(at.lines + 1, at.offset, bytes, false)));
    }
}

struct ByBlock<F>(F);

impl<F: FnMut(ReadPart<'_>) -> ControlFlow<()>> Taker for ByBlock<F> {
    const FIRST: usize = CHUNK;

    fn fresh(&mut self, filled: &[u8], window: &mut Window, mut fresh: usize) -> ControlFlow<()> {
        if window.oversize
            && let Some(at) = memchr::memchr(b'\n', &filled[fresh..])
        {
            let part = end_oversize(filled, window, fresh + at);
            fresh = window.start;
            self.oversize(part)?;
        }
        let Some(last) = memchr::memrchr(b'\n', &filled[fresh..]) else { return ControlFlow::Continue(()) };
        let bytes = &filled[window.start..=fresh + last];
        let block = LineBlock { before: window.number, offset: window.offset, bytes };
        // The lines before what is fresh have no ending there.
        window.number += memchr::memchr_iter(b'\n', &filled[fresh..=fresh + last]).count() as u64;
        window.start += bytes.len();
        window.offset += bytes.len() as u64;
        (self.0)(ReadPart::Block(block))
    }

    fn oversize(&mut self, part: Oversize<'_>) -> ControlFlow<()> {
        (self.0)(ReadPart::Oversize(part))
    }

    fn last(&mut self, at: Start, bytes: &[u8]) {
        let _ = (self.0)(ReadPart::Block(LineBlock { before: at.lines, offset: at.offset, bytes }));
    }

    fn pause(&mut self) -> ControlFlow<()> {
        (self.0)(ReadPart::Pause)
    }
}
