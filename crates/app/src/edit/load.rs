//! What a client loads of a session, in a few numbers: the same numbers before and after an edit.

use std::path::{Path, PathBuf};

use scrollback_format::generation::Generation;
use serde::Serialize;

use crate::error::AppError;
use crate::resume::view::ResumeView;
use crate::resume::{self, Options};

/// What a client loads of one session.
#[derive(Debug, Clone, Serialize)]
pub struct SessionLoad {
    /// The session.
    pub session_id: String,
    /// Its file, there or to be made.
    #[serde(serialize_with = "crate::view::path")]
    pub path: PathBuf,
    /// The directory that a client finds it from.
    pub directory: Option<String>,
    /// The client: the recorded version whose rules these are.
    pub client: String,
    /// `loaded`, `fresh`, `refused` or `hang`.
    pub outcome: &'static str,
    /// Why it is not `loaded`.
    pub reason: Option<String>,
    /// Messages of the conversation, without the new prompt.
    pub messages: u64,
    /// Lines that they come from.
    pub lines: u64,
    /// About so many tokens: a fourth of the characters, so that before and after compare.
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
        let is_prompt = |made_up: Option<&str>| made_up == Some("prompt");
        let told = view.messages.iter().filter(|message| {
            message.content.iter().any(|block| !is_prompt(block.made_up)) || message.content.is_empty()
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
            reason: view.reason,
        }
    }
}

fn options(generation: Generation) -> Options {
    // Of the texts only their number of characters counts, and that is known without them.
    Options { generation, head: Some(0), by_characters: true, prompt: String::new(), ..Options::default() }
}
