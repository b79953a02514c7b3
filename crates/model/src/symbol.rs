//! Symbols: texts that repeat on every line (models, versions, tool names, ids), kept once.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

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
    numbers: FxHashMap<Box<[u8]>, u32>,
    texts: Vec<Box<str>>,
}

/// Only the texts need to be stored: their numbers are their places.
impl From<Vec<Box<str>>> for Symbols {
    fn from(texts: Vec<Box<str>>) -> Self {
        let numbers = texts.iter().zip(0..).map(|(text, number)| (text.as_bytes().into(), number)).collect();
        Self { numbers, texts }
    }
}

impl Symbols {
    /// The symbol of a text, made if it is new.
    pub fn intern(&mut self, text: &[u8]) -> Symbol {
        if let Some(&number) = self.numbers.get(text) {
            return Symbol(number);
        }
        // What is not UTF-8 is known by what it reads as, so that symbols stored and loaded again are the same ones.
        let known = String::from_utf8_lossy(text);
        if let std::borrow::Cow::Owned(lossy) = &known {
            return self.intern(lossy.as_bytes());
        }
        let number = self.texts.len() as u32;
        self.numbers.insert(text.into(), number);
        self.texts.push(known.into());
        Symbol(number)
    }

    /// All texts, in the order of their numbers.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.texts.iter().map(|text| &**text)
    }

    /// The symbol with this number, if there is one.
    pub fn at(&self, number: u32) -> Option<Symbol> {
        ((number as usize) < self.texts.len()).then_some(Symbol(number))
    }

    /// The symbol of a text, if it is known.
    pub fn find(&self, text: &str) -> Option<Symbol> {
        self.numbers.get(text.as_bytes()).copied().map(Symbol)
    }

    /// The text of a symbol.
    pub fn text(&self, symbol: Symbol) -> &str {
        self.texts.get(symbol.0 as usize).map_or("", |text| text)
    }
}

/// Which texts were seen in a field, how often, in order of first appearance.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Seen {
    counts: Vec<(Symbol, u64)>,
    last: usize,
}

impl Seen {
    /// Counts one appearance.
    pub fn note(&mut self, symbol: Symbol) {
        // The same value comes line after line.
        if let Some((last, count)) = self.counts.get_mut(self.last)
            && *last == symbol
        {
            *count += 1;
            return;
        }
        match self.counts.iter().position(|(seen, _)| *seen == symbol) {
            Some(at) => {
                self.counts[at].1 += 1;
                self.last = at;
            }
            None => {
                self.last = self.counts.len();
                self.counts.push((symbol, 1));
            }
        }
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
