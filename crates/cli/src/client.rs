//! The client: starting Claude Code to resume a session. Nothing here reads or changes a store.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use scrollback_app::resume::command::{ResumeCommand, ResumeObstacle};

use crate::env::Env;
use crate::failure::{ExitKind, Failure};

/// Starts the client in place of this program; returns only if that cannot be done.
pub fn start(resume: &ResumeCommand, env: &Env) -> Result<(), Failure> {
    let by_hand = || format!("to start it by hand: {}", resume.line);
    if let Some(obstacle) = resume.obstacle {
        return Err(refused(resume, obstacle));
    }
    let Some(program) = env.path.as_deref().and_then(|path| find(path, &resume.program)) else {
        let said = format!("'{}' is not on the PATH", resume.program);
        return Err(Failure::new(ExitKind::Io, said).hint(by_hand()));
    };
    let mut command = Command::new(&program);
    command.args(&resume.args);
    if let Some(directory) = &resume.directory {
        // A shell sets this with every `cd`, and programs trust it.
        command.current_dir(directory).env("PWD", directory);
    }
    if let Some(dir) = &resume.config_dir {
        command.env("CLAUDE_CONFIG_DIR", dir);
    }
    replace(command).map_err(|error| {
        Failure::new(ExitKind::Io, format!("cannot start {}: {error}", program.display())).hint(by_hand())
    })
}

/// What an obstacle is reported with.
fn refused(resume: &ResumeCommand, obstacle: ResumeObstacle) -> Failure {
    let id: String = resume.session_id.chars().take(8).collect();
    let by_hand = format!("to start the client by hand: {}", resume.line);
    match obstacle {
        ResumeObstacle::Sample => Failure::new(ExitKind::Refused, "cannot resume a session of the sample")
            .hint(format!("`scrollback --sample show {id}` shows it")),
        ResumeObstacle::NoDirectory => {
            Failure::new(ExitKind::NothingFound, "the directory of the session is unknown").hint(by_hand)
        }
        ResumeObstacle::DirectoryMissing => {
            let directory = resume.directory.as_deref().unwrap_or(Path::new("")).display();
            Failure::new(
                ExitKind::NothingFound,
                format!("the directory of the session is missing: {directory}"),
            )
            .hint(format!("`scrollback move {id} --to DIR` moves the session to another directory"))
            .hint(format!("or create the directory again, then run: {}", resume.line))
        }
        _ => Failure::new(ExitKind::NothingFound, "the session cannot be resumed").hint(by_hand),
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
    use scrollback_app::resume::command::ClientHome;

    use super::*;

    fn refusal(directory: Option<&str>) -> String {
        let directory = directory.map(PathBuf::from);
        let command = ResumeCommand::at("1fab43cc", directory, Path::new("/other"), &ClientHome::default());
        start(&command, &Env::default()).unwrap_err().text()
    }

    #[test]
    fn what_cannot_be_started_is_reported_with_the_command() {
        let text = refusal(Some("/"));
        assert!(text.contains("'claude' is not on the PATH"), "{text}");
        assert!(text.contains("cd / && CLAUDE_CONFIG_DIR=/other claude --resume 1fab43cc"), "{text}");
    }

    #[test]
    fn a_missing_directory_is_reported_with_the_way_out() {
        let text = refusal(Some("/nonexistent/p"));
        assert!(text.contains("missing: /nonexistent/p"), "{text}");
        assert!(text.contains("scrollback move 1fab43cc --to DIR"), "{text}");
        assert!(refusal(None).contains("unknown"));
    }
}
