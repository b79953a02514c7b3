//! Searching the text index: every unit that matches, ranked.

use std::sync::Arc;

use scrollback_format::time::Time;
use tantivy::collector::{Collector, SegmentCollector};
use tantivy::columnar::ColumnValues;
use tantivy::query::EnableScoring;
use tantivy::{DocId, Executor, Score, SegmentOrdinal, SegmentReader};

use super::compile::Compiler;
use super::scope::FileScope;
use super::{TextIndex, of_number};
use crate::error::IndexError;
use crate::filter;
use crate::query::Expr;

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
        scope: &Arc<FileScope>,
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
        let executor = self.executor(searcher.segment_readers().len(), searcher.num_docs());
        Ok(searcher.search_with_executor(&compiled, &everything, executor, scoring)?)
    }

    /// Who looks into the pieces: several threads, where there is enough to look at for them.
    fn executor(&self, pieces: usize, docs: u64) -> &Executor {
        let threads = std::thread::available_parallelism().map_or(1, usize::from).min(pieces);
        if threads < 2 || docs < MANY {
            return &Executor::SingleThread;
        }
        let several = || Executor::multi_thread(threads, "search").unwrap_or(Executor::SingleThread);
        self.executor.get_or_init(several)
    }
}

/// Fewer docs than this are looked through before a thread has begun.
const MANY: u64 = 20_000;

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
