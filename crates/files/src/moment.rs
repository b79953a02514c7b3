//! Which state of a file is meant: the newest, one by its number, or the one that it had at some time.

use scrollback_format::generation::Generation;
use scrollback_format::time::Time;

use super::source::FileTranscript;
use super::trail::FileTrail;
use super::version::Evidence;
use scrollback_session::agents::Agents;
use scrollback_session::error::{AppError, Noun};
use scrollback_session::library::{Library, SessionFiles};

/// Which state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum At {
    /// The last one that is known.
    #[default]
    Newest,
    /// By its number.
    Version(usize),
    /// The one that it had then.
    Time(Time),
}

/// The number of a version, and what is worth knowing about the choice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chosen {
    /// Its number, counted from 1.
    pub version: usize,
    /// Nothing tells what was there at that time: this is the state that something found later.
    pub later: bool,
}

impl At {
    /// The version of a trail that is meant.
    pub fn choose(self, path: &str, trail: &FileTrail) -> Result<Chosen, AppError> {
        let versions = &trail.versions;
        let nothing = |why: String| AppError::NoSuchVersion { path: path.to_owned(), why };
        let Some(newest) = versions.last() else {
            return Err(nothing("no session recorded its content".to_owned()));
        };
        match self {
            Self::Newest => Ok(Chosen { version: newest.number, later: false }),
            Self::Version(number) if (1..=versions.len()).contains(&number) => {
                Ok(Chosen { version: number, later: false })
            }
            Self::Version(_) => Err(nothing(format!("it has versions v1 to v{}", versions.len()))),
            Self::Time(time) => {
                let then =
                    versions.iter().rev().find(|version| version.time().is_none_or(|first| first <= time));
                if let Some(then) = then {
                    return Ok(Chosen { version: then.number, later: false });
                }
                // What was found before the first change was there before it.
                let first = versions.first().filter(|first| {
                    let by = first.witnesses.first().map(|witness| witness.evidence);
                    by.is_some_and(|by| matches!(by, Evidence::Backup | Evidence::Original))
                });
                let first =
                    first.ok_or_else(|| nothing("nothing is known before its first version".to_owned()))?;
                Ok(Chosen { version: first.number, later: true })
            }
        }
    }
}

/// When a turn of a session's live thread had ended; the session itself if none is named; before all of it if it is turn 0.
/// What its agents were still doing then counts up to the next line of the session.
pub fn end_of_turn(library: &Library, files: &SessionFiles<'_>, turn: Option<u32>) -> Result<Time, AppError> {
    let loaded = library.load(files, Generation::NEWEST)?;
    let agents = Agents::of(library, files, &loaded);
    let (root, _) = library.folder(files.folder);
    let own = (root.path(), files.found.path.as_path());
    let source = FileTranscript::new(own, files.id.as_str(), None, loaded.transcript, None);
    let of_agents = || {
        agents.transcripts.iter().flat_map(|agent| &agent.rows).filter_map(scrollback_model::row::Row::time)
    };
    let own = || source.transcript.rows.iter().filter_map(scrollback_model::row::Row::time);
    let untimed = || AppError::NoSuchVersion {
        path: files.id.as_str().to_owned(),
        why: "its lines have no timestamps".to_owned(),
    };
    let Some(turn) = turn else { return own().chain(of_agents()).max().ok_or_else(untimed) };
    let turns = source.turns();
    if turn == 0 {
        let first = turns.iter().map(|span| span.first).chain(own()).min().ok_or_else(untimed)?;
        return Ok(Time(first.0 - 1));
    }
    let span = turns.iter().find(|span| span.turn == turn).ok_or_else(|| AppError::OutOfRange {
        what: Noun::Turn,
        wanted: u64::from(turn),
        count: turns.last().map_or(0, |span| u64::from(span.turn)),
    })?;
    let next = own().filter(|time| *time > span.last).min();
    let working = of_agents().filter(|time| *time > span.last && next.is_none_or(|next| *time < next)).max();
    Ok(working.unwrap_or(span.last))
}
