//! The audit: from raw lines to what is paid, rule by rule, with every line that a rule dropped.

mod raw;

use std::collections::BTreeMap;
use std::path::PathBuf;

use rustc_hash::FxHashMap;
use scrollback_index::charge::ChargeRow;
use scrollback_model::charge::larger;
use scrollback_model::tokens::Tokens;
use scrollback_model::usage::Rule;
use scrollback_pricing::{Money, SYNTHETIC};
use serde::Serialize;

use super::cost::{Pricer, Sum};
use super::{Book, Dropped, Entry};
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
    /// Output tokens on it.
    pub output: u64,
    /// The file of the charge that is paid instead.
    #[serde(serialize_with = "crate::view::path")]
    pub paid_in: PathBuf,
    /// The line of that charge that counts.
    pub paid_line: u64,
}

/// The whole way from lines to money.
#[derive(Debug, Clone, Serialize)]
pub struct AuditView {
    /// Stages, in their order.
    pub stages: Vec<StageView>,
    /// Messages that are left after the rules about copies.
    pub paid: u64,
    /// Of these, such that the client made up: they cost nothing.
    pub synthetic: u64,
    /// Models without a price, and how many messages they made. What they cost is in no sum.
    pub unknown_models: BTreeMap<String, u64>,
    /// What all messages that have a price cost.
    pub cost: Money,
    /// How many lines were dropped, by the rule that was asked for or by any.
    pub dropped_lines: u64,
    /// Each of them, as far as they were asked for, by file and line; lines that repeat their message come last.
    pub dropped: Vec<DroppedView>,
}

/// What to audit.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// One session with its agents. What it has in common with others is dropped from it if it is theirs.
    pub session: Option<&'a str>,
    /// Lines that this rule dropped, else those of all.
    pub rule: Option<Rule>,
    /// At most so many lines.
    pub limit: usize,
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

/// Audits a book of all sessions whose files were read.
pub fn audit(index: &Index, book: &Book, pricer: &mut Pricer<'_>, raw: &Raw, asked: &Asked<'_>) -> AuditView {
    let is_own: Vec<bool> = book
        .files
        .iter()
        .map(|file| asked.session.is_none_or(|session| file.session_id == session))
        .collect();
    let own = || book.entries().filter(|entry| is_own[entry.file as usize]);
    let mut sum = Sum::default();
    own().for_each(|entry| pricer.add(&mut sum, book, &entry));
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
    let paid = own().count() as u64;
    let mut left = paid;
    let with_price = Worth { tokens: priced.tokens, cost };
    let says_priced = "what has no price is in no sum";
    let mut stages = vec![stage("priced", says_priced, left - unpriced, unpriced, &with_price)];
    // Backwards from what is paid: what a rule dropped is put back, with its own counts.
    let mut worth = Worth { tokens: sum.tokens, cost };
    for rule in [Rule::Sidechain, Rule::NoRequest, Rule::Copy] {
        let of_rule = |dropped: &&Dropped| dropped.rule == rule && is_own[book.file_of(dropped)];
        let count = book.dropped.iter().filter(of_rule).count() as u64;
        stages.push(stage(rule.name(), says(rule), left, count, &worth));
        put_back(book, pricer, &is_own, rule, &mut worth);
        left += count;
    }
    let lines: u64 = raw.files.iter().map(|file| file.repeated.len() as u64).sum();
    stages.push(stage(Rule::Line.name(), says(Rule::Line), left, lines, &worth));
    stages.push(stage("raw", "every line of an answer", left + lines, 0, &raw_worth(book, pricer, raw)));
    stages.reverse();
    let (dropped_lines, dropped) = dropped(index, book, raw, &is_own, asked);
    AuditView {
        stages,
        paid,
        synthetic: own().filter(|entry| book.name(entry.model) == SYNTHETIC).count() as u64,
        unknown_models: priced.unknown,
        cost,
        dropped_lines,
        dropped,
    }
}

/// Puts back what a rule dropped: its charges as they were, and those that got the counts of one of them.
fn put_back(book: &Book, pricer: &mut Pricer<'_>, is_own: &[bool], rule: Rule, worth: &mut Worth) {
    let mut sum = Sum::default();
    // Bills with the counts of a copy: those counts before and after this rule.
    let mut raised: FxHashMap<u32, (Tokens, Tokens)> = FxHashMap::default();
    for dropped in &book.dropped {
        let row = &book.rows[dropped.row as usize];
        if dropped.rule == rule && is_own[book.file_of(dropped)] {
            pricer.add(&mut sum, book, &entry_of(row, row.copy.tokens));
        }
        let bill = &book.bills[dropped.bill as usize];
        let owner = &book.rows[bill.owner as usize].copy;
        if bill.counts != bill.owner && is_own[owner.file as usize] {
            let (before, after) = raised.entry(dropped.bill).or_insert((owner.tokens, owner.tokens));
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
        for charge in &file.charges {
            let one = Entry { file: place, ..entry_of(&charge.row, charge.row.copy.tokens) };
            // Whether a request was long is told by one line, not by the sum of its lines.
            let is_long = Some(pricer.is_long(book, &one));
            pricer.add(&mut sum, book, &Entry { tokens: charge.tokens, is_long, ..one });
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

/// A line that was dropped: rule, file, line, output, file and line of what is paid instead. Light, because there are many.
type Line = (Rule, u32, u32, u64, u32, u32);

/// Lines that were dropped, as far as they are asked for, and how many there are.
fn dropped(
    index: &Index,
    book: &Book,
    raw: &Raw,
    is_own: &[bool],
    asked: &Asked<'_>,
) -> (u64, Vec<DroppedView>) {
    let line_of = |row: &ChargeRow| {
        let charges = raw.files.get(row.copy.file as usize).map(|file| file.charges.as_slice());
        let charge = charges.and_then(|charges| charges.get(row.number as usize));
        charge.map(|charge| charge.line).filter(|line| *line != 0).unwrap_or(row.line)
    };
    let mut lines: Vec<Line> = Vec::new();
    // Where what is paid for a charge stands, if it is not paid by itself.
    let mut paid_elsewhere: FxHashMap<(u32, u32), (u32, u32)> = FxHashMap::default();
    for dropped in book.dropped.iter().filter(|dropped| is_own[book.file_of(dropped)]) {
        let row = &book.rows[dropped.row as usize];
        let owner = &book.rows[book.bills[dropped.bill as usize].owner as usize];
        let paid = (owner.copy.file, line_of(owner));
        paid_elsewhere.insert((row.copy.file, row.number), paid);
        let output = row.copy.tokens.output;
        lines.push((dropped.rule, row.copy.file, line_of(row), output, paid.0, paid.1));
    }
    for (file, place) in raw.files.iter().zip(0_u32..) {
        for line in &file.repeated {
            let own = (place, file.charges[line.charge as usize].line);
            let paid = paid_elsewhere.get(&(place, line.charge)).copied().unwrap_or(own);
            lines.push((Rule::Line, place, line.line, line.output, paid.0, paid.1));
        }
    }
    lines.retain(|(rule, ..)| asked.rule.is_none_or(|asked| asked == *rule));
    lines.sort_unstable_by_key(|(rule, file, line, ..)| (*rule == Rule::Line, *file, *line));
    let count = lines.len() as u64;
    let path = |file: u32| index.given_path(&book.files[file as usize].path);
    let view = |(rule, file, line, output, paid, paid_line): Line| DroppedView {
        rule: rule.name(),
        path: path(file),
        line: u64::from(line),
        output,
        paid_in: path(paid),
        paid_line: u64::from(paid_line),
    };
    (count, lines.into_iter().take(asked.limit).map(view).collect())
}
