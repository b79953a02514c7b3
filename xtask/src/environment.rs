//! The surroundings of everything that chores run: an empty home, the same toolchain, nothing of the account's own.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// An empty temporary home and the variables that lead there.
pub struct Environment {
    home: PathBuf,
    variables: Vec<(&'static str, OsString)>,
    /// The cargo that started us.
    pub cargo: OsString,
    workspace: PathBuf,
}

impl Environment {
    /// A fresh one.
    pub fn hermetic() -> Result<Self, String> {
        let home = temporary_home()?;
        let store = home.join(".claude");
        std::fs::create_dir(&store).map_err(|cause| format!("{}: {cause}", store.display()))?;
        let variables = vec![
            ("HOME", home.clone().into()),
            ("CLAUDE_CONFIG_DIR", store.into()),
            // With another home the toolchain would look for itself in the wrong place.
            ("CARGO_HOME", tool_home("CARGO_HOME", ".cargo")),
            ("RUSTUP_HOME", tool_home("RUSTUP_HOME", ".rustup")),
            ("INSTA_UPDATE", "no".into()),
            ("CI", "1".into()),
        ];
        Ok(Self { home, variables, cargo: crate::cargo(), workspace: crate::workspace() })
    }

    /// The temporary home, for files that nobody needs afterwards.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// A command with these surroundings, in the workspace.
    pub fn command(&self, program: impl Into<OsString>) -> Command {
        let mut command = Command::new(program.into());
        command.current_dir(&self.workspace).envs(self.variables.iter().map(|(name, value)| (name, value)));
        command
    }

    /// The cargo that started us, with these surroundings.
    pub fn cargo(&self) -> Command {
        self.command(self.cargo.clone())
    }

    /// Is a cargo subcommand installed?
    pub fn has_cargo(&self, subcommand: &str) -> bool {
        let asked = self.cargo().args([subcommand, "--version"]).output();
        asked.is_ok_and(|output| output.status.success())
    }
}

impl Drop for Environment {
    fn drop(&mut self) {
        // What cannot be removed is the system's to sweep, as all of its temporary directory.
        let _ = std::fs::remove_dir_all(&self.home);
    }
}

/// A new directory that nobody else has.
fn temporary_home() -> Result<PathBuf, String> {
    let mut last = String::new();
    for number in 0..100 {
        let home = env::temp_dir().join(format!("scrollback-xtask-{}-{number}", std::process::id()));
        match std::fs::create_dir(&home) {
            Ok(()) => return Ok(home),
            Err(cause) => last = format!("{}: {cause}", home.display()),
        }
    }
    Err(last)
}

/// Where a tool of the toolchain keeps its things: as told, else below the real home.
fn tool_home(variable: &str, folder: &str) -> OsString {
    let told = env::var_os(variable).filter(|value| !value.is_empty());
    told.unwrap_or_else(|| env::home_dir().unwrap_or_default().join(folder).into())
}
