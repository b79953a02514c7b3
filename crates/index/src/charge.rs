//! The charges of a file, packed into some 45 bytes each.
//!
//! ```text
//! classes: count, then model, branch, grade, marks and flags of each
//! charges: length, then of each: class, number of the message, request if the class says so, step of time, step of line,
//!          five counts, searches
//! ids:     of each, in the same order. Whoever adds up goes by the numbers and never comes here.
//! seal:    a checksum of all that, since a flipped bit of a count is a count too
//! ```

use scrollback_format::time::Time;
use scrollback_model::charge::{ChargeMarks, Grade};
use scrollback_model::pack::{self, Packer, Unpacker};
use scrollback_model::tokens::Tokens;
use scrollback_model::usage::{ChargeCopy, message_number};

/// A charge of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChargeRow {
    /// The charge. Its file is the catalogue's number, its model the number of a name, `u32::MAX` for none.
    pub copy: ChargeCopy,
    /// Its place in the file.
    pub number: u32,
    /// The number of the branch's name.
    pub branch: Option<u32>,
    /// Its first line.
    pub line: u32,
}

impl AsRef<ChargeCopy> for ChargeRow {
    fn as_ref(&self) -> &ChargeCopy {
        &self.copy
    }
}

/// What many charges of a file have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Class {
    model: u32,
    branch: Option<u32>,
    grade: Grade,
    marks: ChargeMarks,
    has_time: bool,
    has_request: bool,
}

const HAS_TIME: u8 = 1;
const HAS_REQUEST: u8 = 2;

/// What the next charge is told against.
#[derive(Debug, Clone, Copy, Default)]
struct Before {
    time: i64,
    line: u32,
}

/// Packs the charges of a file.
#[derive(Debug, Default)]
pub struct ChargePacker {
    classes: Vec<Class>,
    charges: Packer,
    ids: Packer,
    before: Before,
}

impl ChargePacker {
    /// Adds the next charge, of the message with this id. Its file and its place there are not kept: where it stands tells.
    pub fn push(&mut self, id: &str, row: &ChargeRow) {
        let copy = &row.copy;
        let class = Class {
            model: copy.model,
            branch: row.branch,
            grade: copy.grade,
            marks: copy.marks,
            has_time: copy.time.is_some(),
            has_request: copy.request != 0,
        };
        let number = self.classes.iter().position(|known| *known == class).unwrap_or_else(|| {
            self.classes.push(class);
            self.classes.len() - 1
        });
        let charges = &mut self.charges;
        charges.number(number as u64);
        charges.bytes.extend(message_number(id.as_bytes()).to_le_bytes());
        self.ids.text(id);
        if copy.request != 0 {
            charges.bytes.extend(copy.request.to_le_bytes());
        }
        if let Some(time) = copy.time {
            charges.signed(time.0.wrapping_sub(self.before.time));
            self.before.time = time.0;
        }
        charges.signed(i64::from(row.line) - i64::from(self.before.line));
        self.before.line = row.line;
        let Tokens { input, output, cache_read, cache_write, cache_write_1h, .. } = copy.tokens;
        for count in [input, output, cache_read, cache_write, cache_write_1h, u64::from(copy.searches)] {
            charges.number(count);
        }
    }

    /// All of them.
    pub fn finish(self) -> Vec<u8> {
        let mut packer = Packer::default();
        packer.number(self.classes.len() as u64);
        for class in &self.classes {
            packer.number(u64::from(class.model.wrapping_add(1)));
            packer.number(class.branch.map_or(0, |branch| u64::from(branch) + 1));
            let flags =
                if class.has_time { HAS_TIME } else { 0 } | if class.has_request { HAS_REQUEST } else { 0 };
            packer.bytes.extend([class.grade.bits(), class.marks.bits(), flags]);
        }
        packer.number(self.charges.bytes.len() as u64);
        packer.bytes.extend(self.charges.bytes);
        packer.bytes.extend(self.ids.bytes);
        pack::seal(packer.bytes)
    }
}

/// Gives every charge of a file to `each`, and then the packed ids of their messages; none if the bytes are damaged.
pub fn unpack(file: u32, bytes: &[u8], each: impl FnMut(ChargeRow)) -> Option<Unpacker<'_>> {
    unpack_body(file, pack::unseal(bytes)?, each)
}

fn unpack_body(file: u32, body: &[u8], mut each: impl FnMut(ChargeRow)) -> Option<Unpacker<'_>> {
    let mut from = Unpacker::new(body);
    let mut classes = Vec::new();
    for _ in 0..from.small()? {
        let (model, branch) = (from.small()?.wrapping_sub(1), from.small()?.checked_sub(1));
        let [grade, marks, flags] = *from.take::<3>()?;
        classes.push(Class {
            model,
            branch,
            grade: Grade::from_bits(grade),
            marks: ChargeMarks::from_bits(marks),
            has_time: flags & HAS_TIME != 0,
            has_request: flags & HAS_REQUEST != 0,
        });
    }
    let (mut from, ids) = from.split()?;
    let mut before = Before::default();
    let mut number = 0;
    while !from.is_done() {
        let class = classes.get(usize::try_from(from.number()?).ok()?)?;
        let message = u64::from_le_bytes(*from.take()?);
        let request = if class.has_request { u32::from_le_bytes(*from.take()?) } else { 0 };
        if class.has_time {
            before.time = before.time.wrapping_add(from.signed()?);
        }
        before.line = u32::try_from(i64::from(before.line).checked_add(from.signed()?)?).ok()?;
        let (input, output, cache_read) = (from.number()?, from.number()?, from.number()?);
        let (cache_write, cache_write_1h) = (from.number()?, from.number()?);
        let copy = ChargeCopy {
            message,
            request,
            file,
            time: class.has_time.then_some(Time(before.time)),
            model: class.model,
            tokens: Tokens {
                input,
                output,
                cache_read,
                cache_write,
                cache_write_5m: cache_write.saturating_sub(cache_write_1h),
                cache_write_1h,
            },
            searches: from.small()?,
            grade: class.grade,
            marks: class.marks,
        };
        each(ChargeRow { copy, number, branch: class.branch, line: before.line });
        number += 1;
    }
    Some(ids)
}

/// The messages among the charges of a file as a JSON array, for the view `messages`: of each an array of its id, model, time,
/// line, five counts, searches and branch, in the order of their numbers.
pub fn rows(bytes: &[u8]) -> Option<String> {
    let mut charges = Vec::new();
    let ids = unpack(0, bytes, |row| charges.push(row))?;
    json_rows(&charges, ids)
}

fn json_rows(charges: &[ChargeRow], mut ids: Unpacker<'_>) -> Option<String> {
    let mut id = Vec::new();
    let mut json = String::from("[");
    for ChargeRow { copy, branch, line, .. } in charges {
        ids.text(&mut id)?;
        if !copy.marks.is_message() {
            continue;
        }
        let model = (copy.model != u32::MAX).then_some(copy.model);
        let tokens = &copy.tokens;
        let counts = [
            tokens.input,
            tokens.output,
            tokens.cache_read,
            tokens.cache_write,
            tokens.cache_write_1h,
            u64::from(copy.searches),
        ];
        // SQLite's numbers have a sign.
        let [input, output, read, write, hour, searches] = counts.map(|count| count as i64);
        let id = std::str::from_utf8(&id).ok()?;
        let time = copy.time.map(|time| time.0);
        let row = (id, model, time, line, input, output, read, write, hour, searches, branch);
        if json.len() > 1 {
            json.push(',');
        }
        json.push_str(&serde_json::to_string(&row).ok()?);
    }
    json.push(']');
    Some(json)
}

#[cfg(test)]
mod tests {
    use super::{ChargePacker, ChargeRow, json_rows, rows, unpack, unpack_body};
    use proptest::prelude::*;
    use scrollback_format::time::Time;
    use scrollback_model::charge::{ChargeMarks, Grade};
    use scrollback_model::tokens::Tokens;
    use scrollback_model::usage::{ChargeCopy, message_number};

    fn charge() -> impl Strategy<Value = (String, ChargeRow)> {
        let counts = prop::array::uniform5(0_u64..1 << 40);
        let names = (prop::option::of(0_u32..9), prop::option::of(any::<u32>().prop_map(|name| name >> 1)));
        let times = prop::option::of(any::<i64>());
        (".{0,9}|msg_01[a-zA-Z0-9]{22}", names, times, counts, any::<(u32, u32, u32, u8, u8)>()).prop_map(
            |(id, (model, branch), time, counts, (request, line, searches, grade, marks))| {
                let [input, output, cache_read, cache_write_5m, cache_write_1h] = counts;
                let copy = ChargeCopy {
                    message: message_number(id.as_bytes()),
                    request,
                    file: 7,
                    time: time.map(Time),
                    model: model.unwrap_or(u32::MAX),
                    tokens: Tokens {
                        input,
                        output,
                        cache_read,
                        cache_write: cache_write_5m + cache_write_1h,
                        cache_write_5m,
                        cache_write_1h,
                    },
                    searches,
                    grade: Grade::from_bits(grade),
                    marks: ChargeMarks::from_bits(marks),
                };
                (id, ChargeRow { copy, number: 0, branch, line })
            },
        )
    }

    proptest! {
        #[test]
        fn charges_come_back(charges in prop::collection::vec(charge(), 0..20)) {
            let mut packer = ChargePacker::default();
            charges.iter().for_each(|(id, row)| packer.push(id, row));
            let bytes = packer.finish();
            let mut found = Vec::new();
            unpack(7, &bytes, |row| found.push(row)).unwrap();
            let expected: Vec<(String, ChargeRow)> =
                (0..).zip(charges).map(|(number, (id, row))| (id, ChargeRow { number, ..row })).collect();
            let json: Vec<serde_json::Value> = serde_json::from_str(&rows(&bytes).unwrap()).unwrap();
            let messages: Vec<&(String, ChargeRow)> =
                expected.iter().filter(|(_, row)| row.copy.marks.is_message()).collect();
            prop_assert_eq!(json.len(), messages.len());
            for (row, (id, message)) in json.iter().zip(messages) {
                prop_assert_eq!(&row[0], id);
                prop_assert_eq!(row[5].as_u64(), Some(message.copy.tokens.output));
            }
            let expected: Vec<ChargeRow> = expected.into_iter().map(|(_, row)| row).collect();
            prop_assert_eq!(found, expected);
        }

        #[test]
        fn any_bytes_end(bytes in prop::collection::vec(any::<u8>(), 0..100)) {
            prop_assert_eq!(rows(&bytes), None);
            let mut charges = Vec::new();
            let ids = unpack_body(0, &bytes, |row| charges.push(row));
            let _ = ids.and_then(|ids| json_rows(&charges, ids));
        }

        #[test]
        fn any_damage_is_noticed(
            charges in prop::collection::vec(charge(), 0..20),
            at in any::<prop::sample::Index>(),
            bits in 1..=255_u8,
            more in prop::collection::vec(any::<u8>(), 1..9),
        ) {
            let mut packer = ChargePacker::default();
            charges.iter().for_each(|(id, row)| packer.push(id, row));
            let bytes = packer.finish();
            let at = at.index(bytes.len());
            let mut bent = bytes.clone();
            bent[at] ^= bits;
            for damaged in [&bent, &bytes[..at], &[&bytes[..], &more].concat()] {
                prop_assert!(unpack(7, damaged, |_| panic!("a charge of damaged bytes")).is_none());
            }
        }
    }
}
