//! What the mutator begins with: lines and cuts of the corpus, and folder names where those are the subject.

use std::path::PathBuf;

use scrollback_testkit::corpus;

/// Longer lines and cuts are left out: they slow the run and hold nothing that shorter ones do not.
const LONGEST: usize = 16 * 1024;

/// About this many lines are taken, spread evenly over all of them.
const LINES: usize = 1_500;

/// The seeds of a target.
pub fn for_target(name: &str) -> Vec<Vec<u8>> {
    let files: Vec<PathBuf> = corpus::VERSIONS
        .into_iter()
        .flat_map(|version| corpus::jsonl_files(&corpus::tree(version)))
        .collect();
    if name.starts_with("folder") { folder_names(&files) } else { lines_and_cuts(&files) }
}

/// Names of project folders, and the working directories that the lines name.
fn folder_names(files: &[PathBuf]) -> Vec<Vec<u8>> {
    let mut names: Vec<Vec<u8>> = files
        .iter()
        .filter_map(|file| Some(file.parent()?.file_name()?.to_string_lossy().into_owned().into_bytes()))
        .collect();
    names
        .extend(["/", "/home/dev/emoji😀dir", "/x/e\u{301}", "C:\\a_b"].map(|path| path.as_bytes().to_vec()));
    names.sort();
    names.dedup();
    names
}

/// Single lines, and the first bytes of whole files so that several lines meet.
fn lines_and_cuts(files: &[PathBuf]) -> Vec<Vec<u8>> {
    let mut cuts = Vec::new();
    let mut lines = Vec::new();
    for file in files {
        let Ok(bytes) = std::fs::read(file) else { continue };
        let short = |line: &&[u8]| !line.is_empty() && line.len() <= LONGEST;
        lines.extend(bytes.split(|byte| *byte == b'\n').filter(short).map(<[u8]>::to_vec));
        cuts.push(bytes[..bytes.len().min(LONGEST)].to_vec());
    }
    let stride = (lines.len() / LINES).max(1);
    lines.into_iter().step_by(stride).chain(cuts.into_iter().step_by(4)).collect()
}
