//! The child process: feeds one target until its time is over or it panics.
//!
//! Before each input it notes the input's number in a file, so that the parent knows what killed it.

use std::fs::{self, File};
use std::io::{Seek, SeekFrom, Write};
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Instant;

use scrollback_testkit::fuzz::{Target, find};

use super::mutation::Mutator;
use super::options::Options;
use super::{folder, tell_crash};

/// What the last panic said. The hook of the process fills it, because the unwound value has no place.
static LAST_PANIC: Mutex<String> = Mutex::new(String::new());

/// Runs one target for its time.
pub fn run(options: &Options) -> Result<(), String> {
    let name = options.only_target()?;
    let target = find(name).ok_or(format!("no target is named {name}"))?;
    let mutator = Mutator::for_target(name, options.seed);
    let mut numbers = open_numbers(name)?;
    panic::set_hook(Box::new(|panic| {
        if let Ok(mut last) = LAST_PANIC.lock() {
            *last = panic.to_string();
        }
    }));
    let begun = Instant::now();
    let (mut number, mut bytes) = (0_u64, 0_usize);
    while begun.elapsed() < options.time {
        let noted = numbers.seek(SeekFrom::Start(0)).and_then(|_| numbers.write_all(&number.to_le_bytes()));
        noted.map_err(|cause| format!("{name}: {cause}"))?;
        let input = mutator.input(number);
        if let Err(message) = survives(target, &input) {
            println!("{name}: {message}");
            tell_crash(name, number, &input)?;
            // The line above is the report; the status tells the parent that it was made.
            return Err(format!("{name} panicked"));
        }
        number += 1;
        bytes += input.len();
    }
    tell_pace(name, number, bytes, begun);
    Ok(())
}

/// Runs one target on one file, with the panic as it is.
pub fn reproduce(name: &str, input: &Path) -> Result<(), String> {
    let target = find(name).ok_or(format!("no target is named {name}"))?;
    let bytes = fs::read(input).map_err(|cause| format!("{}: {cause}", input.display()))?;
    target(&bytes);
    println!("{name}: {} bytes, no crash", bytes.len());
    Ok(())
}

/// The number of the input that a child was at when it died.
pub fn last_number(name: &str) -> Option<u64> {
    let bytes = fs::read(numbers_file(name)).ok()?;
    Some(u64::from_le_bytes(bytes.try_into().ok()?))
}

fn survives(target: Target, input: &[u8]) -> Result<(), String> {
    let ended = panic::catch_unwind(AssertUnwindSafe(|| target(input)));
    ended.map_err(|_| LAST_PANIC.lock().map(|last| last.clone()).unwrap_or_default())
}

fn tell_pace(name: &str, runs: u64, bytes: usize, begun: Instant) {
    let seconds = begun.elapsed().as_secs_f64().max(0.001);
    let (runs_precise, bytes_precise) = (runs as f64, bytes as f64);
    println!(
        "{name}: {runs} inputs in {seconds:.1} s, {:.0} a second, {:.1} MB a second, no crash",
        runs_precise / seconds,
        bytes_precise / seconds / 1e6,
    );
}

fn open_numbers(name: &str) -> Result<File, String> {
    let file = numbers_file(name);
    let made = fs::create_dir_all(folder(name)).and_then(|()| File::create(&file));
    made.map_err(|cause| format!("{}: {cause}", file.display()))
}

fn numbers_file(name: &str) -> PathBuf {
    folder(name).join("at")
}
