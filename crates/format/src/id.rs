//! Names of things: sessions, entries, agents. A bare string does not cross a crate.

use std::fmt;
use std::num::NonZeroU128;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::json::Text;

/// The id of a session: the stem of its file name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SessionId(Box<str>);

/// The id of an agent: what stands between `agent-` and `.jsonl`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AgentId(Box<str>);

/// The first eight characters of an id, for people. Ids need not be ASCII: nobody keeps a file from being called so.
pub fn short(id: &str) -> &str {
    id.char_indices().nth(8).map_or(id, |(end, _)| &id[..end])
}

macro_rules! text_id {
    ($name:ident) => {
        impl $name {
            /// Takes the text as it is.
            pub fn new(text: impl Into<Box<str>>) -> Self {
                Self(text.into())
            }

            /// The whole id.
            pub fn as_str(&self) -> &str {
                &self.0
            }

            /// The first eight characters, for people.
            pub fn short(&self) -> &str {
                short(&self.0)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

text_id!(SessionId);
text_id!(AgentId);

/// The id of an entry (`uuid`, `parentUuid`, `leafUuid`), in 16 bytes.
///
/// The client writes lower-case UUIDs, which are kept as their number. Anything else (a hand-edited file, another
/// tool's) becomes a hash with a version digit that no UUID has, so that ids still compare, and is marked
/// [`EntryId::is_derived`]; its text can only be had from the line. The UUID of zeros, with which the client says
/// "none", is no id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct EntryId(NonZeroU128);

/// The version digit of a UUID, which derived ids set to a value that is not assigned.
const VERSION: u128 = 0xF << 76;

impl EntryId {
    /// The id with this text.
    pub fn of(text: Text<'_>) -> Option<Self> {
        match text.plain() {
            Some(raw) => Self::of_bytes(raw),
            None => Self::of_bytes(text.decode().as_bytes()),
        }
    }

    /// The id with this text, given as bytes.
    pub fn of_bytes(bytes: &[u8]) -> Option<Self> {
        let number = canonical(bytes).unwrap_or_else(|| {
            let digest = Sha256::digest(bytes);
            let number = digest.iter().take(16).fold(0_u128, |sum, &byte| sum << 8 | u128::from(byte));
            number | VERSION
        });
        NonZeroU128::new(number).map(Self)
    }

    /// Its number as bytes, most significant first.
    pub fn to_bytes(self) -> [u8; 16] {
        self.0.get().to_be_bytes()
    }

    /// The id with these bytes; zeros are none.
    pub fn from_bytes(bytes: [u8; 16]) -> Option<Self> {
        NonZeroU128::new(u128::from_be_bytes(bytes)).map(Self)
    }

    /// Is this a hash of a text that is no lower-case UUID?
    pub fn is_derived(self) -> bool {
        self.0.get() & VERSION == VERSION
    }
}

impl fmt::Display for EntryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n = self.0.get();
        write!(
            f,
            "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
            (n >> 96) as u32,
            (n >> 80) as u16,
            (n >> 64) as u16,
            (n >> 48) as u16,
            n & 0xFFFF_FFFF_FFFF
        )
    }
}

/// The number of a lower-case UUID whose version digit is not the one that derived ids have.
fn canonical(bytes: &[u8]) -> Option<u128> {
    let bytes: &[u8; 36] = bytes.try_into().ok()?;
    let mut number = 0_u128;
    for (at, &byte) in bytes.iter().enumerate() {
        let digit = match (at, byte) {
            (8 | 13 | 18 | 23, b'-') => continue,
            (8 | 13 | 18 | 23, _) => return None,
            (_, b'0'..=b'9') => byte - b'0',
            (_, b'a'..=b'f') => byte - b'a' + 10,
            _ => return None,
        };
        number = number << 4 | u128::from(digit);
    }
    (number & VERSION != VERSION).then_some(number)
}

/// Does the text have the shape of a UUID, as every session file's stem has?
pub fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

#[cfg(test)]
mod tests {
    use super::{EntryId, SessionId};

    #[test]
    fn uuids_keep_their_number_and_print_as_written() {
        let text = "58c547ce-e92b-4882-befa-7ba5143f8c4b";
        let id = EntryId::of_bytes(text.as_bytes()).unwrap();
        assert_eq!(id.to_string(), text);
        assert!(!id.is_derived());
    }

    #[test]
    fn other_ids_are_told_apart() {
        let odd = EntryId::of_bytes(b"node-1").unwrap();
        assert!(odd.is_derived());
        assert_ne!(Some(odd), EntryId::of_bytes(b"node-2"));
        assert!(EntryId::of_bytes(b"58C547CE-E92B-4882-BEFA-7BA5143F8C4B").unwrap().is_derived());
        assert_eq!(EntryId::of_bytes(b"00000000-0000-0000-0000-000000000000"), None);
    }

    #[test]
    fn short_ids_do_not_split_characters() {
        assert_eq!(SessionId::new("日本語日本語日本語").short(), "日本語日本語日本");
        assert_eq!(SessionId::new("abc").short(), "abc");
        assert_eq!(super::short("58c547ce-e92b-4882-befa-7ba5143f8c4b"), "58c547ce");
        assert_eq!(super::short(""), "");
    }
}
