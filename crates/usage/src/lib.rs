//! Usage: what the API was asked for and what that costs, each message once, over all files of the stores.
//!
//! ```text
//! charges of all files ──► bills (model::usage) ──► entries ──► sums by day, model, project, …
//!                                                               each sum priced (pricing)
//! ```
//!
//! The rules are those of `model::usage`, described in FORMAT.md; `audit` shows what each of them dropped.

pub mod audit;
pub mod block;
pub mod budget;
pub mod by;
pub mod compare;
pub mod context;
pub mod cost;
pub mod grouping;
pub mod ledger;
pub mod recorded;
pub mod status_line;
pub mod time;
pub mod view;

use rustc_hash::FxHashMap;
use scrollback_format::time::Time;
use scrollback_index::catalogue::ChargedFile;
use scrollback_index::charge::ChargeRow;
use scrollback_index::error::IndexError;
use scrollback_model::charge::{ChargeMarks, Grade};
use scrollback_model::tokens::Tokens;
use scrollback_model::usage::{self, PaidMessage};

use scrollback_session::catalogue::Index;

pub use scrollback_model::usage::Rule;
use scrollback_pricing::SYNTHETIC;
pub use scrollback_pricing::{Money, Override, Prices};

/// What is paid once.
#[derive(Debug, Clone, Copy)]
pub struct BookEntry {
    /// When: the earliest time of any copy.
    pub time: Option<Time>,
    /// The place of its file in [`Book::files`].
    pub file: u32,
    /// The number of its model's name; `u32::MAX` for none.
    pub model: u32,
    /// The number of its branch's name.
    pub branch: Option<u32>,
    /// The place of its message in the file; `u32::MAX` if it has none.
    pub message: u32,
    /// Its first line there; 0 if it has none.
    pub line: u32,
    /// Tokens.
    pub tokens: Tokens,
    /// Web searches.
    pub searches: u32,
    /// How it was served.
    pub grade: Grade,
    /// What is special about it.
    pub marks: ChargeMarks,
    /// How many copies of it there are.
    pub copies: u32,
    /// A number for the message, the same in every file.
    pub key: u64,
    /// Messages that it stands for: more than one only in sums of the ledger.
    pub messages: u64,
    /// Whether the request was long, if that is known without its tokens.
    pub is_long: Option<bool>,
}

impl BookEntry {
    /// Did `/branch` copy it from another session?
    pub const fn is_forked(&self) -> bool {
        self.marks.has(ChargeMarks::FORKED)
    }
}

/// A copy that was not paid by itself.
#[derive(Debug, Clone, Copy)]
struct Dropped {
    /// The place of its row.
    row: u32,
    /// The place of the bill that it went into.
    bill: u32,
    /// Why.
    rule: Rule,
}

/// Everything that was charged.
#[derive(Debug, Default)]
pub struct Book {
    /// Files by path.
    pub files: Vec<ChargedFile>,
    /// Number of deleted sessions and agents counted from the ledger.
    pub from_ledger: u64,
    /// The stores that it is of.
    roots: Vec<String>,
    /// Charges before any rule but that of lines. Their files are places in `files`.
    rows: Vec<ChargeRow>,
    /// What is paid of them. Entries are made of both when they are asked for: they are large, and many.
    bills: Vec<PaidMessage>,
    /// What is paid and has no row.
    others: Vec<BookEntry>,
    /// What is not paid.
    dropped: Vec<Dropped>,
    names: FxHashMap<u32, String>,
}

impl Book {
    /// The book of an index: of all its sessions, or of one with its agents, counted as if there were no others.
    pub fn of(index: &Index, session: Option<&str>) -> Result<Self, IndexError> {
        let db = index.catalogue();
        let reading = db.reading()?;
        let roots = index.root_names();
        let files = db.charged_files(&roots, session)?;
        let last = files.iter().map(|file| file.file).max().unwrap_or(0);
        // Charges name their file by the catalogue's number; in the book files are in the order of their paths, so that
        // who owns a message does not depend on the order in which files were read.
        let mut places = vec![u32::MAX; last as usize + 1];
        for (place, file) in files.iter().enumerate() {
            places[file.file as usize] = place as u32;
        }
        let mut rows: Vec<ChargeRow> = Vec::new();
        db.each_charge(session, |mut row| {
            row.copy.file = places.get(row.copy.file as usize).copied().unwrap_or(u32::MAX);
            if row.copy.file != u32::MAX {
                rows.push(row);
            }
        })?;
        let mut dropped = Vec::new();
        let bills = usage::settle(&rows, |row, bill, rule| {
            dropped.push(Dropped { row, bill: bill as u32, rule });
        });
        let mut book = Self { files, roots, rows, bills, dropped, ..Self::default() };
        book.load_names(index)?;
        drop(reading);
        Ok(book)
    }

    /// What is paid.
    pub fn entries(&self) -> impl Iterator<Item = BookEntry> {
        self.bills.iter().map(|bill| self.entry(bill)).chain(self.others.iter().copied())
    }

    fn entry(&self, bill: &PaidMessage) -> BookEntry {
        let counts = &self.rows[bill.counts as usize].copy;
        let row = &self.rows[bill.owner as usize];
        BookEntry {
            time: bill.time,
            file: row.copy.file,
            model: counts.model,
            branch: row.branch,
            message: row.number,
            line: row.line,
            tokens: counts.tokens,
            searches: counts.searches,
            grade: counts.grade,
            marks: if bill.is_left { row.copy.marks } else { row.copy.marks.without(ChargeMarks::LEFT) },
            copies: bill.copies,
            key: counts.message,
            messages: 1,
            is_long: None,
        }
    }

    /// Leaves out what does not hold.
    pub fn retain(&mut self, holds: impl Fn(&ChargedFile, &BookEntry) -> bool) {
        let bills = std::mem::take(&mut self.bills);
        let mut places = vec![u32::MAX; bills.len()];
        for (bill, place) in bills.into_iter().zip(&mut places) {
            let entry = self.entry(&bill);
            if holds(self.file(&entry), &entry) {
                *place = self.bills.len() as u32;
                self.bills.push(bill);
            }
        }
        // A copy goes with the bill that it went into.
        self.dropped.retain_mut(|dropped| {
            dropped.bill = places[dropped.bill as usize];
            dropped.bill != u32::MAX
        });
        let files = &self.files;
        self.others.retain(|entry| holds(&files[entry.file as usize], entry));
    }

    fn load_names(&mut self, index: &Index) -> Result<(), IndexError> {
        let mut last = u32::MAX;
        for number in self.rows.iter().flat_map(|row| [Some(row.copy.model), row.branch]).flatten() {
            // Mostly it is that of the row before.
            if number != last && number != u32::MAX && !self.names.contains_key(&number) {
                let name = index.catalogue().name(number)?.unwrap_or_default();
                self.names.insert(number, name);
            }
            last = number;
        }
        Ok(())
    }

    /// The name with this number.
    pub fn name(&self, number: u32) -> &str {
        self.names.get(&number).map_or("?", String::as_str)
    }

    /// The place of the file of a copy.
    fn file_of(&self, dropped: &Dropped) -> usize {
        self.rows[dropped.row as usize].copy.file as usize
    }

    /// The entry at a place of [`Self::entries`].
    fn entry_at(&self, place: usize) -> BookEntry {
        match self.bills.get(place) {
            Some(bill) => self.entry(bill),
            None => self.others[place - self.bills.len()],
        }
    }

    /// Is an entry an answer of the model in the conversation itself?
    pub fn is_conversation(&self, entry: &BookEntry) -> bool {
        self.file(entry).agent_id.is_none()
            && !entry.marks.has(ChargeMarks::SIDECHAIN)
            && !entry.marks.has(ChargeMarks::ERROR)
            && self.name(entry.model) != SYNTHETIC
    }

    /// The file of an entry.
    pub fn file(&self, entry: &BookEntry) -> &ChargedFile {
        &self.files[entry.file as usize]
    }

    /// The first time and the last one.
    fn span(&self) -> Option<(Time, Time)> {
        let times = self.bills.iter().map(|bill| bill.time);
        times.chain(self.others.iter().map(|entry| entry.time)).flatten().fold(
            None,
            |span, time| match span {
                None => Some((time, time)),
                Some((first, last)) => Some((time.min(first), time.max(last))),
            },
        )
    }

    /// Leaves out what was not between these times; what has no time goes with a bound.
    pub fn between(&mut self, since: Option<Time>, until: Option<Time>) {
        if since.is_none() && until.is_none() {
            return;
        }
        self.retain(|_, entry| {
            let Some(time) = entry.time else { return false };
            since.is_none_or(|since| time >= since) && until.is_none_or(|until| time < until)
        });
    }
}

/// The example of the README is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
