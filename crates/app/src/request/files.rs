//! `files`: versions of files as sessions saw and made them. Which file and which version were meant is decided here,
//! the same for every subcommand.

pub mod diff;
pub mod restore;

use schemars::JsonSchema;
use scrollback_files::diff::Spec;
use scrollback_files::history::{FileHistory, FileLog, FileQuery, FileShown, Picked};
use scrollback_files::listing::{self, SessionFileList};
use scrollback_files::moment::{At, end_of_turn};
use scrollback_files::path::Renamed;
use scrollback_session::catalogue::Index;
use scrollback_session::error::{AppError, Hint, Input, invalid};
use scrollback_session::library::Library;
use scrollback_session::resolve::SessionArg;
use serde::{Deserialize, Serialize};

use super::Request;
use crate::desk::Desk;

/// How a path is looked up.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct WhichRequest {
    /// Directories that have another name now, as `OLD=NEW`.
    pub renamed: Vec<String>,
    /// Treat every file that has this path below its own project as the same file.
    pub any_project: bool,
}

impl WhichRequest {
    /// The directories that have another name now.
    pub fn renamed(&self) -> Result<Vec<Renamed>, AppError> {
        let parse = |text: &String| {
            let bad = || invalid(Input::Argument, text, "OLD=NEW with two absolute paths");
            Renamed::parse(text).ok_or_else(bad)
        };
        self.renamed.iter().map(parse).collect()
    }

    /// The history of a file.
    pub fn find(&self, desk: &Desk, index: &Index, path: &str) -> Result<FileHistory, AppError> {
        let directory = desk.cwd.as_ref().map(|cwd| cwd.display().to_string());
        let (renamed, any_project) = (self.renamed()?, self.any_project);
        FileHistory::find(index, &FileQuery { path: path.to_owned(), directory, renamed, any_project })
    }

    /// The history of the file that `PATH` or `PATH@AT` names, and the version. A path that holds the sign itself comes first.
    fn find_at<'t>(
        &self,
        desk: &Desk,
        index: &Index,
        text: &'t str,
    ) -> Result<(FileHistory, Option<&'t str>), AppError> {
        match (self.find(desk, index, text), Spec::of(text)) {
            (Err(AppError::NoSuchFile { .. }), Spec { path, at: Some(at) }) if !path.is_empty() => {
                Ok((self.find(desk, index, path)?, Some(at)))
            }
            (found, _) => Ok((found?, None)),
        }
    }
}

/// The version that AT names: `v3`, a date, `SESSION` or `SESSION/TURN`; the newest if it is empty.
pub fn at(desk: &Desk, text: &str) -> Result<At, AppError> {
    if text.is_empty() {
        return Ok(At::Newest);
    }
    if let Some(number) = text.strip_prefix('v').and_then(|number| number.parse().ok()) {
        return Ok(At::Version(number));
    }
    if let Ok(time) = desk.date(text) {
        return Ok(At::Time(time));
    }
    let (session, turn) = turn_of(text);
    let library = desk.resolve(session)?.library;
    let files = library.the_one().ok_or_else(|| missing(session))?;
    Ok(At::Time(end_of_turn(&library, &files, turn)?))
}

/// `SESSION/TURN` taken apart. What follows the last slash is a turn only if it is a number.
pub fn turn_of(text: &str) -> (&str, Option<u32>) {
    match text.rsplit_once('/') {
        Some((session, turn)) if !session.is_empty() => match turn.parse() {
            Ok(turn) => (session, Some(turn)),
            Err(_) => (text, None),
        },
        _ => (text, None),
    }
}

/// The session that was named, alone in its library; an agent has no files of its own.
fn whole_session(desk: &Desk, text: &str) -> Result<Library, AppError> {
    let named = SessionArg::parse(text);
    if named.agent.is_some() {
        return Err(AppError::Unsuitable {
            why: "`files` works on whole sessions, not on one agent".to_owned(),
            hints: vec![Hint::say(format!("name the session alone: {}", named.session))],
        });
    }
    Ok(desk.resolve(&named.session)?.library)
}

fn missing(session: &str) -> AppError {
    AppError::NoSuchSession { wanted: session.to_owned(), near: Vec::new() }
}

/// Asks for the files of a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct FilesLsRequest {
    /// The session, as typed.
    pub session: String,
    /// Only files that tools wrote.
    pub written: bool,
}

impl Default for FilesLsRequest {
    fn default() -> Self {
        Self { session: "last".to_owned(), written: false }
    }
}

impl Request for FilesLsRequest {
    type Document = SessionFileList;

    fn answer(&self, desk: &Desk) -> Result<SessionFileList, AppError> {
        let library = whole_session(desk, &self.session)?;
        let files = library.the_one().ok_or_else(|| missing(&self.session))?;
        let mut list = listing::list(&library, &files)?;
        if self.written {
            list.files.retain(|file| file.writes > 0);
        }
        Ok(list)
    }
}

/// Asks for the versions of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct FilesLogRequest {
    /// The file: a path, or the end of one if that is unambiguous.
    pub path: String,
    /// How it is looked up.
    #[serde(flatten)]
    pub which: WhichRequest,
    /// Maximum number of versions (0 = no limit).
    pub limit: usize,
}

impl Request for FilesLogRequest {
    type Document = FileLog;

    fn answer(&self, desk: &Desk) -> Result<FileLog, AppError> {
        let library = desk.library()?;
        let index = desk.index(&library)?;
        let history = self.which.find(desk, &index, &self.path)?;
        Ok(history.log(&index, (self.limit > 0).then_some(self.limit)))
    }
}

/// Asks for one version of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct FilesShowRequest {
    /// The file, or `PATH@AT`.
    pub path: String,
    /// The version: `v3`, `SESSION`, `SESSION/TURN` or a date; the newest if none is given here or in `path`.
    pub at: Option<String>,
    /// How it is looked up.
    #[serde(flatten)]
    pub which: WhichRequest,
}

impl FilesShowRequest {
    /// Finds the version, with its bytes.
    pub fn open(&self, desk: &Desk) -> Result<Picked, AppError> {
        let given = self.at.as_deref().map(|text| at(desk, text)).transpose()?;
        let library = desk.library()?;
        let index = desk.index(&library)?;
        let (history, typed) = match given {
            Some(_) => (self.which.find(desk, &index, &self.path)?, None),
            None => self.which.find_at(desk, &index, &self.path)?,
        };
        let at = match given {
            Some(given) => given,
            None => at(desk, typed.unwrap_or_default())?,
        };
        history.at(at)
    }
}

impl Request for FilesShowRequest {
    type Document = FileShown;

    fn answer(&self, desk: &Desk) -> Result<FileShown, AppError> {
        Ok(self.open(desk)?.shown())
    }
}

#[cfg(test)]
mod tests {
    use super::turn_of;

    #[test]
    fn a_turn_is_a_number_after_a_slash() {
        assert_eq!(turn_of("1a2b/4"), ("1a2b", Some(4)));
        assert_eq!(turn_of("1a2b"), ("1a2b", None));
        assert_eq!(turn_of("/x/y.jsonl"), ("/x/y.jsonl", None));
        assert_eq!(turn_of("/x/y.jsonl/2"), ("/x/y.jsonl", Some(2)));
        assert_eq!(turn_of("/3"), ("/3", None));
    }
}
