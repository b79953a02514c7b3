//! Targets: the files that are searched, and in which order.

use std::path::{Path, PathBuf};

use scrollback_format::area::ProjectFile;
use scrollback_format::entry::Dialect;
use scrollback_store::Trouble;

use scrollback_session::library::Library;

/// A file to search.
#[derive(Debug, Clone)]
pub struct GrepTarget {
    /// Where it is.
    pub path: PathBuf,
    /// The session that its name says.
    pub session: Option<String>,
    /// The agent that its name says.
    pub agent: Option<String>,
    /// The name of the folder that it is in, which tells something of the project where its lines do not.
    pub folder: String,
    /// What its lines are.
    pub dialect: Dialect,
}

impl GrepTarget {
    fn new(path: PathBuf, file: &ProjectFile, folder: String, dialect: Dialect) -> Self {
        let (session, agent) = match file {
            ProjectFile::Session(session) | ProjectFile::SetAside(session) => (Some(session), None),
            ProjectFile::Journal { session, .. } => (Some(session), None),
            ProjectFile::Agent { session, agent, .. } => (Some(session), Some(agent)),
            ProjectFile::FlatAgent(agent) => (None, Some(agent)),
            _ => (None, None),
        };
        let session = session.map(|session| session.as_str().to_owned());
        Self { path, session, agent: agent.map(|agent| agent.as_str().to_owned()), folder, dialect }
    }

    /// A file that was named by its path.
    pub fn of(path: PathBuf) -> Self {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let dialect = Dialect::of_file_name(&name);
        // The folder of an agent's file tells its session: <session>/subagents/.
        let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
        let below = parts.iter().rposition(|part| part == "subagents").filter(|at| *at > 0);
        let relative = below.map_or(name, |at| parts[at - 1..].join("/"));
        let folder = path.parent().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
        Self::new(path, &ProjectFile::of(&relative), folder.unwrap_or_default(), dialect)
    }
}

/// The conversations of a library: sessions, agents, journals, and what was set aside.
pub fn of(library: &Library) -> Vec<GrepTarget> {
    let mut targets = Vec::new();
    for (_, folder) in &library.folders {
        let transcripts = folder.files.iter().filter(|found| found.file.is_transcript());
        targets.extend(transcripts.map(|found| {
            GrepTarget::new(found.path.clone(), &found.file, folder.name.clone(), Dialect::Session)
        }));
    }
    targets
}

/// A file, or every `.jsonl` below a directory; `None` if there is neither.
pub fn named(path: &Path) -> Option<(Vec<GrepTarget>, Vec<Trouble>)> {
    if path.is_dir() {
        let (files, troubles) = scrollback_store::walk::files_below(path);
        let lines = files.into_iter().filter(|path| path.extension().is_some_and(|end| end == "jsonl"));
        return Some((lines.map(GrepTarget::of).collect(), troubles));
    }
    path.is_file().then(|| (vec![GrepTarget::of(path.to_owned())], Vec::new()))
}
