//! The command that resumes a session in the client: where it runs, for which store, with which words. Nothing is
//! started here.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::shell;
use crate::view::SessionView;

/// The client's program.
const PROGRAM: &str = "claude";

/// Where a client looks for its store by default.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ClientHome {
    /// The home directory.
    pub home: Option<PathBuf>,
    /// `CLAUDE_CONFIG_DIR`, if it is set.
    pub config_dir: Option<PathBuf>,
}

impl ClientHome {
    /// Does a client use this store by default?
    fn uses(&self, root: &Path) -> bool {
        let usual = self.home.as_ref().map(|home| home.join(".claude"));
        self.config_dir.is_none() && usual.as_deref() == Some(root)
    }
}

/// Why a client cannot resume a session as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ResumeObstacle {
    /// It is a session of the sample, which is deleted when this program ends.
    Sample,
    /// No line names the directory of the session.
    NoDirectory,
    /// The directory of the session does not exist.
    DirectoryMissing,
}

/// The command that resumes a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ResumeCommand {
    /// The session.
    pub session_id: String,
    /// The directory to run it in: a client finds a session from the directory that its file is stored under, and from no
    /// other.
    #[serde(with = "crate::view::maybe_path")]
    #[schemars(with = "Option<String>")]
    pub directory: Option<PathBuf>,
    /// The value of `CLAUDE_CONFIG_DIR`; none where the client uses the store without it.
    #[serde(with = "crate::view::maybe_path")]
    #[schemars(with = "Option<String>")]
    pub config_dir: Option<PathBuf>,
    /// The program.
    pub program: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// All of it as a line for a POSIX shell.
    pub line: String,
    /// Why it would fail, if that is known.
    pub obstacle: Option<ResumeObstacle>,
}

impl ResumeCommand {
    /// The command for a session.
    pub fn of(view: &SessionView, client: &ClientHome) -> Self {
        let directory = view.home.as_ref().or(view.project.as_ref()).map(PathBuf::from);
        Self::at(&view.session_id, directory, &view.root, client)
    }

    /// The command for a session with this id, directory and store.
    pub fn at(session_id: &str, directory: Option<PathBuf>, root: &Path, client: &ClientHome) -> Self {
        // Naming the usual place would change where the client looks for its settings.
        let config_dir =
            (!client.uses(root)).then(|| std::path::absolute(root).unwrap_or_else(|_| root.to_owned()));
        let args = vec!["--resume".to_owned(), session_id.to_owned()];
        let line = line(directory.as_deref(), config_dir.as_deref(), &args);
        let obstacle = match &directory {
            None => Some(ResumeObstacle::NoDirectory),
            Some(directory) if !directory.is_dir() => Some(ResumeObstacle::DirectoryMissing),
            Some(_) => None,
        };
        Self {
            session_id: session_id.to_owned(),
            directory,
            config_dir,
            program: PROGRAM.to_owned(),
            args,
            line,
            obstacle,
        }
    }
}

fn line(directory: Option<&Path>, config_dir: Option<&Path>, args: &[String]) -> String {
    let path = |path: &Path| shell::word(&path.to_string_lossy());
    let directory = directory.map(|dir| format!("cd {} && ", path(dir))).unwrap_or_default();
    let config_dir = config_dir.map(|dir| format!("CLAUDE_CONFIG_DIR={} ", path(dir))).unwrap_or_default();
    let args: Vec<String> = args.iter().map(|word| shell::word(word)).collect();
    format!("{directory}{config_dir}{PROGRAM} {}", args.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::SessionPlace;

    fn resume(root: &str, project: &str, home: Option<&str>, config_dir: Option<&str>) -> ResumeCommand {
        let place = SessionPlace {
            session_id: "1fab43cc".into(),
            path: "/x.jsonl".into(),
            root: root.into(),
            folder: "-p".into(),
        };
        let mut view = SessionView::unreadable(place, 0);
        view.project = Some(project.into());
        view.home = home.map(Into::into);
        let client = ClientHome { home: Some("/home/ada".into()), config_dir: config_dir.map(PathBuf::from) };
        ResumeCommand::of(&view, &client)
    }

    #[test]
    fn the_command_names_a_store_that_the_client_would_not_find() {
        let check = |resume: ResumeCommand, expected: &str| assert_eq!(resume.line, expected);
        check(resume("/home/ada/.claude", "/p", None, None), "cd /p && claude --resume 1fab43cc");
        check(
            resume("/home/ada/.claude", "/my p", Some("/it's here"), None),
            r"cd '/it'\''s here' && claude --resume 1fab43cc",
        );
        check(
            resume("/other", "/p", None, None),
            "cd /p && CLAUDE_CONFIG_DIR=/other claude --resume 1fab43cc",
        );
        check(
            resume("/home/ada/.claude", "/p", None, Some("/home/ada/.claude")),
            "cd /p && CLAUDE_CONFIG_DIR=/home/ada/.claude claude --resume 1fab43cc",
        );
    }

    #[test]
    fn a_directory_that_is_missing_is_an_obstacle() {
        let gone = resume("/other", "/nonexistent/p", None, None);
        assert_eq!(gone.obstacle, Some(ResumeObstacle::DirectoryMissing));
        assert_eq!(resume("/other", "/", None, None).obstacle, None);
    }
}
