//! `scrollback sample`: the built-in sample store, written to a directory to play with.

use std::path::PathBuf;

use clap::Args;
use scrollback_app::request::sample::SampleWritten;

use crate::context::Context;
use crate::failure::{ExitKind, Failure};
use crate::paint::{Style, StyledLine};
use crate::sample;

/// Arguments of `sample`.
#[derive(Debug, Args)]
pub struct SampleArgs {
    /// Directory to write to; must be empty or not exist.
    pub dir: PathBuf,
}

/// Writes the sample.
pub fn run(context: &mut Context, args: &SampleArgs) -> Result<(), Failure> {
    let taken = std::fs::read_dir(&args.dir).is_ok_and(|mut entries| entries.next().is_some());
    if taken || args.dir.is_file() {
        let message = format!("{} is not empty", args.dir.display());
        return Err(
            Failure::new(ExitKind::Refused, message).hint("choose a directory that does not exist yet")
        );
    }
    sample::unpack_to(&args.dir)?;
    if context.global.json {
        return Ok(context.out.document(&SampleWritten { root: args.dir.clone() })?);
    }
    let dir = args.dir.display();
    context.out.line(StyledLine::plain(format!("Wrote the sample store to {dir}.")))?;
    Ok(context.out.line(StyledLine::new(format!("Try  scrollback --root {dir} ls"), Style::Dim))?)
}
