//! The reader of hits: their lines, from the files, as views. The catalogue is asked first, for all hits of some files;
//! taking files apart, reading lines and looking for the words is then shared out over threads.

use std::path::PathBuf;

use rustc_hash::FxHashMap;
use scrollback_format::generation::Generation;
use scrollback_index::catalogue::StoredFile;
use scrollback_index::error::IndexError;
use scrollback_index::text::Ranked;
use scrollback_model::facts::Anatomy;
use scrollback_model::placing::Placing;
use scrollback_model::text::{TextClass, UnitText};
use scrollback_model::transcript::Transcript;
use scrollback_model::unit::{self, UnitKey, Units};
use scrollback_store::work;

use super::Search;

use super::scan::Direct;
use super::selection::Rank;
use super::snippet::{self, Finder, Snippet};
use super::view::{FoundHit, OtherPlace};
use scrollback_session::catalogue::{self, Index};
use scrollback_session::spill;

/// So many files are open at once: what bounds memory, however many hits are asked for.
const OPEN: usize = 32;

/// Which session a file belongs to.
#[derive(Debug, Clone)]
struct FileOwner {
    session_id: String,
    agent_id: Option<String>,
    last_time: Option<i64>,
}

/// A hit with its copies.
type Copied = (Ranked, Vec<Ranked>);

/// A file with hits.
struct OpenFile {
    path: PathBuf,
    transcript: Transcript,
    placing: Placing,
}

/// A hit that is to be read, with what only the catalogue knows.
struct Job<'h> {
    hit: &'h Ranked,
    copies: &'h [Ranked],
    owner: FileOwner,
    owners: Vec<Option<FileOwner>>,
}

/// Reads hits from their files.
pub(super) struct Reader<'s> {
    index: &'s Index,
    wanted: &'s Search,
    direct: &'s FxHashMap<i64, Direct>,
    owners: FxHashMap<i64, Option<FileOwner>>,
}

impl<'s> Reader<'s> {
    pub(super) fn new(index: &'s Index, wanted: &'s Search, direct: &'s FxHashMap<i64, Direct>) -> Self {
        Self { index, wanted, direct, owners: FxHashMap::default() }
    }

    /// Where a hit stands among those that are as good.
    pub(super) fn rank(&mut self, file: i64) -> Result<Rank, IndexError> {
        let owner = self.owner(file)?;
        let last = owner.as_ref().and_then(|owner| owner.last_time);
        let (session_id, agent_id) =
            owner.map(|owner| (owner.session_id, owner.agent_id)).unwrap_or_default();
        Ok((std::cmp::Reverse(last), session_id, agent_id))
    }

    fn owner(&mut self, file: i64) -> Result<Option<FileOwner>, IndexError> {
        if let Some(known) = self.owners.get(&file) {
            return Ok(known.clone());
        }
        let owner = match self.direct.get(&file) {
            Some(direct) => Some(FileOwner {
                session_id: direct.session_id.clone(),
                agent_id: direct.agent_id.clone(),
                last_time: direct.transcript.span.map(|(_, last)| last.0),
            }),
            None => self.index.catalogue().owner(file)?.map(|(session_id, agent_id, last_time)| FileOwner {
                session_id,
                agent_id,
                last_time,
            }),
        };
        self.owners.insert(file, owner.clone());
        Ok(owner)
    }

    /// Reads hits, each with its copies. None for one whose file is gone, or no longer has it.
    pub(super) fn read(&mut self, hits: &[Copied]) -> Result<Vec<Option<FoundHit>>, IndexError> {
        let mut found = Vec::with_capacity(hits.len());
        let mut rest = hits;
        while !rest.is_empty() {
            let (now, later) = rest.split_at(self.openable(rest));
            self.read_some(now, &mut found)?;
            rest = later;
        }
        Ok(found)
    }

    /// How many of these hits can be read with so many files open; one at least.
    fn openable(&self, hits: &[Copied]) -> usize {
        let mut files = Vec::new();
        for (count, (hit, copies)) in hits.iter().enumerate() {
            files.extend(std::iter::once(hit).chain(copies).map(|hit| hit.file));
            files.sort_unstable();
            files.dedup();
            if files.len() > OPEN && count > 0 {
                return count;
            }
        }
        hits.len()
    }

    fn read_some(&mut self, hits: &[Copied], found: &mut Vec<Option<FoundHit>>) -> Result<(), IndexError> {
        let open = self.open(hits)?;
        let mut jobs = Vec::with_capacity(hits.len());
        for (hit, copies) in hits {
            let mut owners = Vec::with_capacity(copies.len());
            for copy in copies {
                owners.push(self.owner(copy.file)?);
            }
            jobs.push(self.owner(hit.file)?.map(|owner| Job { hit, copies, owner, owners }));
        }
        let is_title =
            |job: &Option<Job<'_>>| job.as_ref().is_some_and(|job| job.hit.key == UnitKey::Title.number());
        let finder = || Finder::new(&self.wanted.query);
        let read = work::each(&jobs, threads(jobs.len()), finder, |finder, job| match job {
            Some(own) if !is_title(job) => read_hit(finder, own, &open),
            _ => None,
        });
        let mut finder = finder();
        for (job, read) in jobs.iter().zip(read) {
            found.push(match job {
                Some(own) if is_title(job) => self.title(&mut finder, own)?,
                _ => read,
            });
        }
        Ok(())
    }

    /// The files of these hits, taken apart.
    fn open(&self, hits: &[Copied]) -> Result<FxHashMap<i64, OpenFile>, IndexError> {
        let all = hits.iter().flat_map(|(hit, copies)| std::iter::once(hit).chain(copies));
        let all = all.filter(|hit| hit.key != UnitKey::Title.number());
        let mut files: Vec<i64> = all.map(|hit| hit.file).collect();
        files.sort_unstable();
        files.dedup();
        let mut stored: Vec<(i64, TranscriptSource<'_>)> = Vec::with_capacity(files.len());
        for file in files {
            let source = match self.direct.get(&file) {
                Some(direct) => Some(TranscriptSource::Direct(direct)),
                None => self.index.catalogue().stored(file)?.map(|stored| {
                    let path = self.index.given_path(&stored.path);
                    TranscriptSource::Stored(path, stored)
                }),
            };
            stored.extend(source.map(|source| (file, source)));
        }
        let open = work::each(&stored, threads(stored.len()), || (), |(), (_, source)| source.open());
        Ok(stored.iter().zip(open).filter_map(|((file, _), open)| Some((*file, open?))).collect())
    }

    fn title(&self, finder: &mut Finder<'_>, job: &Job<'_>) -> Result<Option<FoundHit>, IndexError> {
        let Some(known) = self.index.session_brief(&job.owner.session_id)? else { return Ok(None) };
        let unit = UnitText::title(known.title.as_deref().unwrap_or_default(), known.last_time);
        let path = |file: i64| self.index.path_of(file);
        let mut also_in = Vec::new();
        for (copy, owner) in job.copies.iter().zip(&job.owners) {
            let Some(FileOwner { session_id, agent_id, .. }) = owner.clone() else { continue };
            also_in.push(OtherPlace {
                session_id,
                agent_id,
                path: path(copy.file)?.unwrap_or_default(),
                line: 0,
            });
        }
        let mut found = FoundHit {
            kind: unit.kind,
            role: unit.kind.speaker(),
            class: Some(TextClass::Titles),
            line: 0,
            lines: Vec::new(),
            offset: 0,
            path: path(job.hit.file)?.unwrap_or_else(|| self.index.given_path(&known.path)),
            uuid: None,
            message_id: None,
            tool_use_id: None,
            tool: None,
            model: None,
            is_error: false,
            turn: None,
            branch: 0,
            agent_id: None,
            time: known.last_time,
            score: job.hit.score,
            snippet: String::new(),
            matches: Vec::new(),
            also_in,
            open: vec![job.owner.session_id.clone()],
        };
        mark(finder, &unit, &mut found);
        Ok(Some(found))
    }
}

/// Fewer things than this are done before another thread has begun.
fn threads(jobs: usize) -> usize {
    if jobs < 4 { 1 } else { work::threads() }
}

/// Where a file's transcript comes from.
enum TranscriptSource<'s> {
    Direct(&'s Direct),
    Stored(PathBuf, StoredFile),
}

impl TranscriptSource<'_> {
    /// None if the file is gone.
    fn open(&self) -> Option<OpenFile> {
        let (path, transcript, placing) = match self {
            Self::Direct(direct) => (&direct.path, direct.transcript.clone(), None),
            Self::Stored(path, stored) => {
                (path, catalogue::whole_transcript(path, stored)?, stored.placing.clone())
            }
        };
        let placing = placing
            .unwrap_or_else(|| Placing::of(&transcript, &Anatomy::of(&transcript, Generation::NEWEST)));
        Some(OpenFile { path: path.clone(), transcript, placing })
    }
}

fn read_hit(finder: &mut Finder<'_>, job: &Job<'_>, open: &FxHashMap<i64, OpenFile>) -> Option<FoundHit> {
    let (hit, file) = (job.hit, open.get(&job.hit.file)?);
    let transcript = &file.transcript;
    let key = UnitKey::of_number(hit.key, transcript)?;
    let rows = unit::rows_of(transcript, key);
    let mut told: Option<UnitText> = None;
    let units = Units::one(key, &rows);
    catalogue::collect_rows(&file.path, transcript, &units, &mut |unit| told = Some(unit)).ok()?;
    let mut unit = told?;
    spill::add(&mut unit, &file.path);
    let first = rows.first().map(|row| transcript.row(*row))?;
    let id = |wanted: bool| match key {
        UnitKey::Message(symbol) if wanted => Some(transcript.text(symbol).to_owned()),
        UnitKey::Call(symbol) if !wanted => Some(transcript.text(symbol).to_owned()),
        _ => None,
    };
    let (turn, branch) = rows.first().map_or((None, 0), |row| file.placing.at(*row));
    let mut found = FoundHit {
        kind: unit.kind,
        role: unit.kind.speaker(),
        class: None,
        line: u64::from(first.line),
        lines: rows.iter().map(|row| u64::from(transcript.row(*row).line)).collect(),
        offset: first.offset,
        path: file.path.clone(),
        uuid: first.id.filter(|id| !id.is_derived()).map(|id| id.to_string()),
        message_id: id(true),
        tool_use_id: id(false),
        tool: unit.tool.clone(),
        model: unit.model.clone(),
        is_error: unit.is_error,
        turn,
        branch,
        agent_id: job.owner.agent_id.clone(),
        time: unit.time,
        score: hit.score,
        snippet: String::new(),
        matches: Vec::new(),
        also_in: others(job, open),
        open: opens(&job.owner, u64::from(first.line)),
    };
    mark(finder, &unit, &mut found);
    Some(found)
}

/// Where the copies of a hit are.
fn others(job: &Job<'_>, open: &FxHashMap<i64, OpenFile>) -> Vec<OtherPlace> {
    let copies = job.copies.iter().zip(&job.owners).filter_map(|(copy, owner)| {
        let FileOwner { session_id, agent_id, .. } = owner.clone()?;
        let file = open.get(&copy.file)?;
        let key = UnitKey::of_number(copy.key, &file.transcript)?;
        let first = unit::rows_of(&file.transcript, key).first().copied();
        let line = first.map_or(0, |row| u64::from(file.transcript.row(row).line));
        Some(OtherPlace { session_id, agent_id, path: file.path.clone(), line })
    });
    copies.collect()
}

fn mark(finder: &mut Finder<'_>, unit: &UnitText, found: &mut FoundHit) {
    if let Some(Snippet { class, text, matches }) = snippet::of(unit, finder) {
        (found.class, found.snippet, found.matches) = (Some(class), text, matches);
    }
}

fn opens(owner: &FileOwner, line: u64) -> Vec<String> {
    let session = match &owner.agent_id {
        Some(agent) => format!("{}/{agent}", owner.session_id),
        None => owner.session_id.clone(),
    };
    vec![session, "--at".to_owned(), line.to_string()]
}

/// Where hits are: file, first line, kind.
pub(super) fn places(
    reader: &mut Reader<'_>,
    ranked: &[Ranked],
) -> Result<Vec<(PathBuf, u64, &'static str)>, IndexError> {
    let hits: Vec<Copied> = ranked.iter().map(|hit| (*hit, Vec::new())).collect();
    let read = reader.read(&hits)?.into_iter().flatten();
    Ok(read.map(|hit| (hit.path, hit.line, hit.kind.name())).collect())
}
