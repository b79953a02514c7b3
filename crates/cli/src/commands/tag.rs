//! `scrollback tag`: tags for sessions, kept in our own data directory.

use clap::Args;
use scrollback_app::marks::{Mark, MarkView};
use scrollback_app::request::mark::MarkRequest;

use crate::context::Context;
use crate::failure::Failure;
use crate::paint::{Style, StyledLine};

/// Arguments of `tag`.
#[derive(Debug, Args)]
pub struct TagArgs {
    /// Session ID or prefix, title, path, or `last`.
    pub session: String,
    /// The tags.
    #[arg(required = true)]
    pub tags: Vec<String>,
    /// Remove the tags.
    #[arg(long)]
    pub remove: bool,
}

/// Adds tags to a session, or removes them.
pub fn run(context: &mut Context, args: &TagArgs) -> Result<(), Failure> {
    let tags = args.tags.clone();
    let mark = if args.remove { Mark::Untag(tags) } else { Mark::Tag(tags) };
    put(context, std::slice::from_ref(&args.session), mark)
}

/// Marks sessions, and shows their marks.
pub fn put(context: &mut Context, sessions: &[String], mark: Mark) -> Result<(), Failure> {
    let request = MarkRequest { sessions: sessions.to_vec(), mark };
    let marks = context.desk()?.answer(&request)?;
    if context.global.json {
        return Ok(context.out.document(&marks)?);
    }
    for mark in &marks {
        let line = StyledLine::new(&mark.session_id, Style::Number).with(words(mark), Style::Plain);
        context.out.line(line)?;
    }
    Ok(())
}

fn words(mark: &MarkView) -> String {
    let mut words: Vec<String> = Vec::new();
    words.extend(mark.pinned.then(|| "pinned".to_owned()));
    words.extend(mark.hidden.then(|| "hidden".to_owned()));
    words.extend(mark.tags.iter().map(|tag| format!("#{tag}")));
    if words.is_empty() {
        "  no tags, not pinned, not hidden".to_owned()
    } else {
        format!("  {}", words.join(" "))
    }
}
