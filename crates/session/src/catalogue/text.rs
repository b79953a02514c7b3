//! Keeping the text index in step with the catalogue: the units of what was appended, and of nothing else.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use rustc_hash::FxHashSet;
use scrollback_format::content::Content;
use scrollback_format::entry::{Dialect, Entry};
use scrollback_format::json::Tape;
use scrollback_index::catalogue::{Catalogue, StoredFile, TextState};
use scrollback_index::error::IndexError;
use scrollback_index::text::{TextIndex, TextWriter};
use scrollback_model::fold::Fold;
use scrollback_model::row::RowIndex;
use scrollback_model::text::{UnitAssembler, UnitText};
use scrollback_model::transcript::Transcript;
use scrollback_model::unit::{self, UnitKey, UnitKind, Units};
use scrollback_store::small::Spans;
use scrollback_store::work;
use scrollback_store::{ReadError, Start};

use super::{Index, Kept};
use crate::load::Loader;
use crate::spill;

/// A batch is committed once it holds this many bytes of files: the most that stopping a build can cost.
const BATCH_BYTES: u64 = 160 << 20;
/// More than this is written with all threads.
const LARGE_BYTES: u64 = 24 << 20;
/// More pieces than this are joined.
const MAX_SEGMENTS: usize = 12;

/// What bringing the text index up to date did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TextReport {
    /// Files that were read.
    pub files: u64,
    /// Number of units written.
    pub units: u64,
    /// Was another process at work, so that nothing was done?
    pub busy: bool,
}

/// A file whose text is behind.
pub(super) struct Behind {
    pub(super) file: i64,
    path: PathBuf,
    size: u64,
    told: Option<TextState>,
}

impl Behind {
    /// Bytes of it that the text index has not seen.
    pub(super) fn unseen(&self) -> u64 {
        self.size - self.told.as_ref().map_or(0, |told| told.size.min(self.size))
    }
}

impl Index {
    pub(super) fn open_text(&self) -> Result<Option<TextIndex>, IndexError> {
        let Some(dir) = &self.dir else { return Ok(None) };
        // One that cannot be opened is none, whatever is the matter with it: it is a cache.
        let Ok(Some(index)) = TextIndex::open(&dir.text()) else { return Ok(None) };
        let told = self.db.meta("text_batch")?.unwrap_or(0);
        // An index that is behind the catalogue's word for it has lost something: it is none.
        Ok(index.batch().ok().filter(|batch| *batch >= told && told > 0).map(|_| index))
    }

    /// Notes that the text index is not to be trusted, so that the next refresh builds it anew.
    pub fn distrust_text(&self) -> Result<(), IndexError> {
        if let Some(_lock) = self.lock()? {
            self.db.set_meta("text_batch", 0)?;
        }
        Ok(())
    }

    pub(super) fn behind(&self) -> Result<Vec<Behind>, IndexError> {
        let mut behind = Vec::new();
        for root in &self.roots {
            for known in self.db.files_behind(&root.own)? {
                let path = self.given_path(&known.path);
                behind.push(Behind { file: known.file, path, size: known.size, told: known.told });
            }
        }
        Ok(behind)
    }

    /// Brings the text index up to date with the catalogue; creates it if necessary.
    pub fn refresh_text(&mut self, progress: &(dyn Fn(u64) + Sync)) -> Result<TextReport, IndexError> {
        let Some(dir) = self.dir.clone() else { return Ok(TextReport::default()) };
        let Some(lock) = self.lock()? else { return Ok(TextReport { busy: true, ..TextReport::default() }) };
        self.kept = Kept::default();
        let text = match self.open_text()? {
            Some(text) => text,
            None => {
                let folder = dir
                    .clear_text(&lock)
                    .map_err(|_| IndexError::Damaged("the text index cannot be cleared"))?;
                let mut batch = self.db.batch()?;
                batch.clear_text()?;
                batch.set_meta("text_batch", 0)?;
                batch.commit()?;
                TextIndex::create(&folder)?
            }
        };
        let mut behind = self.behind()?;
        let forgotten = self.db.forgotten()?;
        if behind.is_empty() && forgotten.is_empty() {
            return Ok(TextReport::default());
        }
        behind.sort_by_key(|file| std::cmp::Reverse(file.size));
        self.tell(&text, &behind, &forgotten, progress)
    }

    fn tell(
        &self,
        text: &TextIndex,
        behind: &[Behind],
        forgotten: &[i64],
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<TextReport, IndexError> {
        let mut batch_number = self.db.meta("text_batch")?.unwrap_or(0);
        // Commits of which the catalogue knows nothing: an earlier run was stopped between the two.
        let dirty = text.batch()? != batch_number;
        batch_number = batch_number.max(text.batch()?);
        let total: u64 = behind.iter().map(Behind::unseen).sum();
        let large = total > LARGE_BYTES || text.segments()? > MAX_SEGMENTS;
        let mut writer = text.writer(large)?;
        forgotten.iter().for_each(|file| writer.forget_file(*file));
        let mut report = TextReport { files: behind.len() as u64, ..TextReport::default() };
        let path = self.dir.as_ref().map(|dir| dir.catalogue());
        let mut rest = behind;
        loop {
            let (now, later) = rest.split_at(batch_len(rest));
            let (states, units) = tell_batch(&writer, path.as_deref(), now, dirty, progress)?;
            report.units += units;
            batch_number += 1;
            writer.commit(batch_number)?;
            let mut batch = self.db.batch()?;
            for state in &states {
                batch.put_text_state(state)?;
            }
            if rest.len() == behind.len() {
                batch.put_forgotten(forgotten)?;
            }
            batch.set_meta("text_batch", batch_number)?;
            batch.commit()?;
            rest = later;
            if rest.is_empty() {
                break;
            }
        }
        if large {
            writer.finish()?;
        }
        Ok(report)
    }
}

/// How many of these files make a batch.
fn batch_len(files: &[Behind]) -> usize {
    let mut bytes = 0;
    for (at, file) in files.iter().enumerate() {
        bytes += file.size;
        if bytes > BATCH_BYTES {
            return at + 1;
        }
    }
    files.len()
}

fn tell_batch(
    writer: &TextWriter<'_>,
    catalogue: Option<&Path>,
    files: &[Behind],
    dirty: bool,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<(Vec<TextState>, u64), IndexError> {
    let units = AtomicU64::new(0);
    let failed: Mutex<Option<IndexError>> = Mutex::new(None);
    let state = || (Loader::new(), catalogue.and_then(|path| Catalogue::open(path).ok()));
    let states = work::each(files, work::threads(), state, |(loader, db), file| {
        let told = db.as_ref().ok_or(IndexError::Damaged("the catalogue cannot be opened again"));
        let told = told.and_then(|db| tell_file(writer, loader, db, file, dirty, &units));
        progress(file.size);
        match told {
            Ok(state) => state,
            Err(error) => {
                *failed.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = Some(error);
                None
            }
        }
    });
    match failed.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
        Some(error) => Err(error),
        None => Ok((states.into_iter().flatten().collect(), units.into_inner())),
    }
}

/// Tells the units of one file that have a line after what was told before. None if the file cannot be read now.
fn tell_file(
    writer: &TextWriter<'_>,
    loader: &mut Loader,
    db: &Catalogue,
    behind: &Behind,
    dirty: bool,
    count: &AtomicU64,
) -> Result<Option<TextState>, IndexError> {
    let file = behind.file;
    let skeleton = match db.skeleton(file) {
        Ok(Some(skeleton)) => skeleton,
        Ok(None) => return Ok(None),
        // The file is scanned until the catalogue is built anew.
        Err(error) if error.is_damage() => return Ok(None),
        Err(error) => return Err(error),
    };
    let whole = skeleton.transcript.rows.len() as u32;
    let start = Start { offset: skeleton.resume_offset, lines: skeleton.resume_lines };
    let Ok(transcript) = with_loose_line(loader, &behind.path, start, skeleton.transcript, behind.size)
    else {
        return Ok(None);
    };
    let from = behind.told.as_ref().map_or(0, |told| told.rows);
    let units = Units::from(&transcript, from);
    match &behind.told {
        Some(told) => {
            told.loose.iter().for_each(|key| writer.forget_unit(file, *key));
            units.keys().for_each(|key| writer.forget_unit(file, key.number()));
        }
        None if dirty => writer.forget_file(file),
        None => {}
    }
    let mut result = Ok(());
    let mut prompts: FxHashSet<String> = FxHashSet::default();
    let mut emit = |mut unit: UnitText| {
        spill::add(&mut unit, &behind.path);
        if from > 0 && unit.kind == UnitKind::Prompt && unit.texts.len() == 1 {
            prompts.extend(unit.texts.first().map(|(_, text)| text.clone()));
        }
        count.fetch_add(1, Ordering::Relaxed);
        let copy = copy_id(&transcript, file, unit.key);
        if result.is_ok() {
            result = writer.add(file, unit, copy);
        }
    };
    let told = if from == 0 {
        collect_all(loader, &behind.path, behind.size, &transcript, &units, &mut emit)
    } else {
        collect_rows(&behind.path, &transcript, &units, &mut emit)
    };
    result?;
    if told.is_err() {
        return Ok(None);
    }
    forget_dequeued(writer, file, behind, &transcript, from, &prompts);
    let loose = units.keys().filter(|key| units.last_row(*key).is_some_and(|row| row >= whole));
    let loose = loose.map(UnitKey::number).collect();
    Ok(Some(TextState { file, size: behind.size, rows: whole, loose }))
}

/// The transcript with what stands after the last whole line.
fn with_loose_line(
    loader: &mut Loader,
    path: &Path,
    start: Start,
    transcript: Transcript,
    size: u64,
) -> Result<Transcript, ReadError> {
    if start.offset >= size {
        return Ok(transcript);
    }
    let mut fold = Fold::resume(transcript);
    let end = loader.chunks(path, start, |parser, chunk| {
        if offset_of(&chunk) >= size {
            return ControlFlow::Break(());
        }
        crate::load::feed(parser, &mut fold, chunk, |_, _| {});
        ControlFlow::Continue(())
    })?;
    Ok(fold.finish(end.lines, end.offset))
}

fn offset_of(chunk: &scrollback_store::Chunk<'_>) -> u64 {
    match chunk {
        scrollback_store::Chunk::Line(line) => line.offset,
        scrollback_store::Chunk::Oversize(part) => part.offset,
    }
}

/// Tells all units in one pass over the file.
pub fn collect_all(
    loader: &mut Loader,
    path: &Path,
    size: u64,
    transcript: &Transcript,
    units: &Units,
    emit: &mut dyn FnMut(UnitText),
) -> Result<(), ReadError> {
    let mut teller = UnitAssembler::new(transcript, units);
    let mut row: RowIndex = 0;
    loader.chunks(path, Start::default(), |parser, chunk| {
        if offset_of(&chunk) >= size || row as usize >= transcript.rows.len() {
            return ControlFlow::Break(());
        }
        if let scrollback_store::Chunk::Line(line) = chunk {
            parser.each(line, |piece| {
                if let Some(entry) = piece.entry() {
                    if (row as usize) < transcript.rows.len() {
                        teller.row(row, entry, emit);
                    }
                    row += 1;
                }
            });
        }
        ControlFlow::Continue(())
    })?;
    teller.finish(emit);
    Ok(())
}

/// Tells some units by reading their lines alone.
pub fn collect_rows(
    path: &Path,
    transcript: &Transcript,
    units: &Units,
    emit: &mut dyn FnMut(UnitText),
) -> Result<(), ReadError> {
    let mut spans = Spans::open(path)?;
    let mut tape = Tape::new();
    let mut teller = UnitAssembler::new(transcript, units);
    for index in units.rows() {
        let row = transcript.row(index);
        let bytes = spans.read(row.offset, row.len as usize)?;
        if tape.scan(bytes).is_ok()
            && let Some(root) = tape.root(bytes)
        {
            teller.row(index, &Entry::of(root, Dialect::Session), emit);
        }
    }
    teller.finish(emit);
    Ok(())
}

/// Prompts that waited in the queue and have become lines of their own are told there.
fn forget_dequeued(
    writer: &TextWriter<'_>,
    file: i64,
    behind: &Behind,
    transcript: &Transcript,
    from: u32,
    prompts: &FxHashSet<String>,
) {
    let earlier = transcript.queue.iter().filter(|event| event.enqueue && event.row < from);
    let rows: Vec<RowIndex> = earlier.map(|event| event.row).collect();
    if prompts.is_empty() || rows.is_empty() {
        return;
    }
    let Ok(mut spans) = Spans::open(&behind.path) else { return };
    let mut tape = Tape::new();
    for index in rows {
        let row = transcript.row(index);
        let Ok(bytes) = spans.read(row.offset, row.len as usize) else { continue };
        if tape.scan(bytes).is_err() || !unit::is_enqueued(row.kind) {
            continue;
        }
        let content = tape.root(bytes).and_then(|root| root.get("content")).and_then(Content::of);
        let same = content
            .and_then(Content::first_text)
            .is_some_and(|text| prompts.contains(text.decode().as_ref()));
        if same {
            writer.forget_unit(file, UnitKey::Row(index).number());
        }
    }
}

/// What copies of a unit in other files share: the id that the API or the client gave it.
pub fn copy_id(transcript: &Transcript, file: i64, key: UnitKey) -> u64 {
    use std::hash::{Hash, Hasher};
    let mut hasher = rustc_hash::FxHasher::default();
    match key {
        UnitKey::Message(symbol) => (1, transcript.text(symbol)).hash(&mut hasher),
        UnitKey::Call(symbol) => (2, transcript.text(symbol)).hash(&mut hasher),
        UnitKey::Row(row) => match transcript.row(row).id {
            Some(id) => (3, id.to_bytes()).hash(&mut hasher),
            None => (4, file, row).hash(&mut hasher),
        },
        UnitKey::Title => (5, file).hash(&mut hasher),
    }
    hasher.finish()
}

/// The transcript of a file that the catalogue knows, a last line without an end included; none if it is gone.
pub fn whole_transcript(path: &Path, stored: &StoredFile) -> Option<Transcript> {
    let skeleton = stored.skeleton();
    let start = Start { offset: skeleton.resume_offset, lines: skeleton.resume_lines };
    with_loose_line(&mut Loader::new(), path, start, skeleton.transcript, stored.size).ok()
}
