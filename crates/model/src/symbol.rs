//! Symbols: texts that repeat on every line (models, versions, tool names, ids), kept once.

use rustc_hash::FxHashMap;

/// A text of one transcript, by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol(u32);

/// The texts of one transcript.
#[derive(Debug, Clone, Default)]
pub struct Symbols {
    numbers: FxHashMap<Box<[u8]>, u32>,
    texts: Vec<Box<str>>,
}

impl Symbols {
    /// The symbol of a text, made if it is new.
    pub fn intern(&mut self, text: &[u8]) -> Symbol {
        if let Some(&number) = self.numbers.get(text) {
            return Symbol(number);
        }
        let number = self.texts.len() as u32;
        self.numbers.insert(text.into(), number);
        self.texts.push(String::from_utf8_lossy(text).into());
        Symbol(number)
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
#[derive(Debug, Clone, Default)]
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
