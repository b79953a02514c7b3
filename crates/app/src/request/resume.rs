//! `resume`: the command that resumes a session in the client, and what the client would then send. Starting it is up to
//! the front.

use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use scrollback_format::generation::Generation;
use scrollback_format::version::ClientVersion;
use scrollback_session::error::{AppError, Hint, Input, invalid};
use scrollback_session::resume::command::ResumeCommand;
use scrollback_session::resume::compare::{Differences, compare};
use scrollback_session::resume::view::ResumeView;
use scrollback_session::resume::{self, Options};
use serde::{Deserialize, Serialize};

use super::Request;
use crate::desk::{self, Desk};

/// Which session to resume.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ResumeRequest {
    /// An id, the start of one, a path, a title, or `last`.
    pub session: String,
}

impl Default for ResumeRequest {
    fn default() -> Self {
        Self { session: "last".to_owned() }
    }
}

impl Request for ResumeRequest {
    type Document = ResumeCommand;

    fn answer(&self, desk: &Desk) -> Result<ResumeCommand, AppError> {
        let opened = desk.open_whole(&self.session, "resume")?;
        Ok(desk.resume_command(&opened.view()))
    }
}

/// Which session to explain, and for which clients.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ExplainRequest {
    /// An id, the start of one, a path to any file of a session, a title, or `last`.
    pub session: String,
    /// Client versions: none for the newest one that is known, two to compare them.
    pub clients: Vec<String>,
    /// The model that continues; that of the last answer if none is given.
    pub model: Option<String>,
    /// The new prompt.
    pub prompt: Option<String>,
    /// How many characters of each text to keep; all if none is given.
    pub max_chars: Option<usize>,
}

impl Default for ExplainRequest {
    fn default() -> Self {
        Self { session: "last".to_owned(), clients: Vec::new(), model: None, prompt: None, max_chars: None }
    }
}

/// What one or two clients would send.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Explained {
    /// The session; the name of the file if it was given by its path.
    pub session_id: String,
    /// One per client, in the order asked for.
    pub clients: Vec<ResumeView>,
    /// What two clients differ in.
    pub differences: Option<Differences>,
}

impl Request for ExplainRequest {
    type Document = Explained;

    fn answer(&self, desk: &Desk) -> Result<Explained, AppError> {
        desk::whole(&self.session, "resume")?;
        let generations = generations(&self.clients)?;
        let (session_id, path) = find(desk, &self.session)?;
        let defaults = Options::default();
        let options = Options {
            model: self.model.clone(),
            prompt: self.prompt.clone().unwrap_or_else(|| defaults.prompt.clone()),
            head: self.max_chars,
            ..defaults
        };
        let explain = |generation| resume::of_file(&path, &Options { generation, ..options.clone() });
        let clients: Vec<ResumeView> =
            generations.into_iter().map(explain).collect::<Result<_, AppError>>()?;
        let differences = match clients.as_slice() {
            [first, second] => Some(compare(first, second)),
            _ => None,
        };
        Ok(Explained { session_id, clients, differences })
    }
}

/// The file to explain: one that is named by its path, whatever it is called, or a session of the store.
fn find(desk: &Desk, session: &str) -> Result<(String, PathBuf), AppError> {
    let path = desk.cwd.as_deref().unwrap_or(Path::new("")).join(session);
    if path.is_file() {
        let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        return Ok((stem, path));
    }
    let library = desk.resolve(session)?.library;
    let missing = || AppError::NoSuchSession { wanted: session.to_owned(), near: Vec::new() };
    let files = library.the_one().ok_or_else(missing)?;
    Ok((files.id.to_string(), files.found.path.clone()))
}

/// The generations of client versions as typed.
fn generations(clients: &[String]) -> Result<Vec<Generation>, AppError> {
    if clients.len() > 2 {
        return Err(AppError::Unsuitable {
            why: format!("cannot compare {} clients", clients.len()),
            hints: vec![Hint::option("client", "can be given once or twice")],
        });
    }
    let generation = |text: &String| {
        let version = ClientVersion::decode(text.strip_prefix('v').unwrap_or(text));
        let version =
            version.ok_or_else(|| invalid(Input::ClientVersion, text, "three numbers, such as 2.1.200"))?;
        Ok(Generation::of(version))
    };
    match clients {
        [] => Ok(vec![Generation::NEWEST]),
        clients => clients.iter().map(generation).collect(),
    }
}
