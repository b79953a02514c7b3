//! Reading: the lines of a session file as a client of one generation reads them.
//!
//! What we salvage of a broken line, the client has lost. So each line is judged first, and only what the client
//! would read goes on to the fold.

use scrollback_format::entry::Entry;
use scrollback_format::generation::Generation;
use scrollback_format::line::Line;
use scrollback_format::piece::{Parser, Piece, PieceKind};

use super::outcome::Reason;
use super::part::EntryPart;
use super::rules::{Glued, Rules};
use crate::fold::Fold;
use crate::symbol::Symbols;
use crate::transcript::{FileKind, Transcript};

/// A session file as a client reads it.
#[derive(Debug)]
pub struct ClientReading {
    /// The client.
    pub generation: Generation,
    /// What the fold keeps of the entries.
    pub transcript: Transcript,
    /// What else is known of each row.
    pub parts: Vec<EntryPart>,
    /// The texts of ids, names and models in [`ClientReading::parts`].
    pub symbols: Symbols,
    /// Lines, or objects on them, that the client does not read. Blank lines are not among them.
    pub unread: Vec<(u64, Reason)>,
}

impl ClientReading {
    /// Reads a file that is in memory.
    pub fn of(bytes: &[u8], generation: Generation) -> Self {
        let mut reader = Reader::new(generation);
        for line in scrollback_format::line::split(bytes) {
            reader.line(line);
        }
        reader.finish()
    }
}

/// Reads a file line by line.
#[derive(Debug)]
pub struct Reader {
    parser: Parser,
    kept: Keeper,
    shapes: Vec<Shape>,
}

#[derive(Debug)]
struct Keeper {
    generation: Generation,
    fold: Fold,
    parts: Vec<EntryPart>,
    symbols: Symbols,
    unread: Vec<(u64, Reason)>,
    lines: u64,
    bytes: u64,
}

/// What a piece of a line is, as far as reading it goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    Object,
    Mark,
    Blank,
    Broken,
}

impl Shape {
    fn of(kind: &PieceKind<'_>) -> Self {
        match kind {
            PieceKind::Entry(_) => Self::Object,
            PieceKind::ByteOrderMark => Self::Mark,
            PieceKind::Blank => Self::Blank,
            _ => Self::Broken,
        }
    }
}

impl Reader {
    /// A reader as a client of this generation is one.
    pub fn new(generation: Generation) -> Self {
        let kept = Keeper {
            generation,
            fold: Fold::new(FileKind::Session),
            parts: Vec::new(),
            symbols: Symbols::default(),
            unread: Vec::new(),
            lines: 0,
            bytes: 0,
        };
        Self { parser: Parser::new(), kept, shapes: Vec::new() }
    }

    /// Takes the next line.
    pub fn line(&mut self, line: Line<'_>) {
        let Self { parser, kept, shapes } = self;
        kept.lines += 1;
        kept.bytes += (line.bytes.len() + line.ending.bytes().len()) as u64;
        shapes.clear();
        parser.each(line, |piece| {
            // Nearly every line is one piece, which needs no second look.
            if piece.bytes.len() == line.bytes.len() {
                kept.whole(&piece);
            } else {
                shapes.push(Shape::of(&piece.kind));
            }
        });
        if shapes.is_empty() {
            return;
        }
        let (read, reason) = kept.judge(shapes);
        let mut at = 0;
        parser.each(line, |piece| {
            match Shape::of(&piece.kind) {
                _ if read == Some(at) => kept.piece(&piece),
                Shape::Mark | Shape::Blank => {}
                Shape::Object | Shape::Broken => kept.unread.push((piece.line, reason)),
            }
            at += 1;
        });
    }

    /// Notes a line that is too long to be held, which a client would read and we do not.
    pub fn too_long(&mut self, line: u64) {
        self.kept.lines += 1;
        self.kept.unread.push((line, Reason::TooLong));
    }

    /// What was read.
    pub fn finish(self) -> ClientReading {
        let kept = self.kept;
        ClientReading {
            generation: kept.generation,
            transcript: kept.fold.finish(kept.lines, kept.bytes),
            parts: kept.parts,
            symbols: kept.symbols,
            unread: kept.unread,
        }
    }
}

impl Keeper {
    fn whole(&mut self, piece: &Piece<'_>) {
        match Shape::of(&piece.kind) {
            Shape::Object => self.piece(piece),
            Shape::Mark | Shape::Blank => {}
            Shape::Broken => self.unread.push((piece.line, Reason::NotJson)),
        }
    }

    /// Which piece of a line of several the client reads, and why not the others.
    fn judge(&self, shapes: &[Shape]) -> (Option<usize>, Reason) {
        let rules = Rules::of(self.generation);
        let has_mark = shapes.first() == Some(&Shape::Mark);
        if has_mark && rules.mark_costs_a_line {
            return (None, Reason::ByteOrderMark);
        }
        let first = shapes.iter().position(|shape| !matches!(shape, Shape::Mark | Shape::Blank));
        let solid = shapes.iter().filter(|shape| matches!(shape, Shape::Object | Shape::Broken)).count();
        let Some(first) = first.filter(|first| shapes[*first] == Shape::Object) else {
            return (None, Reason::NotJson);
        };
        match (solid, rules.glued) {
            (1, _) => (Some(first), Reason::NotJson),
            (_, Glued::First) => (Some(first), Reason::Glued),
            (_, Glued::Lost) => (None, Reason::Glued),
        }
    }

    fn piece(&mut self, piece: &Piece<'_>) {
        let Some(entry): Option<&Entry<'_>> = piece.entry() else { return };
        let mut part = EntryPart::of(entry, &mut self.symbols);
        part.rename_tools(Rules::of(self.generation).new_names, &mut self.symbols);
        self.parts.push(part);
        self.fold.piece(piece);
    }
}
