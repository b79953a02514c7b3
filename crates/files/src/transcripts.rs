//! A shelf: the transcripts that tell of some files, with their events. Trails are replayed from it when they are asked for.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rustc_hash::{FxHashMap, FxHashSet};
use scrollback_format::generation::Generation;
use scrollback_format::time::Time;
use scrollback_index::catalogue::{StoredFile, Touching};
use scrollback_model::placing::Placing;
use scrollback_store::work;

use super::event::{self, Events, FileEvent, FileEventKind, Wanted};
use super::path;
use super::source::{FileTranscript, TurnSpan};
use super::trail::{self, FileTrail};
use scrollback_session::agents::Agents;
use scrollback_session::catalogue::{self, Index};
use scrollback_session::error::AppError;
use scrollback_session::library::{Library, SessionFiles};

/// Transcripts, and what they record about files.
#[derive(Debug)]
pub struct TranscriptSet {
    /// The transcripts.
    pub sources: Vec<FileTranscript>,
    /// The events of each file by its absolute path, in order.
    pub files: Events,
    /// What could not be read.
    pub troubles: Vec<String>,
    turns: FxHashMap<(PathBuf, String), Vec<TurnSpan>>,
}

impl TranscriptSet {
    /// One session with its agents.
    pub fn of_session(library: &Library, files: &SessionFiles<'_>) -> Result<Self, AppError> {
        let (root, _) = library.folder(files.folder);
        let loaded = library.load(files, Generation::NEWEST)?;
        let agents = Agents::of(library, files, &loaded);
        let id = files.id.as_str();
        let placing = Placing::of(&loaded.transcript, &loaded.anatomy);
        let own = (root.path(), files.found.path.as_path());
        let mut sources = vec![FileTranscript::new(own, id, None, loaded.transcript, Some(placing))];
        let of_agents = agents.views.iter().zip(agents.transcripts).zip(agents.threads);
        // An agent that stands in the session's own file is there already.
        for ((view, transcript), _) in of_agents.filter(|(_, thread)| thread.is_none()) {
            let own = (root.path(), view.path.as_path());
            sources.push(FileTranscript::new(own, id, Some(&view.agent_id), transcript, None));
        }
        Ok(Self::of(sources, &Wanted { is: &|_, _| true, needle: None }))
    }

    /// All transcripts of a catalogue that gave a file one of these names. No other file is opened.
    pub fn touching(index: &Index, names: &[String], wanted: &Wanted<'_>) -> Result<Self, AppError> {
        let touching = index.catalogue().touching(&index.root_names(), names)?;
        let mut files: Vec<(i64, Touching)> = Vec::new();
        for one in touching {
            // The session of an agent tells in which turn the agent worked.
            if let Some(session) = one.session_file.filter(|file| *file != one.file) {
                files.push((session, Touching { agent_id: None, ..one.clone() }));
            }
            files.push((one.file, one));
        }
        files.sort_by_key(|(file, _)| *file);
        files.dedup_by_key(|(file, _)| *file);
        let mut stored: Vec<Stored> = Vec::with_capacity(files.len());
        for (file, touching) in files {
            let Some(file) = index.catalogue().stored(file)? else { continue };
            let (root, path) = (index.given_root(&touching.root), index.given_path(&file.path));
            stored.push(Stored { touching, file, root, path });
        }
        let threads = if stored.len() < 4 { 1 } else { work::threads() };
        let opened = work::each(&stored, threads, || (), |(), stored| stored.open());
        Ok(Self::of(opened.into_iter().flatten().collect(), wanted))
    }

    /// The events that these transcripts have.
    pub fn of(sources: Vec<FileTranscript>, wanted: &Wanted<'_>) -> Self {
        let (files, troubles) = event::gather(&sources, wanted);
        let own = sources.iter().filter(|source| source.agent_id.is_none());
        let turns = own.map(|source| ((source.root.clone(), source.session_id.clone()), source.turns()));
        let turns = turns.collect();
        Self { sources, files, troubles, turns }
    }

    /// Takes the events of several paths for those of one, which has been called all of them.
    pub fn join(&mut self, path: &str) {
        let files = std::mem::take(&mut self.files);
        let mut events: Vec<FileEvent> = files.into_values().flatten().collect();
        events.sort_by_key(|event| event.time);
        self.files.insert(path.to_owned(), events);
    }

    /// The trail of one file. Stores are apart: the same path may be another file there.
    pub fn trail(&self, path: &str, keep: &dyn Fn(usize) -> bool) -> FileTrail {
        let Some(events) = self.files.get(path) else { return FileTrail::default() };
        let mut roots: BTreeMap<&Path, Vec<FileEvent>> = BTreeMap::new();
        for event in events {
            roots.entry(&self.sources[event.source].root).or_default().push(event.clone());
        }
        if roots.len() < 2 {
            return trail::replay(&self.sources, events, keep);
        }
        // Numbers are known only once all are there, so all bytes are kept until then.
        let trails = roots.values().map(|events| trail::replay(&self.sources, events, &|_| true));
        let mut all = FileTrail::default();
        for trail in trails {
            all.versions.extend(trail.versions);
            all.troubles.extend(trail.troubles);
        }
        all.versions.sort_by_key(super::version::Version::time);
        for (version, number) in all.versions.iter_mut().zip(1..) {
            version.number = number;
            version.state.forget(keep(number));
        }
        all
    }

    /// The turn of a line, in its session, and its branch (0 is the live thread). What stands beside all threads, and what
    /// agents do, is in the turn in which it was.
    pub fn turn(&self, source: usize, row: u32, time: Option<Time>) -> (Option<u32>, u64) {
        let source = &self.sources[source];
        if source.agent_id.is_none()
            && let placed @ (Some(_), _) = source.placing.at(row)
        {
            return placed;
        }
        let turns = self.turns.get(&(source.root.clone(), source.session_id.clone()));
        let before = |time: Time| turns?.iter().rev().find(|span| span.first <= time).map(|span| span.turn);
        (time.and_then(before), 0)
    }

    /// The files that tools wrote, or that checkpoints name.
    pub fn changed(&self) -> Vec<String> {
        let changes = |event: &FileEvent| match event.what {
            FileEventKind::Backup { .. } => true,
            FileEventKind::Call(call, _) => self.sources[event.source].transcript.calls[call].writes,
            FileEventKind::Attachment(_) => false,
        };
        let changed = self.files.iter().filter(|(_, events)| events.iter().any(changes));
        changed.map(|(path, _)| path.clone()).collect()
    }

    /// The same files over all sessions that the catalogue knows.
    pub fn widened(index: &Index, paths: &[String]) -> Result<Self, AppError> {
        let names: Vec<String> = paths.iter().flat_map(|path| path::names(path)).collect();
        let own: FxHashSet<&str> = paths.iter().map(String::as_str).collect();
        Self::touching(index, &names, &Wanted { is: &|path, _| own.contains(path), needle: None })
    }

    /// Where a session was begun.
    pub fn project(&self, session_id: &str) -> Option<&str> {
        let own =
            self.sources.iter().find(|source| source.session_id == session_id && source.agent_id.is_none());
        own.and_then(FileTranscript::project)
    }
}

/// A transcript as the catalogue keeps it.
struct Stored {
    touching: Touching,
    file: StoredFile,
    root: PathBuf,
    path: PathBuf,
}

impl Stored {
    /// None if its file is gone.
    fn open(&self) -> Option<FileTranscript> {
        let transcript = catalogue::whole_transcript(&self.path, &self.file)?;
        let placing = self.file.placing.clone();
        let (session, agent) = (&self.touching.session_id, self.touching.agent_id.as_deref());
        Some(FileTranscript::new((&self.root, &self.path), session, agent, transcript, placing))
    }
}
