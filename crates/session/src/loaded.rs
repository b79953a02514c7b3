//! One session loaded: its rows, its graph with threads and turns, and its facts. From the catalogue where that knows it.

use scrollback_format::area::ProjectFile;
use scrollback_format::generation::Generation;
use scrollback_format::version::ClientVersion;
use scrollback_model::facts::{Anatomy, TranscriptFacts};
use scrollback_model::transcript::{FileKind, Transcript};
use scrollback_store::{FolderFile, work};

use crate::catalogue::Index;
use crate::error::AppError;
use crate::library::{Library, SessionFiles, sidecar_title};
use crate::load::Loader;

/// What loading one session gives.
#[derive(Debug)]
pub struct Loaded {
    /// Its rows.
    pub transcript: Transcript,
    /// Its graph, threads and turns.
    pub anatomy: Anatomy,
    /// Its facts.
    pub facts: TranscriptFacts,
}

impl Loaded {
    /// A transcript taken apart as the newest client sees it, with nothing known from outside of it.
    pub fn of(transcript: Transcript) -> Self {
        let anatomy = Anatomy::of(&transcript, Generation::NEWEST);
        let facts = TranscriptFacts::of(&transcript, &anatomy, None, None);
        Self { transcript, anatomy, facts }
    }
}

impl Library {
    /// Loads one session, its title resolved over its folder.
    pub fn load(&self, files: &SessionFiles<'_>, generation: Generation) -> Result<Loaded, AppError> {
        self.load_with(files, generation, None)
    }

    /// The same, from the catalogue as far as that knows it.
    pub fn load_with(
        &self,
        files: &SessionFiles<'_>,
        generation: Generation,
        index: Option<&Index>,
    ) -> Result<Loaded, AppError> {
        let path = &files.found.path;
        let transcript = match index.and_then(|index| index.transcript(path)) {
            Some(known) => known,
            None => Loader::new().transcript(path, FileKind::Session)?,
        };
        let anatomy = Anatomy::of(&transcript, generation);
        let sidecar = sidecar_title(path);
        let untitled =
            transcript.custom_title.is_none() && transcript.ai_title.is_none() && sidecar.is_none();
        let summary = if untitled && had_summaries(&transcript) {
            let known = index.and_then(|index| index.summary_title(path));
            known.unwrap_or_else(|| self.summary_for(files, &anatomy))
        } else {
            None
        };
        let facts = TranscriptFacts::of(&transcript, &anatomy, sidecar.as_deref(), summary.as_deref());
        Ok(Loaded { transcript, anatomy, facts })
    }

    /// The last `summary` line of the folder whose leaf is in this session.
    fn summary_for(&self, files: &SessionFiles<'_>, anatomy: &Anatomy) -> Option<String> {
        let (_, folder) = self.folder(files.folder);
        let sessions: Vec<&FolderFile> =
            folder.files.iter().filter(|found| matches!(found.file, ProjectFile::Session(_))).collect();
        let titles = work::each(&sessions, work::threads(), Loader::new, |loader, found| {
            let mut title = None;
            for summary in loader.summaries(&found.path).unwrap_or_default() {
                if summary.leaf.is_some_and(|leaf| anatomy.graph.find(leaf).is_some()) {
                    title = Some(summary.text.into_string());
                }
            }
            title
        });
        titles.into_iter().flatten().last()
    }
}

/// Did a client of this session's time write `summary` lines at all?
fn had_summaries(transcript: &Transcript) -> bool {
    let versions =
        transcript.versions.iter().filter_map(|(version, _)| ClientVersion::decode(transcript.text(version)));
    versions.map(Generation::of).min().is_none_or(|oldest| oldest <= Generation::V2_1_9)
}
