//! `cargo xtask sample`: the small store that the program shows where there is none, packed to be embedded.
//!
//! ```text
//! cargo xtask sample            writes crates/cli/assets/sample.tar.gz
//! cargo xtask sample --check    fails if that file is not what would be written
//! cargo xtask sample --out DIR  unpacked, to look at
//! ```
//!
//! Made-up people, projects and conversations in the layouts of seven client generations, within the ten days
//! before 2026-11-15T18:00:00Z. No line of it was written by a real client, and the clock is never read.

mod lighthouse;
mod orbit;
mod scene;
mod store;
mod tidepool;
mod weather;
mod words;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use store::{Store, pack};

const USAGE: &str = "usage: cargo xtask sample [--check | --out DIR]";
/// An embedded file larger than this would be felt in the program's size.
const LARGEST: usize = 150_000;

/// Runs the chore.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        [] => {
            let bytes = archive()?;
            write(&asset(), &bytes)?;
            println!("{}: {} bytes", asset().display(), bytes.len());
            Ok(())
        }
        ["--check"] => {
            let found = fs::read(asset()).map_err(|error| format!("{}: {error}", asset().display()))?;
            let same = found == archive()?;
            if same {
                Ok(())
            } else {
                Err("the sample is not up to date; run `cargo xtask sample`".to_owned())
            }
        }
        ["--out", folder] => unpack(Path::new(folder)),
        _ => Err(USAGE.to_owned()),
    }
}

fn asset() -> PathBuf {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."));
    workspace.join("crates/cli/assets/sample.tar.gz")
}

/// The archive as it should be.
pub fn archive() -> Result<Vec<u8>, String> {
    let bytes = pack(&files()).map_err(|error| format!("packing the sample: {error}"))?;
    if bytes.len() > LARGEST {
        return Err(format!("the sample has {} bytes, more than {LARGEST}", bytes.len()));
    }
    Ok(bytes)
}

/// All files of the sample by path.
pub fn files() -> BTreeMap<String, Vec<u8>> {
    let mut store = Store::default();
    weather::tell(&mut store);
    lighthouse::tell(&mut store);
    orbit::tell(&mut store);
    tidepool::tell(&mut store);
    let settings = b"{\n  \"model\": \"opus\",\n  \"hooks\": {\n    \"SessionStart\": [{ \"hooks\": [{ \"type\": \"command\", \"command\": \"just --list\" }] }]\n  }\n}\n";
    store.put("settings.json", settings.to_vec());
    store.finish()
}

fn unpack(folder: &Path) -> Result<(), String> {
    for (path, bytes) in files() {
        write(&folder.join(path), &bytes)?;
    }
    Ok(())
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let told = |error: std::io::Error| format!("{}: {error}", path.display());
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(told)?;
    }
    fs::write(path, bytes).map_err(told)
}

#[cfg(test)]
mod tests {
    use super::{archive, files};

    #[test]
    fn the_sample_is_the_same_each_time() {
        assert_eq!(archive(), archive());
        assert!(files().keys().all(|path| !path.starts_with('/')));
    }
}
