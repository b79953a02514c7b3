//! The chores that need the library. `cargo xtask <chore>` builds and runs this; it is never part of the program.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a tool for the people who work here: it talks to their terminal"
)]
#![allow(
    clippy::disallowed_methods,
    reason = "chores generate and measure: they read the environment and write files, never a user's store"
)]

use std::process::ExitCode;

mod bench;
mod client;
mod corpus;
mod docs;
mod fuzz;
mod judge;
mod picture;
mod prices;
mod sample;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((chore, rest)) = arguments.split_first() else {
        eprintln!("error: no chore given; see cargo xtask --help");
        return ExitCode::from(2);
    };
    let done = match chore.as_str() {
        "judge" => judge::run(rest),
        "fuzz" => fuzz::run(rest),
        "corpus" => corpus::run(rest),
        "bench" => bench::run(rest),
        "client" => client::run(rest),
        "docs" => docs::run(rest),
        "prices" => prices::run(rest),
        "sample" => sample::run(rest),
        "picture" => picture::run(rest),
        other => Err(format!("unknown chore '{other}'; see cargo xtask --help")),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            // A chore that has said everything itself gives an empty message.
            if !message.is_empty() {
                eprintln!("error: {message}");
            }
            ExitCode::FAILURE
        }
    }
}
