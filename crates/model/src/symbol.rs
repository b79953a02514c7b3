//! Symbols: texts that repeat on every line (models, versions, tool names, ids), kept once.

use std::borrow::Cow;
use std::hash::Hasher;
use std::sync::OnceLock;

use hashbrown::HashTable;
use rustc_hash::{FxHashMap, FxHasher};
use serde::{Deserialize, Serialize};

use crate::cost;

/// A text of one transcript, by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Symbol(u32);

impl Symbol {
    /// Its number: the place of its text in the transcript's list.
    pub fn number(self) -> u32 {
        self.0
    }
}

/// The texts of one transcript.
#[derive(Debug, Clone, Default)]
pub struct Symbols {
    /// All texts, one after the other, in the order of their numbers.
    bytes: String,
    /// Where each ends.
    ends: Vec<usize>,
    /// The numbers by the texts' hashes. Made when a text is first looked for: whoever only reads a stored transcript
    /// never does.
    numbers: OnceLock<HashTable<u32>>,
}

impl Symbols {
    /// The symbol of a text, made if it is new.
    pub fn intern(&mut self, text: &[u8]) -> Symbol {
        if let Some(number) = self.number(text) {
            return Symbol(number);
        }
        // What is not UTF-8 is known by what it reads as, so that symbols stored and loaded again are the same ones.
        match String::from_utf8_lossy(text) {
            Cow::Owned(lossy) => self.intern(lossy.as_bytes()),
            Cow::Borrowed(known) => {
                let number = self.push(known);
                let Self { bytes, ends, numbers } = self;
                if let Some(numbers) = numbers.get_mut() {
                    let rehash = |number: &u32| hash(text_at(bytes, ends, *number).as_bytes());
                    numbers.insert_unique(hash(text), number, rehash);
                }
                Symbol(number)
            }
        }
    }

    /// Adds a text that is known to be new, as the next number.
    pub(crate) fn push(&mut self, text: &str) -> u32 {
        let number = self.ends.len() as u32;
        self.bytes.push_str(text);
        self.ends.push(self.bytes.len());
        number
    }

    /// All texts, in the order of their numbers.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        (0..self.ends.len() as u32).map(|number| text_at(&self.bytes, &self.ends, number))
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.ends.len()
    }

    /// The symbol with this number, if there is one.
    pub fn at(&self, number: u32) -> Option<Symbol> {
        ((number as usize) < self.ends.len()).then_some(Symbol(number))
    }

    /// The symbol of a text, if it is known.
    pub fn find(&self, text: &str) -> Option<Symbol> {
        self.number(text.as_bytes()).map(Symbol)
    }

    /// The text of a symbol.
    pub fn text(&self, symbol: Symbol) -> &str {
        text_at(&self.bytes, &self.ends, symbol.0)
    }

    fn number(&self, text: &[u8]) -> Option<u32> {
        let numbers = self.numbers.get_or_init(|| {
            let mut numbers = HashTable::with_capacity(self.ends.len());
            let of = |number: &u32| hash(text_at(&self.bytes, &self.ends, *number).as_bytes());
            for number in 0..self.ends.len() as u32 {
                numbers.insert_unique(of(&number), number, of);
            }
            numbers
        });
        let is_it = |number: &u32| text_at(&self.bytes, &self.ends, *number).as_bytes() == text;
        numbers.find(hash(text), is_it).copied()
    }
}

fn text_at<'t>(bytes: &'t str, ends: &[usize], number: u32) -> &'t str {
    let number = number as usize;
    let begin = if number == 0 { 0 } else { ends.get(number - 1).copied().unwrap_or(0) };
    ends.get(number).and_then(|end| bytes.get(begin..*end)).unwrap_or("")
}

fn hash(text: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(text);
    hasher.finish()
}

/// Which texts were seen in a field, how often, in order of first appearance.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct SeenTexts {
    counts: Vec<(Symbol, u64)>,
    last: usize,
    /// Where each is in the list, once there are more than a few.
    #[serde(skip)]
    places: FxHashMap<Symbol, usize>,
}

impl SeenTexts {
    /// Counts one appearance.
    pub fn note(&mut self, symbol: Symbol) {
        // The same value comes line after line.
        if let Some((last, count)) = self.counts.get_mut(self.last)
            && *last == symbol
        {
            *count += 1;
            return;
        }
        match self.find(symbol) {
            Some(at) => {
                self.counts[at].1 += 1;
                self.last = at;
            }
            None => {
                self.last = self.counts.len();
                self.places.insert(symbol, self.last);
                self.counts.push((symbol, 1));
            }
        }
    }

    fn find(&mut self, symbol: Symbol) -> Option<usize> {
        const FEW: usize = 16;
        if self.counts.len() <= FEW {
            cost::step(self.counts.len());
            return self.counts.iter().position(|(seen, _)| *seen == symbol);
        }
        // One that was stored comes without.
        if self.places.len() != self.counts.len() {
            cost::step(self.counts.len());
            self.places = self.counts.iter().enumerate().map(|(at, (seen, _))| (*seen, at)).collect();
        }
        cost::step(1);
        self.places.get(&symbol).copied()
    }

    /// Each text with its count, first seen first.
    pub fn iter(&self) -> impl Iterator<Item = (Symbol, u64)> {
        self.counts.iter().copied()
    }

    /// The first one seen.
    pub fn first(&self) -> Option<Symbol> {
        self.counts.first().map(|(symbol, _)| *symbol)
    }
}
