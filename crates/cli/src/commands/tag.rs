//! `scrollback tag`: words of the user's own for sessions, kept in our own data directory.

use clap::Args;
use scrollback_app::edit::mark::{self, Mark, MarkView};

use crate::commands::rename::whole;
use crate::context::Context;
use crate::failure::{Failure, Kind};
use crate::paint::{Line, Style};

/// Arguments of `tag`.
#[derive(Debug, Args)]
pub struct TagArgs {
    /// An id, the start of one, a path, a title, or `last`.
    pub session: String,
    /// The tags.
    #[arg(required = true)]
    pub tags: Vec<String>,
    /// Take them away instead.
    #[arg(long)]
    pub remove: bool,
}

/// Gives a session tags, or takes them away.
pub fn run(context: &mut Context, args: &TagArgs) -> Result<(), Failure> {
    let tags = args.tags.clone();
    let mark = if args.remove { Mark::Untag(tags) } else { Mark::Tag(tags) };
    say(context, std::slice::from_ref(&args.session), &mark)
}

/// Says something about sessions, and tells what is said about them then.
pub fn say(context: &mut Context, sessions: &[String], mark: &Mark) -> Result<(), Failure> {
    let mut ids = Vec::new();
    for session in sessions {
        whole(session)?;
        let library = context.library_for(session)?;
        ids.push(context.resolve(&library, session)?.id.as_str().to_owned());
    }
    if context.is_sample() {
        return Err(Failure::new(Kind::Refused, "nothing is noted about the built-in sample")
            .hint("`scrollback sample DIR` writes a copy; --root DIR reads it"));
    }
    let marks = mark::mark(&context.data()?, &ids, mark)?;
    if context.global.json {
        return Ok(context.out.json(&marks)?);
    }
    for mark in &marks {
        let line = Line::new(&mark.session_id, Style::Number).with(told(mark), Style::Plain);
        context.out.line(line)?;
    }
    Ok(())
}

fn told(mark: &MarkView) -> String {
    let mut words: Vec<String> = Vec::new();
    words.extend(mark.pinned.then(|| "pinned".to_owned()));
    words.extend(mark.hidden.then(|| "hidden".to_owned()));
    words.extend(mark.tags.iter().map(|tag| format!("#{tag}")));
    if words.is_empty() { "  nothing noted".to_owned() } else { format!("  {}", words.join(" ")) }
}
