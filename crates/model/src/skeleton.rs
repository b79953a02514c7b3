//! Skeletons: a transcript as bytes and back, so that a reading can go on where an earlier one stopped.
//!
//! Rows are most of it and are packed by hand: a line mostly hangs on the one before and follows it in the file, so
//! that about 26 bytes do for one row. The rest is small and goes through `postcard`. The bytes mean something to the
//! version of the program that wrote them only; whoever keeps them keeps [`VERSION`] beside them.

use rustc_hash::FxHashMap;
use scrollback_format::id::EntryId;
use scrollback_format::kind::Kind;
use scrollback_format::time::Time;
use serde::{Deserialize, Serialize};

use crate::role::Role;
use crate::row::{MessageRef, Row};
use crate::transcript::Transcript;

/// Goes up whenever the bytes, or what a fold makes of a file, change.
pub const VERSION: u32 = 4;

const HAS_ID: u8 = 1;
const HAS_TIME: u8 = 2;
const HAS_MESSAGE: u8 = 4;
/// The row begins where the one before ends (and its newline).
const ADJACENT: u8 = 8;
const PARENT_NONE: u8 = 0;
const PARENT_BACK: u8 = 1 << 4;
const PARENT_ID: u8 = 2 << 4;
const PARENT: u8 = 3 << 4;

/// What is stored: `T` is the transcript or a reference to it. Serde leaves its rows out.
#[derive(Serialize, Deserialize)]
struct Stored<'s, T> {
    #[serde(borrow)]
    rows: StoredRows<'s>,
    symbols: &'s [u8],
    rest: T,
}

/// The rows come first: whoever asks for them alone need not read on.
#[derive(Serialize, Deserialize)]
struct StoredRows<'s> {
    /// The distinct kinds and roles, which rows name by number.
    parts: Vec<(Kind, Role)>,
    count: u32,
    packed: &'s [u8],
}

/// The bytes of a transcript.
pub fn encode(transcript: &Transcript) -> Vec<u8> {
    let mut parts: Vec<(Kind, Role)> = Vec::new();
    let mut packer = Packer::default();
    for row in &transcript.rows {
        let part = (row.kind, row.role);
        let number = parts.iter().position(|known| *known == part).unwrap_or_else(|| {
            parts.push(part);
            parts.len() - 1
        });
        packer.row(row, number as u64);
    }
    let rows = StoredRows { parts, count: transcript.rows.len() as u32, packed: &packer.bytes };
    let symbols = pack_texts(transcript.symbols.texts());
    let stored = Stored { rows, symbols: &symbols, rest: transcript };
    postcard::to_stdvec(&stored).unwrap_or_default()
}

/// The transcript of some bytes; none if they are damaged or of another version.
pub fn decode(bytes: &[u8]) -> Option<Transcript> {
    let stored: Stored<'_, Transcript> = postcard::from_bytes(bytes).ok()?;
    let mut transcript = stored.rest;
    unpack_texts(stored.symbols, |text| {
        transcript.symbols.push(text);
    })?;
    transcript.rows.reserve_exact((stored.rows.count as usize).min(stored.rows.packed.len()));
    stored.rows.each(|row| transcript.rows.push(row))?;
    Some(transcript)
}

/// The ids of a transcript's rows, in their order, without unpacking the rest; none if the bytes are damaged.
pub fn ids(bytes: &[u8]) -> Option<Vec<EntryId>> {
    let (rows, _): (StoredRows<'_>, _) = postcard::take_from_bytes(bytes).ok()?;
    let mut ids = Vec::new();
    rows.each(|row| ids.extend(row.id))?;
    Some(ids)
}

impl StoredRows<'_> {
    fn each(&self, mut visit: impl FnMut(Row)) -> Option<()> {
        let mut unpacker = Unpacker { bytes: self.packed, before: Before::default(), ids: Vec::new() };
        for _ in 0..self.count {
            visit(unpacker.row(&self.parts)?);
        }
        Some(())
    }
}

/// What the next row is told against.
#[derive(Default)]
struct Before {
    end: u64,
    line: u64,
    time: i64,
    message: u64,
}

#[derive(Default)]
struct Packer {
    bytes: Vec<u8>,
    before: Before,
    places: FxHashMap<EntryId, u32>,
    ids: u32,
}

impl Packer {
    fn row(&mut self, row: &Row, part: u64) {
        let adjacent = row.offset == self.before.end + 1 && u64::from(row.line) == self.before.line + 1;
        let parent = match row.parent {
            None => (PARENT_NONE, 0),
            Some(id) => match self.places.get(&id) {
                Some(&place) => (PARENT_BACK, u64::from(self.ids - place)),
                None => (PARENT_ID, 0),
            },
        };
        let flags = if row.id.is_some() { HAS_ID } else { 0 }
            | if row.time().is_some() { HAS_TIME } else { 0 }
            | if row.message.is_some() { HAS_MESSAGE } else { 0 }
            | if adjacent { ADJACENT } else { 0 }
            | parent.0;
        self.bytes.extend([flags, row.marks()]);
        self.number(part);
        self.number(u64::from(row.len));
        if !adjacent {
            self.number(row.offset);
            self.number(u64::from(row.line));
        }
        match parent {
            (PARENT_BACK, back) => self.number(back),
            (PARENT_ID, _) => self.id(row.parent),
            _ => {}
        }
        self.id(row.id);
        if let Some(time) = row.time() {
            self.number(zigzag(time.0.wrapping_sub(self.before.time)));
            self.before.time = time.0;
        }
        if let Some(message) = row.message {
            let index = message.index() as u64;
            self.number(zigzag(index.wrapping_sub(self.before.message) as i64));
            self.before.message = index;
        }
        self.before.end = row.offset + u64::from(row.len);
        self.before.line = u64::from(row.line);
        if let Some(id) = row.id {
            self.places.insert(id, self.ids);
            self.ids += 1;
        }
    }

    fn id(&mut self, id: Option<EntryId>) {
        if let Some(id) = id {
            self.bytes.extend(id.to_bytes());
        }
    }

    fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }
}

struct Unpacker<'b> {
    bytes: &'b [u8],
    before: Before,
    ids: Vec<EntryId>,
}

impl Unpacker<'_> {
    fn row(&mut self, parts: &[(Kind, Role)]) -> Option<Row> {
        let [flags, marks] = *self.take::<2>()?;
        let part = usize::try_from(self.number()?).ok()?;
        let (kind, role) = *parts.get(part)?;
        let len = self.number()?;
        let (offset, line) = if flags & ADJACENT != 0 {
            (self.before.end + 1, self.before.line + 1)
        } else {
            (self.number()?, self.number()?)
        };
        let parent = match flags & PARENT {
            PARENT_BACK => {
                let back = usize::try_from(self.number()?).ok()?;
                Some(*self.ids.get(self.ids.len().checked_sub(back)?)?)
            }
            PARENT_ID => Some(self.id()?),
            _ => None,
        };
        let mut row = Row::new(kind, role, line, offset, usize::try_from(len).ok()?);
        row.set_marks(marks);
        row.parent = parent;
        if flags & HAS_ID != 0 {
            let id = self.id()?;
            row.id = Some(id);
            self.ids.push(id);
        }
        if flags & HAS_TIME != 0 {
            let time = self.before.time.wrapping_add(unzigzag(self.number()?));
            row.set_time(Some(Time(time)));
            self.before.time = time;
        }
        if flags & HAS_MESSAGE != 0 {
            let index = self.before.message.wrapping_add(unzigzag(self.number()?) as u64);
            row.message = MessageRef::new(usize::try_from(index).ok()?);
            self.before.message = index;
        }
        self.before.end = offset.checked_add(len)?;
        self.before.line = line;
        Some(row)
    }

    fn id(&mut self) -> Option<EntryId> {
        EntryId::from_bytes(*self.take::<16>()?)
    }

    fn take<const N: usize>(&mut self) -> Option<&[u8; N]> {
        let (taken, rest) = self.bytes.split_first_chunk::<N>()?;
        self.bytes = rest;
        Some(taken)
    }

    fn number(&mut self) -> Option<u64> {
        let mut number = 0_u64;
        for shift in (0..64).step_by(7) {
            let [byte] = *self.take::<1>()?;
            number |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }
}

/// Beginnings that ids have: what follows them is of the alphabet below.
const STARTS: [&str; 2] = ["toolu_01", "msg_01"];
const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
/// Tags: plain text, or one of the starts. Two bits before the length.
const TAG_BITS: u32 = 2;

/// Texts one after the other; ids of messages and calls, which are most of them, with six bits a character.
fn pack_texts<'t>(texts: impl Iterator<Item = &'t str>) -> Vec<u8> {
    let mut packer = Packer::default();
    let mut place = [64_u8; 256];
    for (number, byte) in ALPHABET.iter().enumerate() {
        place[*byte as usize] = number as u8;
    }
    for text in texts {
        let known = STARTS.iter().position(|start| text.starts_with(start));
        let rest = known.map(|at| &text.as_bytes()[STARTS[at].len()..]);
        match (known, rest) {
            (Some(at), Some(rest)) if rest.iter().all(|byte| place[*byte as usize] < 64) => {
                packer.number((rest.len() as u64) << TAG_BITS | (at as u64 + 1));
                for four in rest.chunks(4) {
                    let bits =
                        four.iter().fold(0_u32, |bits, byte| bits << 6 | u32::from(place[*byte as usize]));
                    let bits = bits << (6 * (4 - four.len()));
                    packer.bytes.extend(&bits.to_be_bytes()[1..1 + four.len().min(3)]);
                }
            }
            _ => {
                packer.number((text.len() as u64) << TAG_BITS);
                packer.bytes.extend(text.as_bytes());
            }
        }
    }
    packer.bytes
}

fn unpack_texts(bytes: &[u8], mut visit: impl FnMut(&str)) -> Option<()> {
    let mut unpacker = Unpacker { bytes, before: Before::default(), ids: Vec::new() };
    let mut text = Vec::new();
    while !unpacker.bytes.is_empty() {
        let number = unpacker.number()?;
        let len = usize::try_from(number >> TAG_BITS).ok()?;
        let tag = (number & ((1 << TAG_BITS) - 1)) as usize;
        if tag == 0 {
            let (text, rest) = unpacker.bytes.split_at_checked(len)?;
            unpacker.bytes = rest;
            visit(std::str::from_utf8(text).ok()?);
            continue;
        }
        text.clear();
        text.extend_from_slice(STARTS.get(tag - 1)?.as_bytes());
        // Four characters in three bytes; the last characters in as many bytes as there are of them.
        let (packed, rest) = unpacker.bytes.split_at_checked(len / 4 * 3 + (len % 4))?;
        unpacker.bytes = rest;
        for three in packed.chunks(3) {
            let mut bits = [0_u8; 4];
            bits[1..1 + three.len()].copy_from_slice(three);
            let bits = u32::from_be_bytes(bits);
            text.extend([18, 12, 6, 0].map(|shift| ALPHABET[(bits >> shift) as usize & 63]));
        }
        text.truncate(STARTS.get(tag - 1)?.len() + len);
        visit(std::str::from_utf8(&text).ok()?);
    }
    Some(())
}

fn zigzag(number: i64) -> u64 {
    ((number << 1) ^ (number >> 63)) as u64
}

fn unzigzag(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}

#[cfg(test)]
mod tests {
    #[test]
    fn numbers_of_either_sign_are_small_when_near_zero() {
        for number in [0, 1, -1, 63, -64, i64::MAX, i64::MIN] {
            assert_eq!(super::unzigzag(super::zigzag(number)), number);
        }
        assert_eq!(super::zigzag(-1), 1);
    }

    #[test]
    fn texts_are_packed_without_loss() {
        let texts = [
            "",
            "a",
            "toolu_01AbCdEfGhIjKlMnOpQrStUv",
            "msg_01",
            "msg_01x",
            "msg_01xy",
            "msg_01xyz",
            "msg_01xyzw_-9",
            "toolu_01é",
            "天気",
        ];
        let packed = super::pack_texts(texts.into_iter());
        let mut found: Vec<String> = Vec::new();
        super::unpack_texts(&packed, |text| found.push(text.to_owned())).unwrap();
        assert_eq!(found, texts);
    }

    #[test]
    fn damaged_bytes_are_no_transcript() {
        assert!(super::decode(b"").is_none());
        assert!(super::decode(&[0xFF; 64]).is_none());
    }
}
