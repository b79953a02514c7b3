//! The steps of ci as data, in the order in which they run: cheap and telling ones first.
//!
//! All cargo steps share one target directory and the default profile, so that nothing is built twice. Clippy comes
//! before the tests because it needs no code of the dependencies, only their types, and so fails sooner.

use std::ffi::OsString;
use std::fmt;

use crate::environment::Environment;

/// The names of all steps of ci, in order.
pub const NAMES: [&str; 13] = [
    "fmt",
    "tidy",
    "package",
    "clippy",
    "tests",
    "doctests",
    "docs",
    "reference",
    "sample",
    "pictures",
    "judge",
    "fuzz",
    "deny",
];

/// One thing that must hold.
pub struct Step {
    /// Its name in headline, summary and `--only`.
    pub name: &'static str,
    work: Work,
}

enum Work {
    /// A command: the program, its arguments, and variables on top of the environment's.
    Run(OsString, Vec<OsString>, &'static [(&'static str, &'static str)]),
    /// A chore of this very program, which needs no process of its own.
    Here(fn(&[String]) -> Result<(), String>),
    /// Nothing, for a reason.
    LeftOut(&'static str),
}

/// How a step ended.
pub enum StepOutcome {
    /// It holds.
    Passed,
    /// It does not, or could not be checked.
    Failed(String),
    /// It was not checked, which is no failure.
    LeftOut(&'static str),
}

impl fmt::Display for StepOutcome {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Passed => write!(out, "passed"),
            Self::Failed(how) => write!(out, "FAILED ({how})"),
            Self::LeftOut(why) => write!(out, "skipped: {why}"),
        }
    }
}

/// All steps of ci, fitted to what is installed.
pub fn all(environment: &Environment) -> Vec<Step> {
    let cargo = |name, words: &str| Step::cargo(environment, name, words);
    let tests = if environment.has_cargo("nextest") {
        "nextest run --workspace --all-targets --no-fail-fast"
    } else {
        "test --workspace --all-targets --no-fail-fast"
    };
    let deny = if environment.has_cargo("deny") {
        cargo("deny", "deny check")
    } else {
        Step::left_out("deny", "cargo-deny is not installed")
    };
    let steps = vec![
        cargo("fmt", "fmt --all --check"),
        Step { name: "tidy", work: Work::Here(crate::tidy::run) },
        // A clean clone is packed as it is; a change at hand too, before it is committed.
        cargo("package", "package --workspace --no-verify --allow-dirty --quiet"),
        cargo("clippy", "clippy --workspace --all-targets -- --deny warnings"),
        cargo("tests", tests),
        cargo("doctests", "test --workspace --doc"),
        cargo("docs", "doc --workspace --no-deps").with(&[("RUSTDOCFLAGS", "-D warnings")]),
        Step::chore(environment, "reference", "docs --check"),
        Step::chore(environment, "sample", "sample --check"),
        Step::chore(environment, "pictures", "picture --check"),
        Step::chore(environment, "judge", "judge"),
        Step::chore(environment, "fuzz", "fuzz --seconds 20"),
        deny,
    ];
    debug_assert!(steps.iter().map(|step| step.name).eq(NAMES));
    steps
}

impl Step {
    /// A cargo subcommand with its arguments, separated by spaces.
    pub fn cargo(environment: &Environment, name: &'static str, words: &str) -> Self {
        let words = words.split(' ').map(OsString::from).collect();
        Self { name, work: Work::Run(environment.cargo.clone(), words, &[]) }
    }

    /// A chore of the crate `chores`, in the default profile.
    pub fn chore(environment: &Environment, name: &'static str, words: &str) -> Self {
        Self::cargo(environment, name, &format!("run --quiet --package chores -- {words}"))
    }

    /// Another program.
    pub fn program(name: &'static str, program: &str, arguments: Vec<OsString>) -> Self {
        Self { name, work: Work::Run(program.into(), arguments, &[]) }
    }

    /// A step that cannot be run here.
    pub fn left_out(name: &'static str, why: &'static str) -> Self {
        Self { name, work: Work::LeftOut(why) }
    }

    fn with(mut self, more: &'static [(&'static str, &'static str)]) -> Self {
        if let Work::Run(_, _, variables) = &mut self.work {
            *variables = more;
        }
        self
    }

    /// Runs the step, its output going straight to the terminal.
    pub fn run(&self, environment: &Environment) -> StepOutcome {
        match &self.work {
            Work::Run(program, words, variables) => {
                let mut command = environment.command(program);
                match command.args(words).envs(variables.iter().copied()).status() {
                    Ok(status) if status.success() => StepOutcome::Passed,
                    Ok(status) => StepOutcome::Failed(status.to_string()),
                    Err(cause) => StepOutcome::Failed(cause.to_string()),
                }
            }
            Work::Here(chore) => chore(&[]).map_or_else(StepOutcome::Failed, |()| StepOutcome::Passed),
            Work::LeftOut(why) => {
                println!("skipped: {why}");
                StepOutcome::LeftOut(why)
            }
        }
    }
}
