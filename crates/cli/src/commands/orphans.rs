//! `scrollback orphans`: what belongs to no session any more.

use clap::Args;
use scrollback_app::request::orphans::OrphansRequest;
use scrollback_app::stock::orphans::OrphanReason;

use crate::context::Context;
use crate::date;
use crate::failure::Failure;
use crate::paint::grid::{Column, Grid};
use crate::paint::{Style, StyledLine, fold};

/// Arguments of `orphans`.
#[derive(Debug, Args)]
pub struct OrphansArgs {
    /// Only this area.
    #[arg(long, value_name = "AREA")]
    pub area: Option<String>,
}

/// Lists orphans.
pub fn run(context: &mut Context, args: &OrphansArgs) -> Result<(), Failure> {
    let found = context.desk()?.answer(&OrphansRequest { area: args.area.clone() })?;
    if context.global.json {
        return Ok(context.out.document(&found)?);
    }
    if found.orphans.is_empty() {
        let text = match &args.area {
            Some(area) => format!("No orphans in {area}."),
            None => "No orphans.".to_owned(),
        };
        context.out.line(StyledLine::plain(text))?;
        return unread(context, found.unread);
    }
    context.start_pager();
    let mut grid = Grid::new(vec![
        Column::new("area"),
        Column::new("path").shrinks(1, 24).keeps_end(),
        Column::new("why").shrinks(0, 12),
        Column::new("files").right(),
        Column::new("size").right(),
        Column::new("modified"),
    ]);
    for orphan in &found.orphans {
        grid.row(vec![
            StyledLine::plain(orphan.area.name()),
            StyledLine::new(context.short_path(&orphan.path), Style::Path),
            StyledLine::new(why(orphan.why), Style::Dim),
            StyledLine::plain(fold::count(orphan.files)),
            StyledLine::plain(fold::bytes(orphan.bytes)),
            StyledLine::new(date::day(orphan.last_time, &context.zone), Style::Time),
        ]);
    }
    let lines = grid.lines(context.out.fit());
    context.out.lines(&lines)?;
    context.out.gap()?;
    let text = format!(
        "{} with {} in {}. Nothing was changed.",
        fold::plural(found.orphans.len() as u64, "orphan"),
        fold::bytes(found.bytes),
        fold::plural(found.files, "file"),
    );
    context.out.line(StyledLine::new(text, Style::Dim))?;
    unread(context, found.unread)
}

/// Folders that could not be read: sessions in them may own what is listed.
fn unread(context: &mut Context, folders: u64) -> Result<(), Failure> {
    if folders == 0 {
        return Ok(());
    }
    context.out.gap()?;
    let noun = if folders == 1 { "folder" } else { "folders" };
    let text = format!(
        "{} session {noun} could not be read: what looks like an orphan may belong to a session there.",
        fold::count(folders)
    );
    Ok(context.out.line(StyledLine::new(text, Style::Warning))?)
}

fn why(why: OrphanReason) -> &'static str {
    match why {
        OrphanReason::SlugUnknown => "no session has this slug",
        OrphanReason::PasteUnused => "no prompt refers to it",
        OrphanReason::ProcessGone => "process ended",
        OrphanReason::ProjectEmpty => "no sessions",
        OrphanReason::SessionUnseen => "session not found",
        OrphanReason::AgentGone => "agent is gone",
        _ => "session is gone",
    }
}
