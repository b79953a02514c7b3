//! The census: which kinds and fields are in the store, by client version, and what FORMAT.md does not know yet.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use scrollback_format::check::{Checker, FieldPath, Findings};
use scrollback_format::entry::Entry;
use scrollback_format::json::{Type, Value};
use scrollback_format::piece::Parser;
use scrollback_format::shape::Types;
use scrollback_format::time::Time;
use scrollback_format::version::ClientVersion;
use scrollback_session::error::{AppError, Noun};
use scrollback_store::work;
use scrollback_store::{Chunk, LineReader, Start};
use serde::{Deserialize, Serialize};

use crate::verify::VerifyTarget;

/// How often something occurs, by client version, and when.
#[derive(Debug, Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Occurrences {
    /// The total.
    pub count: u64,
    /// By client version; `?` where no line of the file names one.
    pub by_version: BTreeMap<String, u64>,
    /// The oldest client version.
    pub first_version: Option<String>,
    /// The newest client version.
    pub last_version: Option<String>,
    /// The earliest time.
    #[serde(with = "scrollback_session::view::time")]
    #[schemars(with = "Option<String>")]
    pub first_time: Option<Time>,
    /// The latest time.
    #[serde(with = "scrollback_session::view::time")]
    #[schemars(with = "Option<String>")]
    pub last_time: Option<Time>,
}

/// A field of a kind.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct FieldView {
    /// Its path, `message.usage.speed`.
    pub field: String,
    /// Is it in FORMAT.md?
    pub known: bool,
    /// The types that it was seen with.
    pub types: Vec<Type>,
    /// How often.
    #[serde(flatten)]
    pub tally: Occurrences,
}

/// A kind of entry.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct KindView {
    /// Its name.
    pub kind: String,
    /// Is it in FORMAT.md?
    pub known: bool,
    /// How often.
    #[serde(flatten)]
    pub tally: Occurrences,
    /// Its fields.
    pub fields: Vec<FieldView>,
}

/// The whole census.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Census {
    /// Files read.
    pub files: u64,
    /// Client versions with their entries, oldest first.
    pub versions: Vec<(String, u64)>,
    /// Kinds by name.
    pub kinds: Vec<KindView>,
}

impl Census {
    /// Keeps one kind, or all kinds of one group: `system` has `system/api_error` and others.
    pub fn retain_kind(&mut self, wanted: &str) -> Result<(), AppError> {
        let group = format!("{wanted}/");
        let is_wanted = |kind: &KindView| kind.kind == wanted || kind.kind.starts_with(&group);
        if !self.kinds.iter().any(is_wanted) {
            let score = |kind: &KindView| strsim::jaro(&kind.kind, wanted);
            let near = self.kinds.iter().max_by(|a, b| score(a).total_cmp(&score(b)));
            let near = near.map(|kind| kind.kind.clone()).into_iter().collect();
            return Err(AppError::NotFound { what: Noun::Kind, wanted: wanted.to_owned(), near });
        }
        self.kinds.retain(is_wanted);
        Ok(())
    }

    /// Keeps what FORMAT.md does not describe.
    pub fn retain_unknown(&mut self) {
        for kind in &mut self.kinds {
            kind.fields.retain(|field| !field.known);
        }
        self.kinds.retain(|kind| !kind.known || !kind.fields.is_empty());
    }
}

/// Types by their names, which is the order that they are listed in.
type TypeNames = BTreeMap<&'static str, Type>;

/// Fields by path: known or not, the types they were seen with, how often.
type FieldTallies = BTreeMap<String, (bool, TypeNames, Occurrences)>;

/// The tallies of one thread.
#[derive(Default)]
struct Register {
    kinds: BTreeMap<String, (bool, Occurrences, FieldTallies)>,
    versions: BTreeMap<String, u64>,
}

/// Takes the census of some files.
pub fn census(targets: &[VerifyTarget], progress: &(dyn Fn(u64) + Sync)) -> Census {
    let state = || (LineReader::new(), Checker::new());
    let registers = work::each(targets, work::threads(), state, |(reader, checker), target| {
        let mut register = Register::default();
        let mut parser = Parser::for_dialect(target.dialect);
        let mut version = first_version(reader, target).unwrap_or_else(|| "?".into());
        let read = reader.read(&target.path, Start::default(), |chunk| {
            if let Chunk::Line(line) = chunk {
                parser.each(line, |piece| {
                    if let Some(entry) = piece.entry() {
                        if let Some(own) = entry.envelope.version {
                            version = own.decode().into_owned();
                        }
                        register.entry(checker, entry, &version);
                    }
                });
            }
            ControlFlow::Continue(())
        });
        // A file that cannot be read is `verify`'s to tell; the census counts what is there.
        let _ = read;
        progress(target.size);
        register
    });
    let mut total = Register::default();
    for register in registers {
        total.add(register);
    }
    total.view(targets.len() as u64)
}

/// Side notes at the head of a file carry no version; the first line that has one speaks for them.
fn first_version(reader: &mut LineReader, target: &VerifyTarget) -> Option<String> {
    let mut parser = Parser::for_dialect(target.dialect);
    let mut found = None;
    let _ = reader.read(&target.path, Start::default(), |chunk| {
        if let Chunk::Line(line) = chunk {
            parser.each(line, |piece| {
                let version = piece.entry().and_then(|entry| entry.envelope.version);
                found = found.take().or_else(|| version.map(|version| version.decode().into_owned()));
            });
        }
        if found.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    found
}

impl Occurrences {
    fn note(&mut self, version: &str, at: Option<Time>) {
        self.count += 1;
        match self.by_version.get_mut(version) {
            Some(count) => *count += 1,
            None => {
                self.by_version.insert(version.to_owned(), 1);
            }
        }
        self.times(at, at);
    }

    fn times(&mut self, first: Option<Time>, last: Option<Time>) {
        self.first_time = [self.first_time, first].into_iter().flatten().min();
        self.last_time = self.last_time.max(last);
    }

    fn add(&mut self, other: Self) {
        self.count += other.count;
        for (version, count) in other.by_version {
            *self.by_version.entry(version).or_default() += count;
        }
        self.times(other.first_time, other.last_time);
    }

    fn finish(mut self) -> Self {
        let mut versions: Vec<_> =
            self.by_version.keys().map(|text| (ClientVersion::decode(text), text)).collect();
        versions.retain(|(version, _)| version.is_some());
        versions.sort();
        self.first_version = versions.first().map(|(_, text)| (*text).clone());
        self.last_version = versions.last().map(|(_, text)| (*text).clone());
        self
    }
}

impl Register {
    fn entry(&mut self, checker: &mut Checker, entry: &Entry<'_>, version: &str) {
        let at = entry.time();
        *self.versions.entry(version.to_owned()).or_default() += 1;
        let (_, tally, fields) = self
            .kinds
            .entry(entry.kind_name())
            .or_insert_with(|| (entry.kind.is_known(), Occurrences::default(), BTreeMap::new()));
        tally.note(version, at);
        checker.check(entry, &mut FieldCount { fields, version, at });
    }

    fn add(&mut self, other: Self) {
        for (version, count) in other.versions {
            *self.versions.entry(version).or_default() += count;
        }
        for (kind, (known, tally, fields)) in other.kinds {
            let own =
                self.kinds.entry(kind).or_insert_with(|| (known, Occurrences::default(), BTreeMap::new()));
            own.1.add(tally);
            for (field, (known, types, tally)) in fields {
                let entry =
                    own.2.entry(field).or_insert_with(|| (known, TypeNames::new(), Occurrences::default()));
                entry.1.extend(types);
                entry.2.add(tally);
            }
        }
    }

    fn view(self, files: u64) -> Census {
        let mut versions: Vec<_> = self.versions.into_iter().collect();
        versions.sort_by_key(|(text, _)| (ClientVersion::decode(text), text.clone()));
        let kinds = self.kinds.into_iter().map(|(kind, (known, tally, fields))| KindView {
            kind,
            known,
            tally: tally.finish(),
            fields: fields
                .into_iter()
                .map(|(field, (known, types, tally))| FieldView {
                    field,
                    known,
                    types: types.into_values().collect(),
                    tally: tally.finish(),
                })
                .collect(),
        });
        Census { files, versions, kinds: kinds.collect() }
    }
}

struct FieldCount<'r> {
    fields: &'r mut FieldTallies,
    version: &'r str,
    at: Option<Time>,
}

impl FieldCount<'_> {
    fn note(&mut self, known: bool, trail: &FieldPath<'_>, value: Value<'_>) {
        let entry = self
            .fields
            .entry(trail.path())
            .or_insert_with(|| (known, TypeNames::new(), Occurrences::default()));
        entry.1.insert(value.kind().name(), value.kind());
        entry.2.note(self.version, self.at);
    }
}

impl Findings for FieldCount<'_> {
    fn known(&mut self, trail: &FieldPath<'_>, value: Value<'_>) {
        self.note(true, trail, value);
    }

    fn unknown(&mut self, trail: &FieldPath<'_>, value: Value<'_>) {
        self.note(false, trail, value);
    }

    fn wrong_type(&mut self, trail: &FieldPath<'_>, _expected: Types, value: Value<'_>) {
        self.note(true, trail, value);
    }

    fn doubled(&mut self, _trail: &FieldPath<'_>) {}
}
