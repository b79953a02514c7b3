//! Lines: what stands between two `\n`. Nothing else separates lines: U+2028 and its like are data.

/// Lines longer than this are passed through as opaque bytes, so that memory has a ceiling.
pub const MAX_LINE: usize = 64 << 20;

/// How a line ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// `\n`, as the client writes.
    Lf,
    /// `\r\n`, as an editor or a transfer left it.
    CrLf,
    /// The file ends without one: torn, or made by another tool.
    None,
}

impl Ending {
    /// Its bytes.
    pub const fn bytes(self) -> &'static [u8] {
        match self {
            Self::Lf => b"\n",
            Self::CrLf => b"\r\n",
            Self::None => b"",
        }
    }
}

/// One line: its bytes without the ending, and where it stands.
#[derive(Debug, Clone, Copy)]
pub struct Line<'a> {
    /// Counted from 1.
    pub number: u64,
    /// Offset of its first byte in the file.
    pub offset: u64,
    /// What stands before the ending.
    pub bytes: &'a [u8],
    /// How it ends.
    pub ending: Ending,
}

impl<'a> Line<'a> {
    /// A line from its bytes up to and without the `\n`, which was there or not.
    #[inline]
    pub fn new(number: u64, offset: u64, bytes: &'a [u8], newline: bool) -> Self {
        match bytes.split_last() {
            Some((b'\r', before)) if newline => Self { number, offset, bytes: before, ending: Ending::CrLf },
            _ => Self { number, offset, bytes, ending: if newline { Ending::Lf } else { Ending::None } },
        }
    }
}

/// Splits bytes in memory. Every byte is in exactly one line or ending.
pub fn split(bytes: &[u8]) -> Lines<'_> {
    Lines { bytes, at: 0, number: 0 }
}

/// The lines of some bytes.
#[derive(Debug, Clone)]
pub struct Lines<'a> {
    bytes: &'a [u8],
    at: usize,
    number: u64,
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    #[inline]
    fn next(&mut self) -> Option<Line<'a>> {
        let rest = &self.bytes[self.at..];
        if rest.is_empty() {
            return None;
        }
        let offset = self.at as u64;
        self.number += 1;
        let (bytes, newline) = match memchr::memchr(b'\n', rest) {
            Some(end) => (&rest[..end], true),
            None => (rest, false),
        };
        self.at += bytes.len() + usize::from(newline);
        Some(Line::new(self.number, offset, bytes, newline))
    }
}
