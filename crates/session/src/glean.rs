//! Gleaning: the lines of many transcripts that hold certain bytes. No index is needed, and only such lines are decoded.

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
pub struct Sheaf<'l> {
    /// The file.
    pub path: &'l Path,
    /// The session; none for the flat files of old agents, whose lines tell it.
    pub session: Option<&'l str>,
    /// The agent.
    pub agent: Option<&'l str>,
}

/// A line that was found.
#[derive(Debug, Clone, Copy)]
pub struct Ear<'a> {
    /// Its number.
    pub line: u64,
    /// Its bytes.
    pub bytes: &'a [u8],
}

impl Ear<'_> {
    /// Gives its entry to `with`; none if it is no whole JSON.
    pub fn entry<R>(self, tape: &mut Tape, with: impl FnOnce(&Entry<'_>) -> R) -> Option<R> {
        tape.scan(self.bytes).ok()?;
        tape.root(self.bytes).map(|root| with(&Entry::of(root, Dialect::Session)))
    }
}

/// The transcripts of a library: sessions and their agents.
pub fn sheaves(library: &Library) -> Vec<Sheaf<'_>> {
    let files = library.folders.iter().flat_map(|(_, folder)| &folder.files);
    files
        .filter_map(|found| {
            let (session, agent) = match &found.file {
                ProjectFile::Session(session) => (Some(session.as_str()), None),
                ProjectFile::Agent { session, agent, .. } => (Some(session.as_str()), Some(agent.as_str())),
                ProjectFile::FlatAgent(agent) => (None, Some(agent.as_str())),
                _ => return None,
            };
            Some(Sheaf { path: &found.path, session, agent })
        })
        .collect()
}

/// Gives to `take` every line of these files that holds one of the needles, file by file, on every core. What is taken
/// from a file that cannot be read to its end is what was there before. In the order of the files.
pub fn glean<T: Default + Send>(
    sheaves: &[Sheaf<'_>],
    needles: &[&str],
    take: impl Fn(&mut T, &Sheaf<'_>, Ear<'_>) + Sync,
) -> Vec<T> {
    let finders: Vec<Finder<'_>> = needles.iter().map(|needle| Finder::new(needle.as_bytes())).collect();
    work::each(sheaves, work::threads(), LineReader::new, |reader, sheaf| {
        let mut taken = T::default();
        // A file that is gone or may not be read is told by `ls` and `verify`.
        let _ = reader.read(sheaf.path, Start::default(), |chunk| {
            if let Chunk::Line(line) = chunk
                && finders.iter().any(|finder| finder.find(line.bytes).is_some())
            {
                take(&mut taken, sheaf, Ear { line: line.number, bytes: line.bytes });
            }
            ControlFlow::Continue(())
        });
        taken
    })
}
