//! The sieve: which lines of a file may match, told from their raw bytes without decoding any.
//!
//! A line passes if its bytes match what the pattern [needs](super::need), or if it has an escape that stands for
//! one of the needed characters: any character may be written as `\uXXXX`, and a slash as `\/`. What does not pass
//! cannot match, which is tested against decoding everything.

use memchr::memmem::Finder;
use regex_automata::Input;
use regex_automata::meta::Regex;
use regex_syntax::hir::{ClassUnicode, Hir};

use super::need;

/// Tells lines that may match from those that cannot. Clone one for each thread.
#[derive(Debug, Clone)]
pub struct Sieve {
    needed: Regex,
    escapes: Escapes,
}

impl Sieve {
    /// The sieve of an expression; `None` if any line may match.
    pub fn of(hir: &Hir) -> Option<Self> {
        let need = need::of(hir)?;
        Self::new(&need, &need::characters(&need))
    }

    /// A sieve for bytes as they stand in the file, which escapes of these characters could hide.
    pub fn raw(bytes: &[u8], hidden: &str) -> Option<Self> {
        Self::new(&Hir::literal(bytes), &need::characters(&Hir::literal(hidden.as_bytes())))
    }

    fn new(need: &Hir, characters: &ClassUnicode) -> Option<Self> {
        let config = Regex::config().utf8_empty(false);
        // An expression too large for its tables sieves nothing; whether it can be matched at all is told elsewhere.
        let needed = Regex::builder().configure(config).build_from_hir(need).ok()?;
        Some(Self { needed, escapes: Escapes::of(characters) })
    }

    /// May these bytes (a line, or what stands between the quotes of a string) match?
    pub fn passes(&self, bytes: &[u8]) -> bool {
        self.needed.is_match(bytes) || self.escapes.find(bytes, 0).is_some()
    }

    /// The places of a block at which lines that may match are.
    pub fn places<'s, 'b>(&'s self, bytes: &'b [u8]) -> SieveScan<'s, 'b> {
        SieveScan { sieve: self, bytes, needed: Next::Unknown, escape: Next::Unknown }
    }
}

/// Where the next place of one kind is, as far as it was looked for.
#[derive(Debug, Clone, Copy)]
enum Next {
    Unknown,
    At(usize),
    Never,
}

impl Next {
    /// The next place at or after `from`, looked for only if what is known lies before.
    fn advance(&mut self, from: usize, find: impl FnOnce() -> Option<usize>) -> Option<usize> {
        match *self {
            Self::Never => return None,
            Self::At(at) if at >= from => {}
            _ => *self = find().map_or(Self::Never, Self::At),
        }
        match *self {
            Self::At(at) => Some(at),
            _ => None,
        }
    }
}

/// Looks through a block from front to back.
#[derive(Debug)]
pub struct SieveScan<'s, 'b> {
    sieve: &'s Sieve,
    bytes: &'b [u8],
    needed: Next,
    escape: Next,
}

impl SieveScan<'_, '_> {
    /// A byte of the first line at or after `from` that may match. `from` is the start of a line.
    pub fn after(&mut self, from: usize) -> Option<usize> {
        let needed = self.needed.advance(from, || {
            let input = Input::new(self.bytes).range(from..).earliest(true);
            // Nothing that is needed is empty or has a line break: its last byte is on its line.
            self.sieve.needed.search_half(&input).map(|found| found.offset().saturating_sub(1))
        });
        let escape = self.escape.advance(from, || self.sieve.escapes.find(self.bytes, from));
        match (needed, escape) {
            (Some(needed), Some(escape)) => Some(needed.min(escape)),
            (needed, escape) => needed.or(escape),
        }
    }
}

/// Finds escapes that stand for one of some characters.
#[derive(Debug, Clone)]
struct Escapes {
    unicode: Finder<'static>,
    slash: Option<Finder<'static>>,
    /// A bit for each unit of UTF-16 that the characters have.
    units: Box<[u64]>,
}

impl Escapes {
    fn of(characters: &ClassUnicode) -> Self {
        let mut units = vec![0_u64; 1 << 10].into_boxed_slice();
        for range in characters.iter() {
            let (start, end) = (u32::from(range.start()), u32::from(range.end()));
            // Of a pair the first half is enough: where it does not stand, the pair does not.
            let high = |code: u32| 0xD800 + ((code - 0x1_0000) >> 10);
            if end >= 0x1_0000 {
                (high(start.max(0x1_0000))..=high(end)).for_each(|unit| mark(&mut units, unit));
            }
            (start..=end.min(0xFFFF)).for_each(|unit| mark(&mut units, unit));
        }
        let slash = is_marked(&units, u16::from(b'/')).then(|| Finder::new(b"\\/").into_owned());
        Self { unicode: Finder::new(b"\\u").into_owned(), slash, units }
    }

    /// The first escape at or after `from` that matters.
    fn find(&self, bytes: &[u8], from: usize) -> Option<usize> {
        let mut at = from;
        let unicode = loop {
            let Some(found) = bytes.get(at..).and_then(|rest| self.unicode.find(rest)) else { break None };
            let backslash = at + found;
            let unit = bytes.get(backslash + 2..backslash + 6).and_then(hex4);
            if unit.is_some_and(|unit| is_marked(&self.units, unit)) {
                break Some(backslash);
            }
            at = backslash + 2;
        };
        let slash = self.slash.as_ref().and_then(|slash| {
            let end = unicode.unwrap_or(bytes.len());
            slash.find(bytes.get(from..end)?).map(|found| from + found)
        });
        slash.or(unicode)
    }
}

fn mark(units: &mut [u64], unit: u32) {
    if let Some(word) = units.get_mut(unit as usize >> 6) {
        *word |= 1 << (unit & 63);
    }
}

fn is_marked(units: &[u64], unit: u16) -> bool {
    units.get(usize::from(unit) >> 6).is_some_and(|word| word >> (unit & 63) & 1 == 1)
}

fn hex4(digits: &[u8]) -> Option<u16> {
    digits.iter().try_fold(0, |unit, &byte| Some(unit << 4 | char::from(byte).to_digit(16)? as u16))
}

#[cfg(test)]
mod tests {
    use super::Sieve;

    fn check(expression: &str, raw: &str, expected: bool) {
        let sieve = Sieve::of(&regex_syntax::parse(expression).unwrap()).unwrap();
        assert_eq!(sieve.passes(raw.as_bytes()), expected, "{expression} in {raw}");
        assert_eq!(sieve.places(raw.as_bytes()).after(0).is_some(), expected, "{expression} in {raw}");
    }

    #[test]
    fn only_escapes_of_needed_characters_matter() {
        check("red", "red", true);
        check("red", r"\u001b[31m", false);
        check("red", r"\u0072ed", true);
        check("red", r"\u00", false);
        check("a/b", r"x\/y", true);
        check("ab", r"x\/y", false);
        check("😀", r"\uD83D\ude00", true);
        check("😀", r"\uD83C\ude00", false);
        check("(?i)k", r"\u212a", true);
        check("(?i)straße", "STRAẞE", true);
    }

    #[test]
    fn places_are_found_line_by_line() {
        let sieve = Sieve::of(&regex_syntax::parse("ab").unwrap()).unwrap();
        let block = b"ab ab\nx\n\\u0061b\nab";
        let mut places = sieve.places(block);
        assert_eq!(places.after(0), Some(1));
        assert_eq!(places.after(6), Some(8));
        assert_eq!(places.after(16), Some(17));
        assert_eq!(places.after(18), None);
    }
}
