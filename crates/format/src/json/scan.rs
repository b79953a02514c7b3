//! The scanner: one pass over a JSON text, iterative, so that no nesting can exhaust the stack.

use memchr::memchr2;

use super::tape::{
    ESCAPED, LONE_SURROGATE, MAX_DEPTH, MAX_NESTING, MAX_NODES, Node, NodeKind, OPAQUE, SHALLOW_DEPTH, Tape,
};
use crate::cost;

/// Why a text is not one JSON value from here on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FaultKind {
    /// The text ends inside a value: the sign of a torn line.
    Ended,
    /// A byte that cannot stand there.
    Unexpected,
    /// A raw control character inside a string.
    Control,
    /// More values than a tape takes, even in shallow mode.
    TooWide,
    /// More containers open at once than [`MAX_NESTING`].
    TooDeep,
    /// A text of 4 GiB or more, whose offsets a tape has no room for.
    TooLong,
}

/// Where and why scanning stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fault {
    /// Offset of the offending byte within the scanned text.
    pub at: usize,
    /// What is wrong there.
    pub kind: FaultKind,
}

type Step<T> = Result<T, Fault>;

impl Tape {
    /// Scans one JSON value from the start of `bytes` (leading white space allowed) and gives the offset after it.
    ///
    /// What follows the value is the caller's business: that is how two objects on one line are told apart.
    pub fn scan(&mut self, bytes: &[u8]) -> Step<usize> {
        self.scan_part(bytes, has_control(bytes))
    }

    /// The same for a part of a longer text, of which is known whether it [has a control character](has_control). Many
    /// values on one line would otherwise look at the rest of it once each.
    pub(crate) fn scan_part(&mut self, bytes: &[u8], has_control: bool) -> Step<usize> {
        match self.scan_to_depth(bytes, has_control, MAX_DEPTH) {
            Err(Fault { kind: FaultKind::TooWide, .. }) => {
                let read = self.read;
                let end = self.scan_to_depth(bytes, has_control, SHALLOW_DEPTH);
                self.read += read;
                end
            }
            other => other,
        }
    }

    fn scan_to_depth(&mut self, bytes: &[u8], check_controls: bool, max_depth: usize) -> Step<usize> {
        self.clear();
        offset(bytes.len())?;
        let mut scanner = Scanner { bytes, at: 0, read: 0, check_controls, max_depth, depth: 0 };
        let end = scanner.run(self).map(|()| scanner.at);
        self.read = scanner.read.max(scanner.at);
        cost::step(self.read);
        end
    }
}

/// One branch-free pass that the compiler vectorises. Lines of the client hold no raw control character at all,
/// so that strings need no check of their own.
pub(crate) fn has_control(bytes: &[u8]) -> bool {
    bytes.chunks(4096).any(|chunk| {
        cost::step(chunk.len());
        chunk.iter().fold(false, |any, &byte| any | (byte < 0x20))
    })
}

/// An offset as a tape keeps it. A text whose length passes needs no check of any offset in it.
fn offset(at: usize) -> Step<u32> {
    u32::try_from(at).map_err(|_| Fault { at: 0, kind: FaultKind::TooLong })
}

/// Marks on the stack of containers that are open but not on the tape.
const HIDDEN_ARRAY: u32 = u32::MAX;
const HIDDEN_OBJECT: u32 = u32::MAX - 1;

struct Scanner<'b> {
    bytes: &'b [u8],
    at: usize,
    /// How far strings were read that turned out to be bad: further than `at` then.
    read: usize,
    check_controls: bool,
    max_depth: usize,
    depth: usize,
}

impl Scanner<'_> {
    fn run(&mut self, tape: &mut Tape) -> Step<()> {
        self.skip_space();
        loop {
            // Here a value is due.
            let opened = match self.peek()? {
                b'"' => {
                    self.string(tape)?;
                    false
                }
                b'{' => self.open(tape, NodeKind::Object)?,
                b'[' => self.open(tape, NodeKind::Array)?,
                b't' => self.word(tape, b"true", NodeKind::True)?,
                b'f' => self.word(tape, b"false", NodeKind::False)?,
                b'n' => self.word(tape, b"null", NodeKind::Null)?,
                b'-' | b'0'..=b'9' => self.number(tape)?,
                _ => return Err(self.unexpected()),
            };
            // After a value (or an empty container) close what ends here, until another value is due.
            if !opened && !self.next_value(tape)? {
                return Ok(());
            }
        }
    }

    /// After a complete value: steps over `,` and keys, closes containers; false when the outermost is done.
    fn next_value(&mut self, tape: &mut Tape) -> Step<bool> {
        while let Some(&top) = tape.open.last() {
            self.skip_space();
            let in_object = match top {
                HIDDEN_ARRAY => false,
                HIDDEN_OBJECT => true,
                index => tape.nodes[index as usize].kind == NodeKind::Object,
            };
            match (self.peek()?, in_object) {
                (b',', true) => {
                    self.at += 1;
                    self.key(tape)?;
                    return Ok(true);
                }
                (b',', false) => {
                    self.at += 1;
                    self.skip_space();
                    return Ok(true);
                }
                (b'}', true) | (b']', false) => self.close(tape, top),
                _ => return Err(self.unexpected()),
            }
        }
        Ok(false)
    }

    /// Opens a container; true when a first value is due, false when it was empty and is closed again.
    fn open(&mut self, tape: &mut Tape, kind: NodeKind) -> Step<bool> {
        let is_object = kind == NodeKind::Object;
        let mark = if self.depth < self.max_depth {
            let index = tape.nodes.len();
            let flags = if self.depth + 1 == self.max_depth { OPAQUE } else { 0 };
            self.push(tape, kind, flags, self.at)?;
            index as u32
        } else if is_object {
            HIDDEN_OBJECT
        } else {
            HIDDEN_ARRAY
        };
        if tape.open.len() >= MAX_NESTING {
            return Err(Fault { at: self.at, kind: FaultKind::TooDeep });
        }
        self.depth += 1;
        tape.open.push(mark);
        self.at += 1;
        self.skip_space();
        match (self.peek()?, is_object) {
            (b'}', true) | (b']', false) => {
                self.close(tape, mark);
                Ok(false)
            }
            (_, true) => {
                self.key(tape)?;
                Ok(true)
            }
            _ => Ok(true),
        }
    }

    fn close(&mut self, tape: &mut Tape, mark: u32) {
        self.at += 1;
        self.depth -= 1;
        tape.open.pop();
        if mark < HIDDEN_OBJECT {
            let next = tape.nodes.len() as u32;
            let node = &mut tape.nodes[mark as usize];
            node.end = self.at as u32;
            node.next = next;
            // An empty container at the limit hides nothing.
            if node.flags & OPAQUE != 0 && node.end - node.start > 2 {
                tape.any_opaque = true;
            }
        }
    }

    fn key(&mut self, tape: &mut Tape) -> Step<()> {
        self.skip_space();
        if self.peek()? != b'"' {
            return Err(self.unexpected());
        }
        self.string(tape)?;
        self.skip_space();
        if self.peek()? != b':' {
            return Err(self.unexpected());
        }
        self.at += 1;
        self.skip_space();
        Ok(())
    }

    fn string(&mut self, tape: &mut Tape) -> Step<()> {
        let start = self.at;
        let mut flags = 0;
        let mut found = find_quote_or_backslash(self.bytes, start + 1);
        loop {
            let Some(stop) = found else {
                self.read = self.bytes.len();
                return Err(Fault { at: self.bytes.len(), kind: FaultKind::Ended });
            };
            if self.bytes[stop] == b'"' {
                self.at = stop + 1;
                break;
            }
            flags |= ESCAPED;
            self.read = stop;
            let from = self.escape(stop, &mut flags)?;
            // A string with escapes is mostly a long text: from here on the vector search pays at once.
            found = self.bytes.get(from..).and_then(|rest| memchr2(b'"', b'\\', rest)).map(|at| from + at);
        }
        if self.check_controls {
            cost::step(self.at - start);
            if let Some(inside) = self.bytes[start..self.at].iter().position(|&byte| byte < 0x20) {
                return Err(Fault { at: start + inside, kind: FaultKind::Control });
            }
        }
        tape.any_lone_surrogate |= flags & LONE_SURROGATE != 0;
        self.push(tape, NodeKind::String, flags, start)
    }

    /// Checks the escape whose backslash stands at `at` and gives the offset after it.
    fn escape(&self, at: usize, flags: &mut u8) -> Step<usize> {
        match self.byte(at + 1)? {
            b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Ok(at + 2),
            b'u' => {
                let unit = self.hex4(at + 2)?;
                match unit {
                    0xD800..=0xDBFF => {
                        let low = self.bytes.get(at + 6..at + 8) == Some(b"\\u".as_slice())
                            && matches!(self.hex4(at + 8), Ok(0xDC00..=0xDFFF));
                        if low {
                            return Ok(at + 12);
                        }
                        *flags |= LONE_SURROGATE;
                    }
                    0xDC00..=0xDFFF => *flags |= LONE_SURROGATE,
                    _ => {}
                }
                Ok(at + 6)
            }
            _ => Err(Fault { at: at + 1, kind: FaultKind::Unexpected }),
        }
    }

    fn hex4(&self, at: usize) -> Step<u16> {
        let mut unit = 0_u16;
        for offset in 0..4 {
            let byte = self.byte(at + offset)?;
            let Some(digit) = char::from(byte).to_digit(16) else {
                return Err(Fault { at: at + offset, kind: FaultKind::Unexpected });
            };
            unit = unit << 4 | digit as u16;
        }
        Ok(unit)
    }

    fn word(&mut self, tape: &mut Tape, word: &'static [u8], kind: NodeKind) -> Step<bool> {
        let start = self.at;
        for (offset, &expected) in word.iter().enumerate() {
            if self.byte(start + offset)? != expected {
                return Err(Fault { at: start + offset, kind: FaultKind::Unexpected });
            }
        }
        self.at = start + word.len();
        self.push(tape, kind, 0, start)?;
        Ok(false)
    }

    fn number(&mut self, tape: &mut Tape) -> Step<bool> {
        let start = self.at;
        if self.peek()? == b'-' {
            self.at += 1;
        }
        match self.peek()? {
            b'0' => self.at += 1,
            b'1'..=b'9' => self.digits()?,
            _ => return Err(self.unexpected()),
        }
        if self.bytes.get(self.at) == Some(&b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.bytes.get(self.at), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.bytes.get(self.at), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        self.push(tape, NodeKind::Number, 0, start)?;
        Ok(false)
    }

    fn digits(&mut self) -> Step<()> {
        if !self.peek()?.is_ascii_digit() {
            return Err(self.unexpected());
        }
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_digit) {
            self.at += 1;
        }
        Ok(())
    }

    /// Puts a value on the tape, if it is not below the depth limit.
    #[inline]
    fn push(&self, tape: &mut Tape, kind: NodeKind, flags: u8, start: usize) -> Step<()> {
        // A container is pushed before it is entered, so its children stand one deeper.
        if self.depth >= self.max_depth {
            return Ok(());
        }
        if tape.nodes.len() >= MAX_NODES {
            return Err(Fault { at: start, kind: FaultKind::TooWide });
        }
        let next = tape.nodes.len() as u32 + 1;
        tape.nodes.push(Node { start: start as u32, end: self.at as u32, next, kind, flags });
        Ok(())
    }

    #[inline]
    fn skip_space(&mut self) {
        while let Some(b' ' | b'\t' | b'\r' | b'\n') = self.bytes.get(self.at) {
            self.at += 1;
        }
    }

    #[inline]
    fn peek(&self) -> Step<u8> {
        self.byte(self.at)
    }

    #[inline]
    fn byte(&self, at: usize) -> Step<u8> {
        self.bytes.get(at).copied().ok_or(Fault { at, kind: FaultKind::Ended })
    }

    fn unexpected(&self) -> Fault {
        Fault { at: self.at, kind: FaultKind::Unexpected }
    }
}

/// The next `"` or `\` from `from` on. Keys and ids are short, so a few words are looked at by hand before the
/// vector search, whose set-up costs more than they do.
#[inline]
fn find_quote_or_backslash(bytes: &[u8], from: usize) -> Option<usize> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGHS: u64 = 0x8080_8080_8080_8080;
    let zero_in = |word: u64| word.wrapping_sub(ONES) & !word & HIGHS;
    let mut at = from;
    for _ in 0..5 {
        let Some(chunk) = bytes.get(at..at + 8) else { break };
        let mut word = [0; 8];
        word.copy_from_slice(chunk);
        let word = u64::from_le_bytes(word);
        let found = zero_in(word ^ (ONES * b'"' as u64)) | zero_in(word ^ (ONES * b'\\' as u64));
        if found != 0 {
            return Some(at + (found.trailing_zeros() / 8) as usize);
        }
        at += 8;
    }
    memchr2(b'"', b'\\', bytes.get(at..)?).map(|offset| at + offset)
}

#[cfg(test)]
mod tests {
    use super::{Fault, FaultKind, MAX_NESTING, Tape, offset};

    #[test]
    fn open_containers_are_bounded_in_memory() {
        for text in ["[".repeat(3 * MAX_NESTING), "{\"\":".repeat(3 * MAX_NESTING)] {
            let mut tape = Tape::new();
            let fault = tape.scan(text.as_bytes()).unwrap_err();
            assert_eq!(fault.kind, FaultKind::TooDeep);
            assert!(tape.open.capacity() <= 2 * MAX_NESTING, "{}", tape.open.capacity());
            assert!(tape.nodes.capacity() <= 1024, "{}", tape.nodes.capacity());
        }
        let deep = [vec![b'['; MAX_NESTING], vec![b']'; MAX_NESTING]].concat();
        assert_eq!(Tape::new().scan(&deep), Ok(deep.len()));
    }

    #[test]
    fn a_text_of_4_gib_is_refused_and_not_cut_short() {
        assert_eq!(offset(u32::MAX as usize), Ok(u32::MAX));
        #[cfg(target_pointer_width = "64")]
        for long in [1 << 32, (1 << 32) + 7, usize::MAX] {
            assert_eq!(offset(long), Err(Fault { at: 0, kind: FaultKind::TooLong }));
        }
    }
}
