//! Sums by day, week, month, hour, model, project, session, agent, tool, branch and purpose.

use std::collections::BTreeMap;
use std::collections::hash_map::Entry;

use jiff::civil::Date;
use rustc_hash::FxHashMap;
use scrollback_format::time::Time;
use scrollback_index::catalogue::ChargedFile;
use scrollback_index::error::IndexError;
use scrollback_model::agent::AgentPurpose;
use scrollback_model::charge::ChargeMarks;

use super::cost::{Priced, Pricer, Sum};
pub use super::grouping::By;
use super::view::{UsageRow, UsageView};
use super::{Book, BookEntry};
use scrollback_session::catalogue::Index;

/// Words for what has none.
const NONE: &str = "(none)";

/// The number of periods of a trend.
const STRETCHES: usize = 12;

/// Adds a book up.
pub fn usage(index: &Index, book: &Book, pricer: &mut Pricer<'_>, by: By) -> Result<UsageView, IndexError> {
    let tools = if by == By::Tool { Tools::of(index)? } else { Tools::default() };
    let span = book.span();
    // Sums of stretches; those of stretches of time are whole. Behind the last stretch is what has no time.
    let parts = if by.is_time() { 1 } else { STRETCHES + 1 };
    let mut sums: Vec<Sum> = Vec::new();
    // Where the sums of a key begin; and, as keys are long, where those of a number that stands for one do.
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    let mut slots: FxHashMap<u64, usize> = FxHashMap::default();
    let mut without_time = 0;
    for entry in book.entries() {
        let entry = &entry;
        without_time += if entry.time.is_none() { entry.messages } else { 0 };
        let slot = slots.entry(number(book, pricer, entry, by, &tools));
        let slot = *slot.or_insert_with(|| {
            *places.entry(key(book, pricer, entry, by, &tools)).or_insert_with(|| {
                sums.resize_with(sums.len() + parts, Sum::default);
                sums.len() - parts
            })
        });
        let part = if by.is_time() { 0 } else { stretch(span, entry.time) };
        pricer.add(&mut sums[slot + part], book, entry);
    }
    let mut total = vec![Sum::default(); parts];
    sums.chunks(parts).for_each(|sums| total.iter_mut().zip(sums).for_each(|(all, sum)| all.merge(sum)));
    let mut rows: Vec<UsageRow> =
        places.into_iter().map(|(key, at)| row(book, pricer, key, &sums[at..at + parts]).0).collect();
    if !by.is_time() {
        rows.sort_by(|a, b| b.cost.total.cmp(&a.cost.total).then_with(|| a.key.cmp(&b.key)));
    }
    let (total, priced) = row(book, pricer, "total".to_owned(), &total);
    let view = UsageView {
        by,
        time_zone: pricer.zone().iana_name().unwrap_or("local").to_owned(),
        row_count: rows.len() as u64,
        rows,
        total,
        unknown_models: priced.unknown,
        gaps: priced.gaps.iter().map(ToString::to_string).collect(),
        copies_dropped: book.dropped.len() as u64,
        without_time,
        from_ledger: book.from_ledger,
        first_time: span.map(|(first, _)| first),
        last_time: span.map(|(_, last)| last),
        budgets: Vec::new(),
        prices: pricer.source(),
        as_of: index.as_of,
    };
    Ok(view)
}

/// The row of the sums of its periods.
fn row(book: &Book, pricer: &Pricer<'_>, key: String, parts: &[Sum]) -> (UsageRow, Priced) {
    let mut sum = parts[0].clone();
    parts[1..].iter().for_each(|part| sum.merge(part));
    let priced = pricer.price(&sum, book);
    let mut row = UsageRow::of(key, None, &sum, &priced);
    if let [stretches @ .., _] = parts
        && !stretches.is_empty()
    {
        let cost = |part: &Sum| pricer.price(part, book).bill.total();
        row.trend = Some(stretches.iter().map(cost).collect());
    }
    (row, priced)
}

/// The period of a span that contains a time.
fn stretch(span: Option<(Time, Time)>, time: Option<Time>) -> usize {
    let (Some((first, last)), Some(time)) = (span, time) else { return STRETCHES };
    let (past, all) =
        (i128::from(time.0) - i128::from(first.0), i128::from(last.0) - i128::from(first.0) + 1);
    (past * STRETCHES as i128 / all) as usize
}

/// A number that stands for the key of an entry: entries of one number have one key.
fn number(book: &Book, pricer: &mut Pricer<'_>, entry: &BookEntry, by: By, tools: &Tools) -> u64 {
    match by {
        By::Day | By::Week | By::Month => pricer.day(entry).map_or(0, days),
        By::Hour => hour(book, pricer, entry).map_or(24, u64::from),
        By::Model => u64::from(entry.model),
        By::Branch => entry.branch.map_or(u64::MAX, u64::from),
        By::Tool => tools.called(book, entry).map_or(u64::MAX, u64::from),
        By::Project | By::Session | By::Agent => u64::from(entry.file),
        By::Purpose => u64::from(entry.file) << 8 | u64::from(entry.marks.bits()),
    }
}

fn days(date: Date) -> u64 {
    (i64::from(date.year()) * 512 + i64::from(date.month()) * 32 + i64::from(date.day())) as u64
}

/// The Monday of a day's week.
pub fn monday(date: Date) -> Date {
    let back = i64::from(date.weekday().to_monday_zero_offset());
    date.checked_sub(jiff::Span::new().days(back)).unwrap_or(date)
}

fn key(book: &Book, pricer: &mut Pricer<'_>, entry: &BookEntry, by: By, tools: &Tools) -> String {
    let file = book.file(entry);
    let date = pricer.day(entry);
    let key = match by {
        By::Day => date.map(|date| date.to_string()),
        By::Week => date.map(|date| monday(date).to_string()),
        By::Month => date.map(|date| date.strftime("%Y-%m").to_string()),
        By::Hour => hour(book, pricer, entry).map(|hour| format!("{hour:02}")),
        By::Model => (entry.model != u32::MAX).then(|| book.name(entry.model).to_owned()),
        By::Project => Some(match &file.project {
            Some(project) => project.to_string(),
            None => format!("[{}]", file.folder),
        }),
        By::Session => Some(file.session_id.clone()),
        By::Agent => Some(match &file.agent_id {
            Some(agent) => format!("{}/{agent}", file.session_id),
            None => file.session_id.clone(),
        }),
        By::Tool => tools.called(book, entry).map(|called| tools.names[called as usize].clone()),
        By::Branch => entry.branch.map(|branch| book.name(branch).to_owned()),
        By::Purpose => Some(purpose(file, entry).to_owned()),
    };
    key.unwrap_or_else(|| NONE.to_owned())
}

/// The hour of an entry; none of sessions that are gone: only their days are known.
fn hour(book: &Book, pricer: &Pricer<'_>, entry: &BookEntry) -> Option<u8> {
    if book.file(entry).is_gone() { None } else { pricer.hour(entry) }
}

/// What an entry was paid for.
fn purpose<'f>(file: &'f ChargedFile, entry: &BookEntry) -> &'f str {
    let marks = entry.marks;
    match &file.purpose {
        _ if file.is_gone() => "gone",
        _ if marks.has(ChargeMarks::ERROR) => "error",
        Some(purpose) => purpose,
        None if marks.has(ChargeMarks::SIDECHAIN) => AgentPurpose::Task.name(),
        None if marks.has(ChargeMarks::LEFT) => "left_behind",
        None => "conversation",
    }
}

/// What the purposes are, in words.
fn about(purpose: &str) -> Option<&'static str> {
    Some(match purpose {
        "conversation" => "answers in the conversation",
        "left_behind" => "answers on abandoned branches (rewound, retried)",
        "gone" => "sessions deleted by the client",
        "error" => "failed requests",
        "task" => "agents started by a tool call",
        "workflow" => "agents of workflow runs",
        "fork" => "agents that continued the conversation",
        "aside" => "side questions",
        "compaction" => "summaries of conversations",
        "prompt_suggestion" => "suggestions for the next prompt",
        "warmup" => "cache warm-up requests",
        _ => return None,
    })
}

/// The tools that messages call.
#[derive(Debug, Default)]
struct Tools {
    /// By the catalogue's number of the file and the place of the message there: the place of the name.
    called: FxHashMap<(u32, u32), u32>,
    /// Names of tools, several that are called together joined by `+`.
    names: Vec<String>,
}

impl Tools {
    fn of(index: &Index) -> Result<Self, IndexError> {
        let mut numbers: FxHashMap<(u32, u32), Vec<u32>> = FxHashMap::default();
        let db = index.catalogue();
        db.each_tool(|file, message, tool| {
            let called = numbers.entry((file, message)).or_default();
            if let Err(place) = called.binary_search(&tool) {
                called.insert(place, tool);
            }
        })?;
        let mut tools = Self::default();
        let mut known: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
        for (message, called) in numbers {
            let place = match known.entry(called) {
                Entry::Occupied(known) => *known.get(),
                Entry::Vacant(new) => {
                    let mut words = Vec::new();
                    for tool in new.key() {
                        words.push(db.name(*tool)?.unwrap_or_default());
                    }
                    words.sort();
                    tools.names.push(words.join("+"));
                    *new.insert(tools.names.len() as u32 - 1)
                }
            };
            tools.called.insert(message, place);
        }
        Ok(tools)
    }

    fn called(&self, book: &Book, entry: &BookEntry) -> Option<u32> {
        let file = book.file(entry).file as u32;
        self.called.get(&(file, entry.message)).copied()
    }
}

/// Adds titles of sessions and what agents and purposes are to the rows of a view.
pub fn label(index: &Index, book: &Book, by: By, view: &mut UsageView) {
    let mut purposes: FxHashMap<&str, &str> = FxHashMap::default();
    if by == By::Agent {
        let told = |file: &'_ ChargedFile| file.agent_id.is_some() && file.purpose.is_some();
        purposes = book
            .files
            .iter()
            .filter(|file| told(file))
            .filter_map(|file| Some((file.agent_id.as_deref()?, file.purpose.as_deref()?)))
            .collect();
    }
    for row in &mut view.rows {
        let title = || index.session_brief(&row.key).ok().flatten().and_then(|brief| brief.title);
        row.label = match by {
            By::Session => title(),
            By::Agent => match row.key.split_once('/') {
                Some((_, agent)) => purposes.get(agent).map(|purpose| (*purpose).to_owned()),
                None => title(),
            },
            By::Purpose => about(&row.key).map(str::to_owned),
            _ => None,
        };
    }
}
