//! The scan: units of files that the text index does not have, matched one by one.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use rustc_hash::FxHashSet;
use scrollback_format::area::ProjectFile;
use scrollback_index::catalogue::Catalogue;
use scrollback_index::error::IndexError;
use scrollback_index::filter::FileFacts;
use scrollback_index::text::{Ranked, UnitMatcher};
use scrollback_model::row::RowIndex;
use scrollback_model::text::UnitText;
use scrollback_model::transcript::{FileKind, Transcript};
use scrollback_model::unit::Units;
use scrollback_store::work;
use scrollback_store::{Chunk, ReadError, Start};

use super::prefilter::Prefilter;
use super::{Candidates, Search, Skipped, ranked};
use scrollback_session::catalogue::{self, Index};
use scrollback_session::load::Loader;
use scrollback_session::spill;

/// A file to scan, known to the catalogue.
pub(crate) struct ScanTarget {
    pub file: i64,
    pub path: PathBuf,
    pub facts: FileFacts,
}

/// A file that is read directly, because the catalogue tells it as of before.
#[derive(Debug)]
pub(crate) struct Direct {
    pub path: PathBuf,
    pub session_id: String,
    pub agent_id: Option<String>,
    pub transcript: Transcript,
}

/// Scans files that the catalogue knows as they are.
pub(super) fn scan(
    index: &Index,
    wanted: &Search,
    mut targets: Vec<ScanTarget>,
    candidates: &mut Candidates,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<(), IndexError> {
    if targets.is_empty() {
        return Ok(());
    }
    let prefilter = Prefilter::of(&wanted.query);
    let size = |path: &Path| scrollback_store::stamp::look(path).map_or(0, |look| look.size);
    targets.sort_by_cached_key(|target| std::cmp::Reverse(size(&target.path)));
    let catalogue = index.catalogue_path();
    let open = || catalogue.as_ref().and_then(|path| Catalogue::open(path).ok());
    let state = || (Loader::new(), open(), UnitMatcher::new(&wanted.query));
    let found = work::each(&targets, work::threads(), state, |(loader, db, matcher), target| {
        let scanned = scan_file(loader, db.as_ref(), &prefilter, matcher, target, wanted);
        progress(size(&target.path));
        scanned
    });
    for (target, found) in targets.iter().zip(found) {
        match found {
            Ok(found) => candidates.ranked.extend(found),
            Err(error) => {
                candidates.skipped.push(Skipped { path: target.path.clone(), why: error.source.to_string() });
            }
        }
    }
    Ok(())
}

fn scan_file(
    loader: &mut Loader,
    db: Option<&Catalogue>,
    prefilter: &Prefilter,
    matcher: &mut UnitMatcher<'_>,
    target: &ScanTarget,
    wanted: &Search,
) -> Result<Vec<Ranked>, ReadError> {
    let Some(lines) = interesting(loader, &target.path, prefilter)? else { return Ok(Vec::new()) };
    let known = db.and_then(|db| db.skeleton(target.file).ok().flatten());
    let size = scrollback_store::stamp::look(&target.path).map_or(0, |look| look.size);
    let transcript = match known {
        Some(known) if known.resume_offset == size => known.transcript,
        _ => loader.transcript(&target.path, kind(&target.path))?,
    };
    match_units(&target.path, &transcript, lines.as_ref(), |unit| {
        let score = matcher.matches(unit, &target.facts)?;
        let copy = catalogue::copy_id(&transcript, target.file, unit.key);
        Some(ranked(unit, target.file, score, wanted.now, copy))
    })
}

/// Scans files that changed while another process refreshes the index: read from their first byte.
pub(super) fn scan_stale(
    index: &Index,
    wanted: &Search,
    candidates: &mut Candidates,
    progress: &(dyn Fn(u64) + Sync),
) {
    let state = || (Loader::new(), UnitMatcher::new(&wanted.query));
    let stale = &index.stale;
    let found = work::each(stale, work::threads(), state, |(loader, matcher), path| {
        let read = scan_direct(loader, matcher, path, wanted);
        progress(read.as_ref().map_or(0, |(direct, _)| direct.transcript.bytes));
        read
    });
    for (at, (path, found)) in index.stale.iter().zip(found).enumerate() {
        // Numbers below zero are no file of the catalogue's.
        let number = -1 - at as i64;
        match found {
            Ok((direct, hits)) => {
                let hits = hits.into_iter().map(|hit| Ranked { file: number, ..hit });
                candidates.ranked.extend(hits);
                candidates.direct.insert(number, direct);
            }
            Err(error) if error.is_gone() => {}
            Err(error) => {
                candidates.skipped.push(Skipped { path: path.clone(), why: error.source.to_string() });
            }
        }
    }
}

fn scan_direct(
    loader: &mut Loader,
    matcher: &mut UnitMatcher<'_>,
    path: &Path,
    wanted: &Search,
) -> Result<(Direct, Vec<Ranked>), ReadError> {
    let (transcript, facts) = catalogue::facts_of(loader, path)?;
    let hits = match_units(path, &transcript, None, |unit| {
        let score = matcher.matches(unit, &facts)?;
        let copy = catalogue::copy_id(&transcript, 0, unit.key);
        Some(ranked(unit, 0, score, wanted.now, copy))
    })?;
    let agent_id = facts.agent.map(|(id, _)| id);
    Ok((Direct { path: path.to_owned(), session_id: facts.session_id, agent_id, transcript }, hits))
}

fn kind(path: &Path) -> FileKind {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    match ProjectFile::of(&name) {
        ProjectFile::FlatAgent(_) => FileKind::Agent,
        _ => FileKind::Session,
    }
}

/// The lines that could tell of a match: none if there are none, all if nothing is ruled out.
#[allow(clippy::type_complexity, reason = "none of a file, all of it, or these lines")]
fn interesting(
    loader: &mut Loader,
    path: &Path,
    prefilter: &Prefilter,
) -> Result<Option<Option<FxHashSet<u32>>>, ReadError> {
    if prefilter.passes_all() {
        return Ok(Some(None));
    }
    let mut lines = FxHashSet::default();
    loader.chunks(path, Start::default(), |_, chunk| {
        if let Chunk::Line(line) = chunk
            && prefilter.passes(line.bytes)
        {
            lines.insert(u32::try_from(line.number).unwrap_or(u32::MAX));
        }
        ControlFlow::Continue(())
    })?;
    Ok(if lines.is_empty() { None } else { Some(Some(lines)) })
}

fn match_units(
    path: &Path,
    transcript: &Transcript,
    lines: Option<&FxHashSet<u32>>,
    mut matched: impl FnMut(&UnitText) -> Option<Ranked>,
) -> Result<Vec<Ranked>, ReadError> {
    let units = match lines {
        Some(lines) => {
            let rows = transcript.rows.iter().zip(0..).filter(|(row, _)| lines.contains(&row.line));
            // A prompt in the queue is told only if no later line has its words, which takes all prompts.
            let queued = !transcript.queue.is_empty();
            let prompts = |row: &scrollback_model::row::Row| {
                queued
                    && scrollback_model::unit::of_role(row.role)
                        == Some(scrollback_model::unit::UnitKind::Prompt)
            };
            let more = transcript.rows.iter().zip(0..).filter(|(row, _)| prompts(row));
            let rows: FxHashSet<RowIndex> = rows.chain(more).map(|(_, index)| index).collect();
            Units::on_rows(transcript, &rows)
        }
        None => Units::from(transcript, 0),
    };
    let mut found = Vec::new();
    let mut emit = |mut unit: UnitText| {
        spill::add(&mut unit, path);
        found.extend(matched(&unit));
    };
    catalogue::collect_rows(path, transcript, &units, &mut emit)?;
    Ok(found)
}
