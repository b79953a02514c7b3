//! Files of the other areas, read so that nothing of them is swallowed: what cannot be read or is no JSON becomes a
//! trouble, and the rest goes on.

use std::path::{Path, PathBuf};

use scrollback_format::time::Time;
use scrollback_store::{small, stamp};
use serde_json::Value;

use crate::trouble::TroubleView;

/// No client writes a larger file of these areas; more of one is not read.
pub const LARGEST: u64 = 16 << 20;

/// The bytes of a file; else what is wrong with it.
pub fn bytes(path: &Path) -> Result<Vec<u8>, TroubleView> {
    match small::read(path, LARGEST) {
        Ok((_, true)) => Err(trouble(path, format!("larger than {} MB, not read", LARGEST >> 20))),
        Ok((bytes, false)) => Ok(bytes),
        Err(error) => Err(trouble(path, error.source.to_string())),
    }
}

/// The text of a file; bytes that are not UTF-8 are shown as U+FFFD.
pub fn text(path: &Path) -> Result<String, TroubleView> {
    Ok(String::from_utf8_lossy(&bytes(path)?).into_owned())
}

/// The JSON of a file.
pub fn json(path: &Path) -> Result<Value, TroubleView> {
    let bytes = bytes(path)?;
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(trouble(path, "empty, where JSON should be"));
    }
    serde_json::from_slice(&bytes).map_err(|error| trouble(path, format!("no whole JSON: {error}")))
}

/// A trouble with a file.
pub fn trouble(path: &Path, what: impl Into<String>) -> TroubleView {
    TroubleView { path: path.to_owned(), what: what.into() }
}

/// When a file was last written; none if it is gone.
pub fn modified(path: &Path) -> Option<Time> {
    stamp::look(path).map(|look| Time(look.mtime_ns / 1_000_000))
}

/// A field that is a text.
pub fn text_of(value: &Value, key: &str) -> Option<String> {
    value.get(key).and_then(Value::as_str).map(str::to_owned)
}

/// Takes what is there, and notes what is wrong.
pub fn note<T>(told: Result<T, TroubleView>, troubles: &mut Vec<TroubleView>) -> Option<T> {
    told.map_err(|trouble| troubles.push(trouble)).ok()
}

/// The files of a folder whose names end so, sorted; none if there is no such folder.
pub fn files(folder: &Path, ending: &str, troubles: &mut Vec<TroubleView>) -> Vec<PathBuf> {
    let (files, odd) = scrollback_store::walk::files_below(folder);
    troubles.extend(odd.into_iter().map(|odd| TroubleView { path: odd.path, what: odd.what }));
    files.into_iter().filter(|path| path.to_string_lossy().ends_with(ending)).collect()
}
