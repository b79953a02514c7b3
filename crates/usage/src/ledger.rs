//! The ledger: sums of usage that outlive the files. Opt in; it holds ids, days, models and counts, and no text.
//!
//! ```text
//! <data>/usage-ledger.jsonl   one line a session, without its agents, and one an agent:
//! {"root":"/home/…/.claude","session":"…","agent":"…","days":{"2026-11-01":{"claude-opus-5-5":[in,out,5m,1h,read,searches,messages]}},
//!  "shared":[[key,"2026-11-01","…",[…]]],"lower_bound":true}
//! ```
//!
//! A model is followed by `#` and a number where its prices are not the ordinary ones. Messages that stand in several files
//! are kept one by one, under a number for their id, so that one whose copy is still there is not counted twice. What has no
//! time has an empty day.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use jiff::civil::Date;
use rustc_hash::{FxHashMap, FxHashSet};
use scrollback_format::time::Time;
use scrollback_index::catalogue::ChargedFile;
use scrollback_model::charge::{ChargeMarks, Grade};
use scrollback_model::tokens::Tokens;
use scrollback_store::{DataDir, ledger as store};
use serde::{Deserialize, Serialize};

use super::cost::Pricer;
use super::{Book, BookEntry};
use scrollback_session::error::AppError;

/// Input, output, cache written for five minutes and for an hour, cache read, searches, messages.
type Tally = [u64; 7];

/// A message of which there are copies: its number, day, model and counts.
type Shared = (u64, String, String, Tally);

/// Whose account it is: the store, the session, and the agent or nobody.
type Holder = (String, String, Option<String>);

/// What is kept of one file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Account {
    /// The store.
    pub root: String,
    /// The session.
    pub session: String,
    /// The agent, if it is not the session itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
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

impl Account {
    fn holder(&self) -> Holder {
        (self.root.clone(), self.session.clone(), self.agent.clone())
    }
}

/// All accounts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ledger {
    /// The accounts.
    accounts: BTreeMap<Holder, Account>,
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
                    ledger.accounts.insert(account.holder(), account);
                }
                Err(_) => ledger.strange.push(line.to_owned()),
            }
        }
        ledger
    }

    fn sessions(&self) -> u64 {
        let sessions: BTreeSet<_> = self.accounts.keys().map(|(root, session, _)| (root, session)).collect();
        sessions.len() as u64
    }

    /// Its text.
    pub fn encode(&self) -> String {
        let lines = self.accounts.values().filter_map(|account| serde_json::to_string(account).ok());
        lines.chain(self.strange.iter().cloned()).map(|line| line + "\n").collect()
    }

    /// Takes what a book says of its files in place of what was known of them; those that it does not have stay.
    pub fn take(&mut self, book: &Book, pricer: &mut Pricer<'_>) {
        let mut fresh: FxHashMap<u32, Account> = FxHashMap::default();
        // What once had copies is told one by one for good: its other copies may be in accounts of sessions that are gone.
        let accounts = self.accounts.values();
        let once_shared: FxHashSet<u64> =
            accounts.flat_map(|account| account.shared.iter().map(|(key, ..)| *key)).collect();
        for entry in book.entries() {
            let file = book.file(&entry);
            if file.is_gone() {
                continue;
            }
            let account = fresh.entry(entry.file).or_insert_with(|| account_of(book, file));
            account.lower_bound |= file.is_lower_bound;
            let day = pricer.day(&entry).map(|day| day.to_string()).unwrap_or_default();
            let model = model_key(book, &entry, pricer.is_long(book, &entry));
            let Tokens { input, output, cache_read, cache_write, cache_write_1h: hour, .. } = entry.tokens;
            let searches = u64::from(entry.searches);
            let more = [input, output, cache_write.saturating_sub(hour), hour, cache_read, searches, 1];
            if entry.copies > 1 || once_shared.contains(&entry.key) {
                account.shared.push((entry.key, day, model, more));
            } else {
                add(account.days.entry(day).or_default().entry(model).or_default(), &more);
            }
        }
        let mut accounts: BTreeMap<Holder, Account> = BTreeMap::new();
        for account in fresh.into_values() {
            // A session may have files in two folders.
            accounts.entry(account.holder()).and_modify(|known| known.merge(&account)).or_insert(account);
        }
        accounts.values_mut().for_each(|account| account.shared.sort());
        self.accounts.extend(accounts);
    }

    /// Adds to a book what it lacks: sessions and agents of its stores that are gone.
    pub fn give(&self, book: &mut Book, pricer: &Pricer<'_>) {
        let holder = |file: &ChargedFile| account_of(book, file).holder();
        let known: FxHashSet<Holder> = book.files.iter().map(holder).collect();
        let mut counted: FxHashSet<u64> = book.entries().map(|entry| entry.key).collect();
        let mut numbers: FxHashMap<String, u32> =
            book.names.iter().map(|(number, name)| (name.clone(), *number)).collect();
        for (holder, account) in self.accounts.iter().filter(|(holder, _)| !known.contains(*holder)) {
            let Some(root) = book.roots.iter().position(|root| *root == holder.0) else { continue };
            let file = book.files.len() as u32;
            let gone = ChargedFile::gone(
                root as u32,
                account.session.clone(),
                account.agent.clone(),
                account.lower_bound,
            );
            book.files.push(gone);
            book.from_ledger += 1;
            let days = account.days.iter();
            let sums = days.flat_map(|(day, models)| models.iter().map(move |sum| (0, day, sum.0, sum.1)));
            let shared = account.shared.iter().map(|(key, day, model, tally)| (*key, day, model, tally));
            for (key, day, model, tally) in sums.chain(shared) {
                if key != 0 && !counted.insert(key) {
                    continue;
                }
                let (model, bits) = match model.rsplit_once('#') {
                    Some((model, bits)) => (model, bits.parse().unwrap_or(0)),
                    None => (model.as_str(), 0),
                };
                let number = *numbers.entry(model.to_owned()).or_insert_with(|| {
                    // Those of the catalogue are small.
                    let number = u32::MAX - 1 - book.names.len() as u32;
                    book.names.insert(number, model.to_owned());
                    number
                });
                let entry = entry(noon(pricer, day), number, bits, tally);
                book.others.push(BookEntry { file, key, ..entry });
            }
        }
    }
}

impl Account {
    fn merge(&mut self, other: &Self) {
        for (day, models) in &other.days {
            for (model, tally) in models {
                add(self.days.entry(day.clone()).or_default().entry(model.clone()).or_default(), tally);
            }
        }
        self.shared.extend(other.shared.iter().cloned());
        self.lower_bound |= other.lower_bound;
    }
}

/// An empty account for a file.
fn account_of(book: &Book, file: &ChargedFile) -> Account {
    Account {
        root: book.roots[file.root as usize].clone(),
        session: file.session_id.clone(),
        agent: file.agent_id.clone(),
        ..Account::default()
    }
}

fn add(sum: &mut Tally, more: &Tally) {
    sum.iter_mut().zip(more).for_each(|(sum, more)| *sum = sum.saturating_add(*more));
}

/// Whether a ledger is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct LedgerView {
    /// Is a ledger kept?
    pub is_kept: bool,
    /// Number of sessions in it.
    pub sessions: u64,
    /// Lines in it that could not be parsed.
    pub strange_lines: u64,
}

/// Starts a ledger if there is not one yet.
pub fn begin(data: &Path) -> Result<(), AppError> {
    let data = DataDir::open(data)?;
    Ok(store::change(&data, |before| before.is_none().then(String::new))?)
}

/// Deletes the ledger.
pub fn forget(data: &Path) -> Result<(), AppError> {
    let data = DataDir::open(data)?;
    Ok(store::remove(&data)?)
}

/// Whether one is kept, and what is in it.
pub fn view(data: &Path) -> Result<LedgerView, AppError> {
    let text = if data.exists() { store::load(&DataDir::open(data)?)? } else { None };
    let ledger = text.as_deref().map(Ledger::decode);
    Ok(LedgerView {
        is_kept: ledger.is_some(),
        sessions: ledger.as_ref().map_or(0, Ledger::sessions),
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
fn model_key(book: &Book, entry: &BookEntry, is_long: bool) -> String {
    let model = book.name(entry.model);
    match entry.grade.bits() | if is_long { LONG } else { 0 } {
        0 => model.to_owned(),
        bits => format!("{model}#{bits}"),
    }
}

/// Noon of a day: the hours of what is gone are not known.
fn noon(pricer: &Pricer<'_>, day: &str) -> Option<Time> {
    let day: Date = day.parse().ok()?;
    let noon = day.at(12, 0, 0, 0).to_zoned(pricer.zone().clone()).ok()?;
    Some(Time(noon.timestamp().as_millisecond()))
}

/// What a tally of the ledger is in a book.
fn entry(time: Option<Time>, model: u32, bits: u8, tally: &Tally) -> BookEntry {
    let [input, output, short, hour, cache_read, searches, messages] = *tally;
    BookEntry {
        time,
        file: 0,
        model,
        branch: None,
        message: u32::MAX,
        line: 0,
        tokens: Tokens {
            input,
            output,
            cache_read,
            cache_write: short.saturating_add(hour),
            cache_write_5m: short,
            cache_write_1h: hour,
        },
        searches: u32::try_from(searches).unwrap_or(u32::MAX),
        grade: Grade::from_bits(bits & !LONG),
        marks: ChargeMarks::default(),
        copies: 1,
        key: 0,
        messages,
        is_long: Some(bits & LONG != 0),
    }
}

#[cfg(test)]
mod tests {
    use super::Ledger;

    #[test]
    fn a_ledger_reads_back_and_keeps_what_it_does_not_know() {
        let text = "{\"root\":\"/r\",\"session\":\"a\",\"days\":{\"2026-11-01\":{\"m#4\":[1,2,3,4,5,6,7]}},\"shared\":[[9,\"2026-11-01\",\"m\",[1,2,3,4,5,6,7]]]}\n{\"other\":1}\n";
        let ledger = Ledger::decode(text);
        let holder = ("/r".to_owned(), "a".to_owned(), None);
        assert_eq!(ledger.accounts[&holder].days["2026-11-01"]["m#4"], [1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(ledger.strange, ["{\"other\":1}"]);
        assert_eq!(Ledger::decode(&ledger.encode()), ledger);
    }
}
