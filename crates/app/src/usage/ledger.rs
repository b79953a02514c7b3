//! The ledger: sums of a session's usage that outlive the session. Opt in; it holds ids, days, models and counts, and no text.
//!
//! ```text
//! <data>/usage-ledger.jsonl   one line a session:
//! {"session":"…","days":{"2026-11-01":{"claude-opus-5-5":[in,out,5m,1h,read,searches,messages]}},"shared":[[key,"2026-11-01","…",[…]]]}
//! ```
//!
//! A model is followed by `#` and a number where its prices are not the ordinary ones. Messages that stand in several files
//! are kept one by one, under a number for their id, so that one whose copy is still there is not counted twice.

use std::collections::BTreeMap;
use std::path::Path;

use jiff::civil::Date;
use rustc_hash::FxHashSet;
use scrollback_format::time::Time;
use scrollback_index::catalogue::ChargedFile;
use scrollback_model::charge::{Grade, Marks};
use scrollback_model::tokens::Tokens;
use scrollback_store::{DataDir, ledger as store};
use serde::{Deserialize, Serialize};

use super::cost::Pricer;
use super::{Book, Entry};
use crate::error::AppError;

/// Input, output, cache written for five minutes and for an hour, cache read, searches, messages.
type Tally = [u64; 7];

/// A message of which there are copies: its number, day, model and counts.
type Shared = (u64, String, String, Tally);

/// What is kept of one session.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Account {
    /// The session.
    pub session: String,
    /// By day and model.
    #[serde(default)]
    pub days: BTreeMap<String, BTreeMap<String, Tally>>,
    /// Messages that stand in other files too.
    #[serde(default)]
    pub shared: Vec<Shared>,
    /// Are its output counts only a lower bound?
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub lower_bound: bool,
}

/// All accounts, by session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ledger {
    /// The accounts.
    pub accounts: BTreeMap<String, Account>,
    /// Lines that could not be read. They are kept as they are.
    pub strange: Vec<String>,
}

/// Of a grade's number, the bit that says that requests were long.
const LONG: u8 = 128;

impl Ledger {
    /// Reads a ledger's text; lines that make no sense are kept.
    pub fn decode(text: &str) -> Self {
        let mut ledger = Self::default();
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            match serde_json::from_str::<Account>(line) {
                Ok(account) => {
                    ledger.accounts.insert(account.session.clone(), account);
                }
                Err(_) => ledger.strange.push(line.to_owned()),
            }
        }
        ledger
    }

    /// Its text.
    pub fn encode(&self) -> String {
        let lines = self.accounts.values().filter_map(|account| serde_json::to_string(account).ok());
        lines.chain(self.strange.iter().cloned()).map(|line| line + "\n").collect()
    }

    /// Takes what a book says of its sessions in place of what was known of them; sessions that it does not have stay.
    pub fn take(&mut self, book: &Book, pricer: &mut Pricer<'_>) {
        let mut fresh: BTreeMap<&str, Account> = BTreeMap::new();
        // What once had copies is told one by one for good: its other copies may be in accounts of sessions that are gone.
        let accounts = self.accounts.values();
        let once_shared: FxHashSet<u64> =
            accounts.flat_map(|account| account.shared.iter().map(|(key, ..)| *key)).collect();
        for entry in book.entries() {
            let entry = &entry;
            let Some(day) = pricer.day(entry) else { continue };
            let session = book.file(entry).session_id.as_str();
            let account = fresh
                .entry(session)
                .or_insert_with(|| Account { session: session.to_owned(), ..Account::default() });
            account.lower_bound |= book.file(entry).is_lower_bound;
            let model = model_key(book, entry, pricer.is_long(book, entry, Some(day)));
            let Tokens { input, output, cache_read, cache_write, cache_write_1h: hour, .. } = entry.tokens;
            let searches = u64::from(entry.searches);
            let more = [input, output, cache_write.saturating_sub(hour), hour, cache_read, searches, 1];
            if entry.copies > 1 || once_shared.contains(&entry.key) {
                account.shared.push((entry.key, day.to_string(), model, more));
                continue;
            }
            let tally = account.days.entry(day.to_string()).or_default().entry(model).or_default();
            tally.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        }
        self.accounts.extend(fresh.into_iter().map(|(session, account)| (session.to_owned(), account)));
    }

    /// Adds to a book what it lacks: sessions that are gone.
    pub fn give(&self, book: &mut Book, pricer: &Pricer<'_>) {
        let known: FxHashSet<String> = book.files.iter().map(|file| file.session_id.clone()).collect();
        let mut counted: FxHashSet<u64> = book.entries().map(|entry| entry.key).collect();
        for account in self.accounts.values().filter(|account| !known.contains(&account.session)) {
            let file = book.files.len() as u32;
            book.files.push(ChargedFile::gone(account.session.clone(), account.lower_bound));
            book.from_ledger += 1;
            for (day, models) in &account.days {
                for (model, tally) in models {
                    let entry = entry(book, pricer, (day, model), tally, file);
                    book.others.extend(entry);
                }
            }
            for (key, day, model, tally) in &account.shared {
                if counted.insert(*key) {
                    let entry = entry(book, pricer, (day, model), tally, file);
                    book.others.extend(entry.map(|entry| Entry { key: *key, ..entry }));
                }
            }
        }
    }
}

/// Whether a ledger is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LedgerView {
    /// Is one kept?
    pub is_kept: bool,
    /// Sessions in it.
    pub sessions: u64,
    /// Lines in it that are not understood.
    pub strange_lines: u64,
}

/// Begins a ledger, if there is none.
pub fn begin(data: &Path) -> Result<(), AppError> {
    let data = DataDir::open(data)?;
    Ok(store::change(&data, |before| before.is_none().then(String::new))?)
}

/// Throws the ledger away.
pub fn forget(data: &Path) -> Result<(), AppError> {
    let data = DataDir::open(data)?;
    Ok(store::remove(&data)?)
}

/// Tells whether one is kept.
pub fn view(data: &Path) -> Result<LedgerView, AppError> {
    let text = if data.exists() { store::load(&DataDir::open(data)?)? } else { None };
    let ledger = text.as_deref().map(Ledger::decode);
    Ok(LedgerView {
        is_kept: ledger.is_some(),
        sessions: ledger.as_ref().map_or(0, |ledger| ledger.accounts.len() as u64),
        strange_lines: ledger.as_ref().map_or(0, |ledger| ledger.strange.len() as u64),
    })
}

/// Brings a ledger that is kept up to date with a whole book, and adds to the book what only the ledger has.
pub fn join(data: &Path, book: &mut Book, pricer: &mut Pricer<'_>) -> Result<(), AppError> {
    if !data.exists() {
        return Ok(());
    }
    let data = DataDir::open(data)?;
    let Some(text) = store::load(&data)? else { return Ok(()) };
    let mut ledger = Ledger::decode(&text);
    ledger.take(book, pricer);
    if ledger.encode() != text {
        // Another process may have changed it meanwhile: what this one knows goes over what is there then.
        store::change(&data, |now| {
            let mut there = Ledger::decode(now.as_deref()?);
            there.take(book, pricer);
            Some(there.encode())
        })?;
    }
    ledger.give(book, pricer);
    Ok(())
}

/// A model with what its price depends on beside the day.
fn model_key(book: &Book, entry: &Entry, is_long: bool) -> String {
    let model = if entry.model == u32::MAX { "?" } else { book.name(entry.model) };
    match entry.grade.bits() | if is_long { LONG } else { 0 } {
        0 => model.to_owned(),
        bits => format!("{model}#{bits}"),
    }
}

/// What a tally of the ledger is in a book: one entry at noon of its day.
fn entry(
    book: &mut Book,
    pricer: &Pricer<'_>,
    (day, model): (&str, &str),
    tally: &Tally,
    file: u32,
) -> Option<Entry> {
    let date: Date = day.parse().ok()?;
    let noon = date.at(12, 0, 0, 0).to_zoned(pricer.zone().clone()).ok()?;
    let (model, bits) = match model.rsplit_once('#') {
        Some((model, bits)) => (model, bits.parse().unwrap_or(0)),
        None => (model, 0),
    };
    let [input, output, short, hour, cache_read, searches, messages] = *tally;
    Some(Entry {
        time: Some(Time(noon.timestamp().as_millisecond())),
        file,
        model: book.number(model),
        branch: None,
        message: u32::MAX,
        line: 0,
        tokens: Tokens {
            input,
            output,
            cache_read,
            cache_write: short + hour,
            cache_write_5m: short,
            cache_write_1h: hour,
        },
        searches: u32::try_from(searches).unwrap_or(u32::MAX),
        grade: Grade::from_bits(bits & !LONG),
        marks: Marks::default(),
        copies: 1,
        key: 0,
        messages,
        is_long: Some(bits & LONG != 0),
    })
}

#[cfg(test)]
mod tests {
    use super::Ledger;

    #[test]
    fn a_ledger_reads_back_and_keeps_what_it_does_not_know() {
        let text = "{\"session\":\"a\",\"days\":{\"2026-11-01\":{\"m#4\":[1,2,3,4,5,6,7]}},\"shared\":[[9,\"2026-11-01\",\"m\",[1,2,3,4,5,6,7]]]}\n{\"other\":1}\n";
        let ledger = Ledger::decode(text);
        assert_eq!(ledger.accounts["a"].days["2026-11-01"]["m#4"], [1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(ledger.strange, ["{\"other\":1}"]);
        assert_eq!(Ledger::decode(&ledger.encode()), ledger);
    }
}
