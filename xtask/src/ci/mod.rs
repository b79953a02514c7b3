//! `cargo xtask ci`: everything that must hold before a change is taken, in one command.
//!
//! Installs what it needs, runs every step even after a failed one, and ends with `N passed, M failed`.
//! Never reads the account's own `.claude`: all steps run in an empty temporary home.

mod provision;
pub mod release;
mod step;

use std::time::{Duration, Instant};

use step::{Step, StepOutcome};

use crate::environment::Environment;

const USAGE: &str = "\
usage: cargo xtask ci [--no-install] [--only STEP]...

  --no-install   use what is there, install nothing
  --only STEP    run these steps alone (names as in the summary)";

/// Runs the chore.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let options = Options::parse(arguments)?;
    let environment = Environment::hermetic()?;
    if options.install {
        headline("install");
        provision::rust_components(&environment);
        provision::debian_packages();
    }
    let steps = step::all(&environment).into_iter().filter(|step| options.wants(step)).collect();
    finish(&run_all(&environment, steps))
}

/// A step with how it ended and how long it took.
type Done = (Step, StepOutcome, Duration);

/// Runs steps one after another, those after a failed one too.
fn run_all(environment: &Environment, steps: Vec<Step>) -> Vec<Done> {
    let mut results = Vec::new();
    for step in steps {
        headline(step.name);
        let started = Instant::now();
        let outcome = step.run(environment);
        results.push((step, outcome, started.elapsed()));
    }
    results
}

struct Options {
    install: bool,
    only: Vec<String>,
}

impl Options {
    fn parse(arguments: &[String]) -> Result<Self, String> {
        let mut options = Self { install: true, only: Vec::new() };
        let mut words = arguments.iter();
        while let Some(word) = words.next() {
            match word.as_str() {
                "--no-install" => options.install = false,
                "--only" => options.only.push(words.next().ok_or(USAGE)?.clone()),
                other => return Err(format!("unknown option '{other}'\n\n{USAGE}")),
            }
        }
        if let Some(unknown) = options.only.iter().find(|name| !step::NAMES.contains(&name.as_str())) {
            return Err(format!("unknown step '{unknown}'; the steps are {}", step::NAMES.join(", ")));
        }
        Ok(options)
    }

    fn wants(&self, step: &Step) -> bool {
        self.only.is_empty() || self.only.iter().any(|name| name == step.name)
    }
}

fn headline(words: &str) {
    println!("\n==== {words}");
}

/// The table of what happened; its last line is made for machines.
fn finish(results: &[Done]) -> Result<(), String> {
    headline("summary");
    for (step, outcome, taken) in results {
        println!("{:<11} {:>8.1} s  {outcome}", step.name, taken.as_secs_f64());
    }
    let whole: Duration = results.iter().map(|(_, _, taken)| *taken).sum();
    println!("{:<11} {:>8.1} s", "all", whole.as_secs_f64());
    let passed = results.iter().filter(|(_, outcome, _)| matches!(outcome, StepOutcome::Passed)).count();
    let failed: Vec<&str> = results
        .iter()
        .filter(|(_, outcome, _)| matches!(outcome, StepOutcome::Failed(_)))
        .map(|(step, ..)| step.name)
        .collect();
    if !failed.is_empty() {
        println!("failed: {}", failed.join(", "));
    }
    println!("{passed} passed, {} failed", failed.len());
    // The table has said it all, and the line above is to stay the last one.
    if failed.is_empty() { Ok(()) } else { Err(String::new()) }
}
