//! Which file, and which of its versions: what several subcommands of `files` take.

use clap::Args;
use scrollback_app::catalogue::Index;
use scrollback_app::files::history::{History, Query};
use scrollback_app::files::moment::{At, end_of_turn};
use scrollback_app::files::path::Renamed;
use scrollback_app::library::Library;

use crate::context::Context;
use crate::date;
use crate::failure::{Failure, Kind};

/// How a path is looked for.
#[derive(Debug, Clone, Default, Args)]
pub struct WhichArgs {
    /// A directory that has another name now: what was recorded below OLD is looked for below NEW (may be given several times).
    #[arg(long, value_name = "OLD=NEW")]
    pub renamed: Vec<String>,
    /// Take every file that has this path below its own project for the same one.
    #[arg(long)]
    pub any_project: bool,
}

impl WhichArgs {
    /// The directories that have another name now.
    pub fn renamed(&self) -> Result<Vec<Renamed>, Failure> {
        let parse = |text: &String| {
            Renamed::parse(text).ok_or_else(|| {
                Failure::new(Kind::Usage, format!("'{text}' tells no renaming"))
                    .hint("--renamed /home/me/old=/home/me/new, both absolute")
            })
        };
        self.renamed.iter().map(parse).collect()
    }

    /// The history of a file.
    pub fn find(&self, context: &Context, index: &Index, path: &str) -> Result<History, Failure> {
        let directory = context.env.cwd.as_ref().map(|cwd| cwd.display().to_string());
        let (renamed, any_project) = (self.renamed()?, self.any_project);
        Ok(History::find(index, &Query { path: path.to_owned(), directory, renamed, any_project })?)
    }
}

/// The state that AT names: `v3`, a date, `SESSION` or `SESSION/TURN`; the newest if it is empty.
pub fn at(context: &mut Context, library: &Library, text: &str) -> Result<At, Failure> {
    if text.is_empty() {
        return Ok(At::Newest);
    }
    if let Some(number) = text.strip_prefix('v').and_then(|number| number.parse().ok()) {
        return Ok(At::Version(number));
    }
    if let Ok(time) = date::decode(text, context.now(), &context.zone) {
        return Ok(At::Time(time));
    }
    let (session, turn) = turn_of(text);
    let files = context.resolve(library, session)?;
    Ok(At::Time(end_of_turn(library, &files, turn)?))
}

/// `SESSION/TURN` taken apart. What follows the last slash is a turn only if it is a number.
pub fn turn_of(text: &str) -> (&str, Option<u32>) {
    match text.rsplit_once('/') {
        Some((session, turn)) if !session.is_empty() => match turn.parse() {
            Ok(turn) => (session, Some(turn)),
            Err(_) => (text, None),
        },
        _ => (text, None),
    }
}

#[cfg(test)]
mod tests {
    use super::turn_of;

    #[test]
    fn a_turn_is_a_number_after_a_slash() {
        assert_eq!(turn_of("1a2b/4"), ("1a2b", Some(4)));
        assert_eq!(turn_of("1a2b"), ("1a2b", None));
        assert_eq!(turn_of("/x/y.jsonl"), ("/x/y.jsonl", None));
        assert_eq!(turn_of("/x/y.jsonl/2"), ("/x/y.jsonl", Some(2)));
        assert_eq!(turn_of("/3"), ("/3", None));
    }
}
