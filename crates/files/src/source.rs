//! A transcript that events are gathered from: a session's own file or an agent's, with where its rows stand.

use std::path::{Path, PathBuf};

use scrollback_format::generation::Generation;
use scrollback_format::time::Time;
use scrollback_model::facts::Anatomy;
use scrollback_model::placing::Placing;
use scrollback_model::row::RowIndex;
use scrollback_model::transcript::Transcript;

/// One transcript.
#[derive(Debug)]
pub struct FileTranscript {
    /// The store that it is in.
    pub root: PathBuf,
    /// Its file.
    pub path: PathBuf,
    /// The session that it is, or belongs to.
    pub session_id: String,
    /// The agent that it is.
    pub agent_id: Option<String>,
    /// Its rows.
    pub transcript: Transcript,
    /// The turn and the branch of each row.
    pub placing: Placing,
    times: Vec<Option<Time>>,
    directories: Vec<String>,
}

/// A turn of the live thread, by the times of its lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TurnSpan {
    /// Its number.
    pub turn: u32,
    /// Its first line.
    pub first: Time,
    /// Its last line.
    pub last: Time,
}

impl FileTranscript {
    /// A transcript with its placing, where that is known already.
    pub fn new(
        (root, path): (&Path, &Path),
        session_id: &str,
        agent_id: Option<&str>,
        transcript: Transcript,
        placing: Option<Placing>,
    ) -> Self {
        let placing = placing
            .unwrap_or_else(|| Placing::of(&transcript, &Anatomy::of(&transcript, Generation::NEWEST)));
        let mut last = None;
        let times = transcript.rows.iter().map(|row| {
            last = row.time().or(last);
            last
        });
        let times = times.collect();
        let directories = transcript.cwds.iter().map(|(cwd, _)| transcript.text(cwd).to_owned()).collect();
        Self {
            root: root.to_owned(),
            path: path.to_owned(),
            session_id: session_id.to_owned(),
            agent_id: agent_id.map(str::to_owned),
            transcript,
            placing,
            times,
            directories,
        }
    }

    /// When a row was written; without a time of its own, when the row before it was.
    pub fn time(&self, row: RowIndex) -> Option<Time> {
        self.times.get(row as usize).copied().flatten()
    }

    /// The working directories on its lines, first seen first.
    pub fn directories(&self) -> &[String] {
        &self.directories
    }

    /// Where a session was begun.
    pub fn project(&self) -> Option<&str> {
        self.directories.first().map(String::as_str)
    }

    /// Where the session keeps its backups.
    pub fn backups(&self) -> PathBuf {
        self.root.join("file-history").join(&self.session_id)
    }

    /// The turns of the live thread, by the times on their lines.
    pub fn turns(&self) -> Vec<TurnSpan> {
        let mut turns: Vec<TurnSpan> = Vec::new();
        for (row, index) in self.transcript.rows.iter().zip(0..) {
            let ((Some(turn), 0), Some(time)) = (self.placing.at(index), row.time()) else { continue };
            match turns.iter_mut().rev().find(|span| span.turn == turn) {
                Some(span) => {
                    span.first = span.first.min(time);
                    span.last = span.last.max(time);
                }
                None => turns.push(TurnSpan { turn, first: time, last: time }),
            }
        }
        turns.sort_by_key(|span| span.turn);
        turns
    }
}
