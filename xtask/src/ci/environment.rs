//! The surroundings of every ci step: an empty home, the same toolchain, nothing of the account's own.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use tempfile::TempDir;

/// An empty temporary home and the variables that lead there.
pub struct Environment {
    /// Kept for its life: the directory goes when this does.
    _home: TempDir,
    variables: Vec<(&'static str, OsString)>,
    cargo: OsString,
    workspace: PathBuf,
}

impl Environment {
    /// A fresh one.
    pub fn hermetic() -> Result<Self, String> {
        let home =
            TempDir::with_prefix("scrollback-ci-").map_err(|cause| format!("temporary home: {cause}"))?;
        let store = home.path().join(".claude");
        std::fs::create_dir(&store).map_err(|cause| format!("{}: {cause}", store.display()))?;
        let variables = vec![
            ("HOME", home.path().into()),
            ("CLAUDE_CONFIG_DIR", store.into()),
            // With another home the toolchain would look for itself in the wrong place.
            ("CARGO_HOME", tool_home("CARGO_HOME", ".cargo")),
            ("RUSTUP_HOME", tool_home("RUSTUP_HOME", ".rustup")),
            ("INSTA_UPDATE", "no".into()),
            ("CI", "1".into()),
        ];
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        Ok(Self { _home: home, variables, cargo, workspace: scrollback_testkit::workspace() })
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

/// Where a tool of the toolchain keeps its things: as told, else below the real home.
fn tool_home(variable: &str, folder: &str) -> OsString {
    let told = env::var_os(variable).filter(|value| !value.is_empty());
    told.unwrap_or_else(|| env::home_dir().unwrap_or_default().join(folder).into())
}
