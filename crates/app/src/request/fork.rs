//! `fork`: a new session with the same conversation, or with its beginning.

use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use scrollback_edit::{EditPlan, Fork, Point, fork, load};
use scrollback_session::error::{AppError, Input};
use serde::{Deserialize, Serialize};

use crate::desk::Desk;
use crate::edits::EditRequest;

/// How to fork a session.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ForkRequest {
    /// An id, the start of one, a path, a title, or `last`.
    pub session: String,
    /// Copy up to here: the end of a turn (`3`), the id of an entry, `before-compaction` or `before-compaction:2`; everything
    /// if none is given.
    pub at: Option<String>,
    /// 0 is the live thread, `n` the n-th branch as `tree` numbers them.
    pub branch: u64,
    /// Put the copy into the project of this directory, and rewrite recorded paths to it.
    pub to: Option<PathBuf>,
    /// Do not record the origin on the copied lines.
    pub unmarked: bool,
    /// Give every line a new id.
    pub fresh_ids: bool,
    /// Do not copy agents.
    pub without_agents: bool,
    /// Do not copy the checkpoints of files.
    pub without_files: bool,
    /// The title of the new session.
    pub title: Option<String>,
    /// The client version whose loading is shown before and after; the newest if none is given.
    pub client: Option<String>,
}

impl EditRequest for ForkRequest {
    fn plan(&self, desk: &Desk) -> Result<EditPlan, AppError> {
        let how = Fork {
            at: self.at.as_deref().map(Point::decode).transpose()?,
            branch: self.branch,
            to: self.to.as_deref().map(|to| directory(desk, to)).transpose()?,
            mark: !self.unmarked,
            fresh_ids: self.fresh_ids,
            agents: !self.without_agents,
            files: !self.without_files,
            title: self.title.clone(),
            generation: load::generation(self.client.as_deref())?,
            command: desk.command.clone(),
        };
        let subjects = desk.subjects("fork", &[&self.session])?;
        fork(&subjects.library, &subjects.one()?, &how, &mut desk.ids())
    }
}

/// The real path of a directory, by which the client names its folder.
fn directory(desk: &Desk, to: &Path) -> Result<PathBuf, AppError> {
    let to = desk.cwd.as_ref().map_or_else(|| to.to_owned(), |cwd| cwd.join(to));
    match std::fs::canonicalize(&to) {
        Ok(real) if real.is_dir() => Ok(real),
        _ => Err(AppError::Invalid {
            what: Input::Directory,
            value: to.display().to_string(),
            why: Some("no such directory".to_owned()),
            expected: "the directory to resume the new session from".to_owned(),
        }),
    }
}
