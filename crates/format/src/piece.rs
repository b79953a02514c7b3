//! Pieces: what a line holds. Mostly one entry; after a crash also stubs, glued objects, NULs and fragments.
//!
//! Parsing is total: every byte of a line is in exactly one piece, and whatever is odd is a [`Problem`] on it.

use crate::cost;
use crate::entry::{Dialect, Entry};
use crate::json::{Fault, FaultKind, Tape, Type, has_control};
use crate::line::{Ending, Line};
use crate::problem::{Problem, ProblemClass};

/// What some bytes of a line are.
#[derive(Debug, Clone, Copy)]
#[allow(clippy::large_enum_variant, reason = "an entry is the usual case, and a piece lives on the stack")]
#[non_exhaustive]
pub enum PieceKind<'p> {
    /// A whole object.
    Entry(Entry<'p>),
    /// Nothing, or white space.
    Blank,
    /// A byte order mark.
    ByteOrderMark,
    /// NUL bytes.
    Nuls,
    /// A JSON value that is no object.
    Value,
    /// The beginning of a record that was cut short, with a whole object after it.
    Stub,
    /// The beginning of a record at the end of the file.
    Torn,
    /// Bytes that are none of these.
    Fragment,
}

/// A stretch of a line, with its place and its problems.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Piece<'p> {
    /// The line, counted from 1.
    pub line: u64,
    /// Offset of its first byte in the file.
    pub offset: u64,
    /// Its bytes, to the last.
    pub bytes: &'p [u8],
    /// What they are.
    pub kind: PieceKind<'p>,
    /// What is odd about them.
    pub problems: &'p [Problem],
}

impl<'p> Piece<'p> {
    /// The entry, if it is one.
    pub fn entry(&self) -> Option<&Entry<'p>> {
        match &self.kind {
            PieceKind::Entry(entry) => Some(entry),
            _ => None,
        }
    }
}

/// Takes lines apart. It keeps its buffers from line to line.
#[derive(Debug, Default)]
pub struct Parser {
    tape: Tape,
    problems: Vec<Problem>,
    dialect: Dialect,
    known: Known,
}

/// What is known of the line at hand, so that a line of many pieces is gone over once and not once a piece.
#[derive(Debug, Default)]
struct Known {
    /// Does it hold a control character anywhere?
    has_control: bool,
    /// The first NUL at or after the place that was asked for last; the end of the line if there is none.
    nul: usize,
    /// Up to here each `{"` was tried as the start of a whole object, in vain but for `object`.
    tried: usize,
    /// The last whole object that was found further on.
    object: Option<usize>,
    /// How many bytes may still be read in search of one.
    budget: usize,
}

impl Known {
    fn of(bytes: &[u8]) -> Self {
        Self { has_control: has_control(bytes), budget: bytes.len().saturating_mul(8), ..Self::default() }
    }

    /// The first NUL from `at` on.
    fn next_nul(&mut self, bytes: &[u8], at: usize) -> Option<usize> {
        if self.nul < at || bytes.get(self.nul).is_some_and(|byte| *byte != 0) {
            self.nul = memchr::memchr(0, &bytes[at..]).map_or(bytes.len(), |found| at + found);
            cost::step(self.nul - at);
        }
        (self.nul < bytes.len()).then_some(self.nul)
    }
}

const BOM: &[u8] = b"\xEF\xBB\xBF";

/// How many places after a break are tried as the start of a whole object. With the [budget](Known) of the line, hostile
/// input costs time in proportion to its length.
const MAX_TRIES: usize = 64;

impl Parser {
    /// A parser for session files.
    pub fn new() -> Self {
        Self::default()
    }

    /// A parser for files of another dialect.
    pub fn for_dialect(dialect: Dialect) -> Self {
        Self { dialect, ..Self::default() }
    }

    /// Gives each piece of the line to `visit`, in order.
    pub fn each(&mut self, line: Line<'_>, mut visit: impl FnMut(Piece<'_>)) {
        self.problems.clear();
        self.known = Known::of(line.bytes);
        if line.ending == Ending::CrLf {
            self.note(ProblemClass::CrLf, &line, 0);
        }
        let mut at = 0;
        if line.offset == 0 && line.bytes.starts_with(BOM) {
            self.note(ProblemClass::ByteOrderMark, &line, 0);
            at = self.emit(&line, 0, BOM.len(), LineClass::ByteOrderMark, &mut visit);
        }
        if at == line.bytes.len() {
            // An empty line is a piece of its own, so that its problem has a place.
            self.note(ProblemClass::BlankLine, &line, at);
            self.emit(&line, at, at, LineClass::Blank, &mut visit);
            return;
        }
        let mut after_value = false;
        while at < line.bytes.len() {
            at = self.step(&line, at, &mut after_value, &mut visit);
        }
    }

    /// Finds one piece from `at` on and gives the offset after it. `after_value`: the line had a whole value before.
    fn step(
        &mut self,
        line: &Line<'_>,
        at: usize,
        after_value: &mut bool,
        visit: &mut impl FnMut(Piece<'_>),
    ) -> usize {
        let rest = &line.bytes[at..];
        let nuls = rest.iter().take_while(|&&byte| byte == 0).count();
        cost::step(nuls + 1);
        if nuls > 0 {
            self.note(ProblemClass::NulRun, line, at);
            return self.emit(line, at, at + nuls, LineClass::Nuls, visit);
        }
        let spaces = leading_spaces(rest);
        if spaces == rest.len() {
            self.note(ProblemClass::BlankLine, line, at);
            return self.emit(line, at, line.bytes.len(), LineClass::Blank, visit);
        }
        match self.tape.scan_part(rest, self.known.has_control) {
            Ok(end) => {
                // White space after the value belongs to it.
                let end = end + leading_spaces(&rest[end..]);
                let is_object = self.tape.root(rest).is_some_and(|root| root.kind() == Type::Object);
                if std::mem::replace(after_value, true) && is_object {
                    self.note(ProblemClass::GluedObjects, line, at);
                }
                if !is_object {
                    self.note(ProblemClass::NotAnObject, line, at);
                }
                self.emit(
                    line,
                    at,
                    at + end,
                    if is_object { LineClass::Object } else { LineClass::Value },
                    visit,
                )
            }
            Err(fault) => self.salvage(line, at, fault, visit),
        }
    }

    /// The bytes from `at` on are no value. Looks for a whole object further on and gives what stands before it.
    fn salvage(
        &mut self,
        line: &Line<'_>,
        at: usize,
        fault: Fault,
        visit: &mut impl FnMut(Piece<'_>),
    ) -> usize {
        let refused = match fault.kind {
            FaultKind::TooWide | FaultKind::TooDeep => Some(ProblemClass::TooDeep),
            FaultKind::TooLong => Some(ProblemClass::TooLong),
            FaultKind::Ended | FaultKind::Unexpected | FaultKind::Control => None,
        };
        if let Some(class) = refused {
            self.note(class, line, at);
            return self.emit(line, at, line.bytes.len(), LineClass::Fragment, visit);
        }
        let nul = self.known.next_nul(line.bytes, at);
        if let Some(start) = self.find_object(line.bytes, at) {
            let end = nul.filter(|nul| *nul < start).unwrap_or(start);
            self.note(ProblemClass::Stub, line, at);
            return self.emit(line, at, end, LineClass::Stub, visit);
        }
        let end = nul.unwrap_or(line.bytes.len());
        let torn = fault.kind == FaultKind::Ended && line.ending == Ending::None && end == line.bytes.len();
        let (class, found) = if torn {
            (ProblemClass::TornLine, LineClass::Torn)
        } else {
            (ProblemClass::Fragment, LineClass::Fragment)
        };
        self.note(class, line, line.bytes.len().min(at + fault.at));
        self.emit(line, at, end, found, visit)
    }

    /// The offset of the first `{` after `at` from which a whole object reads as an entry that ends where the line, a
    /// NUL run or another object does. Whether one does is no matter of `at`, so each is tried once a line.
    fn find_object(&mut self, bytes: &[u8], at: usize) -> Option<usize> {
        if self.known.object.is_some_and(|object| object > at) {
            return self.known.object;
        }
        for _ in 0..MAX_TRIES {
            if self.known.budget == 0 {
                return None;
            }
            let from = self.known.tried.max(at + 1).min(bytes.len());
            let Some(found) = memchr::memmem::find(&bytes[from..], b"{\"") else {
                cost::step(bytes.len() - from);
                self.known.tried = bytes.len();
                return None;
            };
            cost::step(found);
            let start = from + found;
            self.known.tried = start + 1;
            if self.reads_as_entry(bytes, start) {
                self.known.object = Some(start);
                return Some(start);
            }
        }
        None
    }

    /// Does an entry of its own start here?
    fn reads_as_entry(&mut self, bytes: &[u8], start: usize) -> bool {
        let candidate = &bytes[start..];
        let scanned = self.tape.scan_part(candidate, self.known.has_control);
        self.known.budget = self.known.budget.saturating_sub(self.tape.read);
        let Ok(end) = scanned else { return false };
        let spaces = leading_spaces(&candidate[end..]);
        self.known.budget = self.known.budget.saturating_sub(spaces);
        matches!(candidate.get(end + spaces), None | Some(0 | b'{'))
            && self.is_plausible(candidate, bytes[..start].last())
    }

    /// Is what was just scanned an entry of its own, and not an object nested in the broken one before it?
    fn is_plausible(&self, candidate: &[u8], before: Option<&u8>) -> bool {
        let Some(root) = self.tape.root(candidate) else { return false };
        let entry = Entry::of(root, self.dialect);
        let nested = matches!(before, Some(b':' | b',' | b'[' | b' '));
        match self.dialect {
            Dialect::Session => {
                entry.envelope.kind.is_some()
                    && entry.kind.is_known()
                    && (entry.envelope.session_id.is_some() || !nested)
            }
            Dialect::History => root.get("display").is_some(),
            Dialect::Timeline => root.get("state").is_some(),
        }
    }

    fn note(&mut self, class: ProblemClass, line: &Line<'_>, at: usize) {
        self.problems.push(Problem::new(class, line.number, line.offset + at as u64));
    }

    /// Gives one piece to the visitor. For an object the tape must hold its scan.
    fn emit(
        &mut self,
        line: &Line<'_>,
        from: usize,
        to: usize,
        found: LineClass,
        visit: &mut impl FnMut(Piece<'_>),
    ) -> usize {
        let bytes = &line.bytes[from..to];
        if matches!(found, LineClass::Object) {
            self.note_oddities(line, from, bytes);
        }
        let kind = match found {
            LineClass::Object => match self.tape.root(bytes) {
                Some(root) => PieceKind::Entry(Entry::of(root, self.dialect)),
                None => PieceKind::Fragment,
            },
            LineClass::ByteOrderMark => PieceKind::ByteOrderMark,
            LineClass::Blank => PieceKind::Blank,
            LineClass::Nuls => PieceKind::Nuls,
            LineClass::Value => PieceKind::Value,
            LineClass::Stub => PieceKind::Stub,
            LineClass::Torn => PieceKind::Torn,
            LineClass::Fragment => PieceKind::Fragment,
        };
        if let PieceKind::Entry(entry) = &kind
            && self.dialect == Dialect::Session
            && entry.envelope.kind.is_none()
        {
            self.problems.push(Problem::new(ProblemClass::NoType, line.number, line.offset + from as u64));
        }
        let offset = line.offset + from as u64;
        visit(Piece { line: line.number, offset, bytes, kind, problems: &self.problems });
        self.problems.clear();
        to
    }

    /// Problems inside an object that is whole all the same.
    fn note_oddities(&mut self, line: &Line<'_>, from: usize, bytes: &[u8]) {
        cost::step(bytes.len());
        // Most lines are ASCII, which is told several times faster.
        if !bytes.is_ascii()
            && let Err(error) = std::str::from_utf8(bytes)
        {
            self.note(ProblemClass::InvalidUtf8, line, from + error.valid_up_to());
        }
        if self.tape.has_lone_surrogate() {
            self.note(ProblemClass::LoneSurrogate, line, from);
        }
        if self.tape.has_opaque() {
            self.note(ProblemClass::TooDeep, line, from);
        }
    }
}

/// What was found, before the tape is borrowed for the visitor.
#[derive(Debug, Clone, Copy)]
enum LineClass {
    Object,
    Value,
    Blank,
    ByteOrderMark,
    Nuls,
    Stub,
    Torn,
    Fragment,
}

fn leading_spaces(bytes: &[u8]) -> usize {
    let spaces = bytes.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count();
    cost::step(spaces + 1);
    spaces
}

#[cfg(test)]
mod tests;
