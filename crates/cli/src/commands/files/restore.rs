//! `scrollback files restore`: versions of files restored, in place or elsewhere.

use std::path::PathBuf;

use clap::Args;
use scrollback_app::edit::EditPlan;
use scrollback_app::edits::EditRequest;
use scrollback_app::request::files::restore::{FilesRestoreRequest, RestoreHow};

use crate::context::Context;
use crate::edit::{self, EditArgs};
use crate::failure::{ExitKind, Failure};
use crate::paint::{Style, StyledLine};

/// Arguments of `files restore`.
#[derive(Debug, Args)]
pub struct RestoreArgs {
    /// The file: a path, or the end of one if that is unambiguous.
    #[arg(required_unless_present = "all", conflicts_with = "all")]
    pub path: Option<String>,
    /// All files that a session changed; --at names the session.
    #[arg(long)]
    pub all: bool,
    /// The version: v3, SESSION, SESSION/TURN or a date.
    #[arg(long, value_name = "AT")]
    pub at: String,
    /// Where to.
    #[command(flatten)]
    pub target: TargetArgs,
    /// Treat every file that has this path below its own project as the same file.
    #[arg(long, conflicts_with = "all")]
    pub any_project: bool,
    /// How to restore.
    #[command(flatten)]
    pub how: HowArgs,
}

/// Where files are restored to.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub struct TargetArgs {
    /// Into this directory: each file at its path below the project, others below `outside`.
    #[arg(long, alias = "to", value_name = "DIR")]
    pub into: Option<PathBuf>,
    /// Where they were; what is there now goes to the trash.
    #[arg(long)]
    pub in_place: bool,
}

/// What every way of restoring takes.
#[derive(Debug, Clone, Args)]
pub struct HowArgs {
    /// Restore also what is only partly known.
    #[arg(long)]
    pub partial: bool,
    /// A directory that has another name now: restore below NEW what was recorded below OLD (may be given several times).
    #[arg(long, value_name = "OLD=NEW")]
    pub renamed: Vec<String>,
    /// Apply without asking.
    #[arg(long, short)]
    pub yes: bool,
    /// Show what would be changed, and change nothing.
    #[arg(long, conflicts_with = "yes")]
    pub dry_run: bool,
}

impl HowArgs {
    /// As a request takes it.
    pub fn request(&self, into: Option<&PathBuf>) -> RestoreHow {
        RestoreHow { into: into.cloned(), partial: self.partial, renamed: self.renamed.clone() }
    }
}

/// Restores files.
pub fn run(context: &mut Context, args: &RestoreArgs) -> Result<(), Failure> {
    let request = FilesRestoreRequest {
        path: args.path.clone(),
        at: args.at.clone(),
        any_project: args.any_project,
        how: args.how.request(args.target.into.as_ref()),
    };
    run_request(context, &request, &args.how)
}

/// Plans a restore, shows it, and applies it if the user says so.
pub fn run_request(context: &mut Context, request: &impl EditRequest, how: &HowArgs) -> Result<(), Failure> {
    let desk = context.desk()?;
    let plan = if how.dry_run { desk.dry_run(request)? } else { desk.plan(request)? };
    offer(context, &plan, how)
}

/// Shows the plan and asks; without anything to do, says why.
fn offer(context: &mut Context, plan: &EditPlan, how: &HowArgs) -> Result<(), Failure> {
    if !plan.transaction.ops().is_empty() || context.global.json {
        let args = EditArgs {
            yes: how.yes && !plan.transaction.ops().is_empty(),
            dry_run: how.dry_run,
            client: None,
        };
        return edit::offer(context, plan, &args);
    }
    let preview = plan.preview(&context.watch());
    context.out.line(StyledLine::new(&preview.title, Style::Heading))?;
    for note in &preview.notes {
        context.out.line(StyledLine::plain(note))?;
    }
    for warning in &preview.warnings {
        context.out.line(StyledLine::new(format!("warning: {warning}"), Style::Warning))?;
    }
    context.out.line(StyledLine::new("Nothing to restore.", Style::Dim))?;
    if preview.warnings.is_empty() { Ok(()) } else { Err(Failure::quiet(ExitKind::NothingFound)) }
}
