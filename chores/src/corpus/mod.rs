//! `cargo xtask corpus`: a large made-up store with known totals, for tests and measurements.
//!
//! ```text
//! cargo xtask corpus --scale small|medium|seed [--out DIR]
//! ```
//!
//! The store is `DIR/store` (by default `target/corpus/<scale>/store`), its counted truth `DIR/TOTALS.json`
//! (see [`totals`]), and `DIR/STAMP` says which generator finished it: a finished one is used again.
//! The same bytes come out on every run and machine.
//!
//! Generations, in permille of the conversations: 1.0 60, 2.0.29 160, 2.0.55 220, 2.1.9 180, 2.1.80 120,
//! 2.1.200 160, 2.1.325 100; older ones lie further back in time, over about 440 days before 2026-11-15.
//! Three in ten sessions are headless. Of each turn's endings 20 in a thousand are interrupted, 7 are API errors;
//! between turns 15 in a thousand rewind, 25 run a command, 20 use bash mode, 20 queue a prompt.
//!
//! Nothing here reads a real store, and nothing is written outside `DIR`.

pub mod areas;
mod conversation;
mod helper;
pub mod plan;
pub mod random;
pub mod scale;
pub mod scribe;
mod shelf;
pub mod text;
mod toolbox;
pub mod totals;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use plan::Job;
use scale::Scale;
use scribe::File;
use shelf::Shelf;
use text::Pools;
use totals::Totals;

/// Raised whenever the bytes change.
const GENERATOR: u32 = 2;
const THREADS: usize = 2;
const USAGE: &str = "usage: cargo xtask corpus --scale small|medium|seed [--out DIR]";

/// Lines of the history with their times.
type History = Vec<(i64, Vec<u8>)>;

/// Runs the chore.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let (scale, out) = decode(arguments)?;
    let stamp = format!("{} {GENERATOR}\n", scale.name);
    if fs::read_to_string(out.join("STAMP")).is_ok_and(|found| found == stamp) {
        println!("{} is there already", out.join("store").display());
        return Ok(());
    }
    let begun = std::time::Instant::now();
    // A half-made corpus must not pass for a finished one.
    let _ = fs::remove_file(out.join("STAMP"));
    let totals = build(scale, &out.join("store"))?;
    let json = format!("{:#}\n", totals.json(scale.name, GENERATOR));
    write(&out.join("TOTALS.json"), &json)?;
    write(&out.join("STAMP"), &stamp)?;
    let (files, bytes) = totals.size();
    println!(
        "{}: {files} files, {} MB in {:.1} s",
        out.join("store").display(),
        bytes / 1_000_000,
        begun.elapsed().as_secs_f64()
    );
    Ok(())
}

fn decode(arguments: &[String]) -> Result<(&'static Scale, PathBuf), String> {
    let mut scale = None;
    let mut out = None;
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let value = words.next().ok_or_else(|| format!("{word} needs a value\n\n{USAGE}"))?;
        match word.as_str() {
            "--scale" => {
                let found =
                    Scale::find(value).ok_or_else(|| format!("no scale is named {value}\n\n{USAGE}"))?;
                scale = Some(found);
            }
            "--out" => out = Some(PathBuf::from(value)),
            _ => return Err(format!("corpus takes no {word}\n\n{USAGE}")),
        }
    }
    let scale = scale.ok_or(USAGE)?;
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."));
    Ok((scale, out.unwrap_or_else(|| workspace.join("target/corpus").join(scale.name))))
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

/// Writes the whole store below `root` and gives its totals.
pub fn build(scale: &Scale, root: &Path) -> Result<Totals, String> {
    let pools = Pools::new();
    let jobs = plan::jobs(scale);
    let shelf = Shelf::new(root, scale.bytes)?;
    let (mut totals, history) = write_sessions(&jobs, &pools, &shelf)?;
    areas::compose(scale, &jobs, &pools, &mut |file| put(&shelf, &mut totals, &file), &mut |path| {
        shelf.empty_folder(path)
    })?;
    let history = File { path: "history.jsonl".to_owned(), bytes: in_order(history) };
    put(&shelf, &mut totals, &history)?;
    shelf.done();
    Ok(totals)
}

fn put(shelf: &Shelf, totals: &mut Totals, file: &File) -> Result<(), String> {
    totals.file(&file.path, file.bytes.len() as u64);
    shelf.put(file)
}

/// The history as the client would have appended it.
fn in_order(mut history: History) -> Vec<u8> {
    history.sort();
    history.into_iter().flat_map(|(_, line)| line).collect()
}

/// Does all jobs on two threads. Each job has its own dice, so the order in which they are done does not matter.
fn write_sessions(jobs: &[Job], pools: &Pools, shelf: &Shelf) -> Result<(Totals, History), String> {
    let next = AtomicUsize::new(0);
    let all = Mutex::new((Totals::default(), Vec::new()));
    thread::scope(|scope| {
        let threads: Vec<_> =
            (0..THREADS).map(|_| scope.spawn(|| write_some(jobs, pools, shelf, &next, &all))).collect();
        threads.into_iter().try_for_each(|thread| thread.join().map_err(|_| "a thread failed".to_owned())?)
    })?;
    all.into_inner().map_err(|_| "a thread failed".to_owned())
}

fn write_some(
    jobs: &[Job],
    pools: &Pools,
    shelf: &Shelf,
    next: &AtomicUsize,
    all: &Mutex<(Totals, History)>,
) -> Result<(), String> {
    let mut totals = Totals::default();
    let mut history = Vec::new();
    while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
        let output = scribe::compose(job, pools);
        output.files.iter().try_for_each(|file| shelf.put(file))?;
        totals.add(&output.totals);
        history.extend(output.history);
    }
    let mut all = all.lock().map_err(|_| "a thread failed".to_owned())?;
    all.0.add(&totals);
    all.1.append(&mut history);
    Ok(())
}
