//! `scrollback files restore`: versions of files put back, in place or elsewhere.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use scrollback_app::edit::Plan;
use scrollback_app::files::moment::{At, end_of_turn};
use scrollback_app::files::path::Renamed;
use scrollback_app::files::restore::{self, Restore, Target};
use scrollback_app::files::shelf::Shelf;
use scrollback_app::library::{Library, SessionFiles};

use super::which::{self, WhichArgs};
use crate::context::Context;
use crate::edit::{self, EditArgs};
use crate::failure::{Failure, Kind};
use crate::paint::{Line, Style, fold};

/// Arguments of `files restore`.
#[derive(Debug, Args)]
pub struct RestoreArgs {
    /// The file: a path, or the end of one if no other file ends so.
    #[arg(required_unless_present = "all", conflicts_with = "all")]
    pub path: Option<String>,
    /// All files that a session changed; --at names the session.
    #[arg(long)]
    pub all: bool,
    /// Which version: v3, SESSION, SESSION/TURN or a date.
    #[arg(long, value_name = "AT")]
    pub at: String,
    /// Into this directory: each file at its path below the project, others below `outside`.
    #[arg(long, value_name = "DIR", conflicts_with = "in_place", required_unless_present = "in_place")]
    pub to: Option<PathBuf>,
    /// Where they were. What is there now goes to the trash.
    #[arg(long)]
    pub in_place: bool,
    /// How to go about it.
    #[command(flatten)]
    pub how: HowArgs,
}

/// What every way of putting files back takes.
#[derive(Debug, Clone, Args)]
pub struct HowArgs {
    /// Restore also what is known only in part.
    #[arg(long)]
    pub partial: bool,
    /// How files are looked for.
    #[command(flatten)]
    pub which: WhichArgs,
    /// Apply without asking.
    #[arg(long, short)]
    pub yes: bool,
    /// Only show what would be done.
    #[arg(long, short = 'n', conflicts_with = "yes")]
    pub dry_run: bool,
}

/// Restores files.
pub fn run(context: &mut Context, args: &RestoreArgs) -> Result<(), Failure> {
    let target = args.to.as_ref().map_or(Target::InPlace, |to| Target::Into(here(context, to)));
    let library = context.library()?;
    let Some(path) = &args.path else {
        let (session, turn) = which::turn_of(&args.at);
        let files = context.resolve(&library, session)?;
        return all(
            context,
            &library,
            &files,
            turn,
            target,
            &args.how,
            &["files", "restore", "--all", "--at", &args.at],
        );
    };
    let at = which::at(context, &library, &args.at)?;
    let index = context.index(&library)?;
    let history = args.how.which.find(context, &index, path)?;
    let title = match &target {
        Target::Into(directory) => format!("restore {} into {}", history.path, context.short_path(directory)),
        Target::InPlace => format!("restore {} in place", history.path),
    };
    let project = history.shelf.sources.iter().find_map(|source| source.project()).map(str::to_owned);
    let restore = Restore {
        paths: vec![history.path.clone()],
        at,
        target,
        project,
        named: true,
        renamed: args.how.which.renamed()?,
        partial: args.how.partial,
        title,
        command: edit::words(&["files", "restore", path, "--at", &args.at]),
        now: context.now(),
    };
    let plan = restore::plan(&Arc::new(history.shelf), &restore)?;
    offer(context, &plan, &args.how)
}

/// All files that a session changed, as they were at the end of a turn, or of the session.
pub fn all(
    context: &mut Context,
    library: &Library,
    files: &SessionFiles<'_>,
    turn: Option<u32>,
    target: Target,
    how: &HowArgs,
    words: &[&str],
) -> Result<(), Failure> {
    if how.which.any_project {
        return Err(Failure::new(Kind::Usage, "--any-project looks for one file, by its path")
            .hint("--renamed OLD=NEW says that a project has another name now"));
    }
    let time = end_of_turn(library, files, turn)?;
    let own = Shelf::of_session(library, files)?;
    let renamed: Vec<Renamed> = how.which.renamed()?;
    let paths = own.changed();
    if paths.is_empty() {
        return Err(Failure::new(Kind::NothingFound, format!("session {} changed no file", files.id)));
    }
    let index = context.index(library)?;
    let shelf = Shelf::widened(&index, &paths)?;
    let when = turn.map_or_else(|| "its end".to_owned(), |turn| format!("the end of turn {turn}"));
    let count = fold::plural(paths.len() as u64, "file");
    let whereto = match &target {
        Target::Into(directory) => format!("into {}", context.short_path(directory)),
        Target::InPlace => "in place".to_owned(),
    };
    let restore = Restore {
        paths,
        at: At::Time(time),
        target,
        project: own.project(files.id.as_str()).map(str::to_owned),
        named: false,
        renamed,
        partial: how.partial,
        title: format!("restore {count} of session {} {whereto}, as of {when}", files.id),
        command: edit::words(words),
        now: context.now(),
    };
    let plan = restore::plan(&Arc::new(shelf), &restore)?;
    offer(context, &plan, how)
}

/// A directory relative to where the user is.
pub fn here(context: &Context, directory: &PathBuf) -> PathBuf {
    context.env.cwd.as_ref().map_or_else(|| directory.clone(), |cwd| cwd.join(directory))
}

/// Shows the plan and asks; without anything to do, says why.
fn offer(context: &mut Context, plan: &Plan, how: &HowArgs) -> Result<(), Failure> {
    if !plan.transaction.ops().is_empty() || context.global.json {
        let args = EditArgs {
            yes: how.yes && !plan.transaction.ops().is_empty(),
            dry_run: how.dry_run,
            client: None,
        };
        return edit::offer(context, plan, &args);
    }
    let preview = plan.preview(&context.watch());
    context.out.line(Line::new(&preview.title, Style::Heading))?;
    for note in &preview.notes {
        context.out.line(Line::plain(note))?;
    }
    for warning in &preview.warnings {
        context.out.line(Line::new(format!("warning: {warning}"), Style::Warning))?;
    }
    context.out.line(Line::new("There is nothing to restore.", Style::Dim))?;
    if preview.warnings.is_empty() { Ok(()) } else { Err(Failure::quiet(Kind::NothingFound)) }
}
