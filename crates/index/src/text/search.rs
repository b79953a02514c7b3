//! Searching the text index: every unit that matches, ranked.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use scrollback_format::time::Time;
use tantivy::collector::{Collector, SegmentCollector};
use tantivy::columnar::ColumnValues;
use tantivy::query::EnableScoring;
use tantivy::{DocId, Score, SegmentOrdinal, SegmentReader};

use super::compile::Compiler;
use super::{TextIndex, of_number};
use crate::error::IndexError;
use crate::filter::{self, FileFacts};
use crate::query::{Expr, Filter};

/// The files that a search looks into by the index.
#[derive(Debug, Default)]
pub struct Scope {
    /// What is known of each.
    pub files: FxHashMap<i64, FileFacts>,
    /// One bit a file number.
    bits: Vec<u64>,
}

impl Scope {
    /// These files.
    pub fn new(files: FxHashMap<i64, FileFacts>) -> Self {
        let largest = files.keys().copied().max().unwrap_or(0).max(0) as usize;
        let mut bits = vec![0_u64; largest / 64 + 1];
        for file in files.keys() {
            if let Some(word) = bits.get_mut(*file as usize / 64) {
                *word |= 1 << (*file as usize % 64);
            }
        }
        Self { files, bits }
    }

    /// Is the file one of them?
    pub fn has(&self, file: i64) -> bool {
        self.bits.get(file as usize / 64).is_some_and(|word| word >> (file as usize % 64) & 1 == 1)
    }

    pub(super) fn passing(&self, filter: &Filter) -> Arc<FxHashSet<i64>> {
        let passing = self.files.iter().filter(|(_, facts)| facts.passes(filter, None) == Some(true));
        Arc::new(passing.map(|(file, _)| *file).collect())
    }

    pub(super) fn row_passes(&self, file: i64, row: u32, filter: &Filter) -> bool {
        self.files.get(&file).is_some_and(|facts| facts.passes(filter, Some(row)) == Some(true))
    }
}

/// What is best.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ranking {
    /// What fits best, the newer before the older.
    Best {
        /// The present, which ages are counted from.
        now: Time,
    },
    /// The newest.
    Newest,
}

/// A unit that matches.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ranked {
    /// How well: for [`Ranking::Newest`] this is not what it is ordered by.
    pub score: f32,
    /// Its time, in milliseconds; the least number if it has none.
    pub time: i64,
    /// Its file.
    pub file: i64,
    /// Its key in the file.
    pub key: u64,
    /// What copies of it share.
    pub copy: u64,
}

impl TextIndex {
    /// Every unit in scope that matches, in no order.
    pub fn search(
        &self,
        query: &Expr,
        scope: &Arc<Scope>,
        ranking: Ranking,
    ) -> Result<Vec<Ranked>, IndexError> {
        let searcher = self.reader.searcher();
        let compiler = Compiler { fields: &self.fields, searcher: &searcher, scope: scope.clone() };
        let compiled = compiler.query(query)?;
        let scoring = if ranking == Ranking::Newest {
            EnableScoring::disabled_from_searcher(&searcher)
        } else {
            EnableScoring::enabled_from_searcher(&searcher)
        };
        let everything = Everything { ranking };
        Ok(searcher.search_with_executor(
            &compiled,
            &everything,
            searcher.index().search_executor(),
            scoring,
        )?)
    }
}

struct Everything {
    ranking: Ranking,
}

struct OfSegment {
    ranking: Ranking,
    keys: Arc<dyn ColumnValues<u64>>,
    times: Arc<dyn ColumnValues<i64>>,
    copies: Arc<dyn ColumnValues<u64>>,
    found: Vec<Ranked>,
}

impl Collector for Everything {
    type Fruit = Vec<Ranked>;
    type Child = OfSegment;

    fn for_segment(&self, _: SegmentOrdinal, reader: &SegmentReader) -> tantivy::Result<OfSegment> {
        let fields = reader.fast_fields();
        Ok(OfSegment {
            ranking: self.ranking,
            keys: fields.u64("key")?.first_or_default_col(0),
            times: fields.i64("time")?.first_or_default_col(i64::MIN),
            copies: fields.u64("copy")?.first_or_default_col(0),
            found: Vec::new(),
        })
    }

    fn requires_scoring(&self) -> bool {
        self.ranking != Ranking::Newest
    }

    fn merge_fruits(&self, fruits: Vec<Vec<Ranked>>) -> tantivy::Result<Vec<Ranked>> {
        Ok(fruits.concat())
    }
}

impl SegmentCollector for OfSegment {
    type Fruit = Vec<Ranked>;

    fn collect(&mut self, doc: DocId, score: Score) {
        let time = self.times.get_val(doc);
        let factor = match self.ranking {
            Ranking::Best { now } => filter::recency((time != i64::MIN).then_some(Time(time)), now),
            Ranking::Newest => 1.0,
        };
        let (file, key) = of_number(self.keys.get_val(doc));
        let copy = self.copies.get_val(doc);
        self.found.push(Ranked { score: score * factor, time, file, key, copy });
    }

    fn harvest(self) -> Vec<Ranked> {
        self.found
    }
}
