//! Queries as tantivy takes them. Words are scored, conditions only pass or do not.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use scrollback_model::text::TextClass;
use tantivy::collector::DocSetCollector;
use tantivy::index::SegmentId;
use tantivy::query::doc_predicate_query::{DocPredicateQuery, FunctionPredicate};
use tantivy::query::{
    BooleanQuery, BoostQuery, ConstScoreQuery, EmptyQuery, Occur, PhrasePrefixQuery, PhraseQuery, Query,
    RegexQuery, TermQuery,
};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{Searcher, SegmentReader, Term};

use super::scope::FileScope;
use super::{Fields, TEXT_CLASSES, of_number};
use crate::error::IndexError;
use crate::filter::{self, Packed};
use crate::query::{AdjacentWords, Classes, Expr, Filter};

/// Compiles queries over one state of the index.
pub struct Compiler<'s> {
    /// The fields.
    pub fields: &'s Fields,
    /// The state.
    pub searcher: &'s Searcher,
    /// The files that are looked into, and what is known of them.
    pub scope: Arc<FileScope>,
}

type Boxed = Box<dyn Query>;

impl Compiler<'_> {
    /// The query over all units in scope.
    pub fn query(&self, expr: &Expr) -> Result<Boxed, IndexError> {
        if self.scope.is_everything() {
            return self.expr(expr);
        }
        let scope = self.scope.clone();
        let in_scope = predicate(move |reader| {
            let keys = reader.fast_fields().u64("key")?.first_or_default_col(0);
            let scope = scope.clone();
            Ok(move |doc| scope.has(of_number(keys.get_val(doc)).0))
        });
        let parts = vec![(Occur::Must, self.expr(expr)?), (Occur::Must, unscored(in_scope))];
        Ok(Box::new(BooleanQuery::new(parts)))
    }

    fn expr(&self, expr: &Expr) -> Result<Boxed, IndexError> {
        match expr {
            Expr::Words(words) => Ok(self.words(words)),
            Expr::Filter(filter) => self.filter(filter).map(unscored),
            Expr::Not(inner) => self.none_of(inner).map(unscored),
            Expr::And(list) => self.all(list),
            Expr::Or(list) => {
                let parts = list.iter().map(|part| Ok((Occur::Should, self.expr(part)?)));
                Ok(Box::new(BooleanQuery::new(parts.collect::<Result<_, IndexError>>()?)))
            }
        }
    }

    fn all(&self, list: &[Expr]) -> Result<Boxed, IndexError> {
        let parts = list.iter().map(|part| {
            let part = match part {
                Expr::Not(inner) => unscored(self.none_of(inner)?),
                part => self.expr(part)?,
            };
            Ok((Occur::Must, part))
        });
        Ok(Box::new(BooleanQuery::new(parts.collect::<Result<_, IndexError>>()?)))
    }

    /// Everything but what matches. Looked up beforehand: a phrase cannot be sought backwards, which is what leaving
    /// it out of an intersection would take.
    fn none_of(&self, inner: &Expr) -> Result<Boxed, IndexError> {
        let found = self.searcher.search(&self.expr(inner)?, &DocSetCollector)?;
        let mut bits: FxHashMap<SegmentId, Vec<u64>> = FxHashMap::default();
        for address in found {
            let reader = self.searcher.segment_reader(address.segment_ord);
            let words = reader.max_doc() as usize / 64 + 1;
            let own = bits.entry(reader.segment_id()).or_insert_with(|| vec![0; words]);
            own[address.doc_id as usize / 64] |= 1 << (address.doc_id % 64);
        }
        let bits: FxHashMap<SegmentId, Arc<Vec<u64>>> =
            bits.into_iter().map(|(id, own)| (id, Arc::new(own))).collect();
        Ok(predicate(move |reader| {
            let own = bits.get(&reader.segment_id()).cloned().unwrap_or_default();
            Ok(move |doc: u32| own.get(doc as usize / 64).is_none_or(|word| word >> (doc % 64) & 1 == 0))
        }))
    }

    fn words(&self, words: &AdjacentWords) -> Boxed {
        let classes = TEXT_CLASSES.iter().zip(&self.fields.classes);
        let parts = classes.filter(|(class, _)| words.classes.has(**class)).map(|(class, field)| {
            let query = self.side_by_side(*field, &words.tokens, words.prefix);
            let boosted: Boxed = Box::new(BoostQuery::new(query, filter::weight(*class)));
            (Occur::Should, boosted)
        });
        let parts: Vec<_> = parts.collect();
        if parts.is_empty() { Box::new(EmptyQuery) } else { Box::new(BooleanQuery::new(parts)) }
    }

    fn filter(&self, filter: &Filter) -> Result<Boxed, IndexError> {
        Ok(match filter {
            Filter::Role(role) => {
                let role = *role;
                about(move |packed| packed.kind().role() == role)
            }
            Filter::Error => about(Packed::is_error),
            Filter::In(classes) => {
                let wanted = *classes;
                about(move |packed| packed.classes().0 & wanted.0 & !title().0 != 0)
            }
            Filter::Since(time) => {
                let since = time.0;
                when(move |time| time >= since)
            }
            Filter::Until(time) => {
                let until = time.0;
                when(move |time| time < until && time != i64::MIN)
            }
            Filter::Tool(name, true) => {
                self.terms(self.fields.tool, &|tool| tool.starts_with(name.as_str()))?
            }
            Filter::Tool(name, false) => self.terms(self.fields.tool, &|tool| tool == name)?,
            Filter::Model(part) => self.terms(self.fields.model, &|model| model.contains(part.as_str()))?,
            Filter::File(words) => self.side_by_side(self.fields.path, words, false),
            Filter::Project(_) | Filter::Branch(_) | Filter::Session(_) | Filter::Agent(_) => {
                let scope = self.scope.clone();
                let passing = Arc::new(scope.passing(filter));
                predicate(move |reader| {
                    let keys = reader.fast_fields().u64("key")?.first_or_default_col(0);
                    let passing = passing.clone();
                    Ok(move |doc| passing.has(of_number(keys.get_val(doc)).0))
                })
            }
            Filter::DeadBranch | Filter::Compacted => {
                let (scope, filter) = (self.scope.clone(), filter.clone());
                predicate(move |reader| {
                    let keys = reader.fast_fields().u64("key")?.first_or_default_col(0);
                    let rows = reader.fast_fields().u64("row")?.first_or_default_col(0);
                    let (scope, filter) = (scope.clone(), filter.clone());
                    Ok(move |doc| {
                        let (file, _) = of_number(keys.get_val(doc));
                        scope.row_passes(file, rows.get_val(doc) as u32, &filter)
                    })
                })
            }
        })
    }

    fn side_by_side(&self, field: Field, tokens: &[String], prefix: bool) -> Boxed {
        let terms: Vec<Term> = tokens.iter().map(|token| Term::from_field_text(field, token)).collect();
        match (terms.as_slice(), prefix) {
            ([], _) => Box::new(EmptyQuery),
            ([one], false) => Box::new(TermQuery::new(one.clone(), IndexRecordOption::WithFreqs)),
            ([_], true) => {
                let begins = tokens.first().map(|token| format!("{}.*", escape(token))).unwrap_or_default();
                match RegexQuery::from_pattern(&begins, field) {
                    Ok(query) => Box::new(query),
                    Err(_) => Box::new(EmptyQuery),
                }
            }
            (_, false) => Box::new(PhraseQuery::new(terms)),
            (_, true) => {
                let last = tokens.last().map_or("", String::as_str);
                let expansions = self.expansions(field, last);
                let mut query = PhrasePrefixQuery::new(terms);
                query.set_max_expansions(expansions);
                Box::new(query)
            }
        }
    }

    /// How many tokens of a field begin so, in the piece of the index that has the most: tantivy makes room for
    /// as many as it is told.
    fn expansions(&self, field: Field, start: &str) -> u32 {
        let count = |reader: &SegmentReader| {
            let inverted = reader.inverted_index(field).ok()?;
            let mut terms = inverted.terms().range().ge(start.as_bytes()).into_stream().ok()?;
            let mut count = 0;
            while terms.advance() && terms.key().starts_with(start.as_bytes()) {
                count += 1;
            }
            Some(count)
        };
        self.searcher.segment_readers().iter().filter_map(count).max().unwrap_or(0).max(1)
    }

    /// Docs with one of the terms of a field that `wanted` picks; such fields have few terms.
    fn terms(&self, field: Field, wanted: &dyn Fn(&str) -> bool) -> Result<Boxed, IndexError> {
        let mut found: Vec<String> = Vec::new();
        for reader in self.searcher.segment_readers() {
            let inverted = reader.inverted_index(field)?;
            let mut terms = inverted.terms().stream().map_err(tantivy::TantivyError::from)?;
            while terms.advance() {
                if let Ok(text) = std::str::from_utf8(terms.key())
                    && wanted(text)
                {
                    found.push(text.to_owned());
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        let parts = found.iter().map(|text| {
            let query: Boxed =
                Box::new(TermQuery::new(Term::from_field_text(field, text), IndexRecordOption::Basic));
            (Occur::Should, query)
        });
        let parts: Vec<_> = parts.collect();
        Ok(if parts.is_empty() { Box::new(EmptyQuery) } else { Box::new(BooleanQuery::new(parts)) })
    }
}

/// Titles are not in the index.
fn title() -> Classes {
    Classes::one(TextClass::Titles)
}

/// Tokens are letters and digits, but folding may leave other characters in them.
fn escape(token: &str) -> String {
    token.chars().flat_map(|c| if c.is_alphanumeric() { vec![c] } else { vec!['\\', c] }).collect()
}

fn unscored(query: Boxed) -> Boxed {
    Box::new(ConstScoreQuery::new(query, 0.0))
}

fn predicate<P: Fn(u32) -> bool + Send + Sync + 'static>(
    of_segment: impl Fn(&SegmentReader) -> tantivy::Result<P> + Send + Sync + 'static,
) -> Boxed {
    let query: DocPredicateQuery = FunctionPredicate::from(of_segment).into();
    Box::new(query)
}

fn about(test: impl Fn(Packed) -> bool + Send + Sync + Clone + 'static) -> Boxed {
    predicate(move |reader| {
        let column = reader.fast_fields().u64("about")?.first_or_default_col(0);
        let test = test.clone();
        Ok(move |doc| test(Packed(column.get_val(doc))))
    })
}

fn when(test: impl Fn(i64) -> bool + Send + Sync + Clone + 'static) -> Boxed {
    predicate(move |reader| {
        let column = reader.fast_fields().i64("time")?.first_or_default_col(i64::MIN);
        let test = test.clone();
        Ok(move |doc| test(column.get_val(doc)))
    })
}
