//! `scrollback snapshots`: the set-up of the user's shell, as saved by clients.

use clap::Args;
use scrollback_app::request::snapshots::SnapshotsRequest;
use scrollback_app::snapshot::{self, SnapshotView, SnapshotsView};

use crate::context::Context;
use crate::date;
use crate::failure::{ExitKind, Failure};
use crate::paint::grid::{Column, Grid};
use crate::paint::highlight::highlight;
use crate::paint::{Style, StyledLine, fold};
use crate::scope;

/// Arguments of `snapshots`.
#[derive(Debug, Args)]
pub struct SnapshotsArgs {
    /// Show this snapshot: its name, part of its name, or `last` [default: list all].
    pub name: Option<String>,
    /// Only at or after this date.
    #[arg(long, value_name = "DATE")]
    pub since: Option<String>,
    /// Only before this date.
    #[arg(long, value_name = "DATE")]
    pub until: Option<String>,
}

/// Lists snapshots, or shows one.
pub fn run(context: &mut Context, args: &SnapshotsArgs) -> Result<(), Failure> {
    let request =
        SnapshotsRequest { name: args.name.clone(), since: args.since.clone(), until: args.until.clone() };
    let view = context.desk()?.answer(&request)?;
    if context.global.json {
        context.out.document(&view)?;
    } else if let ([one], Some(_)) = (view.snapshots.as_slice(), &args.name) {
        show(context, one)?;
    } else {
        context.start_pager();
        list(context, &view)?;
    }
    if view.snapshots.is_empty() { Err(Failure::quiet(ExitKind::NothingFound)) } else { Ok(()) }
}

fn list(context: &mut Context, view: &SnapshotsView) -> Result<(), Failure> {
    if view.snapshots.is_empty() {
        context.out.line(StyledLine::plain("No matching snapshots."))?;
    } else {
        let mut grid = Grid::new(vec![
            Column::new("snapshot"),
            Column::new("shell"),
            Column::new("created"),
            Column::new("functions").right(),
            Column::new("aliases").right(),
            Column::new("size").right(),
        ]);
        for one in &view.snapshots {
            grid.row(vec![
                StyledLine::new(one.name.as_str(), Style::Strong),
                StyledLine::plain(one.shell.as_deref().unwrap_or("?")),
                StyledLine::new(date::minute(one.time, &context.zone), Style::Time),
                StyledLine::plain(fold::count(one.functions)),
                StyledLine::plain(fold::count(one.aliases)),
                StyledLine::plain(fold::bytes(one.bytes)),
            ]);
        }
        let lines = grid.lines(context.out.fit());
        context.out.lines(&lines)?;
    }
    scope::troubles(context, &view.troubles)
}

fn show(context: &mut Context, one: &SnapshotView) -> Result<(), Failure> {
    let text = snapshot::text(one).map_err(|trouble| {
        Failure::new(ExitKind::Io, format!("{}: {}", trouble.path.display(), trouble.what))
    })?;
    context.start_pager();
    let lines = highlight(&text, "bash", context.out.canvas().theme);
    Ok(context.out.lines(&lines)?)
}
