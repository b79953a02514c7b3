//! The arguments of the fuzz chore.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use scrollback_testkit::fuzz::TARGETS;

const USAGE: &str = "\
usage: cargo xtask fuzz [--seconds N] [--target NAME] [--seed S]
       cargo xtask fuzz --target NAME --input FILE

  --seconds N     for all targets together; 60 unless told
  --target NAME   this target alone
  --seed S        another series of inputs; 1 unless told, so that two runs are alike
  --input FILE    run one target on one file, to see a crash again";

/// What was asked for.
pub struct Options {
    /// For all targets together; in a worker, for its one.
    pub time: Duration,
    /// Which series of inputs.
    pub seed: u64,
    /// Run this file alone.
    pub input: Option<PathBuf>,
    /// We are the child that does the work.
    pub worker: bool,
    target: Option<String>,
}

impl Options {
    /// Reads the arguments.
    pub fn parse(arguments: &[String]) -> Result<Self, String> {
        let mut options =
            Self { time: Duration::from_secs(60), seed: 1, input: None, worker: false, target: None };
        let mut words = arguments.iter();
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or(format!("{word} needs a value\n\n{USAGE}"));
            match word.as_str() {
                "--seconds" => options.time = seconds(value()?)?,
                "--seed" => options.seed = number(value()?)?,
                "--target" => options.target = Some(value()?.clone()),
                "--input" => options.input = Some(PathBuf::from(value()?)),
                "--worker" => options.worker = true,
                other => return Err(format!("{other} is no option of fuzz\n\n{USAGE}")),
            }
        }
        let names: Vec<&str> = TARGETS.iter().map(|(name, _)| *name).collect();
        match &options.target {
            Some(name) if !names.contains(&name.as_str()) => {
                Err(format!("no target is named {name}; there are {}", names.join(", ")))
            }
            _ => Ok(options),
        }
    }

    /// Is this target to run?
    pub fn wants(&self, name: &str) -> bool {
        self.target.as_deref().is_none_or(|wanted| wanted == name)
    }

    /// The one target, where a run makes no sense without.
    pub fn only_target(&self) -> Result<&str, String> {
        self.target.as_deref().ok_or(format!("--target is needed too\n\n{USAGE}"))
    }
}

fn seconds(word: &str) -> Result<Duration, String> {
    Duration::try_from_secs_f64(number(word)?).map_err(|cause| format!("{word}: {cause}"))
}

fn number<T: FromStr>(word: &str) -> Result<T, String> {
    word.parse().map_err(|_| format!("{word} is no number\n\n{USAGE}"))
}
