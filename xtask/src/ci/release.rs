//! `cargo xtask release-checks`: what has to hold before a release and takes too long for every change.
//!
//! Each step says itself what it found; the figures of a run belong in BENCHMARKS.md, with its date.

use super::step::Step;
use super::{finish, run_all};
use crate::environment::Environment;

const USAGE: &str = "\
usage: cargo xtask release-checks [--no-install] [--fuzz-seconds N] [--scale SCALE] [--lab DIR]

  --no-install       use what is there, install nothing
  --fuzz-seconds N   how long to fuzz, all targets together [default: 600]
  --scale SCALE      the store to benchmark with: small, medium or seed [default: medium]
  --lab DIR          the lab with real clients, see tools/lab/README.md; without it they are skipped";

/// Runs the chore.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let options = Options::parse(arguments)?;
    let environment = Environment::hermetic()?;
    if options.install && !environment.has_cargo("deny") {
        super::headline("install");
        let installed = environment.cargo().args(["install", "--locked", "cargo-deny"]).status();
        let done = installed.is_ok_and(|status| status.success());
        println!("cargo-deny: {}", if done { "installed" } else { "cannot be installed" });
    }
    finish(&run_all(&environment, options.steps(&environment)))
}

struct Options {
    install: bool,
    seconds: u64,
    scale: String,
    lab: Option<String>,
}

impl Options {
    fn parse(arguments: &[String]) -> Result<Self, String> {
        let mut options = Self { install: true, seconds: 600, scale: "medium".to_owned(), lab: None };
        let mut words = arguments.iter();
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or(format!("{word} needs a value\n\n{USAGE}"));
            match word.as_str() {
                "--no-install" => options.install = false,
                "--fuzz-seconds" => {
                    let text = value()?;
                    options.seconds =
                        text.parse().map_err(|_| format!("invalid number '{text}'\n\n{USAGE}"))?;
                }
                "--scale" => options.scale.clone_from(value()?),
                "--lab" => options.lab = Some(value()?.clone()),
                other => return Err(format!("unknown option '{other}'\n\n{USAGE}")),
            }
        }
        Ok(options)
    }

    fn steps(&self, environment: &Environment) -> Vec<Step> {
        let cargo = |name, words: &str| Step::cargo(environment, name, words);
        let deny = if environment.has_cargo("deny") {
            cargo("deny", "deny check")
        } else {
            Step::left_out("deny", "cargo-deny is not installed")
        };
        // The author example makes the sessions that some of the lab's edits begin with.
        let lab = match &self.lab {
            None => vec![Step::left_out("lab", "no --lab given")],
            Some(lab) => vec![
                cargo("lab-program", "build --package scrollback"),
                cargo("lab-author", "build --package scrollback-app --example author"),
                Step::program(
                    "lab",
                    "python3",
                    vec!["tools/lab/edits.py".into(), lab.into(), "target/debug/scrollback".into()],
                ),
            ],
        };
        let chore = "run --quiet --release --package chores --";
        let mut steps = vec![
            deny,
            cargo("dist", "run --quiet --package xtask -- dist --check"),
            cargo("fuzz", &format!("{chore} fuzz --seconds {}", self.seconds)),
            cargo(
                "bench",
                &format!("run --quiet --profile dist --package chores -- bench --scale {}", self.scale),
            ),
        ];
        steps.extend(lab);
        steps
    }
}
