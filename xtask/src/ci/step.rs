//! The steps of ci as data, in the order in which they run: cheap and telling ones first.
//!
//! All cargo steps share one target directory and the default profile, so that nothing is built twice.

use std::fmt;
use std::path::PathBuf;
use std::process::Command;

use super::environment::Environment;

/// The names of all steps, in order.
pub const NAMES: [&str; 11] =
    ["fmt", "clippy", "tests", "doctests", "docs", "tidy", "reference", "sample", "judge", "fuzz", "deny"];

/// One thing that must hold.
pub struct Step {
    /// Its name in headline, summary and `--only`.
    pub name: &'static str,
    work: Work,
}

enum Work {
    /// A cargo subcommand.
    Cargo(&'static [&'static str]),
    /// Cargo with rustdoc's warnings made errors.
    Docs(&'static [&'static str]),
    /// A chore of this very program, as a process of its own so that it gets the same surroundings.
    Chore(PathBuf, &'static [&'static str]),
    /// Nothing, for a reason.
    LeftOut(&'static str),
}

/// How a step ended.
pub enum Outcome {
    /// It holds.
    Passed,
    /// It does not, or could not be looked at.
    Failed(String),
    /// It was not looked at, which is no failure.
    LeftOut(&'static str),
}

impl fmt::Display for Outcome {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Passed => write!(out, "passed"),
            Self::Failed(how) => write!(out, "FAILED ({how})"),
            Self::LeftOut(why) => write!(out, "left out: {why}"),
        }
    }
}

/// All steps, fitted to what is installed.
pub fn all(environment: &Environment) -> Result<Vec<Step>, String> {
    // Asked once and first: building the tests replaces this program's file by an equal one.
    let program = std::env::current_exe().map_err(|cause| format!("our own path: {cause}"))?;
    let chore = |words| Work::Chore(program.clone(), words);
    let tests = if environment.has_cargo("nextest") {
        Work::Cargo(&["nextest", "run", "--workspace", "--all-targets", "--no-fail-fast"])
    } else {
        Work::Cargo(&["test", "--workspace", "--all-targets", "--no-fail-fast"])
    };
    let deny = if environment.has_cargo("deny") {
        Work::Cargo(&["deny", "check"])
    } else {
        Work::LeftOut("cargo-deny is not installed")
    };
    let work = [
        Work::Cargo(&["fmt", "--all", "--check"]),
        Work::Cargo(&["clippy", "--workspace", "--all-targets", "--", "--deny", "warnings"]),
        tests,
        Work::Cargo(&["test", "--workspace", "--doc"]),
        Work::Docs(&["doc", "--workspace", "--no-deps"]),
        chore(&["tidy"]),
        chore(&["docs", "--check"]),
        chore(&["sample", "--check"]),
        chore(&["judge"]),
        chore(&["fuzz", "--seconds", "20"]),
        deny,
    ];
    Ok(NAMES.into_iter().zip(work).map(|(name, work)| Step { name, work }).collect())
}

impl Step {
    /// Runs the step, its output going straight to the terminal.
    pub fn run(&self, environment: &Environment) -> Outcome {
        let mut command = match &self.work {
            Work::Cargo(words) => with(environment.cargo(), words),
            Work::Docs(words) => {
                let mut command = with(environment.cargo(), words);
                command.env("RUSTDOCFLAGS", "-D warnings");
                command
            }
            Work::Chore(program, words) => with(environment.command(program), words),
            Work::LeftOut(why) => {
                println!("left out: {why}");
                return Outcome::LeftOut(why);
            }
        };
        match command.status() {
            Ok(status) if status.success() => Outcome::Passed,
            Ok(status) => Outcome::Failed(status.to_string()),
            Err(cause) => Outcome::Failed(cause.to_string()),
        }
    }
}

fn with(mut command: Command, words: &[&str]) -> Command {
    command.args(words);
    command
}
