//! The client: how Claude Code is started for a session of a store. Nothing here reads or changes a store.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use scrollback_app::view::SessionView;

use crate::env::Env;
use crate::failure::{Failure, Kind};
use crate::shell;

/// The client's program.
const PROGRAM: &str = "claude";

/// A session to go on with: where, and of which store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resume {
    session_id: String,
    /// The client finds a session from the directory that its file is at home in, and from no other.
    directory: Option<PathBuf>,
    /// `CLAUDE_CONFIG_DIR`; none where the client looks there by itself.
    config_dir: Option<PathBuf>,
}

impl Resume {
    /// How to go on with this session.
    pub fn of(view: &SessionView, env: &Env) -> Self {
        let directory = view.home.as_ref().or(view.project.as_ref()).map(PathBuf::from);
        Self::at(&view.session_id, directory, &view.root, env)
    }

    /// How to go on with a session of this id, directory and store.
    pub fn at(session_id: &str, directory: Option<PathBuf>, root: &Path, env: &Env) -> Self {
        let usual = env.home.as_ref().map(|home| home.join(".claude"));
        // Naming the usual place would change where the client looks for its settings.
        let is_usual = env.config_dir.is_none() && usual.as_deref() == Some(root);
        Self {
            session_id: session_id.to_owned(),
            directory,
            config_dir: (!is_usual).then(|| std::path::absolute(root).unwrap_or(root.to_owned())),
        }
    }

    /// The command line that does it, to be pasted into a shell.
    pub fn command_line(&self) -> String {
        let directory = self
            .directory
            .as_ref()
            .map(|directory| format!("cd {} && ", shell::word(&directory.to_string_lossy())));
        let config_dir = self
            .config_dir
            .as_ref()
            .map(|dir| format!("CLAUDE_CONFIG_DIR={} ", shell::word(&dir.to_string_lossy())));
        format!(
            "{}{}{PROGRAM} --resume {}",
            directory.unwrap_or_default(),
            config_dir.unwrap_or_default(),
            shell::word(&self.session_id)
        )
    }

    /// Starts the client in place of this program; returns only if that cannot be done.
    pub fn start(&self, env: &Env) -> Result<(), Failure> {
        let by_hand = || format!("by hand: {}", self.command_line());
        let Some(program) = env.path.as_deref().and_then(|path| find(path, PROGRAM)) else {
            let said = format!("'{PROGRAM}' is not on the PATH");
            return Err(Failure::new(Kind::Io, said).hint(by_hand()));
        };
        let Some(directory) = &self.directory else {
            return Err(Failure::new(Kind::NothingFound, "no line tells in which directory the session was")
                .hint(by_hand()));
        };
        if !directory.is_dir() {
            let said = format!("the session's directory is gone: {}", directory.display());
            return Err(Failure::new(Kind::NothingFound, said)
                .hint("the client finds a session only from its directory: make it again, then")
                .hint(by_hand()));
        }
        let mut command = Command::new(&program);
        command.arg("--resume").arg(&self.session_id).current_dir(directory);
        // A shell sets this with every `cd`, and programs trust it.
        command.env("PWD", directory);
        if let Some(dir) = &self.config_dir {
            command.env("CLAUDE_CONFIG_DIR", dir);
        }
        replace(command).map_err(|error| {
            Failure::new(Kind::Io, format!("{} does not start: {error}", program.display())).hint(by_hand())
        })
    }
}

/// Becomes the command.
#[cfg(unix)]
fn replace(mut command: Command) -> std::io::Result<()> {
    use std::os::unix::process::CommandExt;
    Err(command.exec())
}

/// Runs the command to its end, where a program cannot become another.
#[cfg(not(unix))]
fn replace(mut command: Command) -> std::io::Result<()> {
    command.status().map(|_| ())
}

/// The first program of this name on a search path.
fn find(path: &OsStr, name: &str) -> Option<PathBuf> {
    let names =
        if cfg!(windows) { vec![format!("{name}.exe"), format!("{name}.cmd")] } else { vec![name.into()] };
    std::env::split_paths(path)
        .flat_map(|folder| names.iter().map(move |name| folder.join(name)).collect::<Vec<_>>())
        .find(|file| is_program(file))
}

#[cfg(unix)]
fn is_program(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(file: &Path) -> bool {
    file.is_file()
}

#[cfg(test)]
mod tests {
    use scrollback_app::view::SessionPlace;

    use super::*;

    fn resume(root: &str, project: &str, home: Option<&str>, config_dir: Option<&str>) -> Resume {
        let place = SessionPlace {
            session_id: "1fab43cc".into(),
            path: "/x.jsonl".into(),
            root: root.into(),
            folder: "-p".into(),
        };
        let mut view = SessionView::unreadable(place, 0);
        view.project = Some(project.into());
        view.home = home.map(Into::into);
        let env = Env {
            home: Some("/home/ada".into()),
            config_dir: config_dir.map(PathBuf::from),
            ..Env::default()
        };
        Resume::of(&view, &env)
    }

    #[test]
    fn the_command_names_a_store_that_the_client_would_not_find() {
        let check = |resume: Resume, expected: &str| assert_eq!(resume.command_line(), expected);
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
    fn what_cannot_be_started_is_told_with_the_command() {
        let told = resume("/other", "/p", None, None).start(&Env::default()).unwrap_err().text();
        assert!(told.contains("'claude' is not on the PATH"), "{told}");
        assert!(told.contains("cd /p && CLAUDE_CONFIG_DIR=/other claude --resume 1fab43cc"), "{told}");
    }
}
