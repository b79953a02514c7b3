//! `cargo xtask fuzz`: drives the targets of `scrollback_testkit::fuzz` with mutated corpus files, on stable Rust.
//!
//! Each target runs in a process of its own, so that a stack overflow, an abort or an endless loop is caught as a
//! panic is. Input number N of a seed is always the same bytes, so the parent can make again what killed the child.
//! Never grows a corpus and knows no coverage: that is what `cargo fuzz` in `fuzz/` is for.

mod mutation;
mod options;
mod random;
mod seed;
mod worker;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};

use mutation::Mutator;
use options::Options;
use scrollback_testkit::fuzz::TARGETS;
use sha2::{Digest, Sha256};

/// What a child gets beyond its time before it counts as hanging: reading the seeds, and one slow input.
const GRACE: Duration = Duration::from_secs(20);

/// Runs the chore.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let options = Options::parse(arguments)?;
    if let Some(input) = &options.input {
        return worker::reproduce(options.only_target()?, input);
    }
    if options.worker {
        return worker::run(&options);
    }
    let names: Vec<&str> = TARGETS.iter().map(|(name, _)| *name).filter(|name| options.wants(name)).collect();
    if names.is_empty() {
        return Err("no fuzz target is registered".to_owned());
    }
    let share = options.time / u32::try_from(names.len()).unwrap_or(1);
    let mut failed = Vec::new();
    for name in names {
        if !drive(name, &options, share)? {
            failed.push(name);
        }
    }
    if failed.is_empty() { Ok(()) } else { Err(format!("crashing targets: {}", failed.join(", "))) }
}

/// Runs one target in a child; false where it crashed.
fn drive(name: &str, options: &Options, time: Duration) -> Result<bool, String> {
    let program = std::env::current_exe().map_err(|cause| format!("our own path: {cause}"))?;
    let mut child = Command::new(program)
        .args(["fuzz", "--worker", "--target", name, "--seed", &options.seed.to_string()])
        .args(["--seconds", &time.as_secs_f64().to_string()])
        .spawn()
        .map_err(|cause| format!("{name}: {cause}"))?;
    let status = wait(&mut child, time + GRACE).map_err(|cause| format!("{name}: {cause}"))?;
    match status {
        Some(status) if status.success() => return Ok(true),
        // The worker has caught a panic and told of it.
        Some(status) if status.code() == Some(1) => return Ok(false),
        Some(status) => println!("{name}: the process died: {status}"),
        None => println!("{name}: one input took more than {} s", GRACE.as_secs()),
    }
    let number = worker::last_number(name).ok_or(format!("{name}: died before its first input"))?;
    let input = Mutator::for_target(name, options.seed).input(number);
    tell_crash(name, number, &input)?;
    Ok(false)
}

/// The child's status, or None where it had to be ended.
fn wait(child: &mut Child, time: Duration) -> std::io::Result<Option<ExitStatus>> {
    let deadline = Instant::now() + time;
    while Instant::now() < deadline {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    child.kill()?;
    child.wait()?;
    Ok(None)
}

/// Where the crashing inputs and the running number of a target lie.
fn folder(target: &str) -> PathBuf {
    let told = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    told.unwrap_or_else(|| scrollback_testkit::workspace().join("target")).join("fuzz").join(target)
}

/// Keeps a crashing input under its hash and says how to see the crash again.
fn tell_crash(target: &str, number: u64, input: &[u8]) -> Result<(), String> {
    let hash: String = Sha256::digest(input).iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    let file = folder(target).join(hash);
    write(&file, input)?;
    println!("{target}: input {number} of {} bytes, kept. To see it again:", input.len());
    println!("  cargo xtask fuzz --target {target} --input {}", file.display());
    Ok(())
}

fn write(file: &Path, bytes: &[u8]) -> Result<(), String> {
    let made = file.parent().map_or(Ok(()), fs::create_dir_all);
    made.and_then(|()| fs::write(file, bytes)).map_err(|cause| format!("{}: {cause}", file.display()))
}
