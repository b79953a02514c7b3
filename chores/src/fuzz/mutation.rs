//! Makes input number N of a series: a seed of the corpus, changed a few times.

use super::random::Random;
use super::seed;

/// No input is longer than this.
const LONGEST: usize = 64 * 1024;

/// Byte strings at which readers of this format stumble.
const DICTIONARY: [&[u8]; 40] = [
    b"{\"",
    b"}{",
    b"{}",
    b"[]",
    b"{",
    b"}",
    b"[",
    b"]",
    b"\"",
    b"\\\"",
    b"\\",
    b":",
    b",",
    b"\n",
    b"\r\n",
    b"\n\n",
    b"\0",
    b"\0\0\0\0",
    b"\\u0000",
    b"\\ud83d",
    b"\\ude00",
    b"\\ud83d\\ude00",
    b"\\u",
    b"\xef\xbb\xbf",
    b"\xff",
    b"\xc3",
    b"\xed\xa0\x80",
    b"\xf0\x9f\x98",
    b"\xe2\x80\xa8",
    b"null",
    b"true",
    b"-0",
    b"1e999",
    b"99999999999999999999",
    b"\"type\":",
    b"{\"type\":\"user\"",
    b"{\"parentUuid\":null,",
    b"\"uuid\":\"",
    b"\"timestamp\":\"2026-02-30T25:61:61.999Z\"",
    b"\"message\":{\"content\":[",
];

/// What is repeated to make deep nesting: a reader that recurses must notice in time.
const NESTING: [&[u8]; 3] = [b"[", b"{\"a\":", b"[{\"a\":"];

/// A way to change an input. All share one shape, so that they can stand in one list.
type Change = fn(&Mutator, &mut Random, &mut Vec<u8>);

const CHANGES: [Change; 9] =
    [flip_bits, set_byte, insert_token, replace_by_token, duplicate, remove, truncate, splice, nest];

/// The series of inputs for one target.
pub struct Mutator {
    seeds: Vec<Vec<u8>>,
    seed: u64,
}

impl Mutator {
    /// The series of a target under a seed.
    pub fn for_target(name: &str, seed: u64) -> Self {
        Self { seeds: seed::for_target(name), seed }
    }

    /// Input number N: the same bytes each time. The first ones are the seeds as they are.
    pub fn input(&self, number: u64) -> Vec<u8> {
        if let Some(seed) = usize::try_from(number).ok().and_then(|index| self.seeds.get(index)) {
            return seed.clone();
        }
        let mut random = Random::new(self.seed, number);
        let mut input = random.pick(&self.seeds).cloned().unwrap_or_default();
        for _ in 0..=random.below(6) {
            if let Some(change) = random.pick(&CHANGES) {
                change(self, &mut random, &mut input);
            }
        }
        input.truncate(LONGEST);
        input
    }
}

#[allow(clippy::ptr_arg, reason = "the shape of a Change")]
fn flip_bits(_: &Mutator, random: &mut Random, input: &mut Vec<u8>) {
    for _ in 0..=random.below(4) {
        let at = random.below(input.len());
        if let Some(byte) = input.get_mut(at) {
            *byte ^= 1 << random.below(8);
        }
    }
}

#[allow(clippy::ptr_arg, reason = "the shape of a Change")]
fn set_byte(_: &Mutator, random: &mut Random, input: &mut Vec<u8>) {
    let at = random.below(input.len());
    if let Some(byte) = input.get_mut(at) {
        *byte = random.next().to_le_bytes()[0];
    }
}

fn insert_token(_: &Mutator, random: &mut Random, input: &mut Vec<u8>) {
    let at = random.below(input.len() + 1);
    let token = random.pick(&DICTIONARY).copied().unwrap_or_default();
    input.splice(at..at, token.iter().copied());
}

fn replace_by_token(_: &Mutator, random: &mut Random, input: &mut Vec<u8>) {
    let range = random.range(input.len());
    let token = random.pick(&DICTIONARY).copied().unwrap_or_default();
    input.splice(range, token.iter().copied());
}

fn duplicate(_: &Mutator, random: &mut Random, input: &mut Vec<u8>) {
    let piece = input[random.range(input.len())].to_vec();
    let at = random.below(input.len() + 1);
    input.splice(at..at, piece);
}

fn remove(_: &Mutator, random: &mut Random, input: &mut Vec<u8>) {
    let range = random.range(input.len());
    input.drain(range);
}

fn truncate(_: &Mutator, random: &mut Random, input: &mut Vec<u8>) {
    input.truncate(random.below(input.len() + 1));
}

/// The beginning of this input and the end of another seed.
fn splice(mutator: &Mutator, random: &mut Random, input: &mut Vec<u8>) {
    truncate(mutator, random, input);
    let other = random.pick(&mutator.seeds).map(Vec::as_slice).unwrap_or_default();
    input.extend_from_slice(&other[random.below(other.len() + 1)..]);
}

fn nest(_: &Mutator, random: &mut Random, input: &mut Vec<u8>) {
    let at = random.below(input.len() + 1);
    let opening = random.pick(&NESTING).copied().unwrap_or_default();
    // Deep nesting costs time; once in a while is enough.
    let depth = if random.below(16) == 0 { 10_000 } else { 1 + random.below(40) };
    input.splice(at..at, opening.repeat(depth));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn input_of_a_number_is_always_the_same() {
        let mutator = |seed| Mutator { seeds: vec![b"{\"type\":\"user\"}\n".to_vec()], seed };
        let series = |seed| (0..300).map(|number| mutator(seed).input(number)).collect::<Vec<_>>();
        assert_eq!(series(1), series(1));
        assert_ne!(series(1), series(2));
        assert_eq!(series(1)[0], b"{\"type\":\"user\"}\n");
    }

    #[test]
    fn empty_seeds_are_borne() {
        let mutator = Mutator { seeds: Vec::new(), seed: 1 };
        assert!((0..1_000).all(|number| mutator.input(number).len() <= LONGEST));
    }
}
