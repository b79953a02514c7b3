//! What a client loads of a session, in a few numbers: the same numbers before and after an edit.

use std::path::{Path, PathBuf};

use scrollback_format::generation::Generation;
use scrollback_format::version::ClientVersion;
use serde::{Deserialize, Serialize};

use scrollback_session::error::{AppError, Input, invalid};
use scrollback_session::resume::view::{MadeUp, ResumeOutcome, ResumeView};
use scrollback_session::resume::{self, Options};

/// What a client loads of one session.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct SessionLoad {
    /// The session.
    pub session_id: String,
    /// Its file, there or to be made.
    #[serde(with = "scrollback_session::view::path")]
    #[schemars(with = "String")]
    pub path: PathBuf,
    /// The directory that a client finds it from.
    pub directory: Option<String>,
    /// The client: the recorded version whose rules these are.
    pub client: String,
    /// `loaded`, `fresh`, `refused` or `hang`.
    pub outcome: ResumeOutcome,
    /// Why it is not `loaded`.
    pub reason: Option<String>,
    /// Messages of the conversation, without the new prompt.
    pub messages: u64,
    /// Lines that they come from.
    pub lines: u64,
    /// Tokens, estimated as a fourth of the characters, so that before and after compare.
    pub tokens: u64,
}

impl SessionLoad {
    /// What a client loads of a file.
    pub fn of_file(
        session_id: &str,
        path: &Path,
        directory: Option<&str>,
        generation: Generation,
    ) -> Result<Self, AppError> {
        let view = resume::of_file(path, &options(generation))?;
        Ok(Self::of(session_id, path, directory, view))
    }

    /// What it would load of a file with these bytes.
    pub fn of_bytes(
        session_id: &str,
        path: &Path,
        directory: Option<&str>,
        bytes: &[u8],
        generation: Generation,
    ) -> Result<Self, AppError> {
        let view = resume::of_bytes(bytes, &options(generation))?;
        Ok(Self::of(session_id, path, directory, view))
    }

    fn of(session_id: &str, path: &Path, directory: Option<&str>, view: ResumeView) -> Self {
        let told = view.messages.iter().filter(|message| {
            message.content.iter().any(|block| block.made_up != Some(MadeUp::Prompt))
                || message.content.is_empty()
        });
        Self {
            session_id: session_id.to_owned(),
            path: path.to_owned(),
            directory: directory.map(str::to_owned),
            messages: told.count() as u64,
            lines: view.totals.lines,
            tokens: view.tokens.tokens,
            client: view.client,
            outcome: view.outcome,
            reason: view.reason.map(|reason| reason.words(view.reason_line)),
        }
    }
}

/// The generation of a client version that was typed; the newest if none was.
pub fn generation(version: Option<&str>) -> Result<Generation, AppError> {
    let Some(text) = version else { return Ok(Generation::NEWEST) };
    let version = ClientVersion::decode(text.strip_prefix('v').unwrap_or(text));
    let expected = "three numbers, such as 2.1.200";
    version.map(Generation::of).ok_or_else(|| invalid(Input::ClientVersion, text, expected))
}

fn options(generation: Generation) -> Options {
    // Of the texts only their number of characters counts, and that is known without them.
    Options { generation, head: Some(0), by_characters: true, ..Options::default() }
}
