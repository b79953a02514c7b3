//! Ids in the shapes that the client and the API give them, drawn from a [`IdSource`].

use std::fmt;
use std::sync::Arc;

use scrollback_format::generation::{AgentLayout, Generation};

use crate::source::IdSource;

const BASE62: &[u8; 62] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const BASE36: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";
const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const HEX: &[u8; 16] = b"0123456789abcdef";

/// An id of an entry, session, message, request, call or agent. Foreign ids need not have our shape.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Id(Arc<str>);

impl Id {
    /// The id's text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// A version 4 UUID: entries, sessions, prompts, requests' own ids.
    pub fn uuid(source: &mut impl IdSource) -> Self {
        let bits = (u128::from(source.bits()) << 64) | u128::from(source.bits());
        let bits = (bits & !(0xf << 76) & !(0x3 << 62)) | (0x4 << 76) | (0x2 << 62);
        let hex = format!("{bits:032x}");
        let mut text = String::with_capacity(36);
        for (place, digit) in hex.chars().enumerate() {
            if matches!(place, 8 | 12 | 16 | 20) {
                text.push('-');
            }
            text.push(digit);
        }
        Self(text.into())
    }

    /// `msg_01…`, one per API message.
    pub fn message(source: &mut impl IdSource) -> Self {
        Self(format!("msg_01{}", letters(source, BASE62, 22)).into())
    }

    /// `req_011C…`, one per API request.
    pub fn request(source: &mut impl IdSource) -> Self {
        Self(format!("req_011C{}", letters(source, BASE62, 20)).into())
    }

    /// `toolu_01…`, one per tool call.
    pub fn call(source: &mut impl IdSource) -> Self {
        Self(format!("toolu_01{}", letters(source, BASE62, 22)).into())
    }

    /// An agent's id: 8 hex digits, later `a` + 6, later `a` + 16.
    pub fn agent(source: &mut impl IdSource, generation: Generation) -> Self {
        let text = match generation.facts().agents {
            AgentLayout::Inline | AgentLayout::Flat => letters(source, HEX, 8),
            AgentLayout::Nested => format!("a{}", letters(source, HEX, 6)),
            _ => format!("a{}", letters(source, HEX, 16)),
        };
        Self(text.into())
    }

    /// A shell task's id: 6 hex digits, later `b` + 6, later `b` + 8 of base 36.
    pub fn shell(source: &mut impl IdSource, generation: Generation) -> Self {
        let text = match generation {
            Generation::V1_0 | Generation::V2_0_29 | Generation::V2_0_55 => letters(source, HEX, 6),
            Generation::V2_1_9 => format!("b{}", letters(source, HEX, 6)),
            _ => format!("b{}", letters(source, BASE36, 8)),
        };
        Self(text.into())
    }

    /// A workflow run's id, `wf_<8 hex>-<3 hex>`.
    pub fn workflow(source: &mut impl IdSource) -> Self {
        Self(format!("wf_{}-{}", letters(source, HEX, 8), letters(source, HEX, 3)).into())
    }

    /// A number of hex digits: commits, digests, job ids.
    pub fn hex(source: &mut impl IdSource, digits: usize) -> Self {
        Self(letters(source, HEX, digits).into())
    }

    /// A number of base 36 digits: the tail of a shell snapshot's name.
    pub fn base36(source: &mut impl IdSource, digits: usize) -> Self {
        Self(letters(source, BASE36, digits).into())
    }

    /// A thinking block's signature: base64 of about the usual length.
    pub fn signature(source: &mut impl IdSource, length: usize) -> Self {
        Self(format!("Er{}==", letters(source, BASE64, length)).into())
    }
}

impl From<&str> for Id {
    fn from(text: &str) -> Self {
        Self(text.into())
    }
}

impl From<String> for Id {
    fn from(text: String) -> Self {
        Self(text.into())
    }
}

impl fmt::Display for Id {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// `count` letters of an alphabet; ten of them per draw, since 64^10 still fits into 64 bits.
fn letters(source: &mut impl IdSource, alphabet: &[u8], count: usize) -> String {
    let base = alphabet.len() as u64;
    let mut text = String::with_capacity(count);
    let mut bits = 0;
    for place in 0..count {
        if place % 10 == 0 {
            bits = source.bits();
        }
        let letter = usize::try_from(bits % base).unwrap_or(0);
        text.push(char::from(alphabet[letter]));
        bits /= base;
    }
    text
}

#[cfg(test)]
mod tests {
    use scrollback_format::generation::Generation;

    use super::Id;
    use crate::source::Counter;

    #[test]
    fn ids_have_the_shape_of_their_generation() {
        let mut source = Counter::default();
        let uuid = Id::uuid(&mut source);
        assert_eq!(uuid.as_str().len(), 36);
        assert_eq!(uuid.as_str().as_bytes()[14], b'4');
        for (generation, length) in
            [(Generation::V2_0_29, 8), (Generation::V2_1_9, 7), (Generation::V2_1_200, 17)]
        {
            assert_eq!(Id::agent(&mut source, generation).as_str().len(), length);
        }
    }
}
