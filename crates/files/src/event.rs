//! Events: where a transcript tells something about a file. They are light; what they tell is read when it is replayed.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use memchr::memmem;
use rustc_hash::{FxHashMap, FxHashSet};
use scrollback_format::body::note::{Backup, FileHistorySnapshot};
use scrollback_format::digest::backup_name;
use scrollback_format::entry::{Body, Dialect, Entry};
use scrollback_format::json::{Tape, Text, Value};
use scrollback_format::kind::{AttachmentKind, Kind, NoteKind};
use scrollback_format::shape::Shaped;
use scrollback_format::time::Time;
use scrollback_model::row::RowIndex;
use scrollback_model::symbol::Symbol;
use scrollback_store::small::Spans;

use super::path;
use super::source::FileTranscript;

/// Something that a transcript records about a file.
#[derive(Debug, Clone)]
pub struct FileEvent {
    /// The file, as it was called there.
    pub file: Arc<str>,
    /// The number of the transcript.
    pub source: usize,
    /// The line that tells it.
    pub row: RowIndex,
    /// When it was so.
    pub time: Option<Time>,
    /// What it is.
    pub what: FileEventKind,
    /// Other transcripts that tell the very same: copies of this line.
    pub copies: Vec<usize>,
    key: String,
}

/// What an event is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileEventKind {
    /// A checkpoint: the file as it was then.
    Backup {
        /// The backup's name as it is recorded; none if there was no file.
        name: Option<String>,
        /// Its version.
        version: u64,
        /// Where it may be.
        blobs: Vec<PathBuf>,
    },
    /// A tool call that came back without an error: its place among the calls, and the row of its result.
    Call(usize, RowIndex),
    /// What the client gave the model of a file.
    Attachment(AttachmentKind),
}

/// The events of each file, in the order in which they were.
pub type Events = BTreeMap<String, Vec<FileEvent>>;

/// Which files are wanted. The needle is a part of the file's name as it stands in lines, to pass over those without it.
pub struct Wanted<'w> {
    /// Is this absolute path wanted of this transcript?
    pub is: &'w dyn Fn(&str, &FileTranscript) -> bool,
    /// What a line must hold to be worth a look.
    pub needle: Option<String>,
}

impl Wanted<'_> {
    /// The needle of a path: its last part, if no escape can change how it is written.
    pub fn needle(path: &str) -> Option<String> {
        let name = path::name(path);
        let plain = |byte: &u8| (b' '..=b'~').contains(byte) && !matches!(byte, b'"' | b'\\' | b'/');
        (name.bytes().all(|byte| plain(&byte)) && !name.is_empty()).then(|| name.to_owned())
    }
}

/// Gathers the events of the files that are wanted. A transcript that cannot be read any more tells nothing, and is named.
pub fn gather(sources: &[FileTranscript], wanted: &Wanted<'_>) -> (Events, Vec<String>) {
    let mut events = Events::new();
    let mut troubles = Vec::new();
    for (number, source) in sources.iter().enumerate() {
        let mut gathering = Gathering {
            source,
            number,
            wanted,
            events: &mut events,
            paths: FxHashMap::default(),
            seen: FxHashSet::default(),
        };
        if let Err(error) = gathering.calls().and_then(|()| gathering.notes()) {
            troubles.push(error.to_string());
        }
    }
    for list in events.values_mut() {
        order(list, sources);
    }
    (events, troubles)
}

/// Puts events in the order in which they were, and copies of one event together.
fn order(list: &mut Vec<FileEvent>, sources: &[FileTranscript]) {
    // Copies come after what they were copied from; lines without any time are as old as can be.
    let copied = |event: &FileEvent| sources[event.source].transcript.fork_mark.is_some();
    list.sort_by_key(|event| (event.time, copied(event), event.source, event.row));
    let mut first: FxHashMap<String, usize> = FxHashMap::default();
    let mut kept: Vec<FileEvent> = Vec::with_capacity(list.len());
    for event in list.drain(..) {
        match first.get(&event.key) {
            Some(&at) => {
                let known = &mut kept[at];
                if known.source != event.source && !known.copies.contains(&event.source) {
                    known.copies.push(event.source);
                }
                if let (FileEventKind::Backup { blobs, .. }, FileEventKind::Backup { blobs: more, .. }) =
                    (&mut known.what, event.what)
                {
                    blobs.extend(more);
                }
            }
            None => {
                first.insert(event.key.clone(), kept.len());
                kept.push(event);
            }
        }
    }
    *list = kept;
}

struct Gathering<'g> {
    source: &'g FileTranscript,
    number: usize,
    wanted: &'g Wanted<'g>,
    events: &'g mut Events,
    paths: FxHashMap<Symbol, Option<String>>,
    seen: FxHashSet<(String, Option<String>, u64)>,
}

impl Gathering<'_> {
    fn add(&mut self, path: String, row: RowIndex, time: Option<Time>, what: FileEventKind, key: String) {
        let file = path.as_str().into();
        let event = FileEvent { file, source: self.number, row, time, what, copies: Vec::new(), key };
        self.events.entry(path).or_default().push(event);
    }

    /// Calls of tools that read or write a file, and came back.
    fn calls(&mut self) -> Result<(), scrollback_store::ReadError> {
        let transcript = &self.source.transcript;
        let mut outcomes: FxHashMap<Symbol, (RowIndex, bool)> = FxHashMap::default();
        for outcome in &transcript.outcomes {
            outcomes.insert(outcome.call, (outcome.row, outcome.is_error));
        }
        for (place, call) in transcript.calls.iter().enumerate() {
            let Some(file) = call.file else { continue };
            let Some(path) = self.path(file, call.row)? else { continue };
            let Some(&(row, false)) = outcomes.get(&call.id) else { continue };
            let key = format!("call {}", transcript.text(call.id));
            self.add(path, row, self.source.time(row), FileEventKind::Call(place, row), key);
        }
        Ok(())
    }

    /// The absolute path that a call names, if it is wanted. One that is relative depends on the line's own directory.
    fn path(&mut self, file: Symbol, row: RowIndex) -> Result<Option<String>, scrollback_store::ReadError> {
        if let Some(known) = self.paths.get(&file) {
            return Ok(known.clone());
        }
        let text = self.source.transcript.text(file);
        let keep = |path: Option<String>| path.filter(|path| (self.wanted.is)(path, self.source));
        if path::is_absolute(text) {
            let found = keep(path::absolute(text, None));
            self.paths.insert(file, found.clone());
            return Ok(found);
        }
        let row = self.source.transcript.row(row);
        let mut spans = Spans::open(&self.source.path)?;
        let bytes = spans.read(row.offset, row.len as usize)?;
        let mut tape = Tape::new();
        let root = tape.scan(bytes).ok().and_then(|_| tape.root(bytes));
        let cwd =
            root.and_then(|root| root.get("cwd")).and_then(Value::text).map(|cwd| cwd.decode().into_owned());
        Ok(keep(path::absolute(text, cwd.as_deref().or(self.source.project()))))
    }

    /// Checkpoints and attachments.
    fn notes(&mut self) -> Result<(), scrollback_store::ReadError> {
        let rows = self.source.transcript.rows.iter().zip(0..);
        let rows: Vec<RowIndex> = rows.filter(|(row, _)| tells(row.kind)).map(|(_, index)| index).collect();
        if rows.is_empty() {
            return Ok(());
        }
        let finder =
            self.wanted.needle.as_ref().map(|needle| memmem::Finder::new(needle.as_bytes()).into_owned());
        let mut spans = Spans::open(&self.source.path)?;
        let mut tape = Tape::new();
        for index in rows {
            let row = self.source.transcript.row(index);
            let bytes = spans.read(row.offset, row.len as usize)?;
            if finder.as_ref().is_some_and(|finder| finder.find(bytes).is_none()) || tape.scan(bytes).is_err()
            {
                continue;
            }
            let Some(root) = tape.root(bytes) else { continue };
            let entry = Entry::of(root, Dialect::Session);
            match entry.body() {
                Body::FileHistorySnapshot(line) => self.snapshot(line, index),
                Body::FileHistoryDelta(line) => {
                    if let (Some(path), Some(backup)) = (line.tracking_path(), line.backup()) {
                        self.backup(path, backup, None, index);
                    }
                }
                Body::Attachment(kind, _) => self.attachment(&entry, kind, index),
                _ => {}
            }
        }
        Ok(())
    }

    fn snapshot(&mut self, line: FileHistorySnapshot<'_>, row: RowIndex) {
        let Some(snapshot) = line.snapshot() else { return };
        // A snapshot that is updated tells of its other files what it told before: only a new one looked at them anew.
        let looked = (line.is_snapshot_update() != Some(true)).then(|| snapshot.timestamp()).flatten();
        for (path, backup) in snapshot.tracked_file_backups().into_iter().flat_map(Value::fields) {
            self.backup(path, Backup::over(backup), looked, row);
        }
    }

    fn backup(&mut self, tracked: Text<'_>, backup: Backup<'_>, looked: Option<Text<'_>>, row: RowIndex) {
        let recorded = backup.value().get("backupFileName");
        let name = recorded.and_then(Value::text).map(|name| name.decode().into_owned());
        if name.is_none() && !recorded.is_some_and(Value::is_null) {
            return;
        }
        let version = backup.version().unwrap_or_default();
        let real = backup.real_parent_dir().map(|dir| dir.decode().into_owned());
        let Some(path) = self.tracked_path(&tracked.decode(), name.as_deref(), version, real.as_deref())
        else {
            return;
        };
        if !(self.wanted.is)(&path, self.source) {
            return;
        }
        let time = |text: Option<Text<'_>>| text.and_then(|text| Time::decode(&text.decode()));
        let taken = time(backup.backup_time());
        let again = !self.seen.insert((path.clone(), name.clone(), version));
        let when = match (again, time(looked)) {
            (false, _) => taken,
            (true, Some(looked)) if Some(looked) > taken => Some(looked),
            (true, _) => return,
        };
        let when = when.or_else(|| self.source.time(row));
        let blobs = name.iter().filter(|name| is_plain(name)).map(|name| self.source.backups().join(name));
        let what = FileEventKind::Backup { name: name.clone(), version, blobs: blobs.collect() };
        let key = format!("backup {} {version} {}", name.unwrap_or_default(), when.map_or(0, |when| when.0));
        self.add(path, row, when, what, key);
    }

    /// The file that a tracking path means. It is relative to the directory of the client then; the hash in the backup's name
    /// is that of the absolute path, and tells which of the session's directories that was.
    fn tracked_path(
        &self,
        tracked: &str,
        name: Option<&str>,
        version: u64,
        real: Option<&str>,
    ) -> Option<String> {
        if path::is_absolute(tracked) {
            return path::absolute(tracked, None);
        }
        let directories = self.source.directories().iter().map(String::as_str);
        let joined: Vec<String> = directories.filter_map(|dir| path::absolute(tracked, Some(dir))).collect();
        let beside = real.and_then(|dir| path::absolute(path::name(tracked), Some(dir)));
        let is_it = |path: &&String| name.is_some_and(|name| backup_name(path, version) == name);
        let proven = joined.iter().chain(&beside).find(is_it);
        let likely = || joined.iter().find(|path| beside.as_ref() == Some(*path));
        proven.or_else(likely).or(joined.first()).or(beside.as_ref()).cloned()
    }

    fn attachment(&mut self, entry: &Entry<'_>, kind: AttachmentKind, row: RowIndex) {
        let name =
            entry.envelope.attachment.and_then(|attachment| attachment.get("filename")).and_then(Value::text);
        let Some(name) = name else { return };
        let cwd = entry.envelope.cwd.map(|cwd| cwd.decode().into_owned());
        let path = path::absolute(&name.decode(), cwd.as_deref().or(self.source.project()));
        let Some(path) = path.filter(|path| (self.wanted.is)(path, self.source)) else { return };
        let key = match entry.id() {
            Some(id) => format!("line {id}"),
            None => format!("line {} {row}", self.number),
        };
        self.add(path, row, self.source.time(row), FileEventKind::Attachment(kind), key);
    }
}

fn tells(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Note(NoteKind::FileHistorySnapshot | NoteKind::FileHistoryDelta)
            | Kind::Attachment(
                AttachmentKind::File | AttachmentKind::AlreadyReadFile | AttachmentKind::EditedTextFile
            )
    )
}

/// May this be the name of a backup? It is put behind a directory, so it has to stay there.
pub fn is_plain(name: &str) -> bool {
    !name.is_empty() && name != "." && name != ".." && !name.contains(['/', '\\', '\0'])
}
