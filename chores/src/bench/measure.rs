//! Measuring a command: CPU time, wall time and peak memory, as the kernel counts them.

use std::process::{Command, Stdio};

/// What a command took, at best of its runs.
#[derive(Debug, Clone, Copy)]
pub struct Measured {
    /// User and system time, in seconds.
    pub cpu: f64,
    /// Time on the clock, in seconds.
    pub wall: f64,
    /// The largest resident size of any run, in megabytes.
    pub peak_mb: f64,
}

impl Measured {
    /// The lesser time of two runs, the larger memory.
    pub fn least(self, other: Self) -> Self {
        Self {
            cpu: self.cpu.min(other.cpu),
            wall: self.wall.min(other.wall),
            peak_mb: self.peak_mb.max(other.peak_mb),
        }
    }
}

const RUNS: usize = 3;

/// Runs a command a few times. What it prints is thrown away; that it finds something odd is no failure.
pub fn measure(command: &mut Command) -> Result<Measured, String> {
    let mut best = Measured { cpu: f64::INFINITY, wall: f64::INFINITY, peak_mb: 0.0 };
    for _ in 0..RUNS {
        best = best.least(once(command)?);
    }
    Ok(best)
}

/// Runs a command once.
pub fn once(command: &Command) -> Result<Measured, String> {
    let output = Command::new("/usr/bin/time")
        .args(["-f", "%U %S %e %M"])
        .arg(command.get_program())
        .args(command.get_args())
        .envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))))
        .stdout(Stdio::null())
        .output()
        .map_err(|error| format!("/usr/bin/time does not run ({error}); the Debian package is `time`"))?;
    let told = String::from_utf8_lossy(&output.stderr);
    let last = told.lines().last().unwrap_or_default();
    let numbers: Vec<f64> = last.split(' ').filter_map(|word| word.parse().ok()).collect();
    match numbers.as_slice() {
        [user, system, wall, kilobytes] => {
            Ok(Measured { cpu: user + system, wall: *wall, peak_mb: kilobytes / 1000.0 })
        }
        _ => Err(format!("{:?} did not run: {told}", command.get_program())),
    }
}
