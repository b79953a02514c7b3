//! The audit: from raw lines to what is paid, rule by rule, with every line that a rule dropped.

mod raw;

use std::collections::BTreeMap;
use std::path::PathBuf;

use rustc_hash::FxHashMap;
use scrollback_index::charge::ChargeRow;
use scrollback_model::charge::larger;
use scrollback_model::tokens::Tokens;
use scrollback_model::usage::Rule;
use scrollback_pricing::Money;
use serde::Serialize;

use super::cost::{Pricer, Sum};
use super::{Book, Entry};
use crate::catalogue::Index;
use crate::view::TokensView;

pub use raw::Raw;

/// Counts before or after a rule.
#[derive(Debug, Clone, Serialize)]
pub struct StageView {
    /// `raw`, then the rule that was applied, then `priced`.
    pub stage: &'static str,
    /// What it says.
    pub says: &'static str,
    /// Lines, charges or messages that are left after it.
    pub left: u64,
    /// How many it dropped.
    pub dropped: u64,
    /// Tokens that are left after it.
    pub tokens: TokensView,
    /// What they would cost.
    pub cost: Money,
}

/// A line that a rule dropped.
#[derive(Debug, Clone, Serialize)]
pub struct DroppedView {
    /// The rule.
    pub rule: &'static str,
    /// The file.
    #[serde(serialize_with = "crate::view::path")]
    pub path: PathBuf,
    /// The line.
    pub line: u64,
    /// Output tokens: on the line, or of the charge that begins with it.
    pub output: u64,
    /// The file of the charge that is paid instead.
    #[serde(serialize_with = "crate::view::path")]
    pub paid_in: PathBuf,
    /// The first line of that charge.
    pub paid_line: u64,
}

/// The whole way from lines to money.
#[derive(Debug, Clone, Serialize)]
pub struct AuditView {
    /// Stages, in their order.
    pub stages: Vec<StageView>,
    /// Messages that are left after all rules.
    pub paid: u64,
    /// Of these, such that the client made up: they cost nothing.
    pub synthetic: u64,
    /// Models without a price, and how many messages they made. What they cost is in no sum.
    pub unknown_models: BTreeMap<String, u64>,
    /// What all messages that have a price cost.
    pub cost: Money,
    /// Every line that was dropped, by rule, file and line; lines that repeat their message come last.
    pub dropped: Vec<DroppedView>,
}

/// What the rules say.
fn says(rule: Rule) -> &'static str {
    match rule {
        Rule::Line => "lines of one message in one file are one charge, with the largest output count",
        Rule::Copy => "the same message and request in another file is a copy",
        Rule::NoRequest => "the same message without a request is a copy",
        Rule::Sidechain => "what an agent or a progress line repeats is a copy, whatever its request",
    }
}

/// Tokens, and what they would cost.
#[derive(Debug, Clone, Copy)]
struct Worth {
    tokens: Tokens,
    cost: Money,
}

impl Worth {
    fn add(&mut self, other: &Self) {
        self.tokens += other.tokens;
        self.cost += other.cost;
    }

    fn take(&mut self, part: &Self) {
        self.tokens = Tokens {
            input: self.tokens.input.saturating_sub(part.tokens.input),
            output: self.tokens.output.saturating_sub(part.tokens.output),
            cache_read: self.tokens.cache_read.saturating_sub(part.tokens.cache_read),
            cache_write: self.tokens.cache_write.saturating_sub(part.tokens.cache_write),
            cache_write_5m: self.tokens.cache_write_5m.saturating_sub(part.tokens.cache_write_5m),
            cache_write_1h: self.tokens.cache_write_1h.saturating_sub(part.tokens.cache_write_1h),
        };
        self.cost = self.cost - part.cost;
    }
}

/// Audits a book whose files were read.
pub fn audit(index: &Index, book: &Book, pricer: &mut Pricer<'_>, raw: &Raw) -> AuditView {
    let mut sum = Sum::default();
    book.entries().for_each(|entry| pricer.add(&mut sum, book, &entry));
    let priced = pricer.price(&sum, book);
    let is_lower_bound = sum.is_lower_bound;
    let stage = |stage, says, left, dropped, worth: &Worth| StageView {
        stage,
        says,
        left,
        dropped,
        tokens: TokensView::of(worth.tokens, is_lower_bound),
        cost: worth.cost,
    };
    let cost = priced.bill.total();
    let unpriced: u64 = priced.unknown.values().sum();
    let paid = book.entries().count() as u64;
    let mut left = paid;
    let models = priced.models.iter().filter(|(model, _)| !priced.unknown.contains_key(*model));
    let mut with_price = Worth { tokens: Tokens::default(), cost };
    models.for_each(|(_, (tokens, ..))| with_price.tokens += *tokens);
    let says_priced = "what has no price is in no sum";
    let mut stages = vec![stage("priced", says_priced, left - unpriced, unpriced, &with_price)];
    // Backwards from what is paid: what a rule dropped is put back, with its own counts.
    let mut worth = Worth { tokens: sum.tokens, cost };
    for rule in [Rule::Sidechain, Rule::NoRequest, Rule::Copy] {
        let count = book.dropped.iter().filter(|dropped| dropped.rule == rule).count() as u64;
        stages.push(stage(rule.name(), says(rule), left, count, &worth));
        put_back(book, pricer, rule, &mut worth);
        left += count;
    }
    let lines: u64 = raw.files.iter().map(|file| file.repeated.len() as u64).sum();
    stages.push(stage(Rule::Line.name(), says(Rule::Line), left, lines, &worth));
    stages.push(stage("raw", "every line of an answer", left + lines, 0, &raw_worth(book, pricer, raw)));
    stages.reverse();
    let synthetic = book.entries().filter(|entry| book.name(entry.model) == "<synthetic>").count();
    AuditView {
        stages,
        paid,
        synthetic: synthetic as u64,
        unknown_models: priced.unknown,
        cost,
        dropped: dropped(index, book, raw),
    }
}

/// Puts back what a rule dropped: its charges as they were, and those that got the counts of one of them.
fn put_back(book: &Book, pricer: &mut Pricer<'_>, rule: Rule, worth: &mut Worth) {
    let mut sum = Sum::default();
    // Bills with the counts of a copy: those counts before and after this rule.
    let mut raised: FxHashMap<u32, (Tokens, Tokens)> = FxHashMap::default();
    for dropped in &book.dropped {
        let row = &book.rows[dropped.row as usize];
        if dropped.rule == rule {
            pricer.add(&mut sum, book, &entry_of(row, row.copy.tokens));
        }
        let bill = &book.bills[dropped.bill as usize];
        if bill.counts != bill.owner {
            let own = book.rows[bill.owner as usize].copy.tokens;
            let (before, after) = raised.entry(dropped.bill).or_insert((own, own));
            if dropped.rule < rule {
                larger(before, row.copy.tokens);
            }
            if dropped.rule <= rule {
                larger(after, row.copy.tokens);
            }
        }
    }
    worth.add(&Worth { tokens: sum.tokens, cost: pricer.price(&sum, book).bill.total() });
    let (mut low, mut high) = (Sum::default(), Sum::default());
    for (at, (before, after)) in raised {
        let entry = book.entry(&book.bills[at as usize]);
        pricer.add(&mut low, book, &Entry { tokens: before, ..entry });
        pricer.add(&mut high, book, &Entry { tokens: after, ..entry });
    }
    worth.add(&Worth { tokens: low.tokens, cost: pricer.price(&low, book).bill.total() });
    worth.take(&Worth { tokens: high.tokens, cost: pricer.price(&high, book).bill.total() });
}

/// What all lines would cost, each by itself: the number that a careless reader comes to.
fn raw_worth(book: &Book, pricer: &mut Pricer<'_>, raw: &Raw) -> Worth {
    let mut sum = Sum::default();
    for (file, place) in raw.files.iter().zip(0..) {
        for (row, tokens) in &file.charges {
            let mut row = *row;
            row.copy.file = place;
            // Whether a request was long is told by one line, not by the sum of its lines.
            let one = entry_of(&row, row.copy.tokens);
            let day = pricer.day(&one);
            let is_long = Some(pricer.is_long(book, &one, day));
            pricer.add(&mut sum, book, &Entry { tokens: *tokens, is_long, ..one });
        }
    }
    Worth { tokens: sum.tokens, cost: pricer.price(&sum, book).bill.total() }
}

/// A charge as if it were paid, with these tokens. Its file is a place in the book.
fn entry_of(row: &ChargeRow, tokens: Tokens) -> Entry {
    let copy = &row.copy;
    Entry {
        time: copy.time,
        file: copy.file,
        model: copy.model,
        branch: row.branch,
        message: row.number,
        line: row.line,
        tokens,
        searches: copy.searches,
        grade: copy.grade,
        marks: copy.marks,
        copies: 1,
        key: copy.message,
        messages: 1,
        is_long: None,
    }
}

/// Every line that was dropped.
fn dropped(index: &Index, book: &Book, raw: &Raw) -> Vec<DroppedView> {
    let path = |file: u32| index.given_path(&book.files[file as usize].path);
    let copies = book.dropped.iter().map(|dropped| {
        let row = &book.rows[dropped.row as usize];
        let paid = book.entry(&book.bills[dropped.bill as usize]);
        DroppedView {
            rule: dropped.rule.name(),
            path: path(row.copy.file),
            line: u64::from(row.line),
            output: row.copy.tokens.output,
            paid_in: path(paid.file),
            paid_line: u64::from(paid.line),
        }
    });
    let mut views: Vec<DroppedView> = copies.collect();
    views.sort_by(|a, b| (a.rule, &a.path, a.line).cmp(&(b.rule, &b.path, b.line)));
    for (file, place) in raw.files.iter().zip(0..) {
        views.extend(file.repeated.iter().map(|line| DroppedView {
            rule: Rule::Line.name(),
            path: path(place),
            line: u64::from(line.line),
            output: line.output,
            paid_in: path(place),
            paid_line: u64::from(file.charges[line.charge as usize].0.line),
        }));
    }
    views
}
