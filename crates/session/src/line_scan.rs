//! Scanning: the lines of many transcripts that hold certain bytes. No index is needed, and only such lines are decoded.

use std::ops::ControlFlow;
use std::path::Path;

use memchr::memmem::Finder;
use scrollback_format::area::ProjectFile;
use scrollback_format::entry::{Dialect, Entry};
use scrollback_format::json::Tape;
use scrollback_store::{Chunk, LineReader, Start, work};

use crate::library::Library;

/// A session's or an agent's own file.
#[derive(Debug, Clone, Copy)]
pub struct TranscriptRef<'l> {
    /// The file.
    pub path: &'l Path,
    /// The session; none for the flat files of old agents, where only their lines record it.
    pub session: Option<&'l str>,
    /// The agent.
    pub agent: Option<&'l str>,
}

/// A line that was found.
#[derive(Debug, Clone, Copy)]
pub struct FoundLine<'a> {
    /// Its number.
    pub line: u64,
    /// Its bytes.
    pub bytes: &'a [u8],
}

impl FoundLine<'_> {
    /// Passes its entry to `with`; None if it is not complete JSON.
    pub fn entry<R>(self, tape: &mut Tape, with: impl FnOnce(&Entry<'_>) -> R) -> Option<R> {
        tape.scan(self.bytes).ok()?;
        tape.root(self.bytes).map(|root| with(&Entry::of(root, Dialect::Session)))
    }
}

/// The transcripts of a library: sessions and their agents.
pub fn transcripts(library: &Library) -> Vec<TranscriptRef<'_>> {
    let files = library.folders.iter().flat_map(|(_, folder)| &folder.files);
    files
        .filter_map(|found| {
            let (session, agent) = match &found.file {
                ProjectFile::Session(session) => (Some(session.as_str()), None),
                ProjectFile::Agent { session, agent, .. } => (Some(session.as_str()), Some(agent.as_str())),
                ProjectFile::FlatAgent(agent) => (None, Some(agent.as_str())),
                _ => return None,
            };
            Some(TranscriptRef { path: &found.path, session, agent })
        })
        .collect()
}

/// Gives to `take` every line of these files that holds one of the needles, file by file, on every core. What is taken
/// from a file that cannot be read to its end is what was there before. In the order of the files.
pub fn scan_lines<T: Default + Send>(
    transcripts: &[TranscriptRef<'_>],
    needles: &[&str],
    take: impl Fn(&mut T, &TranscriptRef<'_>, FoundLine<'_>) + Sync,
) -> Vec<T> {
    let finders: Vec<Finder<'_>> = needles.iter().map(|needle| Finder::new(needle.as_bytes())).collect();
    work::each(transcripts, work::threads(), LineReader::new, |reader, transcript| {
        let mut taken = T::default();
        // A file that is gone or cannot be read is reported by `ls` and `verify`.
        let _ = reader.read(transcript.path, Start::default(), |chunk| {
            if let Chunk::Line(line) = chunk
                && finders.iter().any(|finder| finder.find(line.bytes).is_some())
            {
                take(&mut taken, transcript, FoundLine { line: line.number, bytes: line.bytes });
            }
            ControlFlow::Continue(())
        });
        taken
    })
}
