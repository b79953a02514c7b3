//! The audit: from raw lines to what is paid, rule by rule, with every copy that a rule dropped.

use std::ops::ControlFlow;
use std::path::PathBuf;

use scrollback_format::body::message::{AssistantMessage, Usage};
use scrollback_format::entry::Entry;
use scrollback_format::kind::{Kind, ProgressKind};
use scrollback_format::shape::Shaped;
use scrollback_index::catalogue::ChargedFile;
use scrollback_index::error::IndexError;
use scrollback_model::tokens::Tokens;
use scrollback_model::usage::Rule;
use scrollback_pricing::Money;
use scrollback_store::{Chunk, Start, stamp, work};
use serde::Serialize;

use super::Book;
use super::cost::{Pricer, Sum};
use crate::catalogue::Index;
use crate::load::Loader;
use crate::view::TokensView;

/// Counts before or after a rule.
#[derive(Debug, Clone, Serialize)]
pub struct StageView {
    /// `lines`, then the rule that was applied.
    pub stage: &'static str,
    /// What it says.
    pub says: &'static str,
    /// Lines or charges that are left after it.
    pub left: u64,
    /// Lines or charges that it dropped.
    pub dropped: u64,
    /// Tokens that are left after it.
    pub tokens: TokensView,
}

/// A charge that a rule dropped.
#[derive(Debug, Clone, Serialize)]
pub struct DroppedView {
    /// The rule.
    pub rule: &'static str,
    /// The file.
    #[serde(serialize_with = "crate::view::path")]
    pub path: PathBuf,
    /// Its first line.
    pub line: u64,
    /// Output tokens on it.
    pub output: u64,
    /// The file of the charge that is paid instead.
    #[serde(serialize_with = "crate::view::path")]
    pub paid_in: PathBuf,
}

/// The whole way from lines to money.
#[derive(Debug, Clone, Serialize)]
pub struct AuditView {
    /// Stages, in their order.
    pub stages: Vec<StageView>,
    /// Messages that are paid.
    pub paid: u64,
    /// Of these, such that the client made up: they cost nothing.
    pub synthetic: u64,
    /// What they cost.
    pub cost: Money,
    /// Every charge that was dropped, by file and line.
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

/// Audits a book.
pub fn audit(
    index: &Index,
    book: &Book,
    pricer: &mut Pricer<'_>,
    lines: (u64, Tokens),
) -> Result<AuditView, IndexError> {
    let mut sum = Sum::default();
    for entry in &book.entries {
        pricer.add(&mut sum, book, entry);
    }
    let priced = pricer.price(&sum, book);
    let of = |rule: Rule| book.dropped.iter().filter(move |dropped| dropped.rule == rule);
    let mut left = book.charges;
    // Backwards from what is paid: a copy that was dropped had its own counts.
    let mut stages = vec![StageView {
        stage: "raw",
        says: "every line of an answer that has a usage",
        left: lines.0,
        dropped: 0,
        tokens: TokensView::of(lines.1, false),
    }];
    let mut all = Tokens::default();
    for dropped in &book.dropped {
        all += dropped.row.copy.tokens;
    }
    all += owned(book);
    stages.push(StageView {
        stage: Rule::Line.name(),
        says: says(Rule::Line),
        left,
        dropped: lines.0.saturating_sub(left),
        tokens: TokensView::of(all, false),
    });
    for rule in [Rule::Copy, Rule::NoRequest, Rule::Sidechain] {
        let count = of(rule).count() as u64;
        for dropped in of(rule) {
            all = less(all, dropped.row.copy.tokens);
        }
        left -= count;
        let tokens = if rule == Rule::Sidechain { sum.tokens } else { all };
        stages.push(StageView {
            stage: rule.name(),
            says: says(rule),
            left,
            dropped: count,
            tokens: TokensView::of(tokens, sum.is_lower_bound),
        });
    }
    let synthetic = book.entries.iter().filter(|entry| book.name(entry.model) == "<synthetic>").count();
    let mut dropped: Vec<DroppedView> = Vec::new();
    for found in &book.dropped {
        let paid = book.entries.get(found.entry as usize).map(|entry| book.file(entry).path.as_str());
        dropped.push(DroppedView {
            rule: found.rule.name(),
            path: index.given_path(&book.files[found.row.copy.file as usize].path),
            line: u64::from(found.row.line),
            output: found.row.copy.tokens.output,
            paid_in: index.given_path(paid.unwrap_or_default()),
        });
    }
    dropped.sort_by(|a, b| (&a.path, a.line).cmp(&(&b.path, b.line)));
    Ok(AuditView {
        stages,
        paid: book.entries.len() as u64,
        synthetic: synthetic as u64,
        cost: priced.bill.total(),
        dropped,
    })
}

/// The files of a book, in the words of the user, with their lengths.
fn paths(index: &Index, book: &Book) -> Vec<(PathBuf, u64)> {
    let path = |file: &ChargedFile| {
        let path = index.given_path(&file.path);
        let size = stamp::look(&path).map_or(0, |look| look.size);
        (path, size)
    };
    book.files.iter().map(path).collect()
}

/// How many bytes an audit reads.
pub fn bytes(index: &Index, book: &Book) -> u64 {
    paths(index, book).iter().map(|(_, size)| size).sum()
}

/// Counts every line that has a usage, as it stands in the files: the number that a careless reader comes to.
pub fn raw(index: &Index, book: &Book, progress: &(dyn Fn(u64) + Sync)) -> (u64, Tokens) {
    let counted = work::each(&paths(index, book), work::threads(), Loader::new, |loader, (path, size)| {
        let (mut lines, mut sum) = (0, Tokens::default());
        let _ = loader.chunks(path, Start::default(), |parser, chunk| {
            if let Chunk::Line(line) = chunk {
                parser.each(line, |piece| {
                    let usage = piece.entry().and_then(usage_of);
                    if let Some(usage) = usage {
                        lines += 1;
                        sum += Tokens::of(usage);
                    }
                });
            }
            ControlFlow::Continue(())
        });
        progress(*size);
        (lines, sum)
    });
    counted.into_iter().fold((0, Tokens::default()), |(lines, mut all), (more, sum)| {
        all += sum;
        (lines + more, all)
    })
}

/// The usage on a line: of an answer, or of an agent's that a progress line repeats.
fn usage_of<'a>(entry: &Entry<'a>) -> Option<Usage<'a>> {
    let inner = || entry.envelope.data?.get("message")?.get("message");
    let message = match entry.kind {
        Kind::Assistant => entry.envelope.message?,
        Kind::Progress(ProgressKind::Agent) => inner()?,
        _ => return None,
    };
    AssistantMessage::over(message).usage()
}

/// The tokens of the charges that own what is paid.
fn owned(book: &Book) -> Tokens {
    let mut sum = Tokens::default();
    for entry in &book.entries {
        sum += entry.tokens;
    }
    sum
}

fn less(all: Tokens, part: Tokens) -> Tokens {
    Tokens {
        input: all.input.saturating_sub(part.input),
        output: all.output.saturating_sub(part.output),
        cache_read: all.cache_read.saturating_sub(part.cache_read),
        cache_write: all.cache_write.saturating_sub(part.cache_write),
        cache_write_5m: all.cache_write_5m.saturating_sub(part.cache_write_5m),
        cache_write_1h: all.cache_write_1h.saturating_sub(part.cache_write_1h),
    }
}
