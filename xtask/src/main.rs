//! Chores of the workspace: `cargo xtask <chore>`. Never part of the program, never needed to build it.
//!
//! Built from nothing in seconds, since it depends on nothing. What needs the library is in the crate `chores`, which
//! is built when one of its chores is asked for.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a tool for the people who work here: it talks to their terminal"
)]
#![allow(
    clippy::disallowed_methods,
    reason = "chores install, generate and measure: they read the environment and write files, never a user's store"
)]

use std::path::PathBuf;
use std::process::{Command, ExitCode};

mod ci;
mod dist;
mod environment;
mod tidy;

const USAGE: &str = "\
usage: cargo xtask <chore> [arguments]

  ci              everything that must hold before a change is merged; installs what it needs
  release-checks  what takes too long for every change: long fuzzing, licences, benchmarks, real clients
  dist            build the release archive: binary, man pages, completions, checksum
  tidy            crate dependencies, module docs, sizes, words

  judge           compare the program with an independent count of the same files
  fuzz            drive the fuzz targets with mutated corpus files for a bounded time
  docs            write the reference of the --json documents, or check it and FORMAT.md
  bench           measure reading against wc -l and rg over a generated store
  prices          update the price table from the newest release of the price list
  corpus          generate a large store with known totals, for tests and measurements
  client          have a client version record stores and requests offline, and say what is new in them
  sample          generate the built-in sample store, or check that it is up to date
  picture         paint the pictures of README.md, or check that they are up to date
";

/// Chores of the crate `chores`.
const CHORES: [&str; 9] =
    ["judge", "fuzz", "docs", "bench", "prices", "corpus", "client", "sample", "picture"];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((chore, rest)) = arguments.split_first() else {
        eprint!("{USAGE}");
        return ExitCode::from(2);
    };
    let done = match chore.as_str() {
        "ci" => ci::run(rest),
        "release-checks" => ci::release::run(rest),
        "dist" => dist::run(rest),
        "tidy" => tidy::run(rest),
        "help" | "--help" | "-h" => {
            print!("{USAGE}");
            Ok(())
        }
        chore if CHORES.contains(&chore) => pass_on(&arguments),
        other => Err(format!("unknown chore '{other}'\n\n{USAGE}")),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            // A chore that has said everything itself gives an empty message: its last line stays the last.
            if !message.is_empty() {
                eprintln!("error: {message}");
            }
            ExitCode::FAILURE
        }
    }
}

/// Runs a chore of the other crate, built as this one is; measurements are of what is handed out.
fn pass_on(arguments: &[String]) -> Result<(), String> {
    let mut command = Command::new(cargo());
    command.args(["run", "--quiet", "--package", "chores"]);
    if arguments[0] == "bench" {
        command.args(["--profile", "dist"]);
    } else if !cfg!(debug_assertions) {
        command.arg("--release");
    }
    let status = command.arg("--").args(arguments).status().map_err(|cause| format!("cargo: {cause}"))?;
    // It has said why.
    if status.success() { Ok(()) } else { Err(String::new()) }
}

/// The cargo that started us.
fn cargo() -> std::ffi::OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

/// The directory that holds the workspace's `Cargo.toml`.
///
/// Looked for from the working directory upwards: two clones that share a target directory also share what was
/// compiled, so the path of the build may be the other clone's.
fn workspace() -> PathBuf {
    let here = std::env::current_dir().unwrap_or_default();
    let built = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let mut folders = here.ancestors().chain(built.ancestors());
    folders.find(|folder| folder.join("xtask/Cargo.toml").is_file()).unwrap_or(&here).to_path_buf()
}
