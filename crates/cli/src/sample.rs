//! The built-in sample: a small store that shows every feature, embedded as bytes.

use std::path::Path;

use flate2::read::GzDecoder;
use tempfile::TempDir;

use crate::failure::{ExitKind, Failure};

/// The packed store, made by `cargo xtask sample`.
const PACKED: &[u8] = include_bytes!("../assets/sample.tar.gz");

/// The sample, unpacked in a directory that goes away with this value.
pub fn unpack() -> Result<TempDir, Failure> {
    let dir = tempfile::Builder::new()
        .prefix("scrollback-sample-")
        .tempdir()
        .map_err(|error| Failure::new(ExitKind::Io, format!("cannot unpack the sample: {error}")))?;
    unpack_to(dir.path())?;
    Ok(dir)
}

/// Unpacks the sample into a directory.
pub fn unpack_to(dir: &Path) -> Result<(), Failure> {
    tar::Archive::new(GzDecoder::new(PACKED)).unpack(dir).map_err(|error| {
        Failure::new(ExitKind::Io, format!("cannot unpack the sample to {}: {error}", dir.display()))
    })
}
