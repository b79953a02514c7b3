//! `scrollback fork`: a new session with the same conversation, or with its beginning.

use std::path::PathBuf;

use clap::Args;
use scrollback_app::edit::{self, Fork, Point};

use crate::context::Context;
use crate::edit::{EditArgs, offer, whole_session};
use crate::failure::{Failure, Kind};

/// Arguments of `fork`.
#[derive(Debug, Args)]
pub struct ForkArgs {
    /// An id, the start of one, a path, a title, or `last`.
    pub session: String,
    /// Up to the end of a turn, up to an entry, or before-compaction (the last), before-compaction:N; all if not given.
    #[arg(long, value_name = "TURN|UUID")]
    pub at: Option<String>,
    /// Another branch than the live one, as `tree` numbers them.
    #[arg(long, short, value_name = "N", default_value_t = 0)]
    pub branch: u64,
    /// Into the project of another directory; lines that were in the old one say the new one then.
    #[arg(long, value_name = "DIR")]
    pub to: Option<PathBuf>,
    /// Name the origin on every line, as the client's /branch does (the default).
    #[arg(long, overrides_with = "unmarked")]
    pub mark: bool,
    /// Leave no mark, as the client's --fork-session.
    #[arg(long)]
    pub unmarked: bool,
    /// Give every line an id of its own.
    #[arg(long)]
    pub fresh_ids: bool,
    /// Leave the agents behind.
    #[arg(long)]
    pub without_agents: bool,
    /// Leave the checkpoints of files behind.
    #[arg(long)]
    pub without_files: bool,
    /// What it is to be called.
    #[arg(long, value_name = "TITLE")]
    pub title: Option<String>,
    /// What every edit takes.
    #[command(flatten)]
    pub edit: EditArgs,
}

/// Forks a session.
pub fn run(context: &mut Context, args: &ForkArgs) -> Result<(), Failure> {
    let session = whole_session(&args.session)?;
    let fork = Fork {
        at: args.at.as_deref().map(point).transpose()?,
        branch: args.branch,
        to: args.to.as_ref().map(|to| directory(context, to)).transpose()?,
        mark: !args.unmarked,
        fresh_ids: args.fresh_ids,
        agents: !args.without_agents,
        files: !args.without_files,
        title: args.title.clone(),
        generation: args.edit.generation()?,
        command: vec!["fork".into(), args.session.clone()],
    };
    let library = context.library_for(&session)?;
    let files = context.resolve(&library, &session)?;
    let plan = edit::fork(&library, &files, &fork, &mut context.ids())?;
    offer(context, &plan, &args.edit)
}

/// A turn, `before-compaction`, `before-compaction:2`, or an id.
fn point(text: &str) -> Result<Point, Failure> {
    let bad = || {
        Failure::new(Kind::Usage, format!("'{text}' names no point"))
            .hint("3 (a turn), the id of an entry, before-compaction and before-compaction:2 do")
    };
    if let Some(number) = text.strip_prefix("before-compaction") {
        return match number.strip_prefix(':') {
            Some(number) => {
                number.parse().map(|number| Point::BeforeCompaction(Some(number))).map_err(|_| bad())
            }
            None if number.is_empty() => Ok(Point::BeforeCompaction(None)),
            None => Err(bad()),
        };
    }
    match text.parse() {
        Ok(turn) => Ok(Point::Turn(turn)),
        Err(_) if text.chars().count() >= 4 => Ok(Point::Entry(text.to_owned())),
        Err(_) => Err(bad()),
    }
}

/// The real path of a directory, by which the client names its folder.
fn directory(context: &Context, to: &PathBuf) -> Result<PathBuf, Failure> {
    let to = context.env.cwd.as_ref().map_or_else(|| to.clone(), |cwd| cwd.join(to));
    match std::fs::canonicalize(&to) {
        Ok(real) if real.is_dir() => Ok(real),
        _ => Err(Failure::new(Kind::Usage, format!("there is no directory {}", to.display()))
            .hint("--to names the directory that the session is resumed from")),
    }
}

#[cfg(test)]
mod tests {
    use scrollback_app::edit::Point;

    use super::point;

    #[test]
    fn points_are_turns_compactions_or_ids() {
        assert_eq!(point("3").unwrap(), Point::Turn(3));
        assert_eq!(point("before-compaction").unwrap(), Point::BeforeCompaction(None));
        assert_eq!(point("before-compaction:2").unwrap(), Point::BeforeCompaction(Some(2)));
        assert_eq!(point("85835976").unwrap(), Point::Turn(85_835_976));
        assert_eq!(point("a5835976-1").unwrap(), Point::Entry("a5835976-1".into()));
        assert!(point("before-compaction:x").is_err() && point("").is_err() && point("x").is_err());
    }
}
