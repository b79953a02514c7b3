//! Chores of the workspace: `cargo xtask <chore>`. Never part of the program, never needed to build it.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a tool for the people who work here: it talks to their terminal"
)]
#![allow(
    clippy::disallowed_methods,
    reason = "chores install, generate and measure: they read the environment and write files, never a user's store"
)]

use std::process::ExitCode;

mod bench;
mod ci;
mod corpus;
mod docs;
mod fuzz;
mod judge;
mod prices;
mod sample;
mod tidy;

const USAGE: &str = "\
usage: cargo xtask <chore> [arguments]

  ci      everything that must hold before a change is taken; installs what it needs
  tidy    crate arrows, module docs, sizes, words, FORMAT.md
  judge   compare the program with an independent count of the same files
  fuzz    drive the fuzz targets with mutated corpus files for a bounded time
  docs    write the reference of the --json documents
  bench   measure reading against wc -l and rg over such a store
  prices  take the newest release of the price list into the table
  corpus  make a large store with known totals, for tests and measurements
  sample  make the built-in sample store, or check that it is up to date
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((chore, rest)) = arguments.split_first() else {
        eprint!("{USAGE}");
        return ExitCode::from(2);
    };
    let done = match chore.as_str() {
        "ci" => ci::run(rest),
        "tidy" => tidy::run(rest),
        "judge" => judge::run(rest),
        "fuzz" => fuzz::run(rest),
        "corpus" => corpus::run(rest),
        "bench" => bench::run(rest),
        "docs" => docs::run(rest),
        "prices" => prices::run(rest),
        "sample" => sample::run(rest),
        "help" | "--help" | "-h" => {
            print!("{USAGE}");
            Ok(())
        }
        other => Err(format!("no chore is named {other}\n\n{USAGE}")),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            // A chore that has told everything itself gives an empty message: its last line stays the last.
            if !message.is_empty() {
                eprintln!("error: {message}");
            }
            ExitCode::FAILURE
        }
    }
}
