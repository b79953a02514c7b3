//! What an edit of whole sessions needs to know of each: its files, where it is at home, who must not be working in it.

use std::path::{Path, PathBuf};

use scrollback_format::area::ProjectFile;
use scrollback_format::folder;
use scrollback_format::generation::Generation;
use scrollback_format::json::{Tape, Value};
use scrollback_format::version::ClientVersion;
use scrollback_model::facts::TranscriptFacts;
use scrollback_store::live::EditedSession;
use scrollback_store::{ProjectFolder, Root, small};

use scrollback_session::error::{AppError, refuse};
use scrollback_session::library::{Library, SessionFiles};

/// How many bytes are read to see the first lines of a file.
const HEAD: u64 = 256 << 10;

/// The one store that all of these sessions are in.
pub(crate) fn root_of<'l>(library: &'l Library, sessions: &[SessionFiles<'_>]) -> Result<&'l Root, AppError> {
    let mut roots = sessions.iter().map(|files| library.folder(files.folder).0);
    let Some(first) = roots.next() else {
        return Err(AppError::NothingToEdit("no session given".to_owned()));
    };
    if roots.all(|root| root == first) {
        Ok(first)
    } else {
        Err(refuse("the sessions are in different stores", "select one store with --root DIR"))
    }
}

/// This session must not be in use.
pub(crate) fn guard(files: &SessionFiles<'_>, facts: Option<&TranscriptFacts>) -> EditedSession {
    let cwds = facts.map(|facts| facts.cwds.as_slice()).unwrap_or_default();
    EditedSession {
        id: files.id.as_str().to_owned(),
        file: files.found.path.clone(),
        directories: cwds.iter().map(|(cwd, _)| PathBuf::from(cwd)).collect(),
    }
}

/// The newest client that wrote to a session; the newest known one where nothing tells.
pub(crate) fn generation(facts: &TranscriptFacts) -> Generation {
    let versions = facts.versions.iter().filter_map(|(version, _)| ClientVersion::decode(version));
    versions.max().map_or(Generation::NEWEST, Generation::of)
}

/// The recorded directory whose folder a session's file is in.
pub(crate) fn home(folder: &str, facts: &TranscriptFacts) -> Option<String> {
    let recorded = facts.origin.iter().chain(facts.cwds.iter().map(|(cwd, _)| cwd));
    let named = facts.relocated.iter().chain(&facts.worktree);
    recorded.chain(named).find(|cwd| folder::belongs(folder, cwd)).cloned()
}

/// What the first lines of a file say: the session that they belong to, and the first directory.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Head {
    pub session: Option<String>,
    pub cwd: Option<String>,
}

impl Head {
    /// Reads the first lines of a file; one that cannot be read says nothing.
    pub fn of(path: &Path) -> Self {
        let mut head = Self::default();
        let Ok((bytes, _)) = small::read(path, HEAD) else { return head };
        let mut tape = Tape::new();
        for line in bytes.split(|byte| *byte == b'\n') {
            if tape.scan(line).is_err() {
                continue;
            }
            let Some(root) = tape.root(line) else { continue };
            let text = |key: &str| Some(root.get(key).and_then(Value::text)?.decode().into_owned());
            head.session = head.session.or_else(|| text("sessionId"));
            head.cwd = head.cwd.or_else(|| text("cwd"));
            if head.session.is_some() && head.cwd.is_some() {
                break;
            }
        }
        head
    }
}

/// The agents' files that lie flat beside the sessions of a folder, each with what its first lines say.
pub(crate) fn flat_agents(folder: &ProjectFolder) -> Vec<(PathBuf, Head)> {
    let flat = folder.files.iter().filter(|found| matches!(found.file, ProjectFile::FlatAgent(_)));
    flat.map(|found| (found.path.clone(), Head::of(&found.path))).collect()
}

/// The files of a folder that the client has set aside from a session.
pub(crate) fn set_aside(folder: &ProjectFolder, session: &str) -> Vec<PathBuf> {
    let own = |file: &ProjectFile| matches!(file, ProjectFile::SetAside(id) if id.as_str() == session);
    folder.files.iter().filter(|found| own(&found.file)).map(|found| found.path.clone()).collect()
}

/// The `state.json` of a session's background job. A job is named by the first digits of its session, which another
/// session may share, so the file itself must name the session.
pub(crate) fn job_state(root: &Root, session: &str) -> Option<PathBuf> {
    let path = root.jobs().join(session.get(..8)?).join("state.json");
    let (bytes, _) = small::read(&path, 1 << 20).ok()?;
    let mut tape = Tape::new();
    tape.scan(&bytes).ok()?;
    let own = tape.root(&bytes)?.get("sessionId")?.text()?.is(session);
    own.then_some(path)
}
