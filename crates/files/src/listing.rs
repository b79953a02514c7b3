//! The files of one session: every one that it tracked or touched, with its versions.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::event::{FileEvent, FileEventKind};
use super::path;
use super::transcripts::TranscriptSet;
use super::view::VersionView;
use scrollback_session::error::AppError;
use scrollback_session::library::{Library, SessionFiles};

/// The files of a session.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct SessionFileList {
    /// The session.
    pub session_id: String,
    /// Its transcript.
    #[serde(with = "scrollback_session::view::path")]
    #[schemars(with = "String")]
    pub path: PathBuf,
    /// The directory that it was started in.
    pub project: Option<String>,
    /// Its files, by path.
    pub files: Vec<SessionFile>,
    /// What could not be read.
    pub problems: Vec<String>,
}

/// One file of a session.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct SessionFile {
    /// Its absolute path.
    pub path: String,
    /// Its path below the project; none if it is outside.
    pub below: Option<String>,
    /// How often tools read it, or the client gave it to the model.
    pub reads: u64,
    /// How often tools wrote it.
    pub writes: u64,
    /// Does a checkpoint name it?
    pub tracked: bool,
    /// Its versions as this session knows them, oldest first. Other sessions may know more: see `files log`.
    pub versions: Vec<VersionView>,
}

/// The files of a session and its agents.
pub fn list(library: &Library, files: &SessionFiles<'_>) -> Result<SessionFileList, AppError> {
    let shelf = TranscriptSet::of_session(library, files)?;
    let project = shelf.project(files.id.as_str()).map(str::to_owned);
    let mut problems = shelf.troubles.clone();
    let mut list = Vec::new();
    for (path, events) in &shelf.files {
        let trail = shelf.trail(path, &|_| false);
        problems.extend(trail.troubles.iter().cloned());
        let count =
            |test: &dyn Fn(&FileEvent) -> bool| events.iter().filter(|event| test(event)).count() as u64;
        let writes = |event: &FileEvent| match event.what {
            FileEventKind::Call(call, _) => shelf.sources[event.source].transcript.calls[call].writes,
            _ => false,
        };
        let backed_up = |event: &FileEvent| matches!(event.what, FileEventKind::Backup { .. });
        list.push(SessionFile {
            below: project.as_deref().and_then(|project| path::below(path, project)).map(str::to_owned),
            path: path.clone(),
            reads: count(&|event| !writes(event) && !backed_up(event)),
            writes: count(&writes),
            tracked: events.iter().any(backed_up),
            versions: shelf.views(&trail),
        });
    }
    problems.sort();
    problems.dedup();
    let (session_id, path) = (files.id.as_str().to_owned(), files.found.path.clone());
    Ok(SessionFileList { session_id, path, project, files: list, problems })
}
