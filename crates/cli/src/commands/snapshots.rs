//! `scrollback snapshots`: the user's shell as clients found it.

use clap::Args;
use scrollback_app::snapshot::{self, SnapshotView, SnapshotsView};

use crate::context::Context;
use crate::date;
use crate::failure::{Failure, Kind};
use crate::paint::grid::{Column, Grid};
use crate::paint::highlight::highlight;
use crate::paint::{Line, Style, fold};
use crate::scope::{self, ScopeArgs};

/// Arguments of `snapshots`.
#[derive(Debug, Args)]
pub struct SnapshotsArgs {
    /// Show this one: its name or a part of it, or `last` (default: list them).
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
    let scope = ScopeArgs { project: None, since: args.since.clone(), until: args.until.clone() };
    let scope = scope.resolve(context)?;
    let library = context.library()?;
    let mut view = snapshot::snapshots(&library, &scope);
    if let Some(name) = &args.name {
        let one = find(&view, name)?;
        if context.global.json {
            view.snapshots = vec![one];
            return Ok(context.out.json(&view)?);
        }
        return show(context, &one);
    }
    if context.global.json {
        context.out.json(&view)?;
    } else {
        context.start_pager();
        list(context, &view)?;
    }
    if view.snapshots.is_empty() { Err(Failure::quiet(Kind::NothingFound)) } else { Ok(()) }
}

fn find(view: &SnapshotsView, name: &str) -> Result<SnapshotView, Failure> {
    let found: Vec<&SnapshotView> = if name == "last" {
        view.snapshots.first().into_iter().collect()
    } else {
        view.snapshots.iter().filter(|one| one.name.contains(name)).collect()
    };
    match found.as_slice() {
        [one] => Ok((*one).clone()),
        [] => Err(Failure::new(Kind::NothingFound, format!("no snapshot is called '{name}'"))
            .hint("`scrollback snapshots` lists them")),
        several => {
            let failure = Failure::new(Kind::Usage, format!("'{name}' could be {} snapshots", several.len()));
            Err(several.iter().take(12).fold(failure, |failure, one| failure.hint(one.name.as_str())))
        }
    }
}

fn list(context: &mut Context, view: &SnapshotsView) -> Result<(), Failure> {
    if view.snapshots.is_empty() {
        context.out.line(Line::plain("There is no shell snapshot that fits."))?;
    } else {
        let mut grid = Grid::new(vec![
            Column::new("snapshot"),
            Column::new("shell"),
            Column::new("taken"),
            Column::new("functions").right(),
            Column::new("aliases").right(),
            Column::new("size").right(),
        ]);
        for one in &view.snapshots {
            grid.row(vec![
                Line::new(one.name.as_str(), Style::Strong),
                Line::plain(one.shell.as_deref().unwrap_or("?")),
                Line::new(date::minute(one.time, &context.zone), Style::Time),
                Line::plain(fold::count(one.functions)),
                Line::plain(fold::count(one.aliases)),
                Line::plain(fold::bytes(one.bytes)),
            ]);
        }
        let lines = grid.lines(context.out.fit());
        context.out.lines(&lines)?;
    }
    scope::troubles(context, &view.troubles)
}

fn show(context: &mut Context, one: &SnapshotView) -> Result<(), Failure> {
    let text = snapshot::text(one)
        .map_err(|trouble| Failure::new(Kind::Io, format!("{}: {}", trouble.path.display(), trouble.what)))?;
    context.start_pager();
    let lines = highlight(&text, "bash", context.out.canvas().theme);
    Ok(context.out.lines(&lines)?)
}
