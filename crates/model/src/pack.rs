//! Numbers and texts as few bytes, and back: seven bits of a number a byte, six bits a character of an id.
//!
//! Whoever reads gets nothing from bytes that are damaged, never a panic. What is kept on disk is sealed with a checksum: a
//! flipped bit of a number is a number too, and would be believed.

/// Beginnings that ids have: what follows them is of the alphabet below.
const STARTS: [&str; 2] = ["toolu_01", "msg_01"];
const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
/// The place of each byte in the alphabet; 64 for those that are not in it.
const PLACES: [u8; 256] = {
    let mut places = [64; 256];
    let mut number = 0;
    while number < ALPHABET.len() {
        places[ALPHABET[number] as usize] = number as u8;
        number += 1;
    }
    places
};
/// Tags: plain text, or one of the starts. Two bits before the length.
const TAG_BITS: u32 = 2;

/// How many bytes a seal takes.
const SEAL: usize = 4;

/// Puts a checksum after bytes that are to be kept.
pub fn seal(mut bytes: Vec<u8>) -> Vec<u8> {
    let sum = crc32fast::hash(&bytes);
    bytes.extend(sum.to_le_bytes());
    bytes
}

/// The bytes that were sealed; none if they are not what they were.
pub fn unseal(bytes: &[u8]) -> Option<&[u8]> {
    let (body, sum) = bytes.split_last_chunk::<SEAL>()?;
    (crc32fast::hash(body) == u32::from_le_bytes(*sum)).then_some(body)
}

/// Bytes that are being packed.
#[derive(Debug, Default)]
pub struct Packer {
    /// So far.
    pub bytes: Vec<u8>,
}

impl Packer {
    /// Adds a number.
    pub fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }

    /// Adds a number that may be below zero; near zero it is short.
    pub fn signed(&mut self, number: i64) {
        self.number(zigzag(number));
    }

    /// Adds a text; ids of messages and calls with six bits a character.
    pub fn text(&mut self, text: &str) {
        let known = STARTS.iter().position(|start| text.starts_with(start));
        let rest = known.map(|at| &text.as_bytes()[STARTS[at].len()..]);
        match (known, rest) {
            (Some(at), Some(rest)) if rest.iter().all(|byte| PLACES[*byte as usize] < 64) => {
                self.number((rest.len() as u64) << TAG_BITS | (at as u64 + 1));
                for four in rest.chunks(4) {
                    let bits =
                        four.iter().fold(0_u32, |bits, byte| bits << 6 | u32::from(PLACES[*byte as usize]));
                    let bits = bits << (6 * (4 - four.len()));
                    self.bytes.extend(&bits.to_be_bytes()[1..1 + four.len().min(3)]);
                }
            }
            _ => {
                self.number((text.len() as u64) << TAG_BITS);
                self.bytes.extend(text.as_bytes());
            }
        }
    }
}

/// Bytes that are being unpacked.
#[derive(Debug, Clone, Copy)]
pub struct Unpacker<'b> {
    bytes: &'b [u8],
}

impl<'b> Unpacker<'b> {
    /// From the beginning of these bytes.
    pub const fn new(bytes: &'b [u8]) -> Self {
        Self { bytes }
    }

    /// Is everything unpacked?
    pub const fn is_done(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The next bytes as they are.
    pub fn take<const N: usize>(&mut self) -> Option<&'b [u8; N]> {
        let (taken, rest) = self.bytes.split_first_chunk::<N>()?;
        self.bytes = rest;
        Some(taken)
    }

    /// A part that its length stands before, and what follows it.
    pub fn split(mut self) -> Option<(Self, Self)> {
        let len = usize::try_from(self.number()?).ok()?;
        let (part, rest) = self.bytes.split_at_checked(len)?;
        Some((Self::new(part), Self::new(rest)))
    }

    /// A number.
    pub fn number(&mut self) -> Option<u64> {
        let mut number = 0_u64;
        for (at, &byte) in self.bytes.iter().enumerate().take(10) {
            number |= u64::from(byte & 0x7F) << (7 * at);
            if byte < 0x80 {
                self.bytes = &self.bytes[at + 1..];
                return Some(number);
            }
        }
        None
    }

    /// A number of at most 32 bits.
    pub fn small(&mut self) -> Option<u32> {
        u32::try_from(self.number()?).ok()
    }

    /// A number that may be below zero.
    pub fn signed(&mut self) -> Option<i64> {
        Some(unzigzag(self.number()?))
    }

    /// A text, in place of what is in `text`.
    pub fn text(&mut self, text: &mut Vec<u8>) -> Option<()> {
        let number = self.number()?;
        let len = usize::try_from(number >> TAG_BITS).ok()?;
        let tag = (number & ((1 << TAG_BITS) - 1)) as usize;
        text.clear();
        if tag == 0 {
            let (plain, rest) = self.bytes.split_at_checked(len)?;
            self.bytes = rest;
            text.extend_from_slice(plain);
            return Some(());
        }
        let start = STARTS.get(tag - 1)?.as_bytes();
        // Four characters in three bytes; the last characters in as many bytes as there are of them.
        let (packed, rest) = self.bytes.split_at_checked((len / 4).checked_mul(3)?.checked_add(len % 4)?)?;
        self.bytes = rest;
        text.extend_from_slice(start);
        for three in packed.chunks(3) {
            let mut bits = [0_u8; 4];
            bits[1..1 + three.len()].copy_from_slice(three);
            let bits = u32::from_be_bytes(bits);
            text.extend([18, 12, 6, 0].map(|shift| ALPHABET[(bits >> shift) as usize & 63]));
        }
        text.truncate(start.len() + len);
        Some(())
    }
}

const fn zigzag(number: i64) -> u64 {
    ((number << 1) ^ (number >> 63)) as u64
}

const fn unzigzag(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}

#[cfg(test)]
mod tests {
    use super::{Packer, Unpacker};
    use proptest::prelude::*;

    #[test]
    fn numbers_of_either_sign_are_small_when_near_zero() {
        for number in [0, 1, -1, 63, -64, i64::MAX, i64::MIN] {
            assert_eq!(super::unzigzag(super::zigzag(number)), number);
        }
        assert_eq!(super::zigzag(-1), 1);
    }

    #[test]
    fn a_seal_tells_every_flipped_bit_and_every_cut() {
        let sealed = super::seal((0..=99).collect());
        assert_eq!(super::unseal(&sealed), Some((0..=99).collect::<Vec<u8>>().as_slice()));
        for at in 0..sealed.len() {
            assert_eq!(super::unseal(&sealed[..at]), None);
            for bit in 0..8 {
                let mut bent = sealed.clone();
                bent[at] ^= 1 << bit;
                assert_eq!(super::unseal(&bent), None, "bit {bit} of byte {at}");
            }
        }
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
        let mut packer = Packer::default();
        texts.iter().for_each(|text| packer.text(text));
        let mut unpacker = Unpacker::new(&packer.bytes);
        let mut found = Vec::new();
        for text in texts {
            unpacker.text(&mut found).unwrap();
            assert_eq!(found, text.as_bytes());
        }
        assert!(unpacker.is_done());
    }

    proptest! {
        #[test]
        fn numbers_come_back(numbers in prop::collection::vec(any::<u64>(), 0..50)) {
            let mut packer = Packer::default();
            numbers.iter().for_each(|number| packer.number(*number));
            let mut unpacker = Unpacker::new(&packer.bytes);
            for number in numbers {
                prop_assert_eq!(unpacker.number(), Some(number));
            }
            prop_assert_eq!(unpacker.number(), None);
        }

        #[test]
        fn any_bytes_end(bytes in prop::collection::vec(any::<u8>(), 0..100)) {
            let mut unpacker = Unpacker::new(&bytes);
            while unpacker.text(&mut Vec::new()).is_some() {}
            while unpacker.number().is_some() {}
        }
    }
}
