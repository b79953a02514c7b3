//! Sums by day, week, month, hour, model, project, session, agent, tool and branch.

use std::collections::BTreeMap;
use std::collections::hash_map::Entry;

use jiff::civil::Date;
use rustc_hash::FxHashMap;
use scrollback_index::error::IndexError;

use super::cost::{Pricer, Sum};
use super::view::{UsageRow, UsageView};
use super::{self as usage_of, Book};
use crate::catalogue::Index;

/// What to add up by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum By {
    /// Days of the calendar.
    Day,
    /// Weeks, by their Monday.
    Week,
    /// Months.
    Month,
    /// Hours of the day.
    Hour,
    /// Models.
    Model,
    /// Directories.
    Project,
    /// Sessions with their agents.
    Session,
    /// Agents, and sessions without theirs.
    Agent,
    /// Tools: a message that calls several is shared between them.
    Tool,
    /// Branches.
    Branch,
}

impl By {
    /// Its name in output that programs read.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Day => "day",
            Self::Week => "week",
            Self::Month => "month",
            Self::Hour => "hour",
            Self::Model => "model",
            Self::Project => "project",
            Self::Session => "session",
            Self::Agent => "agent",
            Self::Tool => "tool",
            Self::Branch => "branch",
        }
    }

    /// Are the rows times, which come in their own order?
    pub const fn is_time(self) -> bool {
        matches!(self, Self::Day | Self::Week | Self::Month | Self::Hour)
    }
}

/// Words for what has none.
const NONE: &str = "(none)";

/// Adds a book up.
pub fn usage(index: &Index, book: &Book, pricer: &mut Pricer<'_>, by: By) -> Result<UsageView, IndexError> {
    let mut sums: BTreeMap<String, Sum> = BTreeMap::new();
    let mut total = Sum::default();
    let tools = if by == By::Tool { tools(index)? } else { FxHashMap::default() };
    let mut without_time = 0;
    // Most entries have the key of the one before.
    let mut keys: FxHashMap<u64, String> = FxHashMap::default();
    for entry in &book.entries {
        pricer.add(&mut total, book, entry);
        if by.is_time() && entry.time.is_none() {
            without_time += 1;
            continue;
        }
        let number = number(book, pricer, entry, by, &tools);
        let key = keys.entry(number).or_insert_with(|| key(book, pricer, entry, by, &tools));
        if !sums.contains_key(key.as_str()) {
            sums.insert(key.clone(), Sum::default());
        }
        if let Some(sum) = sums.get_mut(key.as_str()) {
            pricer.add(sum, book, entry);
        }
    }
    let mut rows: Vec<UsageRow> = sums
        .into_iter()
        .map(|(key, sum)| {
            let priced = pricer.price(&sum, book);
            UsageRow::of(key, None, &sum, &priced)
        })
        .collect();
    if !by.is_time() {
        rows.sort_by(|a, b| b.cost.total.cmp(&a.cost.total).then_with(|| a.key.cmp(&b.key)));
    }
    let priced = pricer.price(&total, book);
    let mut view = UsageView {
        by: by.name(),
        time_zone: pricer.zone().iana_name().unwrap_or("local").to_owned(),
        rows,
        total: UsageRow::of("total".to_owned(), None, &total, &priced),
        unknown_models: priced.unknown.clone(),
        gaps: priced.gaps.iter().map(ToString::to_string).collect(),
        copies_dropped: book.dropped.len() as u64,
        without_time,
        prices: pricer.source(),
        as_of: index.as_of,
    };
    label(index, book, by, &mut view);
    Ok(view)
}

/// What sets the key of an entry apart, as a number.
fn number(
    book: &Book,
    pricer: &mut Pricer<'_>,
    entry: &usage_of::Entry,
    by: By,
    tools: &FxHashMap<(u32, u32), String>,
) -> u64 {
    let day = |pricer: &mut Pricer<'_>| pricer.day(entry).map_or(0, days);
    match by {
        By::Day => day(pricer),
        By::Week => pricer.day(entry).map_or(0, |date| days(monday(date))),
        By::Month => pricer.day(entry).map_or(0, |date| days(date.first_of_month())),
        By::Hour => pricer.hour(entry).map_or(24, u64::from),
        By::Model => u64::from(entry.model),
        By::Branch => entry.branch.map_or(u64::MAX, u64::from),
        By::Tool => {
            let called = tools.get(&entry.message).map(String::as_str).unwrap_or_default();
            scrollback_model::usage::message_number(called.as_bytes())
        }
        By::Agent => u64::from(entry.file),
        By::Session => scrollback_model::usage::message_number(book.file(entry).session_id.as_bytes()),
        By::Project => {
            let file = book.file(entry);
            let name = file.project.as_deref().unwrap_or(&file.folder);
            scrollback_model::usage::message_number(name.as_bytes())
        }
    }
}

fn days(date: Date) -> u64 {
    (i64::from(date.year()) * 512 + i64::from(date.month()) * 32 + i64::from(date.day())) as u64
}

/// The Monday of a day's week.
pub(super) fn monday(date: Date) -> Date {
    let back = i64::from(date.weekday().to_monday_zero_offset());
    date.checked_sub(jiff::Span::new().days(back)).unwrap_or(date)
}

fn key(
    book: &Book,
    pricer: &mut Pricer<'_>,
    entry: &usage_of::Entry,
    by: By,
    tools: &FxHashMap<(u32, u32), String>,
) -> String {
    let file = book.file(entry);
    let date = pricer.day(entry);
    match by {
        By::Day => date.map_or_else(|| NONE.to_owned(), |date| date.to_string()),
        By::Week => date.map_or_else(|| NONE.to_owned(), |date| monday(date).to_string()),
        By::Month => date.map_or_else(|| NONE.to_owned(), |date| date.strftime("%Y-%m").to_string()),
        By::Hour => pricer.hour(entry).map_or_else(|| NONE.to_owned(), |hour| format!("{hour:02}")),
        By::Model if entry.model == u32::MAX => NONE.to_owned(),
        By::Model => book.name(entry.model).to_owned(),
        By::Project => file.project.clone().unwrap_or_else(|| format!("[{}]", file.folder)),
        By::Session => file.session_id.clone(),
        By::Agent => file
            .agent_id
            .clone()
            .map_or_else(|| file.session_id.clone(), |agent| format!("{}/{agent}", file.session_id)),
        By::Tool => tools.get(&entry.message).cloned().unwrap_or_else(|| NONE.to_owned()),
        By::Branch => entry.branch.map_or_else(|| NONE.to_owned(), |branch| book.name(branch).to_owned()),
    }
}

/// The tools that messages call, several joined by `+`.
fn tools(index: &Index) -> Result<FxHashMap<(u32, u32), String>, IndexError> {
    let mut numbers: FxHashMap<(u32, u32), Vec<u32>> = FxHashMap::default();
    let db = index.catalogue();
    db.each_tool(|file, message, tool| {
        let called = numbers.entry((file, message)).or_default();
        if !called.contains(&tool) {
            called.push(tool);
        }
    })?;
    let mut names: FxHashMap<u32, String> = FxHashMap::default();
    let mut tools = FxHashMap::default();
    for (message, called) in numbers {
        let mut words = Vec::new();
        for tool in called {
            let name = match names.entry(tool) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => new.insert(db.name(tool)?.unwrap_or_default()),
            };
            words.push(name.clone());
        }
        words.sort();
        tools.insert(message, words.join("+"));
    }
    Ok(tools)
}

/// Titles of sessions and what agents are for.
fn label(index: &Index, book: &Book, by: By, view: &mut UsageView) {
    for row in &mut view.rows {
        row.label = match by {
            By::Session => index.session_brief(&row.key).ok().flatten().and_then(|brief| brief.title),
            By::Agent => {
                let agent = row.key.split_once('/').map(|(_, agent)| agent);
                let file =
                    book.files.iter().find(|file| file.agent_id.as_deref() == agent && agent.is_some());
                let title = || index.session_brief(&row.key).ok().flatten().and_then(|brief| brief.title);
                file.and_then(|file| file.purpose.clone()).or_else(title)
            }
            _ => None,
        };
    }
}
