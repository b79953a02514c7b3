//! `scrollback sample`: the built-in sample store, written to a directory to play with.

use std::path::PathBuf;

use clap::Args;

use crate::context::Context;
use crate::failure::{Failure, Kind};
use crate::paint::{Line, Style};
use crate::sample;

/// Arguments of `sample`.
#[derive(Debug, Args)]
pub struct SampleArgs {
    /// Where to: a directory that does not exist yet, or is empty.
    pub dir: PathBuf,
}

/// Writes the sample.
pub fn run(context: &mut Context, args: &SampleArgs) -> Result<(), Failure> {
    let taken = std::fs::read_dir(&args.dir).is_ok_and(|mut entries| entries.next().is_some());
    if taken || args.dir.is_file() {
        let message = format!("{} is not empty", args.dir.display());
        return Err(Failure::new(Kind::Refused, message).hint("name a directory that does not exist yet"));
    }
    sample::unpack_to(&args.dir)?;
    if context.global.json {
        return Ok(context.out.json(&serde_json::json!({ "root": args.dir }))?);
    }
    let dir = args.dir.display();
    context.out.line(Line::plain(format!("The sample store is at {dir}.")))?;
    Ok(context.out.line(Line::new(format!("Try  scrollback --root {dir} ls"), Style::Dim))?)
}
