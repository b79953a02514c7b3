//! Verifying: every file is read to the last byte, every line is rebuilt and compared, and what is odd is reported with its place.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use scrollback_format::area::ProjectFile;
use scrollback_format::check::{Checker, FieldPath, Findings};
use scrollback_format::entry::Dialect;
use scrollback_format::json::Value;
use scrollback_format::kind::Kind;
use scrollback_format::line::Line;
use scrollback_format::piece::Parser;
use scrollback_format::problem::{Problem, ProblemClass};
use scrollback_format::shape::Types;
use scrollback_store::work;
use scrollback_store::{Chunk, LineReader, ReadError, Start};
use serde::{Deserialize, Serialize};

use scrollback_session::error::AppError;
use scrollback_session::library::Library;
use scrollback_session::trouble::TroubleView;

/// A place with a problem.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct PlaceView {
    /// The file.
    #[serde(with = "scrollback_session::view::path")]
    #[schemars(with = "String")]
    pub path: PathBuf,
    /// The line, counted from 1.
    pub line: u64,
    /// The byte in the file.
    pub offset: u64,
    /// More about it.
    pub detail: Option<String>,
}

impl PlaceView {
    fn order(&self) -> (&Path, u64, u64) {
        (&self.path, self.line, self.offset)
    }
}

/// Problems of one class.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ProblemView {
    /// The class.
    pub class: ProblemClass,
    /// What it means.
    pub meaning: String,
    /// How many.
    pub count: u64,
    /// The first of them.
    pub places: Vec<PlaceView>,
}

/// Something that FORMAT.md does not describe.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct UnknownView {
    /// The kind, or the kind and the field.
    pub name: String,
    /// How often.
    pub count: u64,
    /// The first place.
    pub first: PlaceView,
}

/// What verifying found.
#[derive(Debug, Serialize, Deserialize, schemars::JsonSchema)]
pub struct VerifyReport {
    /// Files read.
    pub files: u64,
    /// Lines read.
    pub lines: u64,
    /// Bytes read.
    pub bytes: u64,
    /// Entries.
    pub entries: u64,
    /// Entries by kind.
    pub entries_by_kind: BTreeMap<String, u64>,
    /// Kinds that FORMAT.md does not describe. Not problems.
    pub unknown_kinds: Vec<UnknownView>,
    /// Fields that FORMAT.md does not describe. Not problems.
    pub unknown_fields: Vec<UnknownView>,
    /// Problems by class.
    pub problems: Vec<ProblemView>,
    /// Places that were not rebuilt byte for byte. There must be none.
    pub mismatches: Vec<PlaceView>,
    /// Paths that no client is known to create. Not problems.
    pub odd_paths: Vec<TroubleView>,
}

impl VerifyReport {
    /// Are there no problems?
    pub fn is_clean(&self) -> bool {
        self.problems.is_empty() && self.mismatches.is_empty()
    }
}

/// How many places are kept of each class.
const PLACES: usize = 100;

/// A file to verify.
#[derive(Debug, Clone)]
pub struct VerifyTarget {
    /// Where it is.
    pub path: PathBuf,
    /// What its lines are.
    pub dialect: Dialect,
    /// Its length, for progress.
    pub size: u64,
}

impl VerifyTarget {
    /// A file, its dialect told by its name.
    pub fn of(path: PathBuf) -> Self {
        let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
        let dialect = Dialect::of_file_name(&name);
        let size = std::fs::metadata(&path).map_or(0, |meta| meta.len());
        Self { path, dialect, size }
    }
}

/// Every file of JSON lines in the library.
pub fn targets(library: &Library) -> Vec<VerifyTarget> {
    let mut targets = Vec::new();
    for (_, folder) in &library.folders {
        let transcripts = folder.files.iter().filter(|found| found.file.is_transcript());
        targets.extend(transcripts.map(|found| VerifyTarget {
            path: found.path.clone(),
            dialect: Dialect::Session,
            size: found.size(),
        }));
    }
    for root in &library.roots {
        let jobs = scrollback_store::walk::job_states(root).unwrap_or_default();
        let names = ["parent-transcript.jsonl", "timeline.jsonl"];
        let of_jobs = jobs.iter().flat_map(|state| names.map(|name| state.with_file_name(name)));
        targets.extend(of_jobs.chain([root.history()]).filter(|path| path.is_file()).map(VerifyTarget::of));
    }
    targets
}

/// The files that are named, and those below directories that are named.
pub fn targets_named(
    paths: &[PathBuf],
) -> Result<(Vec<VerifyTarget>, Vec<scrollback_store::Trouble>), AppError> {
    let (mut targets, mut troubles) = (Vec::new(), Vec::new());
    for path in paths {
        let failed = |source| ReadError { path: path.clone(), source };
        let meta = std::fs::metadata(path).map_err(failed)?;
        if meta.is_dir() {
            let (found, odd) = targets_below(path);
            targets.extend(found);
            troubles.extend(odd);
        } else if meta.is_file() {
            targets.push(VerifyTarget::of(path.clone()));
        } else {
            return Err(failed(std::io::Error::other("not a regular file")).into());
        }
    }
    Ok((targets, troubles))
}

/// The files of JSON lines below a directory that is no root: any `.jsonl`, as deep as it goes.
pub fn targets_below(dir: &Path) -> (Vec<VerifyTarget>, Vec<scrollback_store::Trouble>) {
    let is_lines = |path: &PathBuf| {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        name.ends_with(".jsonl") && ProjectFile::of(&name) != ProjectFile::Odd
    };
    let (files, troubles) = scrollback_store::walk::files_below(dir);
    (files.into_iter().filter(is_lines).map(VerifyTarget::of).collect(), troubles)
}

/// Verifies files. `troubles` are problems that finding them met.
pub fn verify(
    library_troubles: &[scrollback_store::Trouble],
    targets: &[VerifyTarget],
    progress: &(dyn Fn(u64) + Sync),
) -> VerifyReport {
    let inspectors = work::fold(targets, work::threads(), Inspector::new, |inspector, _, target| {
        let tally = inspector.file(target);
        inspector.total.add(&target.path, tally);
        progress(target.size);
    });
    let mut total = Tally::default();
    for inspector in inspectors {
        total.merge(inspector.total);
    }
    for trouble in library_troubles.iter().filter(|trouble| trouble.unread) {
        let problem = Problem::new(ProblemClass::Unreadable, 0, 0).with(trouble.what.as_str());
        total.note(&trouble.path, &problem);
    }
    let mut verdict = total.verdict(targets.len() as u64);
    verdict.odd_paths = library_troubles
        .iter()
        .filter(|trouble| !trouble.unread)
        .map(|trouble| TroubleView { path: trouble.path.clone(), what: trouble.what.clone() })
        .collect();
    verdict
}

/// What one file gives.
#[derive(Debug, Default)]
struct FileTally {
    lines: u64,
    bytes: u64,
    kinds: BTreeMap<Kind, u64>,
    unknown_kinds: BTreeMap<String, (u64, Problem)>,
    unknown_fields: BTreeMap<String, (u64, Problem)>,
    problems: BTreeMap<ProblemClass, (u64, Vec<Problem>)>,
    mismatches: Vec<Problem>,
}

impl FileTally {
    fn note(&mut self, problem: Problem) {
        let (count, places) = self.problems.entry(problem.class).or_default();
        *count += 1;
        if places.len() < PLACES {
            places.push(problem);
        }
    }
}

/// Reads files and tallies them. One per thread.
struct Inspector {
    reader: LineReader,
    checker: Checker,
    rewritten: Vec<u8>,
    total: Tally,
}

impl Inspector {
    fn new() -> Self {
        Self {
            reader: LineReader::new(),
            checker: Checker::new(),
            rewritten: Vec::new(),
            total: Tally::default(),
        }
    }

    fn file(&mut self, target: &VerifyTarget) -> FileTally {
        let mut tally = FileTally::default();
        let mut parser = Parser::for_dialect(target.dialect);
        let (checker, rewritten) = (&mut self.checker, &mut self.rewritten);
        let mut oversize = 0;
        let end = self.reader.read(&target.path, Start::default(), |chunk| {
            match chunk {
                Chunk::Line(line) => inspect(&mut parser, checker, rewritten, line, &mut tally),
                Chunk::Oversize(part) => {
                    oversize += part.bytes.len() as u64;
                    if part.first {
                        tally.note(Problem::new(ProblemClass::TooLong, part.number, part.offset));
                    }
                }
            }
            ControlFlow::Continue(())
        });
        match end {
            Ok(end) => {
                tally.lines = end.lines;
                tally.bytes += oversize;
                if tally.bytes != end.offset {
                    let detail = format!("{} bytes read, {} rebuilt", end.offset, tally.bytes);
                    tally.mismatches.push(Problem::new(ProblemClass::Fragment, 0, 0).with(detail));
                }
            }
            Err(error) if error.is_gone() => {}
            Err(error) => {
                let detail = error.source.to_string();
                tally.note(Problem::new(ProblemClass::Unreadable, 0, 0).with(detail));
            }
        }
        if self.rewritten.capacity() > 4 << 20 {
            self.rewritten = Vec::new();
        }
        tally
    }
}

fn inspect(
    parser: &mut Parser,
    checker: &mut Checker,
    rewritten: &mut Vec<u8>,
    line: Line<'_>,
    tally: &mut FileTally,
) {
    rewritten.clear();
    parser.each(line, |piece| {
        rewritten.extend_from_slice(piece.bytes);
        for problem in piece.problems {
            tally.note(problem.clone());
        }
        let Some(entry) = piece.entry() else { return };
        *tally.kinds.entry(entry.kind).or_default() += 1;
        if !entry.kind.is_known() {
            let place = Problem::new(ProblemClass::NoType, piece.line, piece.offset);
            tally.unknown_kinds.entry(entry.kind_name()).or_insert((0, place)).0 += 1;
        }
        let mut odd = Odd { tally, kind: entry.kind, line: piece.line, offset: piece.offset };
        checker.check(entry, &mut odd);
    });
    if rewritten != line.bytes {
        tally.mismatches.push(Problem::new(ProblemClass::Fragment, line.number, line.offset));
    }
    tally.bytes += (rewritten.len() + line.ending.bytes().len()) as u64;
}

/// Takes what the check of one entry finds.
struct Odd<'t> {
    tally: &'t mut FileTally,
    kind: Kind,
    line: u64,
    offset: u64,
}

impl Findings for Odd<'_> {
    fn unknown(&mut self, trail: &FieldPath<'_>, value: Value<'_>) {
        let name = format!("{}: {}", self.kind.name(), trail.path());
        let place = Problem::new(ProblemClass::NoType, self.line, self.offset).with(value.kind().name());
        self.tally.unknown_fields.entry(name).or_insert((0, place)).0 += 1;
    }

    fn wrong_type(&mut self, trail: &FieldPath<'_>, expected: Types, value: Value<'_>) {
        let detail = format!(
            "{}: {} is {}, not {}",
            self.kind.name(),
            trail.path(),
            value.kind().name(),
            expected.words()
        );
        self.tally.note(Problem::new(ProblemClass::WrongType, self.line, self.offset).with(detail));
    }

    fn doubled(&mut self, trail: &FieldPath<'_>) {
        let detail = format!("{}: {}", self.kind.name(), trail.path());
        self.tally.note(Problem::new(ProblemClass::DoubledKey, self.line, self.offset).with(detail));
    }
}

/// The sum over all files.
#[derive(Default)]
struct Tally {
    lines: u64,
    bytes: u64,
    kinds: BTreeMap<Kind, u64>,
    unknown_kinds: BTreeMap<String, (u64, PlaceView)>,
    unknown_fields: BTreeMap<String, (u64, PlaceView)>,
    problems: BTreeMap<ProblemClass, (u64, Vec<PlaceView>)>,
    mismatches: Vec<PlaceView>,
}

fn place(path: &Path, problem: &Problem) -> PlaceView {
    let detail = problem.detail.as_deref().map(str::to_owned);
    PlaceView { path: path.to_owned(), line: problem.line, offset: problem.offset, detail }
}

impl Tally {
    fn note(&mut self, path: &Path, problem: &Problem) {
        let (count, places) = self.problems.entry(problem.class).or_default();
        *count += 1;
        places.push(place(path, problem));
    }

    fn add(&mut self, path: &Path, file: FileTally) {
        self.lines += file.lines;
        self.bytes += file.bytes;
        for (kind, count) in file.kinds {
            *self.kinds.entry(kind).or_default() += count;
        }
        for (own, others) in
            [(&mut self.unknown_kinds, file.unknown_kinds), (&mut self.unknown_fields, file.unknown_fields)]
        {
            for (name, (count, first)) in others {
                own.entry(name).or_insert_with(|| (0, place(path, &first))).0 += count;
            }
        }
        for (class, (count, found)) in file.problems {
            let (total, places) = self.problems.entry(class).or_default();
            *total += count;
            places.extend(
                found.iter().map(|problem| place(path, problem)).take(PLACES.saturating_sub(places.len())),
            );
        }
        self.mismatches.extend(file.mismatches.iter().map(|problem| place(path, problem)));
    }

    /// Adds what another thread found. Which thread had which file is chance, so that places are put in order.
    fn merge(&mut self, other: Self) {
        self.lines += other.lines;
        self.bytes += other.bytes;
        for (kind, count) in other.kinds {
            *self.kinds.entry(kind).or_default() += count;
        }
        let news = [
            (&mut self.unknown_kinds, other.unknown_kinds),
            (&mut self.unknown_fields, other.unknown_fields),
        ];
        for (own, others) in news {
            for (name, (count, first)) in others {
                let known = own.entry(name).or_insert_with(|| (0, first.clone()));
                known.0 += count;
                if first.order() < known.1.order() {
                    known.1 = first;
                }
            }
        }
        for (class, (count, places)) in other.problems {
            let known = self.problems.entry(class).or_default();
            known.0 += count;
            known.1.extend(places);
            known.1.sort_by(|a, b| a.order().cmp(&b.order()));
            known.1.truncate(PLACES);
        }
        self.mismatches.extend(other.mismatches);
        self.mismatches.sort_by(|a, b| a.order().cmp(&b.order()));
    }

    fn verdict(self, files: u64) -> VerifyReport {
        let unknown = |known: BTreeMap<String, (u64, PlaceView)>| {
            known.into_iter().map(|(name, (count, first))| UnknownView { name, count, first }).collect()
        };
        VerifyReport {
            files,
            lines: self.lines,
            bytes: self.bytes,
            entries: self.kinds.values().sum(),
            entries_by_kind: self.kinds.into_iter().map(|(kind, count)| (kind.name(), count)).collect(),
            unknown_kinds: unknown(self.unknown_kinds),
            unknown_fields: unknown(self.unknown_fields),
            problems: self
                .problems
                .into_iter()
                .map(|(class, (count, places))| ProblemView {
                    class,
                    meaning: class.meaning().to_owned(),
                    count,
                    places,
                })
                .collect(),
            mismatches: self.mismatches,
            odd_paths: Vec::new(),
        }
    }
}
