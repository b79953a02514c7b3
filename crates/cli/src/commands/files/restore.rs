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
    /// File path, or an unambiguous end of one.
    #[arg(required_unless_present = "all", conflicts_with = "all")]
    pub path: Option<String>,
    /// Restore all files that a session changed; --at names the session.
    #[arg(long)]
    pub all: bool,
    /// Version: v3, SESSION, SESSION/TURN or a date.
    #[arg(long, value_name = "AT")]
    pub at: String,
    /// Where to.
    #[command(flatten)]
    pub target: TargetArgs,
    /// Treat files with the same path relative to their project as one file.
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
    /// Restore into this directory: files at their path relative to the project, others under `outside`.
    #[arg(long, alias = "to", value_name = "DIR")]
    pub into: Option<PathBuf>,
    /// Restore to the original paths; current files are moved to the trash.
    #[arg(long)]
    pub in_place: bool,
}

/// What every way of restoring takes.
#[derive(Debug, Clone, Args)]
pub struct HowArgs {
    /// Also restore files whose content is only partly known.
    #[arg(long)]
    pub partial: bool,
    /// Directory that was renamed: restore to NEW the files recorded in OLD (can be repeated).
    #[arg(long, value_name = "OLD=NEW")]
    pub renamed: Vec<String>,
    /// Apply without asking for confirmation.
    #[arg(long, short)]
    pub yes: bool,
    /// Show what would change, without changing anything.
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
    let preview = context.desk()?.preview(plan).preview;
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
