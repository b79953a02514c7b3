//! Skeletons: a transcript as bytes and back, so that a reading can go on where an earlier one stopped.
//!
//! Rows are most of it and are packed by hand: a line mostly hangs on the one before and follows it in the file, so
//! that about 26 bytes do for one row. The rest is small and goes through `postcard`. The bytes mean something to the
//! version of the program that wrote them only; whoever keeps them keeps [`VERSION`] beside them.
//!
//! They lie on disk for months, so they are sealed, and every number in them that names a row, a message or a text is
//! checked when they are decoded: whoever has a transcript may index with what it says.

use rustc_hash::FxHashMap;
use scrollback_format::id::EntryId;
use scrollback_format::kind::Kind;
use scrollback_format::time::Time;
use serde::{Deserialize, Serialize};

use crate::pack::{self, Packer, Unpacker};
use crate::role::Role;
use crate::row::{MessageRef, Row};
use crate::transcript::Transcript;

/// Goes up whenever the bytes, or what a fold makes of a file, change.
pub const VERSION: u32 = 5;

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
    let mut packer = RowPacker::default();
    for row in &transcript.rows {
        let part = (row.kind, row.role);
        let number = parts.iter().position(|known| *known == part).unwrap_or_else(|| {
            parts.push(part);
            parts.len() - 1
        });
        packer.row(row, number as u64);
    }
    let rows = StoredRows { parts, count: transcript.rows.len() as u32, packed: &packer.out.bytes };
    let mut symbols = Packer::default();
    transcript.symbols.texts().for_each(|text| symbols.text(text));
    let stored = Stored { rows, symbols: &symbols.bytes, rest: transcript };
    pack::seal(postcard::to_stdvec(&stored).unwrap_or_default())
}

/// The transcript of some bytes; none if they are damaged or of another version.
pub fn decode(bytes: &[u8]) -> Option<Transcript> {
    unpack(pack::unseal(bytes)?)
}

/// Are these the bytes of a transcript, as they were when they were encoded?
pub fn is_whole(bytes: &[u8]) -> bool {
    pack::unseal(bytes).is_some()
}

fn unpack(bytes: &[u8]) -> Option<Transcript> {
    let (stored, rest): (Stored<'_, Transcript>, _) = postcard::take_from_bytes(bytes).ok()?;
    let mut transcript = stored.rest;
    let mut symbols = Unpacker::new(stored.symbols);
    let mut text = Vec::new();
    while !symbols.is_done() {
        symbols.text(&mut text)?;
        transcript.symbols.push(std::str::from_utf8(&text).ok()?);
    }
    transcript.rows.reserve_exact((stored.rows.count as usize).min(stored.rows.packed.len()));
    stored.rows.each(|row| transcript.rows.push(row))?;
    (rest.is_empty() && transcript.is_sound()).then_some(transcript)
}

/// The ids of a transcript's rows, in their order, without unpacking the rest; none if the bytes are damaged.
pub fn ids(bytes: &[u8]) -> Option<Vec<EntryId>> {
    let (rows, _): (StoredRows<'_>, _) = postcard::take_from_bytes(pack::unseal(bytes)?).ok()?;
    let mut ids = Vec::new();
    rows.each(|row| ids.extend(row.id))?;
    Some(ids)
}

impl StoredRows<'_> {
    fn each(&self, mut visit: impl FnMut(Row)) -> Option<()> {
        let mut unpacker =
            RowUnpacker { from: Unpacker::new(self.packed), before: Before::default(), ids: Vec::new() };
        for _ in 0..self.count {
            visit(unpacker.row(&self.parts)?);
        }
        unpacker.from.is_done().then_some(())
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
struct RowPacker {
    out: Packer,
    before: Before,
    places: FxHashMap<EntryId, u32>,
    ids: u32,
}

impl RowPacker {
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
        self.out.bytes.extend([flags, row.marks()]);
        self.out.number(part);
        self.out.number(u64::from(row.len));
        if !adjacent {
            self.out.number(row.offset);
            self.out.number(u64::from(row.line));
        }
        match parent {
            (PARENT_BACK, back) => self.out.number(back),
            (PARENT_ID, _) => self.id(row.parent),
            _ => {}
        }
        self.id(row.id);
        if let Some(time) = row.time() {
            self.out.signed(time.0.wrapping_sub(self.before.time));
            self.before.time = time.0;
        }
        if let Some(message) = row.message {
            let index = message.index() as u64;
            self.out.signed(index.wrapping_sub(self.before.message) as i64);
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
            self.out.bytes.extend(id.to_bytes());
        }
    }
}

struct RowUnpacker<'b> {
    from: Unpacker<'b>,
    before: Before,
    ids: Vec<EntryId>,
}

impl RowUnpacker<'_> {
    fn row(&mut self, parts: &[(Kind, Role)]) -> Option<Row> {
        let [flags, marks] = *self.from.take::<2>()?;
        let part = usize::try_from(self.from.number()?).ok()?;
        let (kind, role) = *parts.get(part)?;
        let len = self.from.number()?;
        let (offset, line) = if flags & ADJACENT != 0 {
            (self.before.end.checked_add(1)?, self.before.line.checked_add(1)?)
        } else {
            (self.from.number()?, self.from.number()?)
        };
        let parent = match flags & PARENT {
            PARENT_BACK => {
                let back = usize::try_from(self.from.number()?).ok()?;
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
            let time = self.before.time.wrapping_add(self.from.signed()?);
            row.set_time(Some(Time(time)));
            self.before.time = time;
        }
        if flags & HAS_MESSAGE != 0 {
            let index = self.before.message.wrapping_add(self.from.signed()? as u64);
            row.message = Some(MessageRef::new(usize::try_from(index).ok()?)?);
            self.before.message = index;
        }
        self.before.end = offset.checked_add(len)?;
        self.before.line = line;
        Some(row)
    }

    fn id(&mut self) -> Option<EntryId> {
        EntryId::from_bytes(*self.from.take::<16>()?)
    }
}

#[cfg(test)]
mod tests;
